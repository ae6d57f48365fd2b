package proof

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// namesAlone reports whether the tests were changed for names alone: on either side, those of the
// other one do not build. Then the old tests are the new ones, which ran on the new code. on is what
// the new tests showed on the old code.
func (p *Prover) namesAlone(on Claim) bool {
	if p.ran.Stood == nil || len(on.Tests) > 0 || !noneLoads(on.Failures) ||
		!noneLoads(p.ran.Stood.Failures) {
		return false
	}
	names := p.onlyNames()
	if len(names) == 0 {
		return false
	}
	p.ran.Names, p.ran.Stood = names, &p.ran.After
	p.ran.Same = !slices.ContainsFunc(p.Sources, func(f Source) bool { return !f.sameBut(names) })
	p.out.Look = append(p.out.Look, "names that tests use are others now: "+some(isNow(names)))
	return true
}

func noneLoads(failures []failure.Failure) bool {
	return len(failures) > 0 &&
		!slices.ContainsFunc(failures, func(f failure.Failure) bool { return !f.NotLoaded() })
}

// sameBut reports whether the code of a file differs only in some names.
func (f Source) sameBut(names map[string]string) bool {
	lang := lexer.Of(f.Path)
	if lang == nil {
		return false
	}
	was, is := lexer.Lex(lang, string(f.Old)), lexer.Lex(lang, string(f.New))
	return texts(was) == texts(is) && slices.EqualFunc(tokens(was.Code()), tokens(is.Code()), func(a, b string) bool {
		to, renamed := names[a]
		return a == b && !renamed || renamed && to == b
	})
}

// onlyNames are names of the product that the change replaced, if its tests differ from the old ones
// in nothing else; nil otherwise.
func (s Subject) onlyNames() map[string]string {
	swap := s.Old
	if len(swap.Tests) == 0 || len(swap.Builds)+len(swap.Libraries)+len(swap.Data)+len(swap.Moved) > 0 {
		return nil
	}
	names, back := map[string]string{}, map[string]string{}
	for _, c := range swap.Tests {
		if c.Op != edit.Modify || testfile.Of(c.Path) != testfile.Case || !sameBut(c, names, back) {
			return nil
		}
	}
	old, now := s.productNames()
	maps.DeleteFunc(names, func(was, is string) bool { return was == is })
	for was, is := range names {
		if !old[was] || old[is] || now[was] || !now[is] {
			return nil
		}
	}
	return names
}

// sameBut reports whether the code of a test file differs only in names, each of which another one
// replaces everywhere. c puts the old file back. Texts must be the same: they may be expected.
func sameBut(c edit.Change, names, back map[string]string) bool {
	lang := lexer.Of(c.Path)
	if lang == nil {
		return false
	}
	was, is := lexer.Lex(lang, string(c.New)), lexer.Lex(lang, string(c.Old))
	old, now := tokens(was.Code()), tokens(is.Code())
	if len(old) != len(now) || texts(was) != texts(is) {
		return false
	}
	for i := range old {
		if !word().MatchString(old[i]) || !word().MatchString(now[i]) {
			if old[i] != now[i] {
				return false
			}
			continue
		}
		if to, known := names[old[i]]; known && to != now[i] {
			return false
		}
		if from, known := back[now[i]]; known && from != old[i] {
			return false
		}
		names[old[i]], back[now[i]] = now[i], old[i]
	}
	return true
}

// productNames are the words in the code of the product, before the change and after it.
func (s Subject) productNames() (old, now map[string]bool) {
	old, now = map[string]bool{}, map[string]bool{}
	for _, f := range s.Sources {
		lang := lexer.Of(f.Path)
		if lang == nil {
			continue
		}
		for _, side := range []struct {
			text  []byte
			words map[string]bool
		}{{f.Old, old}, {f.New, now}} {
			for _, w := range word().FindAllString(lexer.Lex(lang, string(side.text)).Code(), -1) {
				side.words[w] = true
			}
		}
	}
	return old, now
}

// texts are the insides of the strings of a source.
func texts(s lexer.Source) string {
	var out []byte
	for i, k := range s.Kind {
		if k == lexer.InString {
			out = append(out, s.Text[i])
		}
	}
	return string(out)
}

// isNow says of names which ones replaced them.
func isNow(names map[string]string) (out []string) {
	for _, was := range slices.Sorted(maps.Keys(names)) {
		out = append(out, was+" is now "+names[was])
	}
	return out
}

func tokens(code string) []string { return token().FindAllString(code, -1) }

var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*|\S`) })
