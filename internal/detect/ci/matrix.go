package ci

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// row is one row of a matrix. static says that the matrix stands in the file,
// so that a name that is not in the row has no value.
type row struct {
	values map[string]string
	static bool
}

// matrix gives the rows of a job's matrix; a job without one has one row.
func matrix(m value) []row {
	if !m.is(yaml.MappingNode) {
		return []row{{map[string]string{}, !m.ok()}}
	}
	static := true
	rows := []map[string]string{{}}
	var axes []string
	for _, key := range m.keys() {
		axis := m.get(key)
		if key == "include" || key == "exclude" {
			continue
		}
		if !axis.is(yaml.SequenceNode) {
			static = false // made by an expression
			continue
		}
		axes = append(axes, key)
		rows = product(rows, key, axis.list())
	}
	for _, ex := range m.get("exclude").list() {
		rows = slices.DeleteFunc(rows, func(r map[string]string) bool { return fits(r, flat("", ex)) })
	}
	if len(axes) == 0 {
		rows = nil
	}
	rows = include(rows, axes, m.get("include").list())
	if len(rows) == 0 {
		rows = []map[string]string{{}}
		static = false
	}
	var out []row
	for _, r := range rows {
		out = append(out, row{r, static})
	}
	return out
}

func product(rows []map[string]string, key string, items []value) []map[string]string {
	var out []map[string]string
	for _, r := range rows {
		for _, item := range items {
			if len(out) == maxRows {
				return out
			}
			next := maps.Clone(r)
			maps.Copy(next, flat(key, item))
			out = append(out, next)
		}
	}
	return out
}

// include adds to the rows whose own values it does not change; else it is a
// row of its own.
func include(rows []map[string]string, axes []string, items []value) []map[string]string {
	var own []map[string]string
	for _, item := range items {
		values, added := flat("", item), false
		for _, r := range rows {
			agrees := true
			for _, a := range axes {
				if v, ok := values[a]; ok && v != r[a] {
					agrees = false
				}
			}
			if agrees && len(axes) > 0 {
				added = true
				maps.Copy(r, values)
			}
		}
		if !added {
			own = append(own, values)
		}
	}
	return append(rows, own...)
}

func fits(row, part map[string]string) bool {
	for k, v := range part {
		if row[k] != v {
			return false
		}
	}
	return len(part) > 0
}

// flat names the scalars in a value: matrix.job.os is "job.os".
func flat(key string, v value) map[string]string {
	out := map[string]string{}
	if !v.is(yaml.MappingNode) {
		if key != "" {
			out[key] = v.text()
		}
		return out
	}
	for k, text := range v.pairs() {
		if key != "" {
			k = key + "." + k
		}
		out[k] = text
	}
	return out
}
