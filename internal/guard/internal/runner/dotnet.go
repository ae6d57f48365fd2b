package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var (
	// compiledSource says which sources a project of .NET is made of, beside its own.
	compiledSource = pattern.Lazy(`(?m)^[ \t]*<Compile\s+(Include|Remove)="[\w.*\\/-]+"` +
		`( (Exclude|Link)="[\w.*;\\/-]+")*\s*/?>[ \t]*\r?$`)
	// seenBy lets another project, such as that of tests, see what is internal.
	seenBy = pattern.Lazy(`(?m)^.*(InternalsVisibleTo|_Parameter1).*$`)
	// aboutTests is in the name or the text of a project that may hold tests.
	aboutTests = pattern.Lazy(`(?i)test|spec|(?-i:Facts?\b)|verif|assert|moq|nsubstitute|shouldly|bunit|xunit|nunit`)
	// dotnetCase marks a case of tests.
	dotnetCase = pattern.Lazy(`\[\s*<?\s*(Xunit\.|NUnit\.Framework\.)?(Fact|Theory|Test|TestCase|TestMethod|` +
		`DataTestMethod|TestFixture|Property)\b`)
)

// isProductProject tells a project of .NET that speaks of no tests and holds no case: which
// sources it is made of is its own.
func (r *Rules) isProductProject(p, text, other string) bool {
	if !slices.Contains([]string{".csproj", ".fsproj", ".vbproj"}, path.Ext(p)) ||
		!strings.Contains(text+other, "<Compile") ||
		aboutTests().MatchString(p+seenBy().ReplaceAllString(text+"\n"+other, "")) {
		return false
	}
	holds := false
	r.Walk(func(source string) {
		if holds || path.Ext(source) != ".cs" && path.Ext(source) != ".fs" && path.Ext(source) != ".vb" ||
			!strings.HasPrefix("/"+source, path.Join("/", path.Dir(p))+"/") && path.Dir(p) != "." {
			return
		}
		content, err := r.ReadFile(source)
		holds = err != nil || dotnetCase().Match(content)
	})
	return !holds
}
