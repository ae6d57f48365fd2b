package weaken

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// takesAway takes something from a list or a map of that name.
	takesAway = pattern.Lazy(`\b(\w+)\.(?:(?:clear|pop|popitem|splice|shift|delete|delete_if|remove|removeAll|drain|truncate|` +
		`retain)\b|length\s*=[^=])|^\s*del\s+(\w+)\s*\[`)
	// deletes is a statement of Python for a single name, or for a part of what it means.
	deletes = pattern.Lazy(`^\s+del\s+(\w+)\s*(?:\[[^\[\]=;]*\])?\s*$`)
)

// takesFromShared objects to an added line that takes from rows that a file holds outside
// of functions: old cases that go through them would go through fewer.
func (r *reading) takesFromShared(i int) Objection {
	m := takesAway().FindStringSubmatch(r.new.Code[i])
	if m == nil {
		return Objection{}
	}
	name, own := m[1]+m[2], r.functionAround(i)
	binds := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b[^=(.\[]*=\s*([\[{]\s*[^\]}\s])?`)
	held, read := false, false
	for k, code := range r.new.Code {
		if !strings.Contains(code, name) {
			continue
		}
		bound, inside := binds.FindStringSubmatch(code), r.inAnyFunction(k)
		switch {
		case bound != nil && own != nil && source.Within(r.new.Outline.At[k], own):
			return Objection{} // its own
		case r.added[k]:
		case !inside:
			held = held || bound != nil && (strings.HasPrefix(bound[1], "[") || bound[1] != "" && r.lang.Name != "js")
		default:
			read = read || source.UsesOf([]string{code}).Alone[name]
		}
	}
	if !held || !read {
		return Objection{}
	}
	return SetAside(fmt.Sprintf("The added line %q changes %s, which old lines of the test use.",
		diff.Shorten(r.new.Lines[i]), name))
}

// functionAround is the innermost function around a line, nil where there is none.
func (r *reading) functionAround(i int) *source.Block {
	b := r.new.Outline.At[i]
	for b != nil && b.Sort() != source.Function {
		b = b.Parent
	}
	return b
}

// deletesOwn tells a statement of Python that deletes what its function made, or a part of
// that, which no old line reads after it.
func (r *reading) deletesOwn(h diff.Hunk, i int) bool {
	m := deletes().FindStringSubmatch(r.new.Code[i])
	if r.lang.Name != "python" || m == nil {
		return false
	}
	own := r.functionAround(i)
	if own == nil {
		return false
	}
	makes := regexp.MustCompile(`^\s+` + m[1] + `\s*=\s*(?:[\[{]|[\w.]+\()`)
	global := regexp.MustCompile(`^\s*(?:global|nonlocal)\b.*\b` + m[1] + `\b`)
	made := false
	for k, code := range r.new.Code {
		if !source.Within(r.new.Outline.At[k], own) {
			continue
		}
		if global.MatchString(code) {
			return false
		}
		made = made || k < i && makes.MatchString(code)
	}
	used, _ := r.usesIn(r.scope(h, i), i)
	alone, member, _ := used.of(m[1])
	return made && !alone && !member && !r.readByInner(m[1], i)
}

// readByInner tells a name that an old function within the one of line i reads, where old
// lines below that could call it.
func (r *reading) readByInner(name string, i int) bool {
	own := r.functionAround(i)
	reads, goesOn := false, false
	for k, code := range r.new.Code {
		if own == nil || r.added[k] || r.new.Blank(k) || !source.Within(r.new.Outline.At[k], own) {
			continue
		}
		inner := r.functionAround(k)
		reads = reads || k < i && inner != own && strings.Contains(code, name) && source.UsesOf([]string{code}).Alone[name]
		goesOn = goesOn || k > i && !source.Closing().MatchString(code)
	}
	return reads && goesOn
}
