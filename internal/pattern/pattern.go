// Package pattern compiles regular expressions when they are first needed, and spares
// them the lines that cannot match.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Pattern is a regular expression that looks first whether one of a few words, at
// least one of which every match holds, is there at all: most lines hold none.
type Pattern struct {
	*regexp.Regexp
	words []string
}

// Lazy compiles a regular expression when it is first needed.
//
// Inlined, each expression would bring its own copy of the closures: 0.15 MB of
// the program.
//
//go:noinline
func Lazy(expr string) func() *Pattern {
	return sync.OnceValue(func() *Pattern { return Compile(expr) })
}

// Compile compiles an expression at once.
func Compile(expr string) *Pattern {
	p := &Pattern{Regexp: regexp.MustCompile(expr)}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		p.words = wordsOf(tree)
	}
	return p
}

// may reports whether the text can hold a match.
func (p *Pattern) may(s string) bool {
	return p.words == nil || slices.ContainsFunc(p.words,
		func(w string) bool { return strings.Contains(s, w) })
}

// MatchString is that of [regexp.Regexp], as are the methods below.
func (p *Pattern) MatchString(s string) bool { return p.may(s) && p.Regexp.MatchString(s) }

func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatchIndex(s)
}

// mostWords is how many words it pays to look for one after the other.
const mostWords = 40

// wordsOf gives words of which every match holds one, nil where there are none.
func wordsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return wordsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := wordsOf(sub); worth(words) > worth(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := wordsOf(sub)
			if words == nil {
				return nil
			}
			all = append(all, words...)
		}
		slices.Sort(all)
		if all = slices.Compact(all); len(all) <= mostWords {
			return all
		}
	}
	return nil
}

// worth is how much looking for words spares: long and few are best.
func worth(words []string) int {
	if len(words) == 0 {
		return 0
	}
	shortest := len(words[0])
	for _, w := range words {
		shortest = min(shortest, len(w))
	}
	return 100*shortest - len(words)
}
