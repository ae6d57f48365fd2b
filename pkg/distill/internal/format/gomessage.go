package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
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

// goAssert reads testify's block and "got X, want Y".
func goAssert(x *core.Failure) {
	for i, s := range x.Detail {
		t := strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(t, "Error Trace:"):
			for _, u := range append([]string{strings.TrimPrefix(t, "Error Trace:")}, x.Detail[i+1:]...) {
				u = strings.TrimSpace(u)
				j := strings.LastIndexByte(u, ':')
				if j < 0 || !strings.HasSuffix(u[:max(j, 0)], ".go") || !stream.OnlyDigits(u[j+1:]) {
					break
				}
				x.Frames = append(x.Frames, core.Frame{File: u[:j], Line: text.Atoi(u[j+1:])})
			}
		case strings.HasPrefix(t, "Error:") && x.Message == "":
			x.Message = strings.TrimSpace(strings.TrimPrefix(t, "Error:"))
		case strings.HasPrefix(t, "expected: ") && x.Expected == "":
			x.Expected = strings.TrimPrefix(t, "expected: ")
		case strings.HasPrefix(t, "actual  : ") && x.Actual == "":
			x.Actual = strings.TrimPrefix(t, "actual  : ")
		}
	}
	if len(x.Frames) > 0 && x.Expected == "" {
		return
	}
	if x.Expected == "" {
		x.Actual, x.Expected = cutWant(x.Message)
	}
}

var reWant = text.Lazy(`(?i)^(?:.*?(?:got|= |actual:?)\s*)?(.+?)[,;:]\s*(?:want(?:ed)?|expected):?\s+(.+)$`)

// cutWant reads "f() = X, want Y".
func cutWant(s string) (got, want string) {
	if !strings.Contains(strings.ToLower(s), "want") && !strings.Contains(strings.ToLower(s), "expected") {
		return "", ""
	}
	if m := reWant().FindStringSubmatch(s); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

func gotWant(lines []string) (want, got string) {
	part := ""
	for _, s := range lines {
		switch strings.TrimSpace(s) {
		case "got:", "want:":
			part = strings.TrimSuffix(strings.TrimSpace(s), ":")
			continue
		}
		if part == "got" {
			got = strings.TrimPrefix(got+"\n"+s, "\n")
		} else if part == "want" {
			want = strings.TrimPrefix(want+"\n"+s, "\n")
		}
	}
	return want, got
}
