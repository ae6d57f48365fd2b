package runner

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var (
	goModReplace = pattern.Lazy(`^\s*(replace\s+)?\S*(testify|onsi/|go-cmp|gotest\.tools|quicktest|` +
		`gocheck|goconvey|matryer/is)\S*.*=>`)
	// majorVersion is the end of a module's path that tells its major version.
	majorVersion = pattern.Lazy(`^(module\s+\S+)/v[1-9]\d*$`)
	goModIgnore  = pattern.Lazy(`^\s*(ignore\b|godebug\b|tool\b|\./)`)
)

func goMod(_ *Rules, _, text, other string) any {
	out, inIgnore := []string{}, false
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "ignore"):
			out, inIgnore = append(out, line), strings.HasSuffix(line, "(")
		case inIgnore && line == ")":
			inIgnore = false
		case inIgnore, goModReplace().MatchString(line), goModIgnore().MatchString(line),
			strings.HasPrefix(line, "module ") && other != "":
			out = append(out, majorVersion().ReplaceAllString(line, "$1"))
		}
	}
	return out
}
