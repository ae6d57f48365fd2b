package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// endPackage reports what failed in a package once its name is known.
func (g *goReader) endPackage(name string) {
	if name != "" {
		g.pkg = name
	}
	g.attributePanic()
	if len(g.f.Failures) > 0 && name != "" {
		g.passAgain()
	}
	g.findLogs()
	for test, fl := range g.fails {
		g.ran[fl.at].Failures = g.failures(fl)
		g.ran[fl.at].Name = g.name(test)
	}
	sum, _ := g.f.File(g.ran)
	g.sum = g.sum.Plus(sum)
	if g.died != nil {
		for _, x := range g.failures(g.died) {
			g.f.Fail(x)
		}
	}
	g.pkg, g.current, g.dead, g.died, g.drop = "", "", nil, nil, false
	g.race, g.running, g.said, g.loose = nil, nil, nil, nil
	clear(g.began)
	g.out, g.fails, g.ran, g.last = map[string][]string{}, map[string]*goFail{}, nil, nil
}

// passAgain sets right what failed in an earlier run of the package.
func (g *goReader) passAgain() {
	again := map[string]bool{}
	for _, t := range g.ran {
		if t.Outcome == testreport.Passed {
			again[core.NameKey(g.name(t.Name))] = true
		}
	}
	g.f.SetRetried(0, again)
}

// attributePanic finds the test that a panic or a timeout ended.
func (g *goReader) attributePanic() {
	dead := g.died
	if dead == nil {
		return
	}
	if t := testOfPanic(dead); t != "" && (dead.test == "" || strings.HasPrefix(t, dead.test)) {
		dead.test = t
	}
	if fl := g.fails[dead.test]; fl != nil && fl != dead && dead.test != "" {
		fl.lines = append(fl.lines, dead.lines...)
		fl.crash, fl.kind = dead.crash, dead.kind
		g.died = nil
	}
}

func (g *goReader) name(test string) string {
	if g.pkg == "" || g.pkg == "." || test == "" {
		return test
	}
	return g.pkg + "." + test
}

// failures makes failures of the lines of one failing test: one per message, or one for a
// panic.
func (g *goReader) failures(fl *goFail) (fails []core.Failure) {
	base := core.Failure{Test: g.name(fl.test), Kind: fl.kind, Pkg: g.pkg, Runner: "go test"}
	if fl.crash != "" {
		x := g.panicFailure(base, fl)
		if g.pkg == "" && len(goStacks(fl.lines)) == 0 {
			return nil // a line that begins like a panic, in a log
		}
		return []core.Failure{x}
	}
	if len(fl.races) > 0 {
		return []core.Failure{g.raceFailure(base, fl)}
	}
	msgs := goMessages(fl.lines)
	var said []goMessage
	for _, m := range msgs {
		if !g.isLog(m) {
			said = append(said, m)
		}
	}
	if len(said) == 0 {
		said = msgs
	}
	if len(said) == 0 {
		x := base
		x.Weak = true
		rest := text.TrimBlock(fl.lines)
		if len(rest) > 0 {
			x.Message, x.Detail = strings.TrimSpace(rest[0]), rest[1:]
			x.Weak = false
		} else {
			x.Message = "test failed without a message"
		}
		return []core.Failure{x}
	}
	for _, m := range said {
		x := base
		x.File, x.Line, x.Message, x.Detail = m.file, m.line, m.text, m.rest
		for _, s := range x.Detail {
			if t, ok := strings.CutPrefix(strings.TrimSpace(s), "Error:"); ok && x.Message == "" { // testify
				x.Message = strings.TrimSpace(t)
			}
		}
		fails = append(fails, x)
	}
	return fails
}

// findLogs records messages that several failing tests print word for word next to another
// one: a helper logs them.
func (g *goReader) findLogs() {
	tests := map[string]int{}
	for _, fl := range g.fails {
		for _, m := range goMessages(fl.lines) {
			tests[m.place()+m.text]++
		}
	}
	for _, fl := range g.fails {
		msgs := goMessages(fl.lines)
		own := slices.ContainsFunc(msgs, func(m goMessage) bool { return tests[m.place()+m.text] == 1 })
		for _, m := range msgs {
			if own && tests[m.place()+m.text] > 1 {
				g.logged[m.place()] = true
			}
		}
	}
}

// isLog reports whether a message comes from t.Log, which has the same form as t.Error: a
// test that passed has one from there, or the source line says so.
func (g *goReader) isLog(m goMessage) bool {
	if g.logged[m.place()] {
		return true
	}
	rel, ok := g.f.Root.Resolve(m.file, g.pkg)
	if !ok {
		return false
	}
	src := g.f.Root.Source(rel, m.line)
	return strings.Contains(src, ".Log(") || strings.Contains(src, ".Logf(")
}

func (g *goReader) finish() {
	if !g.seen {
		return
	}
	g.endPackage("")
	if g.pkgs == 0 && g.sum == (core.Total{}) && !g.verbose {
		return
	}
	g.f.Format = "go test"
	pass, fail, skip := g.sum.Passed+g.f.Tally.GoPass, g.sum.Failed, g.sum.Skipped+g.f.Tally.GoSkip
	g.f.Tally.GoPass, g.f.Tally.GoSkip = 0, 0
	if !g.verbose && !g.total {
		// Without -v passing tests are not told.
		pass, skip = -1, -1
		if g.pkgs > 0 && fail == 0 && len(g.f.Failures) > 0 {
			fail = -1
		}
	}
	if g.failedPkgs > 0 && fail == 0 {
		fail = -1 // what failed was no test
	}
	g.f.Total(pass, fail, skip)
	if g.pkgs > 0 && g.empty == g.pkgs && g.failedPkgs == 0 {
		g.f.NoTests = true
	}
}

type goMessage struct {
	file string
	line int
	text string
	rest []string
}

func (m goMessage) place() string { return text.Place(m.file, m.line, 0) }

// goMessages finds "file_test.go:12: text" and its continuation lines.
func goMessages(lines []string) []goMessage {
	var out []goMessage
	depth := -1
	for _, s := range lines {
		var m []string
		if strings.Contains(s, ".go:") { // saves the expression
			m = reGoFile().FindStringSubmatch(s)
		}
		if m != nil && len(m[1]) >= 4 &&
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
