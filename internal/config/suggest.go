package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// near gives the word that another one may have meant, "" where none is near: the
// longer it is, the more slips of the pen it may have.
func near(word string, among []string) string {
	most := 3
	switch n := len(word); {
	case n <= 3:
		most = 1
	case n <= 7:
		most = 2
	}
	best := ""
	for _, a := range among {
		if d := levenshtein.ComputeDistance(word, a); d <= most {
			best, most = a, d-1
		}
	}
	return best
}

func didYouMean(best string) string {
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// suggestion names the nearest valid key: among those of the same section
// first, then the same or a similar word anywhere.
func suggestion(full string, section reflect.Type) string {
	last := lastPart(full)
	var names []string
	for f := range fieldsOf(section) {
		names = append(names, f.name)
	}
	if best := near(last, names); best != "" {
		return didYouMean(strings.TrimSuffix(full, last) + best)
	}
	return Nearest(last)
}

// Nearest suggests a key for one that there is not, "" where none is near.
func Nearest(name string) string {
	forms := map[string]string{}
	for _, k := range keys() {
		forms[strings.ReplaceAll(k.name, ".", "_")] = k.name
		if forms[lastPart(k.name)] == "" {
			forms[lastPart(k.name)] = k.name
		}
	}
	return didYouMean(forms[near(lastPart(name), slices.Sorted(maps.Keys(forms)))])
}

// misspelt warns of variables that look meant for booty and set nothing.
func misspelt(environ []string, table []key) []string {
	var known []string
	lists := map[string]string{}
	for _, k := range table {
		known = append(known, k.variables()...)
		if !k.scalar() {
			lists[variable(k.name)] = k.name
		}
	}
	var warnings []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "BOOTY_") || slices.Contains(known, name) || value == "" ||
			notSettings(name) {
			continue
		}
		why := "there is no such setting; booty config show lists them"
		if k := lists[name]; k != "" {
			why = k + " is a list, and stands in .booty.yml"
		} else if best := near(name, known); best != "" {
			why = "did you mean " + best + "?"
		}
		warnings = append(warnings, name+" sets nothing: "+why)
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
