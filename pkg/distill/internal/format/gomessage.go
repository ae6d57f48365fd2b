package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

type goMessage struct {
	file string
	line int
	text string
	rest []string
}

// goMessages finds "file_test.go:12: text" and the lines that go on.
func goMessages(lines []string) []goMessage {
	var out []goMessage
	depth := -1
	for _, s := range lines {
		if m := reGoFile().FindStringSubmatch(s); m != nil && len(m[1]) >= 4 &&
			(depth < 0 || len(m[1]) <= depth+4) && !strings.Contains(m[2], " ") {
			depth = len(m[1])
			out = append(out, goMessage{file: m[2], line: text.Atoi(m[3]), text: m[4]})
			continue
		}
		if n := len(out); n > 0 && (strings.HasPrefix(s, strings.Repeat(" ", depth+1)) ||
			strings.HasPrefix(s, "\t") || s == "") {
			out[n-1].rest = append(out[n-1].rest, s)
		}
	}
	return out
}
