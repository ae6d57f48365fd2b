package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Record is one of several alike: the row of a table, a line of keys and values, an
// object of a document. What it tells of a test stands under keys.
type Record struct {
	At    int // its line
	Cells []Cell
}

// Cell is a value and the key that it stands under.
type Cell struct{ Key, Value string }

func (r *Record) value(key string) string {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Key == key })
	if i < 0 {
		return ""
	}
	return r.Cells[i].Value
}

// rowMark is the mark of a result that a record tells.
const rowMark = "\x01record"

// Records are of one kind: under one key most have the name of a test, under another
// one of few words that say results.
type Records []Record

var (
	resultKeys = []string{"result", "status", "state", "outcome", "verdict", "conclusion", "ok", "passed", "pass",
		"success", "succeeded", "failed"}
	nameKeys = []string{"test", "name", "title", "case", "check", "scenario", "testcase", "test_name",
		"description", "step", "probe", "id"}
	whyKeys = []string{"message", "error", "reason", "detail", "details", "why", "note", "stack", "problem",
		"exception", "msg", "text", "trace"}
)

// read takes the records for results of tests, if they are.
func (all Records) read() []event {
	result := all.keyOf(resultKeys, func(values []string) bool { return verdicts(values) != nil })
	none := func(r Record) bool { return result != "" && r.value(result) == "" }
	all = slices.DeleteFunc(slices.Clone(all), none)
	name := all.keyOf(nameKeys, func(values []string) bool {
		slices.Sort(values)
		odd := slices.ContainsFunc(values, func(s string) bool { return !named(s) })
		return !odd && len(slices.Compact(values))*4 > len(all)*3
	})
	tell := func(r Record) bool { return r.value("line") != "" && r.value("message") != "" } // each a failure
	if name == "" || name == result || len(all) < 2 || result == "" && !slices.ContainsFunc(all, tell) {
		return nil
	}
	var values []string
	for i := range all {
		values = append(values, resultIn(result, all[i].value(result)))
	}
	says := verdicts(values)
	var out []event
	for i, r := range all {
		e := event{said: says[values[i]], name: r.value(name), mark: rowMark, at: r.At, proof: proofMark}
		if result == "" {
			e.said = failed
		}
		e.place = Frame{File: r.value("file"), Line: text.Atoi(r.value("line"))}
		for _, c := range r.Cells {
			switch {
			case c.Key == name || c.Key == result || c.Value == "" || e.said != failed:
			case slices.Contains(whyKeys, c.Key):
				e.block = append(e.block, strings.Split(c.Value, "\n")...)
			default:
				e.block = append(e.block, c.Key+": "+c.Value)
			}
		}
		out = append(out, e)
	}
	return out
}

// keyOf finds the key of which the values are of a kind: one of the usual names, else the
// first that some three in four records have.
func (all Records) keyOf(usual []string, kind func(values []string) bool) string {
	var keys []string
	values := map[string][]string{}
	for i := range all {
		for _, c := range all[i].Cells {
			if values[c.Key] == nil {
				keys = append(keys, c.Key)
			}
			if c.Value != "" {
				values[c.Key] = append(values[c.Key], resultIn(c.Key, c.Value))
			}
		}
	}
	for _, k := range slices.Concat(usual, keys) {
		v := values[k]
		if len(v) > 1 && (slices.Contains(usual, k) || len(v)*4 >= len(all)*3) && kind(slices.Clone(v)) {
			return k
		}
	}
	return ""
}

// resultIn gives the word of a result: "true" says what its key says.
func resultIn(key, value string) string {
	told := map[string]string{"true": key, "false": "not " + key}[value]
	if told != "" && slices.Contains(resultKeys, key) {
		return told
	}
	return strings.Trim(value, `'"`)
}

// verdicts tells what the few words of a column say, nil if they are no results: at
// least one is known, and what is not is the other.
func verdicts(values []string) map[string]verdict {
	says, open := map[string]verdict{}, ""
	for _, v := range values {
		said := verdictOf(v)
		if word, _, ok := strings.Cut(v, " "); ok && said == unknown { // "TypeError: ...", behind a sign
			said = verdictOf(word)
		}
		if len(v) > 40 || said == unknown && open != "" && open != v {
			return nil
		}
		if says[v] = said; said == unknown {
			open = v
		}
	}
	var good, bad bool
	for _, v := range says {
		good, bad = good || v == passed, bad || v == failed
	}
	if open != "" {
		if good == bad || len(open) > 12 {
			return nil
		}
		if says[open] = passed; good {
			says[open], bad = failed, true
		}
	}
	if !bad || len(says) > 6 {
		return nil
	}
	return says
}

// tables finds the records that lines are: rows between drawn lines or separators, lines of
// keys and values, blocks of them.
func (g *generic) tables() {
	var open, pairs Records
	kind, header := "", []string(nil)
	end := func() {
		g.recorded(open)
		open, header, kind = nil, nil, ""
	}
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if g.d.Lines[i].Used || len(s) > 1000 {
			end()
			continue
		}
		k, cols := columnsOf(s)
		switch {
		case k == "":
			if strings.TrimSpace(s) != "" && !drawn(s) {
				end()
			}
			continue
		case k == "=": // of its own kind, among other lines
			pairs = append(pairs, Record{i, pairsOf(s)})
			continue
		case k != kind || header != nil && len(cols) != len(header):
			end()
			kind, header = k, cols
			for n := range header {
				header[n] = strings.ToLower(header[n])
			}
			continue
		}
		r := Record{At: i}
		for n, v := range cols {
			r.Cells = append(r.Cells, Cell{header[n], v})
		}
		open = append(open, r)
	}
	end()
	g.recorded(pairs)
	g.labelled()
	g.recorded(g.f.records)
}

// recorded keeps the results that records tell. Their lines tell nothing else.
func (g *generic) recorded(all Records) {
	events := all.read()
	for i := range events {
		e := &events[i]
		g.rowAt[e.at] = true
		if rel, ok := g.f.Root.Resolve(e.place.File, ""); ok && e.place.Line > 0 {
			e.place.File = rel
		} else {
			e.place = Frame{}
		}
	}
	if g.rows = append(g.rows, events...); len(events) > 0 && !g.counted { // all of them are told
		n := 0
		for _, e := range events {
			if e.said == failed {
				n++
			}
		}
		if n < len(events) {
			g.sumUp(events[len(events)-1].at, len(events)-n, n)
		}
	}
}

// drawn tells a line between the rows of a table.
func drawn(s string) bool {
	return strings.Trim(s, " -=+|:─━═┄┈┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╟╢╫┏┳┓┣╋┫┗┻┛│║┃") == ""
}

// columnsOf takes a row apart, and names what stands between its columns.
func columnsOf(s string) (kind string, cols []string) {
	t := strings.TrimSpace(s)
	if t == "" || drawn(t) {
		return "", nil
	}
	for _, bar := range []string{"│", "║", "┃", "|"} {
		if strings.HasPrefix(t, bar) && strings.HasSuffix(t, bar) && strings.Count(t, bar) > 2 {
			cols = strings.Split(t[len(bar):len(t)-len(bar)], bar)
			for i := range cols {
				cols[i] = strings.Trim(strings.TrimSpace(cols[i]), "'`*")
			}
			return bar, cols
		}
	}
	if len(pairsOf(t)) > 2 {
		return "=", nil
	}
	for _, sep := range []string{";", "\t", ","} {
		if strings.Count(t, sep) > 1 && (sep != "," || !strings.Contains(t, ", ")) {
			return sep, strings.Split(t, sep)
		}
	}
	return "", nil
}

var rePair = text.Lazy(`(?:^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|\S+)`)

// pairsOf reads key="value" key=value.
func pairsOf(s string) []Cell {
	if strings.Count(s, "=") < 3 {
		return nil
	}
	var out []Cell
	for _, m := range rePair().FindAllStringSubmatch(s, -1) {
		out = append(out, Cell{strings.ToLower(m[1]), strings.ReplaceAll(strings.Trim(m[2], `"`), `\"`, `"`)})
	}
	return out
}

var reLabel = text.Lazy(`^\s*([A-Z][\w ]{1,20}?) ?: +(\S.*)$`)

// labelled reads blocks of lines that are a label and its value each: records of which
// some labels come again and again.
func (g *generic) labelled() {
	var all Records
	first := ""
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if colon := strings.IndexByte(s, ':'); colon < 2 || colon > 40 || len(s) > 400 || g.rowAt[i] {
			continue
		}
		m := reLabel().FindStringSubmatch(s)
		if m == nil || g.d.Lines[i].Used {
			continue
		}
		c := Cell{strings.ToLower(m[1]), m[2]}
		if first == "" && slices.Contains(nameKeys, c.Key) {
			first = c.Key
		}
		if n := len(all); c.Key == first {
			all = append(all, Record{i, []Cell{c}})
		} else if n > 0 && all[n-1].value(c.Key) == "" && i-all[n-1].At <= len(all[n-1].Cells)+1 {
			all[n-1].Cells = append(all[n-1].Cells, c)
		}
	}
	g.recorded(all)
}

// Records keeps the objects of documents that may be results of tests.
func (f *Found) Records(all Records) { f.records = all }
