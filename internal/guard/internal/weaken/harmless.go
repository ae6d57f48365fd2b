package weaken

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// forCompilerAlone tells lines of annotations alone that change nothing of what runs.
func forCompilerAlone(t *source.Text, from, to int) bool {
	any := false
	for i := from; i < to; i++ {
		if !t.Blank(i) {
			if any = forCompiler().MatchString(strings.TrimRight(t.Code[i], "\r\n")); !any {
				return false
			}
		}
	}
	return any
}

// derived is what the compiler of Rust makes for a type.
var derived = pattern.Lazy(`^#\[derive\(([\w:,]*)\)\]$`)

// derivesMore tells statements of Rust in which types have the same made for them, and more.
func derivesMore(before, after []string) bool {
	if len(before) != len(after) {
		return false
	}
	for i := range before {
		was, now := derived().FindStringSubmatch(before[i]), derived().FindStringSubmatch(after[i])
		if was == nil || now == nil {
			return false
		}
		list := strings.Split(now[1], ",")
		for _, name := range strings.Split(was[1], ",") {
			if !slices.Contains(list, name) {
				return false
			}
		}
	}
	return len(before) > 0
}

// perlPlan says how many tests a script of Perl runs: it fails where there are fewer, or
// more.
var perlPlan = pattern.Lazy(`^(\s*(?:use\s+Test::\w+\s+|plan\s*\(?\s*)tests\s*=>\s*)(\d+)(\s*\)?\s*;\s*)$`)

// plansMore tells a plan of more tests.
func (s *sorter) plansMore(e diff.Edit) bool {
	if s.lang.Name != "perl" || e.To-e.From != 1 || len(e.New) != 1 {
		return false
	}
	was, now := perlPlan().FindStringSubmatch(s.old.Code[e.From]), perlPlan().FindStringSubmatch(s.new.Code[e.At])
	if was == nil || now == nil || was[1] != now[1] || was[3] != now[3] {
		return false
	}
	a, errA := strconv.Atoi(was[2])
	b, errB := strconv.Atoi(now[2])
	return errA == nil && errB == nil && a <= b
}

var mainHead = pattern.Lazy(`^(?:int|auto)\s+main\s*\(`)

// endsMain tells, in C, a return as the last line of main, which without one says that all
// is well.
func (r *reading) endsMain(i int) bool {
	t := r.new
	b := t.Outline.At[i]
	_, after := t.Around(i+1, i+1)
	return r.lang.Name == "c" && b != nil && b.Parent == nil && mainHead().MatchString(b.Header) && after > i &&
		strings.HasPrefix(strings.TrimSpace(t.Code[i]), "return") && strings.TrimSpace(t.Code[after]) == "}" &&
		t.Outline.At[after+1] == nil
}

// phpOfAll is an import of a function or a constant that belongs to no space of names.
var phpOfAll = pattern.Lazy(`^use\s+(?:function|const)\s+\\?(\w+)\s*;$`)

// meansGlobal tells, in PHP, such an import of what old lines mean by the bare name unless
// their own space has one.
func (r *reading) meansGlobal(line string) bool {
	m := phpOfAll().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	own := regexp.MustCompile(`(?i)\b(?:function\s+&?|const\s+|define\W+)` + m[1] + `\b`)
	for _, lines := range [][]string{r.old.Live, r.new.Live} {
		for _, line := range lines {
			if own.MatchString(line) && !phpOfAll().MatchString(strings.TrimSpace(line)) {
				return false
			}
		}
	}
	return true
}
