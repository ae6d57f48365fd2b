package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// suggestion names the nearest valid key: among those of the same section
// first, then the same or a similar word anywhere.
func suggestion(full string, section reflect.Type, table map[string]key) string {
	last := lastPart(full)
	prefix := strings.TrimSuffix(full, last)
	best, dist := "", limit(last)+1
	for f := range fieldsOf(section) {
		if d := distance(last, f.name); d < dist {
			best, dist = prefix+f.name, d
		}
	}
	for f := range fieldsOf(section) {
		if best == "" && abbreviates(last, f.name) {
			best = prefix + f.name
		}
	}
	if best == "" {
		best = elsewhere(last, table)
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Nearest suggests a key for one that there is not, "" where none is near.
func Nearest(name string) string {
	table := map[string]key{}
	for _, k := range keys() {
		table[k.name] = k
	}
	if best := elsewhere(lastPart(name), table); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// abbreviates says whether short is long with letters left out, as cmd is of
// command.
func abbreviates(short, long string) bool {
	if len(short) < 3 || short[0] != long[0] {
		return false
	}
	for i := 0; i < len(long) && short != ""; i++ {
		if long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

func elsewhere(last string, table map[string]key) string {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	sort.Strings(names)
	best, dist := "", limit(last)+1
	for _, name := range names {
		for _, form := range []string{lastPart(name), strings.ReplaceAll(name, ".", "_")} {
			if d := distance(last, form); d < dist {
				best, dist = name, d
			}
		}
	}
	return best
}

func didYouMean(v string, list []string) string {
	best, dist := "", limit(v)+1
	for _, e := range list {
		if d := distance(strings.ToLower(v), e); d < dist {
			best, dist = e, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// limit is how many slips of the pen make a word another one.
func limit(s string) int {
	switch n := len(s); {
	case n <= 3:
		return 1
	case n <= 7:
		return 2
	default:
		return 3
	}
}

// distance is the number of letters put in, left out, changed or swapped with
// their neighbour (optimal string alignment).
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// misspelt warns of variables that look meant for booty and set nothing. Those
// that resemble no setting are left alone: other programs have names, too.
func misspelt(environ []string, table []key) []string {
	known := map[string]bool{}
	lists := map[string]string{}
	for _, k := range table {
		for _, name := range k.variables() {
			known[name] = true
		}
		if !k.scalar() {
			lists[variable(k.name)] = k.name
		}
	}
	var warnings []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "BOOTY_") || known[name] || value == "" || notSettings(name) {
			continue
		}
		if k := lists[name]; k != "" {
			warnings = append(warnings, fmt.Sprintf("%s sets nothing: %s is a list, and stands in .booty.yml", name, k))
			continue
		}
		best, dist := "", 3
		for _, other := range slices.Sorted(maps.Keys(known)) {
			if d := distance(name, other); d < dist {
				best, dist = other, d
			}
		}
		if best != "" {
			warnings = append(warnings, fmt.Sprintf("%s sets nothing: did you mean %s?", name, best))
			continue
		}
		warnings = append(warnings, name+" sets nothing: there is no such setting; booty config show lists them")
	}
	return warnings
}

// notSettings are variables that booty reads or sets beside its settings: the
// steps of patience, what its children get, and its own tests'.
func notSettings(name string) bool {
	switch name {
	case "BOOTY_PATIENCE", "BOOTY_SUPERVISOR", "BOOTY_GIT_TOKEN", "BOOTY_KILL_ALL":
		return true
	}
	return strings.HasPrefix(name, "BOOTY_TEST_")
}
