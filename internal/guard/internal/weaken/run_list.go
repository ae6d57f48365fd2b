package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// runs is a line of a chain of cases, each a function that is given nothing.
	runs    = pattern.Lazy(`^\s*(return\b\s*)?((?:\w+\(\)\s*&&\s*)*)$`)
	caseOf  = pattern.Lazy(`(\w+)\(\)`)
	lastRun = pattern.Lazy(`^\s*(?:\w+\(\)\s*&&\s*)*(\w+\(\)|true)\s*;$`)
	runHead = pattern.Lazy(`^(static\s+)?bool\s+run\s*\(\s*(void)?\s*\)$`)
)

// addsToRun tells, in C, cases added to the chain in which run() asks one after the other
// whether it passes: one more can make that false, and never true. Each is a function of
// the file that was added too.
func (r *reading) addsToRun(h diff.Hunk, before, after int) bool {
	at := r.new.Outline.At[h.From]
	if r.lang.Name != "c" || at == nil || before < 0 || after < 0 ||
		!runHead().MatchString(strings.TrimSpace(at.Header)) {
		return false
	}
	line := func(i int) string { return strings.TrimRight(r.new.Code[i], " \r\n") }
	for i := h.From; i < h.To; i++ {
		if r.new.Blank(i) || isDirective(line(i)) {
			continue
		}
		m := runs().FindStringSubmatch(line(i))
		if m == nil || m[1] != "" {
			return false
		}
		for _, c := range caseOf().FindAllStringSubmatch(m[2], -1) {
			if !r.addsCase(c[1]) {
				return false
			}
		}
	}
	if !lastRun().MatchString(line(after)) && !runs().MatchString(line(after)) && !isDirective(line(after)) {
		return false
	}
	return r.chainBegins(before, at.Line)
}

// chainBegins tells a line of such a chain, up to the return that it begins with.
func (r *reading) chainBegins(from, head int) bool {
	for i := from; i > head; i-- {
		m := runs().FindStringSubmatch(strings.TrimRight(r.new.Code[i], " \r\n"))
		switch {
		case r.new.Blank(i), isDirective(r.new.Code[i]):
		case m == nil:
			return false
		case m[1] != "":
			return true
		}
	}
	return false
}

// isDirective tells a line of the preprocessor that takes lines in on a condition.
func isDirective(code string) bool {
	return directive().MatchString(strings.TrimRight(code, "\r\n"))
}

var directive = pattern.Lazy(`^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b[^\\]*$`)

// addsCase tells a function of the file that was added, and is given nothing.
func (r *reading) addsCase(name string) bool {
	for i, code := range r.new.Code {
		m := source.Method().FindStringSubmatch(strings.TrimRight(code, "\r\n"))
		if r.added[i] && m != nil && m[1] == name {
			return true
		}
	}
	return false
}
