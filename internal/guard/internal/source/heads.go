package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// The head of a function may go over several lines, of which the brace stands on the last.

// continued is how a line begins with which a head goes on, where no statement begins so.
var continued = map[string]func() *pattern.Pattern{
	"java":   pattern.Lazy(`^(throws|extends|implements|permits)\b`),
	"kotlin": pattern.Lazy(`^(where\b|:\s)`),
	"csharp": pattern.Lazy(`^(where\b|:\s)`),
	"swift":  pattern.Lazy(`^(where|async|throws|rethrows)\b|^->`),
	"rust":   pattern.Lazy(`^where\b|^->`),
	"c":      pattern.Lazy(`^(->|noexcept\b|const\b|override\b|requires\b|:[^:])`),
	"dart":   pattern.Lazy(`^:\s`),
}

var (
	// initializers are the values of the parts of an object, between the arguments of what makes
	// it and its body.
	initializers = pattern.Lazy(`\)\s*:\s[^;]*,$`)
	// returnsBelow ends with what stands before the type that a function gives.
	returnsBelow = pattern.Lazy(`\)\s*(:|->)$`)
	// typeBelow is the head of a function of TypeScript within the type that it gives.
	typeBelow = pattern.Lazy(`^((export|async|default)\s+)*function\b.*\)\s*:\s*[\w.]+<[^;{}]*$`)
)

// continuesHead tells a line, or what of it stands before a brace, that belongs to a head
// which began above.
func continuesHead(lang *lexer.Language, above, line string) bool {
	if lang.Name == "js" {
		return typeBelow().MatchString(above)
	}
	re := continued[lang.Name]
	if re == nil || line == "" || above == "" || strings.ContainsAny(above[len(above)-1:], ";{}") {
		return false
	}
	return re().MatchString(line) || returnsBelow().MatchString(above) ||
		(lang.Name == "c" || lang.Name == "dart") && initializers().MatchString(above)
}

// headWith is what is known of a head, with one more line. Arguments that end belong to where they
// began, in languages in which nothing but a head is followed by a brace on a line of its own.
func headWith(lang *lexer.Language, head, line string, at *Block) string {
	switch {
	case continuesHead(lang, head, line):
		return head + " " + line
	case at != nil && at.Mark == "(" && strings.Count(line, ")") > strings.Count(line, "(") &&
		(continued[lang.Name] != nil || lang.Name == "php"):
		return at.Header + " ( " + line
	}
	return line
}

// accessors read and write what a class shows as a variable: functions without brackets.
var accessors = pattern.Lazy(`^((private|protected|internal|public|mutating|nonmutating)\s+)*` +
	`(get|set|init|add|remove|didSet|willSet)(\s+(async|throws))*$`)

var dartGetter = pattern.Lazy(`\bget\s+\w+(\s+a?sync\*?)?$`)

// IsAccessor tells the head of one.
func IsAccessor(lang *lexer.Language, head string) bool {
	switch lang.Name {
	case "csharp", "swift":
		return accessors().MatchString(head)
	case "dart":
		return dartGetter().MatchString(head)
	}
	return false
}
