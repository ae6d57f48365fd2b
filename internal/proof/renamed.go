package proof

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/failure"
)

// renames follows tests by what they say: those of before that are gone, and new ones in files of
// tests that the change touches.
type renames struct{ gone, fresh map[string][]string }

func (s Subject) renamesOf(before, after Result) renames {
	was, is := slices.Concat(before.Passing, before.Failing), slices.Concat(after.Passing, after.Failing)
	r := renames{map[string][]string{}, map[string][]string{}}
	for _, c := range s.Old.Tests {
		collect := func(into map[string][]string, names []string, text, other string) {
			for _, name := range names {
				of := failure.FunctionOf(name)
				if block := testOf(text, of); len(into[of]) == 0 && len(block) > 1 &&
					testOf(other, of) == nil {
					into[of] = block
				}
			}
		}
		collect(r.gone, except(was, is), string(c.New), string(c.Old))
		collect(r.fresh, except(is, was), string(c.Old), string(c.New))
	}
	return r
}

// kept reports whether a test that is gone has its assertions in a new one.
func (r renames) kept(name string) bool {
	old := r.gone[failure.FunctionOf(name)]
	if len(old) == 0 {
		return false
	}
	asserts := slices.DeleteFunc(slices.Clone(old[1:]),
		func(l string) bool { return !compares().MatchString(l) || comment().MatchString(l) })
	if len(asserts) == 0 {
		asserts = old[1:]
	}
	for _, now := range r.fresh {
		left := asserts
		for _, line := range now[1:] {
			if len(left) > 0 && left[0] == line {
				left = left[1:]
			}
		}
		if len(left) == 0 {
			return true
		}
	}
	return false
}

// likely returns for each missing test the new one that holds most of the same.
func (r renames) likely() map[testCase]testCase {
	out := map[testCase]testCase{}
	for name, old := range r.gone {
		most := 0
		for now, block := range r.fresh {
			same := len(old) - 1
			for _, e := range diff.Edits(asLines(old[1:]), asLines(block[1:])) {
				same -= e.To - e.From
			}
			if same*2 >= len(old)-1 &&
				(same > most || same == most && most > 0 && now < out[caseOf(name)].of) {
				most, out[caseOf(name)] = same, caseOf(now)
			}
		}
	}
	return out
}

// follows reports whether a new test holds most of what one that is gone held. It reads nothing
// else of what ran: the old tests may be running.
func follows(renamed map[testCase]testCase) func(name string) bool {
	return func(name string) bool {
		for _, now := range renamed {
			if now.of == caseOf(name).of {
				return true
			}
		}
		return false
	}
}

func asLines(list []string) (out []string) {
	for _, l := range list {
		out = append(out, l+"\n")
	}
	return out
}

// titled is a line that begins a test which is named by a text.
var titled = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\\b(?:it|test|specify|example|scenario|Deno\\.test)\\b[.\\w]*[ (]\\s*(?:'([^']+)'|\"([^\"]+)\"|`([^`]+)`)")
})

// testOf are the lines of a test: of one that is named by a text, or by a name of the language.
func testOf(text, name string) []string {
	begins, longest := "", 0
	for line := range strings.Lines(text) {
		for _, m := range titled().FindAllStringSubmatch(line, -1) {
			if title := m[1] + m[2] + m[3]; strings.HasSuffix(name, title) && len(title) > longest {
				begins, longest = line, len(title)
			}
		}
	}
	if longest > 0 {
		return blockFrom(text, func(bare string) bool { return bare == strings.TrimSpace(begins) })
	}
	if strings.ContainsAny(name, " \t") {
		return nil
	}
	return blockOf(text, localName(name))
}
