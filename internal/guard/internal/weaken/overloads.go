package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// overloads are languages in which functions of one name differ by what they take.
var overloads = map[string]bool{"java": true, "kotlin": true, "csharp": true, "c": true, "swift": true}

// isOverload tells another case, or another form of a method, of a name that the
// class or file has.
func (r *reading) isOverload(b binding) bool {
	code := r.new.Code[b.line]
	holder := b.scope != nil && b.scope.Sort() == source.Container
	if overloads[r.lang.Name] && r.takesWhatIsNew(b) {
		return true
	}
	if holder && isCase(code) && !r.definedIn(b.scope, b.name) {
		return true
	}
	return (holder || b.scope == nil) && overloads[r.lang.Name] && strings.Contains(code, "(") &&
		(r.definedIn(b.scope, b.name) || holder && r.lang.Name != "c" && r.takesMoreOrLess(b))
}

// takesMoreOrLess tells a function beside old ones of its name in the same block, each of
// which takes another number of values: calls of those are not its own.
func (r *reading) takesMoreOrLess(b binding) bool {
	n := taken(r.new, b.line, b.name)
	beside := false
	for k := range r.new.Lines {
		if k == b.line || r.new.Outline.At[k] != b.scope || r.added[k] {
			continue
		}
		if m := source.Method().FindStringSubmatch(strings.TrimRight(r.new.Code[k], "\r\n")); m == nil || m[1] != b.name {
			continue
		}
		beside = true
		if old := taken(r.new, k, b.name); old < 0 || n < 0 || old == n {
			return false
		}
	}
	return beside
}

// taken is how many values the function of a line takes, -1 where that is not to be told
// by it alone.
func taken(t *source.Text, i int, name string) int {
	_, given, is := strings.Cut(t.Code[i], name+"(")
	if !is || strings.Contains(given, "...") || strings.Contains(given, "params ") {
		return -1
	}
	n, depth := 0, 0
	for k := 0; k < len(given); k++ {
		switch c := given[k]; {
		case c == ')' && depth == 0:
			if strings.TrimSpace(given[:k]) == "" {
				return 0
			}
			return n + 1
		case strings.IndexByte("(<[{", c) >= 0:
			depth++
		case strings.IndexByte(")>]}", c) >= 0:
			depth--
		case c == '=':
			return -1
		case c == ',' && depth == 0:
			n++
		}
	}
	return -1
}

// takesWhatIsNew tells a function that is given a type that the same change declares: no
// old line has one to give.
func (r *reading) takesWhatIsNew(b binding) bool {
	code, name := r.new.Code[b.line], b.name
	_, given, is := strings.Cut(code, name+"(")
	if !is || r.isGeneric(b) || source.Method().FindStringSubmatch(strings.TrimRight(code, "\r\n")) == nil {
		return false
	}
	given, _, _ = strings.Cut(given, ")")
	used := r.fileUses()
	return slices.ContainsFunc(strings.Split(given, ","), func(parameter string) bool {
		m := givenType().FindStringSubmatch(parameter)
		return m != nil && !used.Alone[m[1]] && !used.Member[m[1]] && r.declaresAnew(m[1])
	})
}

// isGeneric tells a function of types that it names itself.
func (r *reading) isGeneric(b binding) bool {
	before, _ := r.new.Around(b.line, b.line)
	return strings.Contains(r.new.Code[b.line], "<") ||
		before >= 0 && strings.Contains(r.new.Code[before], "template")
}

// declaresAnew tells whether added lines declare a name.
func (r *reading) declaresAnew(name string) bool {
	for i, code := range r.new.Code {
		if m := source.Declared().FindStringSubmatch(code); r.added[i] && m != nil && m[1] == name {
			return true
		}
	}
	return false
}

// givenType is the plain type of a parameter, one that nothing else fits.
var givenType = pattern.Lazy(`^\s*(?:const\s+)?(\w+)\s*[&*]{0,2}\s*\w+\s*$`)

// definedIn tells whether a name is declared directly in an old block.
func (r *reading) definedIn(b *source.Block, name string) bool {
	for i := range r.new.Lines {
		if r.new.Outline.At[i] != b {
			continue
		}
		if m := source.Declared().FindStringSubmatch(r.new.Code[i]); m != nil && m[1] == name {
			// The added line itself is one of these; two are a clash.
			for k := i + 1; k < len(r.new.Lines); k++ {
				if m := source.Declared().FindStringSubmatch(r.new.Code[k]); r.new.Outline.At[k] == b &&
					m != nil && m[1] == name {
					return true
				}
			}
		}
	}
	return false
}
