package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// spaceOfFile is a namespace of C# that a whole file belongs to, spaceWithBlock one with a block of its own.
var (
	spaceOfFile    = pattern.Lazy(`(?m)^namespace [\w.]+;[ \t]*\r?$`)
	spaceWithBlock = pattern.Lazy(`(?m)^(namespace [\w.]+)[ \t]*\r?\n?\{[ \t]*\r?$`)
)

// inOneForm gives two versions of a file of C# with its namespace written in one way, without a
// block, where they have it in two.
func inOneForm(before, after string) (old, now string, other bool) {
	switch {
	case spaceOfFile().MatchString(before) && spaceWithBlock().MatchString(after):
		flat, ok := withoutBlock(after)
		return before, flat, ok
	case spaceWithBlock().MatchString(before) && spaceOfFile().MatchString(after):
		flat, ok := withoutBlock(before)
		return flat, after, ok
	}
	return "", "", false
}

// withoutBlock takes what stands in the one block of a namespace out of it, to the left.
func withoutBlock(text string) (flat string, ok bool) {
	places := spaceWithBlock().FindAllStringSubmatchIndex(text, -1)
	body, closed := strings.CutSuffix(strings.TrimRight(text, " \t\r\n"), "}")
	if len(places) != 1 || !closed || !strings.HasSuffix(body, "\n") {
		return "", false
	}
	m := places[0]
	var b strings.Builder
	b.WriteString(text[:m[3]] + ";\n")
	for line := range strings.Lines(strings.TrimPrefix(body[m[1]:], "\n")) {
		switch {
		case strings.HasPrefix(line, "    "):
			line = line[4:]
		case strings.HasPrefix(line, "\t"):
			line = line[1:]
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			return "", false // something stands beside the block, or it is not indented
		}
		b.WriteString(line)
	}
	return b.String(), true
}
