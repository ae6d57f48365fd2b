package proof

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/proof/mutant"
	"github.com/booty-cli/booty/pkg/edit"
)

// Source is a file of the product that a change touches.
type Source struct {
	Path     string
	Old, New []byte // nil where it is not there
	Mode     fs.FileMode
}

// Subject is the change to be proven.
type Subject struct {
	Sources []Source
	// NewTests put the tests of the new code on the old one, Old those of the old on the new.
	NewTests []edit.Change
	Old      Swap
	// Renames are the files that have other names now, by their old ones.
	Renames map[string]string
	// TestFiles names all files of tests of the new code. It is asked where a small change to the
	// code is tried; may be nil.
	TestFiles func(context.Context) ([]string, error)
}

// seed is the same for the same change.
func (s Subject) seed() string {
	h := sha256.New()
	for _, f := range s.Sources {
		for _, part := range [][]byte{[]byte(f.Path), f.Old, f.New} {
			h.Write(part)
			h.Write([]byte{0})
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// mutants are those of the changed lines of the product, without third-party code.
func (s Subject) mutants() (own []mutant.Mutant) {
	for _, f := range s.Sources {
		if !foreign.ThirdParty(f.Path) {
			own = append(own, f.mutants()...)
		}
	}
	return own
}

// mutantsForTests returns mutants with which new tests can be seen to fail; those of third-party
// code if nothing else was changed.
func (s Subject) mutantsForTests() []mutant.Mutant {
	if own := s.mutants(); len(own) > 0 {
		return own
	}
	var all []mutant.Mutant
	for _, f := range s.Sources {
		all = append(all, f.mutants()...)
	}
	return all
}

func (f Source) mutants() []mutant.Mutant {
	if f.New == nil || !mutant.Readable(f.Path) {
		return nil
	}
	return mutant.Of(f.Path, f.New, f.changed())
}

// changed are the lines that the change brought, those of tests inside left out.
func (f Source) changed() map[int]bool {
	lines := map[int]bool{}
	tests := TestLines(f.Path, f.New)
	for _, e := range diff.Edits(diff.Split(string(f.Old)), diff.Split(string(f.New))) {
		for i := range e.New {
			if n := e.At + i + 1; !tests[n] {
				lines[n] = true
			}
		}
	}
	return lines
}

var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })

// reserved are words of languages that no change can bring, and a small file may lack. What is a
// name in other languages is not among them.
const reserved = `if else elif elsif unless for foreach while do until switch case break continue return yield
	try catch except finally ensure rescue raise throw throws defer def func function class struct enum interface trait impl
	let const var static public private protected async await this self super import export package
	in is as not and or lambda true false True False null nil None undefined void int bool boolean`

// newNames returns the names that the change added to the product and that its tests use: on the
// old code these may fail only because the names are missing.
func (s Subject) newNames() []string {
	old, product := map[string]bool{}, map[string]bool{}
	for _, f := range s.Sources {
		for _, w := range word().FindAllString(string(f.Old), -1) {
			old[w] = true
		}
		for _, w := range word().FindAllString(string(f.New), -1) {
			product[w] = true
		}
	}
	var out []string
	for _, c := range s.NewTests {
		for _, w := range word().FindAllString(string(c.Old), -1) { // known before
			old[w] = true
		}
	}
	for w := range strings.FieldsSeq(reserved) {
		old[w] = true
	}
	for _, c := range s.NewTests {
		for _, e := range diff.Edits(diff.Split(string(c.Old)), diff.Split(string(c.New))) {
			for _, w := range word().FindAllString(strings.Join(e.New, ""), -1) {
				if product[w] && !old[w] && !slices.Contains(out, w) {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// besides leaves out the mutants of lines that give one of some names a value and run
// nothing, such as a constant: a test that only names it would notice. Where there are no
// others, all are left.
func besides(all []mutant.Mutant, names []string) []mutant.Mutant {
	rest := slices.DeleteFunc(slices.Clone(all), func(m mutant.Mutant) bool {
		return !strings.Contains(m.Was, "(") &&
			slices.ContainsFunc(word().FindAllString(m.Was, -1),
				func(w string) bool { return slices.Contains(names, w) })
	})
	if len(rest) == 0 {
		return all
	}
	return rest
}

// namedLike are the test files that are likely to touch a file: those of its name.
func namedLike(file string, tests []string) []string {
	var out []string
	stem := stemOf(file)
	for _, t := range tests {
		if path.Ext(t) == path.Ext(file) && stemOf(t) == stem && t != file {
			out = append(out, t)
		}
	}
	return out
}

// stemOf is a file's name without what makes it a test.
func stemOf(p string) string {
	name := strings.ToLower(path.Base(p))
	name, _, _ = strings.Cut(name, ".")
	for _, mark := range []string{"tests", "test", "spec"} {
		for _, m := range []string{mark + "_", mark + "-"} {
			name = strings.TrimPrefix(name, m)
		}
		for _, m := range []string{"_" + mark, "-" + mark, mark} {
			if rest := strings.TrimSuffix(name, m); rest != "" {
				name = rest
			}
		}
	}
	return strings.Trim(name, "_-")
}
