package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// uses are the names that old lines use where a name bound by an added line counts.
type uses struct {
	// of tells how they use a name; where that is alone, the rest is left open.
	of func(name string) (alone, member, own bool)
	// rest are those lines where they are the rest of a function.
	rest func() []int
}

// use is a line of the new text that uses a name.
type use struct {
	line int
	source.Uses
}

// lineUses gives the uses of each name in the new text, from its first line to its last.
func lineUses(r *reading) map[string][]use {
	out := map[string][]use{}
	for k := range r.new.Lines {
		if r.new.Blank(k) {
			continue
		}
		u := source.UsesOf(r.codeOf([]int{k}))
		for _, names := range []map[string]bool{u.Alone, u.Member} {
			for name := range names {
				if at := out[name]; len(at) == 0 || at[len(at)-1].line != k {
					out[name] = append(at, use{k, u})
				}
			}
		}
	}
	return out
}

// usesIn gives the names that old lines use where a name bound in a scope after
// line i counts: the rest of the function, or else the whole file, and whether
// the scope is in a function.
func (r *reading) usesIn(scope *source.Block, i int) (used uses, inFunction bool) {
	inside := scope
	for inside != nil && inside.Sort() != source.Function {
		inside = inside.Parent
	}
	if inside == nil {
		all := r.usesOutside(scope)
		return uses{of: func(name string) (bool, bool, bool) {
			return all.Alone[name], all.Member[name], all.Own[name]
		}}, false
	}
	// A group of cases runs as a whole before its cases do, and functions are
	// known before their line.
	from := i
	if source.Group().MatchString(inside.Header) ||
		r.lang.Name == "js" && strings.Contains(r.new.Code[i], "function ") {
		from = inside.Line + 1
	}
	from = max(from, inside.Line+1)
	within := func(k int) bool { return source.Within(r.new.Outline.At[k], inside) }
	return uses{
		of: func(name string) (alone, member, own bool) {
			all := r.lineUses()[name]
			at, _ := slices.BinarySearchFunc(all, from, func(u use, line int) int { return u.line - line })
			for _, u := range all[at:] {
				switch in := within(u.line); {
				case r.added[u.line]:
				case in:
					alone, member, own = alone || u.Alone[name], member || u.Member[name], own || u.Own[name]
				case u.line >= i:
					return alone, member, own
				}
				if alone {
					return alone, member, own
				}
			}
			return alone, member, own
		},
		rest: func() (rest []int) {
			for k := from; k < len(r.new.Lines); k++ {
				switch {
				case r.added[k]:
				case r.new.Blank(k) || within(k):
					rest = append(rest, k)
				case k >= i:
					return rest
				}
			}
			return rest
		},
	}, true
}
