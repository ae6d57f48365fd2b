package detect

import (
	"strings"

	"github.com/booty-cli/booty/internal/detect/ci"
)

// guides are runs made of what the repository tells people to type: the code
// in CONTRIBUTING, and the test target of a Makefile.
func guides(t *tree) []ci.Run {
	var runs []ci.Run
	for _, file := range []string{"CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md",
		"CONTRIBUTING.rst", "CONTRIBUTING"} {
		if steps := ci.Commands(codeOf(t.text(file)), "."); len(steps) > 0 {
			runs = append(runs, ci.Run{File: file, Job: "guide", Steps: steps})
		}
	}
	if root := t.root(); root != nil {
		if _, command, file := target(root, "test"); command != "" {
			runs = append(runs, ci.Run{File: file, Job: "guide", Steps: []ci.Step{{Dir: ".", Text: command}}})
		}
	}
	return runs
}

// codeOf gives the lines of a text that are code: fenced or indented, and what
// stands behind a prompt.
func codeOf(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			b.WriteString(strings.TrimPrefix(strings.TrimPrefix(trimmed, "$ "), "> ") + "\n")
		}
	}
	return b.String()
}
