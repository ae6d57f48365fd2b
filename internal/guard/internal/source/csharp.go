package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// plainAccessors are how a property of C# is read and set, where it is no more than a variable.
var plainAccessors = pattern.Lazy(`\{\s*(?:(?:private|protected|internal)?\s*(?:get|set|init)\s*;\s*)+\}(?:\s*=)?`)

// tupleOf is a type of several parts, in front of the name of what has it.
var tupleOf = pattern.Lazy(`^(\s*(?:(?:public|private|protected|internal|static|readonly|required|virtual|override|` +
	`abstract|new)\s+)+)\((?:[\w.<>?\[\]]+(?:\s+\w+)?\s*,\s*)+[\w.<>?\[\]]+(?:\s+\w+)?\)\??(?:\[\])*(\s+\w)`)

// asVariable is what stands behind the name of a variable, for such accessors.
func asVariable(accessors string) string {
	if strings.HasSuffix(accessors, "=") {
		return "="
	}
	return "= default;"
}
