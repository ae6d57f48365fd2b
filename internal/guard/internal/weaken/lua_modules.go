package weaken

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// luaMember gives a table one more member, by a name.
var luaMember = pattern.Lazy(`^([A-Za-z_]\w*)\.([A-Za-z_]\w*)\s*=[^=]`)

// addsToModule tells, in Lua, a member of the table that a file makes and gives as its module, by a name
// that no old line has: who had asked for it had got nothing. Old lines may not go through the table, nor
// hand it over to what could.
func (r *reading) addsToModule(b binding) bool {
	m := luaMember().FindStringSubmatch(r.new.Live[b.line])
	if r.lang.Name != "lua" || !b.member || m == nil || m[1] != b.name || r.namedBefore(m[2]) {
		return false
	}
	made, given := "local "+b.name+" = {}", "return "+b.name
	last := ""
	for _, code := range r.old.Code {
		if code = strings.TrimSpace(code); code != "" {
			last = code
		}
	}
	is := func(code string) bool { return strings.TrimRight(code, " ;\r\n") == made }
	member := regexp.MustCompile(`\b` + b.name + `\s*[.:]\s*\w+`)
	alone := regexp.MustCompile(`\b` + b.name + `\b`)
	return strings.TrimRight(last, " ;") == given && slices.ContainsFunc(r.old.Code, is) &&
		!slices.ContainsFunc(r.old.Code, func(code string) bool {
			return !is(code) && strings.TrimSpace(code) != last && alone.MatchString(member.ReplaceAllString(code, ""))
		})
}
