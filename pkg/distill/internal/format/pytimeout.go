package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// readPyTimeout reads the stacks that pytest-timeout and faulthandler print
// before they end the process: no line names the test then, but the stack does.
func readPyTimeout(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		s := d.Lines[i].S
		title := strings.Trim(s, "+~ ")
		if s == "" || s[0] != '+' || title != "Timeout" {
			if strings.HasPrefix(s, "Fatal Python error: ") {
				i = faultStack(d, f, i) - 1
			}
			continue
		}
		x := core.Failure{Kind: core.KindTimeout, Message: "Timeout", Runner: "pytest-timeout"}
		j := i + 1
		for ; j < len(d.Lines) && j < i+2000; j++ {
			if strings.Contains(d.Lines[j].S, "Stack of MainThread") {
				j++
				break
			}
			if s := d.Lines[j].S; strings.HasPrefix(s, "+++") && strings.Trim(s, "+ ") == "Timeout" {
				break
			}
		}
		for ; j < len(d.Lines) && !strings.HasPrefix(d.Lines[j].S, "++++") &&
			!strings.HasPrefix(d.Lines[j].S, "~~~~"); j++ {
			if fr, ok := core.ParseFrame(d.Lines[j].S); ok {
				x.Frames = append([]core.Frame{fr}, x.Frames...)
			}
		}
		if len(x.Frames) == 0 {
			continue
		}
		stackTest(f, &x)
		f.Fail(x)
		i = j
	}
}

// faultStack reads "Fatal Python error", whose stack has the innermost first.
func faultStack(d *stream.Doc, f *core.Found, i int) int {
	x := core.Failure{Kind: core.KindCrash, Message: d.Lines[i].S, Runner: "python"}
	j := i + 1
	for ; j < len(d.Lines) && j < i+200; j++ {
		s := d.Lines[j].S
		if fr, ok := core.ParseFrame(strings.Replace(s, " in ", ", in ", 1)); ok {
			x.Frames = append(x.Frames, fr)
		} else if len(x.Frames) > 0 {
			break
		}
	}
	if len(x.Frames) > 0 {
		stackTest(f, &x)
		f.Fail(x)
	}
	return j
}

// stackTest names the test after the frame of a test function.
func stackTest(f *core.Found, x *core.Failure) {
	f.PlaceOf(x)
	for _, fr := range x.Frames {
		rel, ok := f.Root.Resolve(fr.File, "")
		if ok && tree.IsTestFile(rel) && strings.HasPrefix(fr.Func, "test") {
			x.Test = rel + "::" + fr.Func
			return
		}
	}
}
