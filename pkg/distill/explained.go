package distill

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// detail returns the lines below the first of the message.
func (c *cause) detail() []string {
	x := c.first
	var out []string
	if i := strings.IndexByte(x.Message, '\n'); i >= 0 {
		out = append(out, strings.Split(x.Message[i+1:], "\n")...)
	}
	out = append(out, x.Detail...)
	all := x.Message + "\n" + strings.Join(x.Detail, "\n")
	if x.Expected != "" && !strings.Contains(all, text.FirstLine(x.Expected)) {
		out = append(out, "expected: "+text.FirstLine(x.Expected))
	}
	if x.Actual != "" && !strings.Contains(all, text.FirstLine(x.Actual)) {
		out = append(out, "actual:   "+text.FirstLine(x.Actual))
	}
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "\t", "  ")
	}
	return out
}

// values shows how the other tests of the cause differ from the first: message, expected
// and actual values.
func (c *cause) values(st step) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, s := range c.linesOf(c.first) {
		seen[s] = true
	}
	left := 0
	for _, x := range c.more {
		var new []string
		for _, s := range c.linesOf(x) {
			if len(new) < 4 && !seen[s] {
				seen[s] = true
				new = append(new, text.Short(s, 200))
			}
		}
		switch {
		case len(new) == 0:
		case len(out) > st.detail/6:
			left++
		default:
			out = append(out, "   also: "+strings.Join(new, "; "))
		}
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("   … %d more like this", left))
	}
	return out
}

// linesOf returns the lines of a failure that may hold values, without source and frames.
func (c *cause) linesOf(x *core.Failure) []string {
	var out []string
	for _, s := range append(strings.Split(x.Message, "\n"), x.Detail...) {
		t := strings.TrimSpace(s)
		if t == "" || strings.Contains(t, " | ") || strings.HasPrefix(t, "|") ||
			strings.HasPrefix(t, "^") || len(out) > 40 {
			continue
		}
		out = append(out, t)
	}
	return out
}

func (c *cause) frames(st step, root *tree.Tree, shown string) []string {
	x := c.first
	var out []string
	src := func(file string, line int) string {
		if s := root.Source(file, line); s != "" && !strings.Contains(shown, text.Short(s, 120)) {
			return "  | " + text.Short(s, 160)
		}
		return ""
	}
	if st.frames == 0 {
		return nil
	}
	if x.File != "" && x.Line > 0 {
		if s := src(x.File, x.Line); s != "" {
			out = append(out, "   "+text.Place(x.File, x.Line, 0)+s)
		}
	}
	n := 0
	for _, fr := range x.Frames {
		if fr.File == x.File && fr.Line == x.Line {
			continue
		}
		if n++; n > st.frames {
			continue
		}
		s := "   from " + text.Place(fr.File, fr.Line, 0)
		if fr.Func != "" {
			s += " in " + text.Short(fr.Func, 80)
		}
		out = append(out, s+src(fr.File, fr.Line))
	}
	if n > st.frames {
		out = append(out, fmt.Sprintf("   … %d more calls", n-st.frames))
	}
	return out
}
