package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
)

var (
	reCodeFrame = core.Lazy(`^\s*>?\s*\d* ?\|`)
)

// hasPlace tells whether one of the frames is in a file.
func hasPlace(root *core.Tree, frames []core.Frame, file string) bool {
	want, _ := root.Resolve(file, "")
	for _, fr := range frames {
		if rel, ok := root.Resolve(fr.File, ""); ok && rel == want {
			return true
		}
	}
	return false
}

// jsBlock fills in message, detail, frames and values from the block of a
// failing test as jest, mocha and others print it.
func jsBlock(x *core.Failure, lines []string) {
	x.Frames = core.FramesOf(lines)
	body := core.TrimBlock(core.WithoutFrames(codeFrames(lines)))
	if len(body) > 0 {
		x.Message, x.Detail = body[0], body[1:]
	}
	for i, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := core.CutAny(t, "Expected: ", "expected: ", "Expected value: "); ok && x.Expected == "" {
			x.Expected = v
		} else if v, ok := core.CutAny(t, "Received: ", "received: ", "actual: ", "Received value: "); ok && x.Actual == "" {
			x.Actual = v
		} else if (t == "Expected:" || t == "Received:") && i+1 < len(body) {
			if t == "Expected:" {
				x.Expected = strings.TrimSpace(body[i+1])
			} else {
				x.Actual = strings.TrimSpace(body[i+1])
			}
		}
	}
}

// codeFrames keeps, of the source that tools print around a place, the line of
// the place itself.
func codeFrames(lines []string) []string {
	var out []string
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "|") || t != "" && t[0] >= '0' && t[0] <= '9' && strings.Contains(t, "|") && reCodeFrame().MatchString(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// jsErrorHead tells the first line of an error as JavaScript prints it.
func jsErrorHead(s string) bool {
	t := strings.TrimSpace(s)
	i := strings.Index(t, ":")
	name := t
	if i > 0 {
		name = t[:i]
	}
	if j := strings.IndexByte(name, ' '); j > 0 && strings.HasPrefix(name[j:], " [") { // AssertionError [ERR_ASSERTION]
		name = name[:j]
	}
	name = strings.TrimPrefix(name, "Uncaught ")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && !strings.ContainsAny(name, " \t/(") && i > 0
}
