package format

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// readGo reads go test (plain, -v, -json) and gotestsum, which prints the same
// lines in another order.
func readGo(d *stream.Stream, f *core.Result) {
	g := &goReader{f: f, d: d, out: map[string][]string{}, fails: map[string]*goFail{},
		began: map[string][]int{}, own: map[string][]int{}, logged: map[string]bool{}}
	if g.readJSON(); g.json {
		return
	}
	for i := range d.Lines {
		if i > 0 && strings.HasPrefix(d.Lines[i-1].S, "FAIL! -- ") { // Ginkgo runs inside one test
			d.Lines[i].Used = true
		}
		if !d.Lines[i].Used {
			g.line(i)
		}
	}
	g.finish()
}

type goReader struct {
	f    *core.Result
	d    *stream.Stream
	json bool

	pkg     string
	current string              // the test whose output this is, where known
	out     map[string][]string // output by test
	ran     []core.Ran          // the tests of this run of the package
	fails   map[string]*goFail  // those that failed
	last    *goFail             // the last of them
	dead    *goFail             // the panic that is being read
	died    *goFail             // the last one
	drop    bool                // what follows is of a test that was skipped
	race    []string
	inRace  bool
	running []string         // with -v: tests that began, empty if they have ended; the last has not
	began   map[string][]int // where they stand there
	at      int              // the line being read
	own     map[string][]int // the lines of what each test printed
	logged  map[string]bool  // places of messages in tests that passed: logs
	loose   []int            // the lines that no test of the package printed, of a plain stream
	said    []string         // and what they say

	seen, verbose bool
	sum           core.Total // of the packages that have ended
	pkgs, empty   int
	failedPkgs    int // without a failing test
	total         bool
}

// goFail collects the lines of one failing test.
type goFail struct {
	test  string
	at    int // where it stands among the tests that ran
	lines []string
	crash string // the message of a panic, race or timeout
	kind  string
	races []string
}

var (
	reGoMark = text.Lazy(`^=== (RUN|PAUSE|CONT|NAME) +(\S+)?`)
	reGoPkg  = text.Lazy(`^(ok  |FAIL|\?   |---|\x{2713} |\x{2716} |\x{2205} )[\t ]+([^\s:]+)` +
		`(?:[\t ]+(\(cached\)|[\d.]+m?s|\[.*\]|\([\d.]+m?s\)))?`)
	reGoFile  = text.Lazy(`^( *)((?:[A-Za-z]:)?\S[^:]*\.go):(\d+): ?(.*)$`)
	reSumFail = text.Lazy(`^=== (?:FAIL|Failed)(?:: (\S+) (\S+))?(?: \([\d.]+s\))?(?: \(re-run \d+\))?$`)
	reSumDone = text.Lazy(`^DONE (?:\d+ runs, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?`)
)

// readJSON reads the events of go test -json anywhere in the stream, package by package.
func (g *goReader) readJSON() {
	type event struct{ Action, Package, Test, Output, ImportPath string }
	byPkg := map[string]*goReader{}
	var pkgs []string
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if !strings.HasPrefix(s, "{") || !strings.Contains(s, `"Action":"`) {
			continue
		}
		var e event
		if json.Unmarshal([]byte(s), &e) != nil || e.Action == "" {
			continue
		}
		g.d.Lines[i].Used = true
		g.f.CountedAt(g.d.Lines[i].No)
		g.json = true
		if e.Action == "build-output" {
			g.d.Lines = append(g.d.Lines,
				stream.Line{S: strings.TrimRight(e.Output, "\n"), No: g.d.Lines[i].No})
			continue
		}
		p := byPkg[e.Package]
		if p == nil {
			p = &goReader{f: g.f, d: &stream.Stream{}, out: map[string][]string{},
				fails: map[string]*goFail{},
				began: map[string][]int{}, own: map[string][]int{}, logged: map[string]bool{}, pkg: e.Package,
				json: true}
			byPkg[e.Package] = p
			pkgs = append(pkgs, e.Package)
		}
		p.event(e.Action, e.Test, e.Output)
	}
	for _, name := range pkgs {
		p := byPkg[name]
		p.endPackage(name)
		g.sum = g.sum.Plus(p.sum)
		g.seen, g.verbose = true, true
		g.empty, g.failedPkgs = g.empty+p.empty, g.failedPkgs+p.failedPkgs
	}
	if g.seen {
		g.pkgs = len(pkgs)
		g.finish()
	}
}

func (g *goReader) event(action, test, output string) {
	g.seen, g.verbose = true, true
	switch action {
	case "output":
		for _, s := range strings.Split(strings.TrimRight(output, "\n"), "\n") {
			s = stream.CleanLine([]byte(s))
			g.current = test
			g.text(s)
		}
	case "pass", "fail", "skip":
		if test != "" {
			g.result(strings.ToUpper(action), test)
		}
	}
}

// line reads line i of a plain stream.
func (g *goReader) line(i int) {
	s := g.d.Lines[i].S
	g.at = i
	_, own := text.CutAny(s, "=== ", "--- ", "    --- ", "ok  \t", "FAIL\t", "?   \t", "panic: ",
		"fatal error: ",
		"WARNING: DATA RACE")
	if g.seen || own {
		if g.text(s) {
			g.d.Lines[i].Used = true
		}
	} else {
		g.outside(s)
	}
}

// text reads one line and reports whether it belongs to go test's own format.
func (g *goReader) text(s string) bool {
	if g.inRace {
		if strings.HasPrefix(s, "==================") {
			g.inRace = false
			return true
		}
		g.race = append(g.race, s)
		return true
	}
	switch {
	case strings.HasPrefix(s, "==================") || s == "":
		if g.dead != nil {
			g.dead.lines = append(g.dead.lines, s)
		} else if fl := g.last; fl != nil && s == "" {
			fl.lines = append(fl.lines, s)
		}
		return s != ""
	case strings.HasPrefix(s, "WARNING: DATA RACE"):
		g.inRace, g.race = true, append(g.race, s)
		g.seen = true
		return true
	case strings.HasPrefix(s, "=== "):
		return g.mark(s)
	case strings.HasPrefix(s, "--- BENCH: "):
		return true
	case strings.Contains(s, "--- "):
		how, name, before := testreport.GoResult(s)
		if how == "" {
			break
		}
		if g.seen = true; g.json { // an event says the same
			g.dead = nil
			return true
		}
		if before != "" { // printed without the end of a line
			g.put(before)
		}
		g.result(how, name)
		return true
	case strings.HasPrefix(s, "panic: ") || strings.HasPrefix(s, "fatal error: ") ||
		strings.HasPrefix(s, "SIGQUIT: ") || strings.HasPrefix(s, "signal: "):
		if g.dead == nil {
			g.die(s)
		}
		g.dead.lines = append(g.dead.lines, s)
		return true
	case strings.HasPrefix(s, "DONE "):
		if m := reSumDone().FindStringSubmatch(s); m != nil {
			g.endPackage("")
			all, skip, fail := text.Atoi(m[1]), text.Atoi(m[2]), text.Atoi(m[3])
			g.sum, g.total = core.NewTotal(all-skip-fail, fail, skip), true
			g.f.Saw("gotestsum")
			return true
		}
	}
	if g.endsPackage(s) {
		return true
	}
	g.put(s)
	return g.seen && (s == "FAIL" || s == "PASS" || strings.HasPrefix(s, "exit status ") ||
		strings.HasPrefix(s, "coverage: "))
}

// endsPackage reads the line that ends a package.
func (g *goReader) endsPackage(s string) bool {
	m := g.packageEnd(s)
	if m == nil {
		return false
	}
	g.seen = true
	g.pkgs++
	if strings.Contains(m[3], "no test files") || strings.Contains(m[3], "no tests to run") ||
		strings.Contains(s, "[no tests to run]") {
		g.empty++
	}
	if !g.json {
		g.f.CountedAt(g.d.Lines[g.at].No)
	}
	if strings.HasPrefix(s, "FAIL") {
		g.packageFailed(m[2], m[3])
	}
	g.endPackage(m[2])
	return true
}

// packageFailed reports a package that failed without a failing test, such as one whose TestMain
// ended the process. Of one that could not be built, the compiler's lines say why.
func (g *goReader) packageFailed(name, how string) {
	if len(g.fails) > 0 || g.died != nil || len(g.race) > 0 {
		return
	}
	g.f.PartFailed()
	test, printed := g.unfinished()
	said := slices.DeleteFunc(slices.Concat(g.said, printed), func(s string) bool {
		return strings.TrimSpace(s) == "" || s == "PASS" || s == "FAIL" ||
			strings.HasPrefix(s, "exit status ") ||
			strings.HasPrefix(s, "coverage: ")
	})
	if g.failedPkgs++; strings.HasPrefix(how, "[") || len(said) == 0 {
		return
	}
	last := len(said) - 1
	for k, s := range slices.Backward(said) {
		if core.ErrorLike(s) > 3 {
			last = k
			break
		}
	}
	x := core.Failure{Kind: core.KindError, Pkg: name, Runner: "go test", Message: withoutLogTime(said[last]),
		Detail: []string{"in package " + name + ", outside of its tests"}}
	if test != "" {
		x.Test, x.Kind = name+"."+test, core.KindCrash
		x.Detail[0] = "the process ended while this test was running"
	}
	x.Detail = append(x.Detail, slices.Delete(said, last, last+1)...)
	for _, i := range g.loose {
		if !g.json { // else there are no lines
			g.d.Lines[i].Used = true
		}
	}
	g.f.Fail(x)
}

func (g *goReader) packageEnd(s string) []string {
	if !(strings.HasPrefix(s, "ok  ") || strings.HasPrefix(s, "FAIL\t") || strings.HasPrefix(s, "FAIL ") ||
		strings.HasPrefix(s, "?   ")) {
		return nil
	}
	m := reGoPkg().FindStringSubmatch(s)
	if m == nil || m[3] == "" || strings.HasPrefix(m[3], "(") && m[3] != "(cached)" {
		return nil // gotestsum writes "FAIL TestX (0.00s)" of tests
	}
	return m
}

// mark reads === RUN and its like.
func (g *goReader) mark(s string) bool {
	g.drop = false
	if m := reGoMark().FindStringSubmatch(s); m != nil {
		g.seen, g.verbose = true, true
		g.dead = nil
		g.current = m[2]
		if m[1] == "RUN" {
			g.began[m[2]] = append(g.began[m[2]], len(g.running))
			g.running = append(g.running, m[2])
		}
		return true
	}
	if strings.HasPrefix(s, "=== SKIP: ") || strings.HasPrefix(s, "=== Skipped") { // gotestsum
		g.current, g.drop = "", true
		return true
	}
	if m := reSumFail().FindStringSubmatch(s); m != nil && m[2] != "" {
		// gotestsum repeats each failing test with its package.
		g.seen = true
		g.f.Saw("gotestsum")
		g.endPackage("")
		g.pkg = m[1]
		g.fail(m[2])
		g.current = m[2]
		return true
	}
	return false
}

func (g *goReader) result(what, test string) {
	g.dead, g.drop = nil, false
	if at := g.began[test]; len(at) > 0 {
		last := len(at) - 1
		g.running[at[last]], g.began[test] = "", at[:last]
		for n := len(g.running); n > 0 && g.running[n-1] == ""; n-- {
			g.running = g.running[:n-1]
		}
	}
	switch what {
	case "PASS":
		// What looked like a panic was a line of its log.
		if x := g.died; x != nil && (x.test == test || x.test == "") && len(goStacks(x.lines)) == 0 {
			g.died = nil
		}
		if !g.json || g.fails[test] == nil {
			g.ended(test, testreport.Passed)
		}
		for _, m := range goMessages(g.out[test]) {
			g.logged[m.place()] = true
		}
		g.forget(test)
		g.current = ""
	case "SKIP":
		g.ended(test, testreport.Skipped)
		g.forget(test)
		g.current, g.drop = "", true
	case "FAIL":
		g.fail(test)
		g.current = test
	}
}

// forget drops what a test has printed.
func (g *goReader) forget(test string) {
	for _, i := range g.own[test] {
		if !g.json {
			g.d.Lines[i].Used = true
		}
	}
	delete(g.out, test)
	delete(g.own, test)
}

func (g *goReader) fail(test string) *goFail {
	if fl := g.fails[test]; fl != nil {
		return fl
	}
	fl := &goFail{test: test, at: len(g.ran), lines: g.out[test], kind: core.KindTest}
	g.forget(test)
	if len(g.race) > 0 {
		fl.races, g.race = g.race, nil
	}
	g.fails[test], g.last = fl, fl
	g.ended(test, testreport.Failed)
	return fl
}

// ended notes how a test ended. A subtest is a part of its test.
func (g *goReader) ended(test string, how testreport.Outcome) {
	t := testreport.Test{Name: test, Outcome: how}
	if i := strings.LastIndexByte(test, '/'); i > 0 {
		t.Of = test[:i]
	}
	g.ran = append(g.ran, core.Ran{Test: t})
}

// die begins a panic.
func (g *goReader) die(s string) {
	g.seen = true
	test := ""
	if len(g.running) > 0 {
		test = g.running[len(g.running)-1]
	} else if fl := g.last; fl != nil && g.current == fl.test {
		test = fl.test
	}
	g.dead = &goFail{test: test, kind: core.KindCrash,
		crash: strings.TrimSuffix(strings.TrimSuffix(s, " [recovered]"), " [recovered, repanicked]")}
	if strings.Contains(s, "test timed out") || strings.Contains(s, "all goroutines are asleep") {
		g.dead.kind = core.KindTimeout
		g.dead.test = ""
	}
	g.died = g.dead
}

// unfinished returns the one test that was running at the end, and what the tests that were have printed.
func (g *goReader) unfinished() (test string, printed []string) {
	tops := 0
	for _, name := range g.running {
		if name == "" {
			continue
		}
		printed = append(printed, g.out[name]...)
		g.forget(name)
		if test = name; !strings.Contains(name, "/") {
			tops++
		}
	}
	if tops != 1 {
		test = ""
	}
	return test, printed
}

var reLogTime = text.Lazy(`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)? `)

// withoutLogTime removes what package log writes in front of a message.
func withoutLogTime(s string) string { return strings.TrimSpace(s[len(reLogTime().FindString(s)):]) }

// maxOutside is how many of the last lines of a package are kept that none of its tests printed.
const maxOutside = 100

// outside files a line that no test printed.
func (g *goReader) outside(s string) {
	if len(g.said) >= 2*maxOutside {
		g.said, g.loose = slices.Clone(g.said[maxOutside:]), slices.Clone(g.loose[maxOutside:])
	}
	g.said, g.loose = append(g.said, s), append(g.loose, g.at)
}

// put files a line of output.
func (g *goReader) put(s string) {
	if g.drop {
		return
	}
	if g.dead != nil {
		if len(g.dead.lines) < 4000 {
			g.dead.lines = append(g.dead.lines, s)
		}
		return
	}
	if fl := g.fails[g.current]; fl != nil && g.current != "" {
		if s != "FAIL" && s != "PASS" && len(fl.lines) < 2000 {
			fl.lines = append(fl.lines, s)
		}
		return
	}
	if g.current != "" {
		if o := g.out[g.current]; len(o) < 1000 {
			g.out[g.current], g.own[g.current] = append(o, s), append(g.own[g.current], g.at)
		}
	} else {
		g.outside(s)
	}
}
