//go:build unix

package check

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
)

// plainDistiller reads the output of the scripts in these tests: "FAIL name" and
// "ok name", one a line.
func plainDistiller(_ context.Context, out Output) (Summary, error) {
	s := Summary{Recognised: true}
	var passed, failed int
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		word, name, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "ok":
			passed++
		case "FAIL":
			failed++
			f := failure.Failure{Test: name, File: name + ".sh", Message: name + " is wrong"}
			s.Failures = append(s.Failures, f)
			s.Signature += name + ";"
			s.Files = append(s.Files, "src/"+name)
			s.Text += name + " is wrong\n"
		case "lint":
			s.Failures = append(s.Failures, failure.Failure{File: name, Line: 1, Message: "ugly", Kind: "lint"})
			s.Signature += name
		}
	}
	if passed+failed > 0 {
		s.Passed, s.Failed = &passed, &failed
	}
	s.Without = func(old []int) Summary {
		rest := Summary{Signature: s.Signature}
		for i, f := range s.Failures {
			if !slices.Contains(old, i) {
				rest.Files, rest.Text = append(rest.Files, "src/"+f.Test), rest.Text+f.Message+"\n"
			}
		}
		return rest
	}
	return s, lines.Err()
}

// suiteOf is a test script that runs each file tests/*.sh, or those named, and
// counts its full runs.
const suiteOf = `[ $# -eq 0 ] && echo x >>full
[ $# -eq 0 ] && set -- tests/*.sh
status=0
for t; do n=$(basename "$t" .sh); if sh "tests/$n.sh"; then echo "ok $n"; else echo "FAIL $n"; status=1; fi; done
exit $status
`

func verifier(t *testing.T, files map[string]string) *Runner {
	t.Helper()
	r := runner(t, func(c *Config) { c.Distill = plainDistiller })
	files["run.sh"] = suiteOf
	testkit.Write(t, r.c.Dir, files)
	return r
}

var plainSuite = Suite{
	Tests: []Step{{Name: "test", Command: "sh run.sh", Timeout: time.Minute}},
	Rerun: "sh run.sh {{.Tests}}",
}

func verify(t *testing.T, r *Runner, s Suite, o VerifyOptions) Verdict {
	t.Helper()
	v, err := r.Verify(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Text) > textCap {
		t.Errorf("text of %d bytes", len(v.Text))
	}
	if v.Green != (v.Signature == "") || v.Green && v.Failing != 0 {
		t.Errorf("green %v, signature %q, failing %d", v.Green, v.Signature, v.Failing)
	}
	return v
}

// steps tells what was run: kinds, "!" for what did not pass.
func steps(v Verdict) string {
	var list []string
	for _, r := range v.Results {
		s := string(r.Kind)
		if !r.Passed {
			s += "!"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func fullRuns(t *testing.T, r *Runner) int {
	t.Helper()
	b, _ := os.ReadFile(filepath.Join(r.c.Dir, "full"))
	return strings.Count(string(b), "x")
}

func gate(name, command, fix string) Gate {
	return Gate{Step: Step{Name: name, Command: command}, FixCommand: fix}
}

func TestAVerdictOfGatesAndTests(t *testing.T) {
	t.Parallel()
	pass, fail := map[string]string{"tests/a.sh": "true"}, map[string]string{"tests/a.sh": "true", "tests/b.sh": "false", "tests/c.sh": "false"}
	for _, c := range []struct {
		name  string
		files map[string]string
		gates []Gate
		o     VerifyOptions
		steps string
		check func(Verdict) bool
	}{
		{"all pass", pass, []Gate{gate("lint", "true", "")}, VerifyOptions{}, "gate test",
			func(v Verdict) bool { return v.Green && *v.Counts.Passed == 1 }},
		{"tests fail", fail, nil, VerifyOptions{}, "test!",
			func(v Verdict) bool {
				return v.TestsFailed && !v.GatesFailed && v.Failing == 2 && len(v.Files) == 2 && strings.Contains(v.Text, "b is wrong")
			}},
		{"a gate alone fails", pass, []Gate{gate("lint", "echo 'lint x.go'; exit 1", "")}, VerifyOptions{}, "gate! test",
			func(v Verdict) bool {
				return v.GatesFailed && !v.TestsFailed && v.Failing == 0 && len(v.Findings) == 1 && strings.Contains(v.Text, `Gate "lint" failed`)
			}},
		{"a gate that runs tests counts as tests", pass, []Gate{gate("unit", "echo FAIL u; exit 1", "")}, VerifyOptions{}, "gate! test",
			func(v Verdict) bool {
				return v.TestsFailed && !v.GatesFailed && v.Failing == 1 && len(v.Findings) == 0 && v.Tally == failure.Named
			}},
		{"which are not looked for in the test command", pass, []Gate{gate("unit", "echo FAIL u; exit 1", "")},
			VerifyOptions{Previous: []failure.Failure{{Test: "u", Check: "unit"}}}, "gate! test",
			func(v Verdict) bool { return v.TestsFailed && !v.Partial && v.Failing == 1 }},
		{"both fail and are told together", fail, []Gate{gate("lint", "echo ugly; exit 1", ""), gate("types", "true", "")}, VerifyOptions{}, "gate! gate test!",
			func(v Verdict) bool {
				return v.GatesFailed && v.TestsFailed && strings.Contains(v.Text, "ugly") && strings.Contains(v.Text, "c is wrong")
			}},
		{"a fix fixes the gate", pass, []Gate{gate("fmt", "test -f formatted", "touch formatted; exit 1")}, VerifyOptions{}, "gate! fix! gate test",
			func(v Verdict) bool { return v.Green }},
		{"a fix that does not", pass, []Gate{gate("fmt", "false", "true")}, VerifyOptions{}, "gate! fix gate! test",
			func(v Verdict) bool { return v.GatesFailed && len(v.Failures) == 0 }},
		{"no fix where the gate passes", pass, []Gate{gate("fmt", "true", "touch never")}, VerifyOptions{}, "gate test",
			func(v Verdict) bool { return v.Green }},
		{"documents alone need no tests", fail, []Gate{gate("lint", "true", "")}, VerifyOptions{DocsOnly: true}, "gate",
			func(v Verdict) bool { return v.Green && v.Counts.Passed == nil }},
		{"what failed before runs first, and alone while it fails", fail, nil, VerifyOptions{Previous: []failure.Failure{{Test: "b"}}}, "rerun!",
			func(v Verdict) bool { return v.Partial && v.TestsFailed && v.Failing == 1 }},
		{"when it passes the full command runs", pass, nil, VerifyOptions{Previous: []failure.Failure{{Test: "a"}}}, "rerun test",
			func(v Verdict) bool { return v.Green }},
		{"passing alone is not green", fail, nil, VerifyOptions{Previous: []failure.Failure{{Test: "a"}}}, "rerun test! rerun!",
			func(v Verdict) bool { return !v.Green && v.Failing == 2 && len(v.Reran) == 0 }},
		{"the last word is that of the full command, though what failed before fails still", fail, nil,
			VerifyOptions{Previous: []failure.Failure{{Test: "b"}}, Full: true}, "test!",
			func(v Verdict) bool { return !v.Partial && v.Failing == 2 }},
		{"a known failure counts, and is not shown", fail, nil, VerifyOptions{Known: func(f failure.Failure) bool { return f.Test == "b" }}, "test!",
			func(v Verdict) bool {
				return v.Failing == 2 && len(v.Failures) == 2 && !strings.Contains(v.Text, "b is wrong") && strings.Contains(v.Text, "c is wrong")
			}},
		{"known failures alone leave nothing to show", fail, nil, VerifyOptions{Known: func(failure.Failure) bool { return true }}, "test!",
			func(v Verdict) bool { return !v.Green && v.Failing == 2 && v.Text == "" && len(v.Files) == 0 }},
		{"a failure that is no test leaves the full command only", pass, nil, VerifyOptions{Previous: []failure.Failure{{Test: "a"}, {File: "x.go"}}}, "test",
			func(v Verdict) bool { return v.Green }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := plainSuite
			s.Gates = c.gates
			files := map[string]string{}
			for k, v := range c.files {
				files[k] = v
			}
			v := verify(t, verifier(t, files), s, c.o)
			if steps(v) != c.steps || !c.check(v) {
				t.Errorf("steps %q, want %q; verdict %+v", steps(v), c.steps, v)
			}
		})
	}
}

func TestSetupRunsOnceAndStopsWhatFollows(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "true"})
	s := plainSuite
	s.Setup = &Step{Name: "setup", Command: "echo no package x; exit 3"}
	v := verify(t, r, s, VerifyOptions{Setup: true})
	if steps(v) != "setup!" || !v.SetupFailed || !strings.Contains(v.Text, "no package x") {
		t.Errorf("got %+v", v)
	}
	if v := verify(t, r, s, VerifyOptions{}); !v.Green || steps(v) != "test" {
		t.Errorf("got %+v", v)
	}
}

// flaky fails the first n times that it runs, and leaves a trace; the idea of a
// seed file is gotestsum's.
func flaky(n int) string {
	return `n=$(cat seed 2>/dev/null || echo 0); echo $((n+1)) >seed; [ "$n" -ge ` + strconv.Itoa(n) + ` ]`
}

func TestAFailureThatPassesAloneIsAFlake(t *testing.T) {
	t.Parallel()
	t.Run("and then the full command decides", func(t *testing.T) {
		t.Parallel()
		r := verifier(t, map[string]string{"tests/a.sh": flaky(1), "tests/b.sh": "true"})
		v := verify(t, r, plainSuite, VerifyOptions{FlakeCheck: true})
		if !v.Green || steps(v) != "test! rerun test" || len(v.Reran) != 1 || !slices.Equal(v.Reran[0].Failed, []string{"a"}) || !v.Reran[0].Passed || fullRuns(t, r) != 2 {
			t.Errorf("got %q, %+v", steps(v), v)
		}
	})
	t.Run("an ordinary failure is not run again", func(t *testing.T) {
		t.Parallel()
		r := verifier(t, map[string]string{"tests/a.sh": flaky(1)})
		if v := verify(t, r, plainSuite, VerifyOptions{}); v.Green || steps(v) != "test!" {
			t.Errorf("got %q, %+v", steps(v), v)
		}
	})
	t.Run("new failures where the old ones are fixed are looked at without asking", func(t *testing.T) {
		t.Parallel()
		r := verifier(t, map[string]string{"tests/a.sh": flaky(1), "tests/b.sh": "true"})
		v := verify(t, r, plainSuite, VerifyOptions{Previous: []failure.Failure{{Test: "b"}}})
		if !v.Green || steps(v) != "rerun test! rerun test" || len(v.Reran) != 1 {
			t.Errorf("got %q, %+v", steps(v), v)
		}
	})
	t.Run("a test that fails among the others and passes alone depends on them", func(t *testing.T) {
		t.Parallel()
		r := verifier(t, map[string]string{"tests/a.sh": "touch spoiled", "tests/b.sh": "! [ -e spoiled ] || { rm spoiled; false; }"})
		v := verify(t, r, plainSuite, VerifyOptions{FlakeCheck: true})
		if v.Green || steps(v) != "test! rerun test!" || len(v.Reran) != 1 || v.Reran[0].Passed || !slices.Equal(v.Reran[0].Still, []string{"b"}) || v.Failing != 1 {
			t.Errorf("got %q, %+v", steps(v), v)
		}
	})
}

func TestLongTextIsRenderedWithinItsShare(t *testing.T) {
	t.Parallel()
	long := Result{Step: Step{Kind: Test, Command: "t"}, ExitCode: 1, Summary: Summary{
		Text: strings.Repeat("long\n", 2000), Fit: func(max int) string { return fmt.Sprintf("within %d bytes\n", max) },
	}}
	small := Result{Step: Step{Name: "lint", Kind: GateK, Command: "l"}, ExitCode: 1, Summary: Summary{Text: "little\n"}}
	got := compose([]Result{small, long}, textCap)
	if !strings.Contains(got, "little\n") || !strings.Contains(got, "\nwithin ") || strings.Contains(got, "[shortened]") {
		t.Errorf("got %q", got)
	}
}

func TestATestCommandThatRunsNothingFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		output string
		exit   int
		want   bool
	}{
		"go, no test files":                {"?   \texample.com/x\t[no test files]", 0, true},
		"go, none chosen":                  {"testing: warning: no tests to run\nPASS\nok  \texample.com/x\t0.002s [no tests to run]", 0, true},
		"go, no packages":                  {"go: warning: \"./...\" matched no packages\nno packages to test", 0, true},
		"go, some packages have tests":     {"?   \texample.com/x\t[no test files]\nok  \texample.com/x/y\t0.010s", 0, false},
		"go, cached with coverage":         {"?   \texample.com/x\t[no test files]\nok  \texample.com/x/y\t(cached)\tcoverage: 81.2% of statements", 0, false},
		"pytest":                           {"collected 0 items\n\n==== no tests ran in 0.01s ====", 5, true},
		"pytest passes":                    {"collected 3 items\n\n==== 3 passed in 0.01s ====", 0, false},
		"unittest":                         {"\n----------\nRan 0 tests in 0.000s\n\nOK", 0, true},
		"jest":                             {"No tests found, exiting with code 0", 0, true},
		"vitest":                           {"No test files found, exiting with code 1", 1, true},
		"mocha":                            {"\n\n  0 passing (1ms)\n", 0, true},
		"cargo":                            {"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out", 0, true},
		"cargo, documents have none":       {"running 2 tests\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed\n\nrunning 0 tests\n\ntest result: ok. 0 passed", 0, false},
		"node":                             {"# tests 0\n# suites 0\n# pass 0", 0, true},
		"node passes":                      {"# tests 2\n# suites 0\n# pass 2", 0, false},
		"TAP":                              {"1..0", 0, true},
		"maven":                            {"[INFO] No tests to run.\n[INFO] BUILD SUCCESS", 0, true},
		"rspec":                            {"0 examples, 0 failures", 0, true},
		"phpunit":                          {"No tests executed!", 0, true},
		"dotnet":                           {"No test is available in /x.dll", 0, true},
		"a script that says nothing":       {"", 0, false},
		"a script that speaks of no tests": {"there were no tests of patience here", 0, false},
		"a workspace, one part is empty":   {"0 passing (1ms)\n\n12 passing (40ms)", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runner(t, func(k *Config) { k.Distill = NewDistiller(k.Dir, k.Dir, nil) })
			testkit.Write(t, r.c.Dir, map[string]string{"out": c.output})
			res := run(t, r, Step{Name: "test", Kind: Test, Command: fmt.Sprintf("cat out; exit %d", c.exit)})
			if (res.End == NoTests) != c.want || res.Passed != (c.exit == 0 && !c.want) {
				t.Errorf("got %+v", res)
			}
			if g := run(t, r, Step{Name: "gate", Kind: GateK, Command: fmt.Sprintf("cat out; exit %d", c.exit)}); g.End == NoTests || g.Passed != (c.exit == 0) {
				t.Errorf("a gate needs no tests: %+v", g)
			}
		})
	}
	r := runner(t, func(k *Config) { k.Distill = NewDistiller(k.Dir, k.Dir, nil) })
	v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "echo 1..0"}}}, VerifyOptions{})
	if v.Green || !v.NoTests || !v.TestsFailed || !strings.Contains(v.Text, "no tests were run") {
		t.Errorf("got %+v", v)
	}
}

// Of several test commands one may skip all of its tests, but not each of them.
func TestCommandsThatSkipAllTests(t *testing.T) {
	t.Parallel()
	const skips, passes = "printf 'TAP version 13\\nok 1 - a # SKIP later\\n1..1\\n'", "printf 'TAP version 13\\nok 1 - b\\n1..1\\n'"
	for _, c := range []struct {
		commands []string
		green    bool
	}{
		{[]string{passes, skips}, true},
		{[]string{skips, passes}, true},
		{[]string{skips, skips}, false},
		{[]string{skips}, false},
	} {
		r := runner(t, func(k *Config) { k.Distill = NewDistiller(k.Dir, k.Dir, nil) })
		var s Suite
		for _, command := range c.commands {
			s.Tests = append(s.Tests, Step{Name: "test", Command: command})
		}
		v := verify(t, r, s, VerifyOptions{})
		if v.Green != c.green || v.NoTests == c.green {
			t.Errorf("%q: green %v, no tests %v: %s", c.commands, v.Green, v.NoTests, v.Text)
		}
	}
}

func TestTheEnvironmentIsBlamedWithCare(t *testing.T) {
	t.Parallel()
	failures := func(messages ...string) Summary {
		var s Summary
		for i, m := range messages {
			s.Failures = append(s.Failures, failure.Failure{Test: fmt.Sprint("t", i), Message: m})
		}
		return s
	}
	for name, c := range map[string]struct {
		tail    string
		summary Summary
		exit    int
		want    string
	}{
		"a port in use, before any test":          {"Error: listen EADDRINUSE: address already in use :::3000", Summary{}, 1, "a port"},
		"every test lacks the port":               {"", failures("listen tcp :80: bind: address already in use", "listen EADDRINUSE :::80"), 1, "a port"},
		"one test only":                           {"", failures("bind: address already in use", "got 1, want 2"), 1, ""},
		"a test about a port in use":              {"", failures("expected error EADDRINUSE, got nil"), 1, ""},
		"a test that prints a refused connection": {"", failures("dial tcp 127.0.0.1:8080: connect: connection refused"), 1, ""},
		"the database is not there":               {"", failures("dial tcp 127.0.0.1:5432: connect: connection refused"), 1, "5432"},
		"redis, as node says it":                  {"Error: connect ECONNREFUSED 127.0.0.1:6379", Summary{}, 1, "6379"},
		"asserting on the database's refusal":     {"", failures("assertion failed: want \"connection refused 127.0.0.1:5432\""), 1, ""},
		"the disk is full":                        {"ld: final link failed: No space left on device", Summary{}, 1, "the disk is full"},
		"a missing tool within make":              {"make: eslint: No such file or directory\nmake: *** [Makefile:2: lint] Error 127", Summary{}, 2, "eslint is not installed"},
		"a missing tool within npm":               {"sh: 1: jest: not found\nnpm ERR! Test failed.", Summary{}, 127, "jest is not installed"},
		"a missing tool in a test is a failure":   {"", failures("sh: 1: jest: not found"), 1, ""},
		"pytest is not installed":                 {"/usr/bin/python3: No module named pytest", Summary{}, 1, "pytest is not installed"},
		"a module that the code lacks":            {"ModuleNotFoundError: No module named 'thing'", Summary{}, 1, ""},
		"a package cannot be fetched":             {"npm ERR! code ENOTFOUND", Summary{}, 1, "package could not"},
		"the name server is away":                 {"fatal: Could not resolve host: github.com", Summary{}, 128, "the network"},
		"killed for want of memory":               {"", Summary{}, 137, "the system killed it"},
		"a compile error is the code's":           {"no space left on device", Summary{Failures: []failure.Failure{{File: "x.go", Kind: "compile", Message: "no space left on device"}}}, 1, ""},
		"an ordinary failure":                     {"panic: boom", Summary{}, 2, ""},
		"the cause is far up in the output":       {"no space left on device\n" + strings.Repeat("fine\n", 100) + "panic", Summary{}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := New(Config{}).environmentFault(Result{Step: Step{Kind: Test}, ExitCode: c.exit, Tail: c.tail, Summary: c.summary}).Cause
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestVerdictReportsAnEnvironmentFault(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "false"})
	s := plainSuite
	s.Gates = []Gate{gate("lint", "sh -c no-such-linter", "touch fixed")}
	v := verify(t, r, s, VerifyOptions{})
	if v.Environment != "no-such-linter is not installed" || v.Hint == "" || !strings.Contains(v.Text, "a is wrong") || steps(v) != "gate! test!" {
		t.Errorf("got %+v", v)
	}
}

// A gate whose own tool is missing is left out where that is asked for. One that fails, or
// breaks by something else, is not.
func TestLeavesOutGatesWithoutTheirTool(t *testing.T) {
	t.Parallel()
	for command, left := range map[string]bool{
		"no-such-linter --all":                            true,
		"FOO=1 no-such-linter":                            true,
		"cd . && no-such-linter":                          true,
		"./gone.sh -v":                                    true,
		"sh -c 'no-such-linter'":                          true,
		"printf 'x:\n\tno-such-linter\n' | make -f -":     true,
		"echo a.go:1: bad; exit 1":                        false,
		"echo listen: address already in use >&2; exit 1": false,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			r := verifier(t, map[string]string{"tests/a.sh": "true"})
			s := plainSuite
			s.Gates = []Gate{gate("lint", command, "")}
			v := verify(t, r, s, VerifyOptions{LeaveOut: true})
			if got := len(v.LeftOut) == 1 && v.LeftOut[0].Gate == "lint" && v.LeftOut[0].Reason != ""; got != left || v.Green != left {
				t.Errorf("got %+v", v)
			}
			if v = verify(t, r, s, VerifyOptions{}); v.Green || v.LeftOut != nil {
				t.Errorf("unasked: got %+v", v)
			}
		})
	}
}

func TestReportsAHangingCommand(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{})
	hung := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "sleep 60", Timeout: time.Second}}}, VerifyOptions{})
	if strings.Contains(hung.Text, "exit code") || !strings.Contains(hung.Text, "It printed nothing.") {
		t.Errorf("of a command that was stopped: %q", hung.Text)
	}
	named := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "echo FAIL a; sleep 60", Timeout: time.Second}}}, VerifyOptions{})
	if !strings.Contains(hung.Hung, "did not end within 1s") || named.Hung != hung.Hung {
		t.Errorf("got %q and %q", hung.Hung, named.Hung)
	}
}

func TestAnOutputThatSaysNothingIsUnread(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "false"})
	mute := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "echo woe; exit 3"}}}, VerifyOptions{})
	told := verify(t, r, plainSuite, VerifyOptions{})
	if !mute.Unread || told.Unread {
		t.Errorf("unread: got %t and %t", mute.Unread, told.Unread)
	}
}

func TestATestCommandThatCannotStart(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{})
	v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "no-such-runner --all"}}}, VerifyOptions{})
	if v.Environment != "no-such-runner is not installed" || v.Hint == "" {
		t.Errorf("got %+v", v)
	}
}

func TestTheSameFailureHasTheSameSignature(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "true", "tests/b.sh": "false"})
	full := verify(t, r, plainSuite, VerifyOptions{})
	again := verify(t, r, plainSuite, VerifyOptions{Previous: full.Failures})
	if !again.Partial || again.Signature != full.Signature {
		t.Errorf("got %q and %q", again.Signature, full.Signature)
	}
	unread := Suite{Tests: []Step{{Name: "test", Command: `echo "panic at 0x$$ after $$ ms in /tmp/x$$"; exit 1`}}}
	if a, b := verify(t, r, unread, VerifyOptions{}), verify(t, r, unread, VerifyOptions{}); a.Signature != b.Signature {
		t.Error("times and addresses should not matter")
	}
	other := verify(t, verifier(t, map[string]string{"tests/a.sh": "false", "tests/b.sh": "true"}), plainSuite, VerifyOptions{})
	if other.Signature == full.Signature {
		t.Error("another failure should have another signature")
	}
}

func TestTheTextHasRoomForAll(t *testing.T) {
	t.Parallel()
	long := func(word string) Result {
		return Result{Step: Step{Name: word, Kind: GateK, Command: word}, ExitCode: 1, Summary: Summary{Text: strings.Repeat(word+" line\n", 2000)}}
	}
	text := compose([]Result{long("first"), {Step: Step{Name: "small", Kind: GateK}, Summary: Summary{Text: "little"}}, long("second")}, textCap)
	for _, want := range []string{`Gate "first"`, `Gate "small"`, "little", `Gate "second"`, "[shortened]"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if len(text) > textCap || len(text) < textCap-200 {
		t.Errorf("%d bytes", len(text))
	}
}

func FuzzCompose(f *testing.F) {
	f.Add("a\nb\n", "ü", 100)
	f.Add(strings.Repeat("x", 7000), strings.Repeat("ü\n", 4000), 6000)
	f.Fuzz(func(t *testing.T, a, b string, max int) {
		max = 50 + (max%6000+6000)%6000
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		text := compose([]Result{{Step: Step{Kind: Test, Command: b}, Summary: Summary{Text: a}}, {Step: Step{Name: a, Kind: GateK}, Summary: Summary{Text: b}}}, max)
		if len(text) > max {
			t.Errorf("%d bytes, %d allowed", len(text), max)
		}
		if text != strings.ToValidUTF8(text, "") {
			t.Error("not valid UTF-8")
		}
	})
}
