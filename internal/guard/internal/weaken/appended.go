package weaken

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	phpAppends  = pattern.Lazy(`^\s*(\$\w+)\[\]\s*=\s*((?:\[|array\()[^;]*);?\s*$`)
	phpProvides = pattern.Lazy(`^(?:(?:public|static)\s+)*function\s+(\w+)\(\s*\)`)
)

// appendsCase tells, in PHP, one more row behind those of a provider of cases that does nothing but
// append rows to a list and give it: the old rows stay what they were.
func (r *reading) appendsCase(b binding) bool {
	t := r.new
	m := phpAppends().FindStringSubmatch(strings.TrimRight(t.Code[b.line], "\r\n"))
	inside := t.Outline.At[b.line]
	if r.lang.Name != "php" || m == nil || inside == nil || r.added[inside.Line] ||
		strings.Contains(strings.ReplaceAll(m[2], "=>", ""), "=") || strings.Contains(m[2], "&$") {
		return false
	}
	head := phpProvides().FindStringSubmatch(inside.Header)
	if head == nil || !r.onlyProvides(head[1]) {
		return false
	}
	name := regexp.QuoteMeta(m[1])
	uses := regexp.MustCompile(name + `\b`)
	plain := regexp.MustCompile(`^\s*(?:` + name + `\s*=\s*(?:\[\s*\]|array\(\s*\))|return\s+` + name + `)\s*;\s*$`)
	for k := inside.Line + 1; k < len(t.Code) && (t.Blank(k) || source.Within(t.Outline.At[k], inside)); k++ {
		code := strings.TrimRight(t.Code[k], "\r\n")
		if uses.MatchString(code) && !plain.MatchString(code) && !phpAppends().MatchString(code) &&
			!strings.HasPrefix(strings.TrimSpace(code), m[1]+"[] = ") {
			return false
		}
	}
	return true
}

// onlyProvides tells a function that a remark or an attribute names as a provider of cases, and that
// nothing calls.
func (r *reading) onlyProvides(name string) bool {
	calls := regexp.MustCompile(`(?:->|::|\()\s*` + name + `\b`)
	provides := regexp.MustCompile(`@dataProvider\s+` + name + `\b|\bDataProvider\(\s*['"]` + name + `['"]`)
	named := false
	for i, live := range r.old.Lines {
		if calls.MatchString(r.old.Code[i]) {
			return false
		}
		named = named || provides.MatchString(live)
	}
	return named
}
