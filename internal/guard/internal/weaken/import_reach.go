package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// importMeansNothing tells an import of a name that old lines use, and that means to
// them what it meant before.
func (r *reading) importMeansNothing(b binding) bool {
	line := strings.TrimSpace(r.new.Live[b.line])
	switch r.lang.Name {
	case "java":
		return r.comesAfterMembers(b.name, line)
	case "js":
		return b.scope == nil && r.isParameter(b.name)
	case "swift":
		return ofPlatform().MatchString(line)
	}
	return false
}

var (
	staticImport = pattern.Lazy(`^import\s+static\s+[\w.]+\.([a-z]\w*)\s*;$`)
	// ofPlatform is the import of one name of a system's own library.
	ofPlatform = pattern.Lazy(`^import\s+(func|var|let)\s+(Android|Bionic|Darwin|Glibc|Musl|WinSDK|ucrt)\.\w+$`)
)

// comesAfterMembers tells, in Java, the static import of a method that no old line
// imports: what they call is then a member of their class or of one around or above
// it, and members come before imports.
func (r *reading) comesAfterMembers(name, line string) bool {
	m := staticImport().FindStringSubmatch(line)
	if m == nil || m[1] != name {
		return false
	}
	for _, old := range r.old.Live {
		old = strings.TrimSpace(old)
		if strings.HasPrefix(old, "import") && strings.Contains(old, "static") &&
			(strings.Contains(old, "*") || source.UsesOf([]string{old}).Member[name]) {
			return false
		}
	}
	return true
}

// isParameter tells a name that old lines know only as a parameter of a function
// around them.
func (r *reading) isParameter(name string) bool {
	t := r.new
	for k := range t.Lines {
		if r.added[k] || !source.UsesOf([]string{t.Code[k]}).Alone[name] {
			continue
		}
		at := t.Outline.At[k]
		if opened := t.Outline.At[k+1]; opened != nil && opened.Line == k {
			at = opened // its own head, which may name it once
			if strings.Count(t.Code[k], name) > 1 {
				return false
			}
		}
		for at != nil && !takes(at.Header, name) {
			at = at.Parent
		}
		if at == nil {
			return false
		}
	}
	return true
}

var parameters = pattern.Lazy(`(?:\bfunction\b[\s*]*\w*\s*\(([^(){}\[\]=]*)\)|\(([^(){}\[\]=]*)\)\s*=>)\s*$`)

// takes tells the head of a function with a plain parameter of the name.
func takes(head, name string) bool {
	m := parameters().FindStringSubmatch(strings.TrimSpace(head))
	return m != nil && slices.ContainsFunc(strings.Split(m[1]+m[2], ","), func(p string) bool {
		p, _, _ = strings.Cut(p, ":") // its type
		return strings.TrimSpace(p) == name
	})
}
