package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reGoTestFunc = text.Lazy(`(?:^|[./])((?:Test|Fuzz|Benchmark|Example)\w*)(?:\.func[\d.]+)*\(`)

// testOfPanic returns the test names that the runtime prints: the tests running at a
// timeout, or the innermost test function on the stack.
func testOfPanic(dead *goFail) string {
	for _, s := range dead.lines {
		if m := reGoTestFunc().FindStringSubmatch(s); m != nil && !strings.HasPrefix(s, "testing.") &&
			!strings.HasPrefix(s, "\t") {
			return m[1]
		}
	}
	return ""
}

// panicFailure describes a panic by the frames of the responsible goroutine: the first one
// at a panic, those that hang in a test at a timeout.
func (g *goReader) panicFailure(x core.Failure, fl *goFail) core.Failure {
	x.Message = fl.crash
	var notes []string
	stacks := goStacks(fl.lines)
	for _, s := range fl.lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(s, "goroutine ") {
			break
		}
		if t != "" && !strings.HasPrefix(s, fl.crash) && !strings.HasPrefix(s, "exit status") {
			notes = append(notes, s)
		}
	}
	x.Detail = notes
	for pass := range 2 {
		for _, st := range stacks {
			if fl.kind == core.KindTimeout && pass == 0 && !st.hasTest {
				continue
			}
			for n, fr := range st.frames {
				if _, ok := g.f.Root.Resolve(fr.File, g.pkg); ok {
					x.Frames = st.frames
					if fl.kind == core.KindTimeout {
						x.Detail = append(x.Detail, "goroutine ["+st.state+"]")
						if n > 0 { // what it waits in
							x.Detail = append(x.Detail, "in "+st.frames[n-1].Func)
						}
					}
					return x
				}
			}
		}
	}
	if len(stacks) > 0 {
		x.Frames = stacks[0].frames
	}
	return x
}

type goStack struct {
	state   string
	frames  []core.Frame
	hasTest bool
}

var reGoMinutes = text.Lazy(`, \d+ minutes`)

var reGoroutine = text.Lazy(`^goroutine \d+(?: [^\[]*)?\[([^\]]*)\]:$`)

// goStacks splits a dump by goroutine.
func goStacks(lines []string) []goStack {
	var out []goStack
	fn := ""
	for _, s := range lines {
		if m := reGoroutine().FindStringSubmatch(s); m != nil {
			out = append(out, goStack{state: reGoMinutes().ReplaceAllString(m[1], "")})
			continue
		}
		if len(out) == 0 {
			continue
		}
		st := &out[len(out)-1]
		if m := core.ReFrameGo().FindStringSubmatch(s); m != nil {
			st.frames = append(st.frames, core.Frame{File: m[1], Line: text.Atoi(m[2]), Func: fn})
			continue
		}
		fn = s
		if i := strings.LastIndexByte(fn, '('); i > 0 {
			fn = fn[:i]
		}
		fn = strings.TrimPrefix(fn, "created by ")
		if reGoTestFunc().MatchString(s) && !strings.HasPrefix(s, "testing.") &&
			!strings.HasPrefix(s, "created by") {
			st.hasTest = true
		}
	}
	return out
}

// raceFailure describes a data race by its two accesses.
func (g *goReader) raceFailure(x core.Failure, fl *goFail) core.Failure {
	x.Kind, x.Message = core.KindCrash, fl.races[0]
	end := slices.IndexFunc(fl.races, func(s string) bool { return strings.HasPrefix(s, "Goroutine ") })
	if end < 0 {
		end = len(fl.races)
	}
	core.Explain(&x, fl.races[1:end])
	return x
}
