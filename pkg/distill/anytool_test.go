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
		{rule: "a mark behind the name",
			output: "glaze .. broken\n   the pot cracked at 930 degrees\nkiln .. fine\n5 passed, 1 failed\n",
			failed: []string{"glaze"}, text: []string{"the pot cracked at 930 degrees"}},
		{rule: "crosses of any kind",
			output: "✓ pot holds water\n⨯ warm enough\n    wanted: 900\n    have: 870\n\npassing: 1 / failing: 1\n",
			failed: []string{"warm enough"}, text: []string{"870"}},
		{rule: "a sum of unknown words",
			output: "FAIL: glaze melts\n  too cold\n1 failed, 3 passed, 2 pots glazed in 0.04s\n",
			failed: []string{"glaze melts"}},
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
