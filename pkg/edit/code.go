package edit

import (
	"regexp"
	"strings"
	"sync"
)

// quotedText is what stands in strings and comments, with comments of // or of #.
var quotedText = sync.OnceValue(func() [2]*regexp.Regexp {
	const strs = `(?s)"""(?:.*?"""|.*)|'''(?:.*?'''|.*)|/\*(?:.*?\*/|.*)|` + "`(?:.*?`|.*)" + `|"(?:[^"\\\n]|\\.)*(?:"|$|\n)|'(?:[^'\\\n]|\\.)*'|<<[-~]?\s*['"]?[A-Z_]{3,}\b[^\n]*\n(?:.*?\n\s*[A-Z_]{3,}[;)]*(?:\n|$)|.*)`
	return [2]*regexp.Regexp{regexp.MustCompile(strs + `|//[^\n]*`), regexp.MustCompile(strs + `|#[^\n]*`)}
})

// codeLines are the lines of a text without what stands in strings and comments,
// roughly: what is in doubt counts as quoted.
func codeLines(name, text string) []string {
	quoted := quotedText()[0]
	if hashComments()[extension(name)] {
		quoted = quotedText()[1]
	}
	return strings.Split(quoted.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }), "\n")
}
