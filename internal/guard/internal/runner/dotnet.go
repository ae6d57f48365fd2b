package runner

import (
	"path"
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
)

// dotnetCase marks a case of tests.
var dotnetCase = pattern.Lazy(`\[\s*(Xunit\.|NUnit\.Framework\.)?(Fact|Theory|Test|TestCase|TestMethod|` +
	`TestFixture)\b`)

// isProductProject tells a project of C# that speaks of no tests, and holds no case: which
// sources it is made of is its own.
func (r *Rules) isProductProject(p, text, other string) bool {
	if path.Ext(p) != ".csproj" || !strings.Contains(text+other, "<Compile") ||
		aboutTests().MatchString(p+seenBy().ReplaceAllString(text+"\n"+other, "")) {
		return false
	}
	holds := false
	r.Walk(func(source string) {
		if strings.HasPrefix(source, strings.TrimPrefix(path.Dir(p)+"/", "./")) && path.Ext(source) == ".cs" {
			text, err := r.ReadFile(source)
			holds = holds || err != nil || dotnetCase().Match(text)
		}
	})
	return !holds
}

// listed is a package of a project, or the head or end of a list of some.
var listed = pattern.Lazy(`^\s*(<PackageReference\s+(Include|Remove|Update)="[\w.]+"[^<>]*/>|</?ItemGroup[^<>]*>)?\s*$`)

// dotnetTargets is what is done to each project below, but for lists of packages that do not
// concern tests.
func dotnetTargets(_ *Rules, _, text, _ string) any {
	var out []string
	for line := range strings.Lines(withoutRemarks(text)) {
		if !listed().MatchString(strings.TrimRight(line, "\r\n")) || aboutTests().MatchString(line) ||
			strings.Contains(line, "TestingPlatform") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
