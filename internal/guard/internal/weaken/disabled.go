package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// disabling is, by language, how a case is marked not to run, and where such a mark may stand.
type disabling struct {
	marks func() *pattern.Pattern // those at the beginning of a line
	off   func() *pattern.Pattern // what of them keeps a case from running
	head  func() *pattern.Pattern // of a case: its last group is the name
	group func() *pattern.Pattern // what may stand around it: nothing that inherits cases
	alone bool                    // a case may stand in no group
}

var (
	jvmMarks = pattern.Lazy(`^\s*(?:@[\w.]+(?:\([^()]*\))?\s*)+`)
	jvmOff   = pattern.Lazy(`@(\w+\.)*(Disabled|Ignore)\b`)
	jvmGroup = pattern.Lazy(`^(?:@[\w.]+\s+)*(?:(?:public|internal|final|static|inner)\s+)*class\s+\w+$`)
)

var disablings = map[string]disabling{
	"java": {marks: jvmMarks, off: jvmOff, group: jvmGroup,
		head: pattern.Lazy(`^(?:(?:public|protected|final)\s+)*void\s+(\w+)\s*\(`)},
	"kotlin": {marks: jvmMarks, off: jvmOff, group: jvmGroup,
		head: pattern.Lazy("^(?:(?:public|internal)\\s+)*fun\\s+(\\w+|`[^`]+`)\\s*\\(")},
	"csharp": {marks: pattern.Lazy(`^\s*(?:\[[^\[\]]*\]\s*)+`), off: pattern.Lazy(`\bIgnore\b|\bSkip\s*=`),
		head:  pattern.Lazy(`^(?:(?:public|async)\s+)*(?:void|Task|ValueTask)\s+(\w+)\s*\(`),
		group: pattern.Lazy(`^(?:(?:public|internal|sealed)\s+)*class\s+\w+$`)},
	"rust": {marks: pattern.Lazy(`^\s*(?:#\[[^\[\]]*\]\s*)+`), off: pattern.Lazy(`#\[\s*(?:cfg_attr\([^\[\]]*,\s*)?ignore\b`),
		head:  pattern.Lazy(`^(?:(?:pub|async)\s+)*fn\s+(\w+)\s*\(`),
		group: pattern.Lazy(`^(?:pub\s+)?mod\s+\w+$`), alone: true},
}

// withoutDisabling blanks, in the marks at the beginning of line i, what disables a case that was
// added with them: a new case that does not run keeps no old one from running.
func (r *reading) withoutDisabling(i int, code string) string {
	d, known := disablings[r.lang.Name]
	if !known {
		return code
	}
	marks := d.marks().FindString(code)
	off := d.off().FindStringIndex(marks)
	if off == nil || !r.marksNewCase(i, d) {
		return code
	}
	return blanked(code, off[0], off[1])
}

// marksNewCase tells marks of a case that was added below them, with nothing old between, of a
// name that no old line has: it takes no other's place, neither here nor of those that are inherited.
func (r *reading) marksNewCase(i int, d disabling) bool {
	t := r.new
	around := t.Outline.At[i]
	if around == nil && !d.alone || around != nil && !d.group().MatchString(strings.TrimSpace(around.Header)) {
		return false
	}
	for k := i; k < len(t.Code) && (len(r.old.Lines) == 0 || r.added[k]); k++ {
		head := t.Code[k][len(d.marks().FindString(t.Code[k])):]
		if strings.TrimSpace(head) == "" {
			continue
		}
		m := d.head().FindStringSubmatch(strings.TrimSpace(head))
		return m != nil && t.Outline.At[k] == around && !r.namedBefore(m[1])
	}
	return false
}

// namedBefore tells a name that stands in an old line, also within a text.
func (r *reading) namedBefore(name string) bool {
	return slices.ContainsFunc(r.old.Live, func(live string) bool {
		return strings.Contains(live, strings.Trim(name, "`"))
	})
}
