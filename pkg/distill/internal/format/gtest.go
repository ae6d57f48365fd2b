package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reGtest     = text.Lazy(`^\[ +(RUN|OK|FAILED|ERROR|SKIPPED|DISABLED|PASSED) +\] (.*)$`)
	reGtestName = text.Lazy(`^(\S+)(?:, where (?:GetParam|TypeParam)\(?\)? = .*?)?(?: \((\d+)` +
		` ms(?: total)?\))?$`)
	reGtestFile = text.Lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?::(\d+)|\((\d+)\)|): (?:Failure|error: ?(.*)` +
		`|Skipped|Fatal failure|Non-?fatal failure)$`)
	reGtestSum = text.Lazy(`^\[  (PASSED|FAILED|SKIPPED)  ?\] (\d+) test(?:s|\(s\))?(?:, listed below:|\.)?$`)
	reGtestRan = text.Lazy(`^\[==========\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\.`)
)

var reSignal = text.Lazy(`(?i)segmentation fault|aborted|SIGSEGV|SIGABRT|bus error|` +
	`floating point exception|illegal instruction|killed|stack overflow|core dumped`)

// readGtest reads GoogleTest, also inside CTest.
func readGtest(d *stream.Doc, f *core.Found) {
	g := &gtestReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used {
			continue
		}
		if strings.HasPrefix(l.S, "[") {
			if rest, ok := text.CutAny(l.S, "[  ERROR   ] --- ", "[   LINE   ] --- "); ok { // cmocka
				l.S = rest
				g.body = append(g.body, i)
				continue
			}
			if m := reGtest().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				g.mark(i, m[1], m[2])
				continue
			}
			if reGtestRan().MatchString(l.S) {
				g.ran = true
				l.Used = true
			}
		}
		// Brief output has no line where a test begins.
		if g.test != "" || !g.listed && len(g.body) < 2000 {
			g.body = append(g.body, i)
		}
	}
	g.finish()
}

type gtestReader struct {
	d          *stream.Doc
	f          *core.Found
	test       string
	body       []int // lines of the test that runs
	pass, fail int
	skip       int
	sumPass    int
	sumFail    int
	seen, ran  bool
	listed     bool
}

func (g *gtestReader) mark(i int, what, rest string) {
	g.seen = true
	if strings.Contains(rest, " test") && (what == "PASSED" || what == "FAILED" || what == "SKIPPED") {
		if m := reGtestSum().FindStringSubmatch(g.d.Lines[i].S); m != nil {
			switch m[1] {
			case "PASSED":
				g.sumPass += text.Atoi(m[2])
			case "FAILED":
				g.sumFail += text.Atoi(m[2])
			case "SKIPPED":
				g.skip += text.Atoi(m[2])
			}
			g.listed = true
			g.test = ""
			return
		}
	}
	if what == "ERROR" { // busted
		if strings.HasSuffix(rest, "listed below:") {
			return
		}
		what = "FAILED"
	}
	name := rest
	if _, after, ok := strings.Cut(rest, ": "); ok && strings.Contains(rest, " @ ") {
		if k := strings.LastIndex(after, " ("); k > 0 && strings.HasSuffix(after, " ms)") {
			after = after[:k]
		}
		name = after
	} else if m := reGtestName().FindStringSubmatch(rest); m != nil {
		name = m[1]
	}
	switch what {
	case "RUN":
		if g.test != "" {
			g.died()
		}
		g.test, g.body = name, nil
	case "OK", "SKIPPED":
		if what == "OK" {
			g.pass++
		}
		g.test, g.body = "", nil
	case "FAILED":
		if g.test == name {
			g.fail++
			g.report(name)
		} else if g.test != "" {
			return
		} else if !g.listed && g.tells() {
			g.fail++
			g.report(strings.TrimSuffix(name, ","))
		} else {
			g.f.Format = "GoogleTest"
			g.f.Fail(core.Failure{Test: strings.TrimSuffix(name, ","), Kind: core.KindTest, Weak: true,
				Runner: "GoogleTest"})
		}
		g.test, g.body = "", nil
	}
}

// tells looks for a failed assertion among the lines since the last mark.
func (g *gtestReader) tells() bool {
	for n, i := range g.body {
		if s := g.d.Lines[i].S; strings.HasSuffix(s, ": Failure") || strings.Contains(s, ": error: ") {
			g.body = g.body[n:]
			return true
		}
	}
	return false
}

// report makes one failure of each failed assertion.
func (g *gtestReader) report(name string) {
	var x *core.Failure
	emit := func() {
		if x == nil {
			return
		}
		x.Detail = text.TrimBlock(x.Detail)
		if x.Message == "" && len(x.Detail) > 0 {
			x.Message, x.Detail = x.Detail[0], x.Detail[1:]
		}
		g.f.Fail(*x)
	}
	var before []string
	for _, i := range g.body {
		l := &g.d.Lines[i]
		l.Used = true
		if x == nil && len(before) < 8 && l.S != "" {
			before = append(before, l.S)
		}
		if m := reGtestFile().FindStringSubmatch(l.S); m != nil {
			emit()
			x = &core.Failure{Test: name, File: m[1], Line: text.Atoi(m[2] + m[3]), Message: m[4],
				Kind: core.KindTest, Runner: "GoogleTest"}
			if m[1] == "unknown file" {
				x.File = ""
			}
			if x.Message == "Failure!" && len(before) > 0 { // cmocka
				x.Message = strings.Join(before[:max(1, len(before)-1)], "\n")
			}
			continue
		}
		if x == nil && !strings.Contains(name, ".") {
			if p, ok := core.CutPlace(l.S, g.f.Root); ok && p.Line > 0 {
				x = &core.Failure{Test: name, File: p.File, Line: p.Line, Message: p.Text,
					Kind: core.KindTest, Runner: "busted"}
				continue
			}
		}
		if x != nil {
			if strings.HasPrefix(l.S, "Google Test trace:") || strings.HasPrefix(l.S, "Stack trace:") {
				x.Detail = append(x.Detail, l.S)
				continue
			}
			x.Detail = append(x.Detail, l.S)
		}
	}
	if x == nil {
		x = &core.Failure{Test: name, Kind: core.KindTest, Weak: true, Runner: "GoogleTest"}
	}
	emit()
}

// died tells of a test that began and never ended.
func (g *gtestReader) died() {
	x := core.Failure{Test: g.test, Kind: core.KindCrash, Runner: "GoogleTest",
		Message: "the process died during this test"}
	for n, i := range g.body {
		l := &g.d.Lines[i]
		if reSignal().MatchString(l.S) || strings.Contains(l.S, "terminate called") ||
			strings.Contains(l.S, "ERROR: AddressSanitizer") || strings.Contains(l.S, "Assertion") ||
			strings.Contains(l.S, "runtime error:") {
			x.Message = strings.TrimSpace(l.S)
			var rest []string
			for _, k := range g.body[:min(len(g.body), n+60)] {
				if k != i && g.d.Lines[k].S != "" {
					rest = append(rest, g.d.Lines[k].S)
					g.d.Lines[k].Used = true
				}
			}
			x.Frames = core.FramesOf(rest)
			x.Detail = core.WithoutFrames(rest)
			if p, ok := core.CutPlace(strings.TrimPrefix(x.Message, strings.SplitN(x.Message, ": ", 2)[0]+
				": "), g.f.Root); ok {
				x.File, x.Line = p.File, p.Line
			}
			l.Used = true
			break
		}
	}
	g.fail++
	g.f.PlaceOf(&x)
	g.f.Fail(x)
	g.test, g.body = "", nil
}

func (g *gtestReader) finish() {
	if !g.seen {
		return
	}
	crashed := g.test != ""
	if crashed {
		g.died()
	}
	g.f.Format = "GoogleTest"
	switch {
	case g.listed && !crashed:
		g.f.Total(g.sumPass, max(g.sumFail, g.fail), g.skip)
	default:
		g.f.Saw("GoogleTest")
	}
	if g.ran && g.pass+g.fail+g.skip+g.sumPass == 0 {
		g.f.NoTests = true
	}
}
