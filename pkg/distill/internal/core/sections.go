package core

import (
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// section is a part of an output that lists results.
type section int

const (
	noSection section = iota
	failures
	asides // skipped tests, warnings, passes
)

// sectionWords are words in the titles of such parts, by what the part lists.
var sectionWords = sync.OnceValue(func() map[string]section {
	words := map[string]section{}
	for part, list := range map[section]string{
		failures: "failures failure failed failing errors error broken unsuccessful",
		asides: "skipped pending warnings warning passed deprecations ignored todo flaky incomplete risky " +
			"slow slowest notices reruns omitted",
		noSection: "tests test specs examples scenarios cases the following there were was all list of " +
			"summary details short info in with suites results that run build total",
	} {
		for w := range strings.FieldsSeq(list) {
			words[w] = part
		}
	}
	return words
})

// sectionOf returns what a title line lists: "Failures:", "3 failing", "There was 1
// error:".
func sectionOf(s string) section {
	if len(s) > 90 || len(s) < 5 {
		return noSection
	}
	t := strings.Trim(s, rules+" \t!.:")
	if t == "" || t[len(t)-1] == ';' || strings.ContainsAny(t, "/=,'\"") {
		return noSection
	}
	part, told, words := noSection, false, 0
	for w := range strings.FieldsSeq(strings.ToLower(t)) {
		w = strings.Trim(w, ":()!")
		said, known := sectionWords()[w]
		if words++; words > 8 || !known && !stream.OnlyDigits(w) {
			return noSection
		}
		told = told || stream.OnlyDigits(w)
		part = max(part, said)
	}
	if told || strings.HasSuffix(strings.TrimSpace(s), ":") || strings.Trim(s, " \t") != t ||
		t == strings.ToUpper(t) {
		return part
	}
	return noSection // a sentence
}
