package distill

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plant makes a tree of files of twelve lines each; a file may have its own text.
func plant(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		name, text, own := strings.Cut(f, "=")
		if !own {
			text = strings.Repeat("line of "+name+"\n", 12)
		}
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Rules that hold for every output, each with an output of a tool that nobody
// has written a reader for.
func TestAnyToolIsRead(t *testing.T) {
	one := 1
	for _, c := range []struct {
		rule    string
		output  string
		files   []string
		exit    *int
		failed  []string // names of the failing tests, all of them
		places  []string
		text    []string // what the text holds
		suspect []string // suspects, at least these
	}{
		{rule: "a comment behind a pass is the title of what follows", output: "TAP version 13\n# heats up\nok 1 warm\n" +
			"# melts the glaze\nnot ok 2 runny\n  ---\n    operator: equal\n    at file:///x/src/kiln.js:3:5\n  ...\n1..2\n",
			files: []string{"src/kiln.js"}, failed: []string{"melts the glaze"}, places: []string{"src/kiln.js:3"}},
		{rule: "an interpreter that dies tells its frames in order, the innermost first",
			output: "kiln is lit\nFatal Python error: Segmentation fault\n\n" +
				"Current thread 0x00007f3a1c5b7740 (most recent call first):\n" +
				"  File \"/home/dev/project/kiln/heat.py\", line 3 in melt\n" +
				"  File \"/home/dev/project/run.py\", line 4 in <module>\n\nSegmentation fault (core dumped)\n",
			files: []string{"kiln/heat.py", "run.py"}, places: []string{"kiln/heat.py:3"},
			text:    []string{"kiln/heat.py:3: Fatal Python error: Segmentation fault", "from run.py:4 in <module>"},
			suspect: []string{"kiln/heat.py"}},
		{rule: "rows of a drawn table are results, under whatever names the columns stand",
			output: "┌────────────┬───────┬─────┐\n│ what       │ how   │ got │\n├────────────┼───────┼─────┤\n" +
				"│ pot holds  │ ok    │ 3   │\n│ glaze melts│ NG    │ 870 │\n│ kiln heats │ ok    │ 2   │\n└────────────┴───────┴─────┘\n",
			failed: []string{"glaze melts"}, text: []string{"1 failed, 2 passed", "got: 870"}},
		{rule: "lines of keys and values are results",
			output: "at=1 piece=\"pot holds\" result=pass\nat=2 piece=\"glaze melts\" result=fail why=\"too cold\"\n" +
				"at=3 done=2 took=1s\n",
			failed: []string{"glaze melts"}, text: []string{"too cold"}},
		{rule: "objects in JSON are results, told by a key of their own",
			output: "{\n \"checks\": {\n  \"pot_holds\": {\"ok\": true},\n  \"glaze_melts\": {\"ok\": false, \"why\": \"too cold\"}\n }\n}\n",
			failed: []string{"glaze_melts"}, text: []string{"too cold"}},
		{rule: "labels that come again are records",
			output: "Piece:   pot\nTest:    pot holds\nStatus:  success\n\nTest:    glaze melts\nStatus:  error\nReason:  too cold\n",
			failed: []string{"glaze melts"}, text: []string{"too cold"}},
		{rule: "heads without any mark are the tests that failed, if a number counts as many",
			output: ".F.F\n\nglaze melts\n  wanted 900, have 870\n\nkiln heats\n  wanted warm, have cold\n\nthat is all\n",
			failed: []string{"glaze melts", "kiln heats"}, text: []string{"2 failed, 2 passed"}},
		{rule: "what only failing names have is no part of a name",
			output: "○ pot holds\n● glaze melts !! got 870, want 900\n● kiln heats !! no fire at src/kiln.qx:5\n○ plate holds\n",
			files:  []string{"src/kiln.qx"}, failed: []string{"glaze melts", "kiln heats"}},
		{rule: "levels of a log in front of all lines are no marks",
			output: "INFO  pottery - pot_holds passed\nERROR pottery - glaze_melts failed: too cold\nINFO  pottery - kiln_heats passed\n",
			failed: []string{"glaze_melts"}, text: []string{"too cold"}},
		{rule: "tests that are announced and of which nothing is said have passed, if the sum agrees",
			output: "Testing pot holds\nTesting glaze melts\n*** Expected 900, but got 870\nTesting kiln heats\n2 of 3 tests passed\n",
			failed: []string{"glaze melts"}, text: []string{"Expected 900"}},
		{rule: "words of other languages are results",
			output: "Topf hält.......... bestanden\nGlasur schmilzt.... fehlgeschlagen\n    zu kalt\n1 bestanden, 1 fehlgeschlagen\n",
			failed: []string{"Glasur schmilzt"}, text: []string{"1 failed, 1 passed"}},
		{rule: "a runner inside a failing test of another one is read",
			output: "------\nFAIL: kiln_test.go:5: Kiln.TestMelts\n\nkiln_test.go:6:\n    Check(heat)\n... expected int = 900\n" +
				"... obtained int = 870\n\nOOPS: 1 passed, 1 FAILED\n--- FAIL: Test (0.00s)\nFAIL\nFAIL\texample.org/kiln\t0.003s\nFAIL\n",
			files: []string{"go.mod=module example.org/kiln\n", "kiln_test.go"}, failed: []string{"Kiln.TestMelts"}},
		{rule: "paths are relative to the folder that make has entered",
			output: "make[1]: Entering directory '/build/oven'\nOK   pot holds water\nFAIL glaze melts\n" +
				"     too cold at src/check.c:7\n1 passed, 1 failed\n",
			files: []string{"kiln/src/check.c", "oven/src/check.c"}, failed: []string{"glaze melts"},
			places: []string{"oven/src/check.c:7"}},
		{rule: "paths are relative to the folder that a script went to",
			output: "+ cd oven && ./check\nOK   pot holds water\nFAIL glaze melts\n     too cold at src/check.c:7\n" +
				"1 passed, 1 failed\n",
			files: []string{"kiln/src/check.c", "oven/src/check.c"}, failed: []string{"glaze melts"},
			places: []string{"oven/src/check.c:7"}},
		{rule: "paths are relative to the package that npm tests",
			output: "> @pots/oven@1.0.0 test\n> node check.js\n\nOK   pot holds water\nFAIL glaze melts\n" +
				"     too cold at src/check.js:7\n1 passed, 1 failed\n",
			files: []string{"packages/kiln/src/check.js", "packages/oven/src/check.js"}, failed: []string{"glaze melts"},
			places: []string{"packages/oven/src/check.js:7"}},
		{rule: "an output that is read elsewhere keeps its places as they are printed",
			output: "OK   pot holds water\nFAIL glaze melts\n     too cold at /ci/node_modules/oven/heat.js:3\n" +
				"     heated in src/check.js:7\n1 passed, 1 failed\n",
			files: []string{"README.md"}, failed: []string{"glaze melts"}, places: []string{"src/check.js:7"}},
		{rule: "a place of a kind that the tree has, but not there, is somebody else's",
			output: "OK   pot holds water\nFAIL glaze melts\n     too cold in src/check.js:7\n1 passed, 1 failed\n",
			files:  []string{"oven.js"}, failed: []string{"glaze melts"}},
		{rule: "an unknown mark in the place of a known one is learned",
			output: "OK    pot holds water\nOK    kiln heats up\nNOPE  glaze melts\n      too cold by 30 degrees\n\n2 good / 1 bad\n",
			failed: []string{"glaze melts"}, text: []string{"too cold by 30 degrees"}},
		{rule: "a mark behind the name",
			output: "glaze .. broken\n   the pot cracked at 930 degrees\nkiln .. fine\n5 passed, 1 failed\n",
			failed: []string{"glaze"}, text: []string{"the pot cracked at 930 degrees"}},
		{rule: "a mark within the line",
			output: "pot holds water: OK\nglaze melts: FAILED (exit status 3)\n1 of 2 tests failed\n",
			failed: []string{"glaze melts"}, text: []string{"exit status 3"}},
		{rule: "crosses of any kind",
			output: "✓ pot holds water\n⨯ warm enough\n    wanted: 900\n    have: 870\n\npassing: 1 / failing: 1\n",
			failed: []string{"warm enough"}, text: []string{"870"}},
		{rule: "a sum of unknown words",
			output: "FAIL: glaze melts\n  too cold\n1 failed, 3 passed, 2 pots glazed in 0.04s\n",
			failed: []string{"glaze melts"}},
		{rule: "the last result of a name counts",
			output: "  ✗ glaze melts\n      too cold\n  ✓ kiln heats up\n  ✓ glaze melts (second try)\n  ✗ pot holds\n      it leaks\n\n 2 passed, 1 failed\n",
			failed: []string{"pot holds"}, text: []string{"it leaks"}},
		{rule: "the test that was running when everything ended",
			output: "[start] kiln heats up\n[done]  kiln heats up\n[start] glaze melts\nBus error (core dumped)\n",
			failed: []string{"glaze melts"}, text: []string{"Bus error"}},
		{rule: "a list at the end names what failed",
			output: "palette missing\nglaze.pot ... stopped early\n\nSummary of failures:\n  glaze.pot (exit 9)\n\n3 passed, 1 failed\n",
			failed: []string{"glaze.pot"}, text: []string{"palette missing"}},
		{rule: "a gate behind a green sum is told",
			output: "==================== 4 passed in 0.10s ====================\nERROR: quality gate: 61 of 80 points, see the pottery report\n",
			text:   []string{"quality gate: 61 of 80"}},
		{rule: "values are shown as printed",
			output: " FAIL  test/a.test.ts > parses a date\nAssertionError: expected values to match\n\nExpected: \"2031-05-06T07:08:09Z\"\nReceived: \"2031-05-06T08:08:09Z\"\ngave up on localhost:6390 after 2.5s (seed 7, wanted 0x1f2e3d)\n\n Tests  1 failed (1)\n",
			failed: []string{"test/a.test.ts > parses a date"}, text: []string{"2031-05-06T07:08:09Z", "2031-05-06T08:08:09Z", "localhost:6390 after 2.5s", "0x1f2e3d"}},
		{rule: "a place anywhere in a line",
			output: "src/kiln.qx:2.5-2.9: error: the name `tt' is not known\n", files: []string{"src/kiln.qx"},
			places: []string{"src/kiln.qx:2"}, text: []string{"the name `tt' is not known"}},
		{rule: "a place in brackets",
			output: "kiln.qx(2): [check] too hot\n", files: []string{"src/kiln.qx"}, exit: &one, places: []string{"src/kiln.qx:2"}, text: []string{"too hot"}},
		{rule: "a place below the name of its file",
			output: "src/kiln.zzz\n  (2, 3)  P101  t is too hot\n", files: []string{"src/kiln.zzz"}, exit: &one, places: []string{"src/kiln.zzz:2"}, text: []string{"t is too hot"}},
		{rule: "a place behind the name of a test",
			output: "  ✓ pot holds\n  ✗ glaze melts failed at src/kiln.qx:5:1\n\n1 passed, 1 failed\n", files: []string{"src/kiln.qx"},
			failed: []string{"glaze melts"}, places: []string{"src/kiln.qx:5"}},
		{rule: "a second tool behind a first one",
			output: "=================================== FAILURES ===================================\n___________________________________ test_pot ___________________________________\n\n    def test_pot():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_pot.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED test_pot.py::test_pot - assert 1 == 2\n========================= 1 failed, 2 passed in 0.05s ==========================\nOven check\n  ✗ oven is hot\n      wanted 900 degrees, have 12\n 1 failed, 3 passed\n",
			failed: []string{"test_pot.py::test_pot", "oven is hot"}, text: []string{"wanted 900 degrees, have 12"}},
		{rule: "what stands where others have their result is one",
			output: "pot: good\nkiln: no answer within 1 second\nglaze: exit 3\n    too cold\nplate: good\n",
			failed: []string{"kiln", "glaze"}, text: []string{"no answer within 1 second", "too cold"}},
		{rule: "a process that dies behind a name",
			output: "pot holds water: fine\nkiln heats up: fine\nglaze melts: Segmentation fault\nstopped with 139\n",
			failed: []string{"glaze melts"}},
		{rule: "a process that dies behind a noun and a name",
			output: "test pot holds ... ok\ntest glaze melts ... kiln: src/kiln.c:3: heat: Assertion `m > 0' failed.\n",
			files:  []string{"src/kiln.c"}, failed: []string{"glaze melts"}, places: []string{"src/kiln.c:3"}},
		{rule: "what was wanted stands in brackets behind the name",
			output: "ok: pot holds\nnot ok: glaze melts (wanted 900, got 870)\n",
			failed: []string{"glaze melts"}, text: []string{"wanted 900, got 870"}},
		{rule: "a run that ends with an error while a test runs",
			output: "[start] pot holds\n[done]  pot holds\n[start] glaze melts\ntools/kiln: line 2: 5 / 0 : division by 0 (error token is \"0 \")\n",
			files:  []string{"tools/kiln"}, failed: []string{"glaze melts"}, places: []string{"tools/kiln:2"}},
		{rule: "a name between two rules and its result below",
			output: "--------\npot holds\n--------\nokay\n--------\nglaze melts\n--------\noutput differs:\n  < 900\n  > 870\n",
			failed: []string{"glaze melts"}, text: []string{"> 870"}},
		{rule: "a path of groups with a stack below it",
			output: "\nkiln > glaze > melts:\nit is too cold\n\n870\n  should equal\n900\n    at /home/dev/project/src/kiln.js:3:5\n\n----\n1 out of 2 assertions failed\n",
			files:  []string{"src/kiln.js"}, failed: []string{"kiln > glaze > melts"}, places: []string{"src/kiln.js:3"}},
		{rule: "deeper lines that tell what was expected and what was there",
			output: "glaze melts\n\tat: src/kiln.js:3:5\n\texpected: 900\n\tactual: 870\n\ngood 1\nbad 1\n",
			files:  []string{"src/kiln.js"}, failed: []string{"glaze melts"}, places: []string{"src/kiln.js:3"}},
		{rule: "signs whose numbers are those of the sum",
			output: "  * pot holds\n  ! glaze melts: 870 degrees\n  * plate is flat\n  ? kiln heats up: no fire\n\n2 passes, 1 failures, 1 errors\n",
			failed: []string{"glaze melts", "kiln heats up"}},
		{rule: "signs in brackets",
			output: "  (ok) pot holds\n  (!!) glaze melts --> 870 [kiln.qx:3]\n  (ok) plate is flat\n\n2 good, 1 bad\n",
			files:  []string{"kiln.qx"}, failed: []string{"glaze melts"}, places: []string{"kiln.qx:3"}},
		{rule: "a result with its reason in brackets behind the name",
			output: "- pot holds\n- glaze melts [ERROR: TooCold]\n\n2 tests, 1 failures\n",
			failed: []string{"glaze melts"}},
		{rule: "a title in a box is not the test",
			output: "## ------- ##\n## kiln 1.0 ##\n## ------- ##\n  1: pot holds      FAILED (kiln.qx:3)\n  2: glaze melts    ok\n",
			files:  []string{"kiln.qx"}, failed: []string{"pot holds"}, places: []string{"kiln.qx:3"}},
		{rule: "a place, and in which test it failed",
			output: "kiln.qx:3:1: error: Failure in Melts: Expected 900 but was 870\nFAILURE: 1 out of 2 tests failed (1 failures).\n",
			files:  []string{"kiln.qx"}, failed: []string{"Melts"}, places: []string{"kiln.qx:3"}},
		{rule: "a result alone in a line below a name",
			output: "> pot holds water\n  done.\n> glaze melts\n  too cold: 870 instead of 900\n  in heat, kiln.qx line 3\n" +
				"> plate is flat\n  [error] this is only said\n  done.\n",
			files: []string{"kiln.qx"}, failed: []string{"glaze melts"}, places: []string{"kiln.qx:3"}},
		{rule: "a line that counts and names, in any words",
			output: "== pot holds water\n   as wished\n== glaze melts\n   870 it is\n== plate is flat\n   it is not\n\n" +
				"2 of 3 not as wished:\n  * glaze melts\n  * plate is flat\n",
			failed: []string{"glaze melts", "plate is flat"}, text: []string{"870 it is", "2 failed, 1 passed"}},
		{rule: "numbers that are those of the results are the sum",
			output: "😀 pot holds water\n✗ glaze melts\n   too cold\n✓ plate is flat\n✗ kiln heats up\n   no fire\n\nhappy: 1, sad: 2\n",
			failed: []string{"glaze melts", "kiln heats up"}, text: []string{"2 failed, 1 passed"}},
		{rule: "a sign in a column of a table",
			output: "name               how  why\npot holds water    +\nglaze melts        -    kiln.qx:3: 870 instead of 900\nno fire            +\n",
			files:  []string{"kiln.qx"}, failed: []string{"glaze melts"}, places: []string{"kiln.qx:3"}},
		{rule: "a colour alone",
			output: "kiln\n  \x1b[32mpot holds water\x1b[0m\n  \x1b[31mglaze melts\x1b[0m\n\nGood: 1\nBad: 1\n",
			failed: []string{"glaze melts"}},
		{rule: "a mark of several words that denies a good one",
			output: "pot holds water.....passed\nglaze melts.........NOT PASSED\nkiln.qx:3: too cold\n1 not passed\n",
			files:  []string{"kiln.qx"}, failed: []string{"glaze melts"}, text: []string{"1 failed, 1 passed"}},
		{rule: "a test that is named in a sentence",
			output: "Test MELTS failed\nForm: (melt glaze)\nExpected value: 900\nActual value: 870.\n",
			failed: []string{"MELTS"}, text: []string{"870"}},
		{rule: "a function with its place in the line below",
			output: "Running 2 tests\nIn Kiln::testMelts:\nkiln.qx:3: Error: 870, not 900\n.\nFailed 1 and skipped 0 of 2 tests\n",
			files:  []string{"kiln.qx"}, failed: []string{"Kiln::testMelts"}, places: []string{"kiln.qx:3"}},
		{rule: "a result that ends in one letter",
			output: " Running test MELTS f\n Running test HOLDS .\n Did 2 checks.\n    Pass: 1 (50%)\n    Fail: 1 (50%)\n",
			failed: []string{"MELTS"}},
		{rule: "a path that a test in an unknown language names is suspect",
			output: "FAILED heats up\n  too cold\n1 failed, 0 passed\n", files: []string{"test/kiln.tst=run \"tools/kiln\"\nheats up\n", "tools/kiln.qq", "docs/x.md"},
			exit: &one, failed: []string{"heats up"}, suspect: []string{"tools/kiln.qq"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r, err := Read(context.Background(), strings.NewReader(c.output), Options{Dir: plant(t, c.files...), ExitCode: c.exit})
			if err != nil {
				t.Fatal(err)
			}
			var names, places []string
			for _, f := range r.Failures {
				if f.Test != "" {
					names = append(names, f.Test)
				}
				places = append(places, f.File+":"+strconv.Itoa(f.Line))
			}
			for _, n := range c.failed {
				if !slices.ContainsFunc(names, func(s string) bool { return sameName(s, n) }) {
					t.Errorf("failing tests: got %q, want %q among them", names, n)
				}
			}
			if len(names) > len(c.failed) {
				t.Errorf("failing tests: got %q, want %q", names, c.failed)
			}
			for _, p := range c.places {
				if !slices.Contains(places, p) {
					t.Errorf("places: got %q, want %s", places, p)
				}
			}
			for _, s := range c.text {
				if !strings.Contains(r.Text, s) {
					t.Errorf("the text lacks %q:\n%s", s, r.Text)
				}
			}
			for _, f := range c.suspect {
				if !slices.Contains(r.Files, f) {
					t.Errorf("suspects: got %q, want %s", r.Files, f)
				}
			}
		})
	}
}
