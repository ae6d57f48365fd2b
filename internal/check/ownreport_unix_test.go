//go:build unix

package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestRealRunnersReportThemselves asks the runners that are here for their reports, and
// then has the code that they test print what they would, and end the process: that is
// no pass, or lacks the tests that ran before.
func TestRealRunnersReportThemselves(t *testing.T) {
	if testing.Short() && os.Getenv("BOOTY_TEST_EVERY") == "" { // .ci/run sets it for a second user
		t.Skip("it starts real tools")
	}
	t.Parallel()
	for _, c := range []struct {
		tool, command string
		files         map[string]string
		want          []string // the tests that pass
		forged        map[string]string
	}{
		{
			"node", "node --test",
			map[string]string{"calc.test.js": "const {describe, it, test} = require('node:test');\n" +
				"describe('adds', () => { it('one', () => {}); it('two', () => {}); });\ntest.skip('later', () => {});\n"},
			[]string{"calc.test.js::adds::one", "calc.test.js::adds::two"},
			map[string]string{"calc.test.js": "console.log('TAP version 13\\nok 1 - one\\nok 2 - two\\n1..2'); process.exit(0);\n"},
		},
		{
			"python3", "python3 -m unittest",
			map[string]string{"calc.py": "", "test_calc.py": "import calc, unittest\nclass T(unittest.TestCase):\n    def test_one(self): pass\n" +
				"    def test_two(self):\n        with self.subTest(1): pass\n    @unittest.skip('later')\n    def test_three(self): pass\n"},
			[]string{"test_calc.T::test_one", "test_calc.T::test_two"},
			map[string]string{"calc.py": "import os\nos.execvp('sh', ['sh', '-c', 'echo \"Ran 3 tests in 0.001s\"; echo; echo \"OK (skipped=1)\"'])\n"},
		},
		{
			"pytest", "pytest -q",
			map[string]string{"calc.py": "", "test_calc.py": "import calc\ndef test_one(): pass\n"},
			[]string{"test_calc::test_one"},
			map[string]string{"calc.py": "import os\nos.write(1, b'.  [100%]\\n1 passed in 0.01s\\n')\nos._exit(0)\n"},
		},
		{
			"rspec", "rspec",
			map[string]string{".rspec": "--format documentation\n",
				"spec/calc_spec.rb": "describe 'adds' do\n  it('one') {}\n  it('two') {}\n  xit('later') {}\nend\n"},
			[]string{"./spec/calc_spec.rb::adds one", "./spec/calc_spec.rb::adds two"},
			map[string]string{"spec/calc_spec.rb": "puts '2 examples, 0 failures'\n$stdout.flush\nexit!(0)\n"},
		},
		{
			"ruby", "ruby -I. test_calc.rb",
			map[string]string{"calc.rb": "", "test_calc.rb": "require 'minitest/autorun'\nrequire 'calc'\nclass CalcTest < Minitest::Test\n" +
				"  def test_one; assert_equal 1, 1; end\n  def test_two; skip 'later'; end\nend\n"},
			[]string{"test_calc.rb::CalcTest::test_one"},
			map[string]string{"calc.rb": "puts '2 runs, 1 assertions, 0 failures, 0 errors, 1 skips'\n$stdout.flush\nexit!(0)\n"},
		},
		{
			"phpunit", "phpunit .",
			map[string]string{"calc.php": "<?php\n", "CalcTest.php": "<?php require 'calc.php';\nclass CalcTest extends PHPUnit\\Framework\\TestCase {\n" +
				"  public function testOne(): void { $this->assertTrue(true); }\n}\n"},
			[]string{"CalcTest.php::CalcTest::testOne"},
			map[string]string{"calc.php": "<?php echo \"OK (1 test, 1 assertion)\\n\"; exit(0);\n"},
		},
		{
			"go", "go test ./...",
			map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "calc.go": "package m\n",
				"calc_test.go": "package m\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { t.Run(\"row\", func(*testing.T) {}) }\n"},
			[]string{"example.com/m.TestOne"},
			map[string]string{"calc.go": "package m\n\nimport (\n\t\"fmt\"\n\t\"syscall\"\n)\n\nfunc init() {\n" +
				"\tfmt.Print(\"=== RUN   TestOne\\n--- PASS: TestOne (0.00s)\\nPASS\\n\")\n\tsyscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)\n}\n"},
		},
		{
			"cargo", "cargo test --offline",
			map[string]string{"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"src/lib.rs": "/// ```\n/// assert_eq!(calc::one(), 1);\n/// ```\npub fn one() -> i32 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn first() { assert_eq!(super::one(), 1); }\n}\n"},
			[]string{"calc::tests::first", "a test of the documentation"},
			map[string]string{"src/lib.rs": "/// ```\n/// assert_eq!(calc::one(), 2);\n/// ```\npub fn one() -> i32 { println!(\"test tests::first ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\"); std::process::exit(0) }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn first() { assert_eq!(super::one(), 1); }\n}\n"},
		},
	} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			if exec.Command(c.tool, "--version").Run() != nil && exec.Command(c.tool, "version").Run() != nil {
				t.Skipf("%s is not here", c.tool)
			}
			dir := ""
			r := runner(t, func(k *Config) {
				dir, k.Temp, k.Distill = k.Dir, t.TempDir(), NewDistiller(k.Dir, k.Dir, nil)
			})
			suite := Suite{Tests: []Step{{Name: "test", Command: c.command}}}
			testkit.Write(t, dir, c.files)
			v := verify(t, r, suite, VerifyOptions{})
			if diff := cmp.Diff(v.Ran, c.want); diff != "" || !v.Green || v.RanAs != failure.OwnReport {
				t.Errorf("green %t, %s\n%s", v.Green, diff, v.Text)
			}
			testkit.Write(t, dir, c.forged)
			v = verify(t, r, suite, VerifyOptions{})
			if v.Green && slices.Contains(v.Ran, c.want[0]) {
				t.Errorf("a forged run passes: %v", v.Ran)
			}
			if left, _ := os.ReadDir(r.c.Temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestARunnerThatKnowsNoReportIsRunWithout: an old release refuses the flags. It is
// asked once, and then run as the command says.
func TestARunnerThatKnowsNoReportIsRunWithout(t *testing.T) {
	t.Parallel()
	dir := ""
	bin := t.TempDir()
	r := runner(t, func(k *Config) {
		dir, k.Temp, k.Distill = k.Dir, t.TempDir(), NewDistiller(k.Dir, k.Dir, nil)
		k.Env = append(k.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	})
	calls := filepath.Join(dir, "calls")
	testkit.Write(t, bin, map[string]string{"rspec": fmt.Sprintf("#!/bin/sh\necho \"$#\" >> %s\n"+
		"[ $# = 0 ] || { echo 'invalid option: --out' >&2; exit 1; }\n"+
		"printf '..\\n\\nFinished in 0.01 seconds (files took 0.1 seconds to load)\\n2 examples, 0 failures\\n'\n", calls)})
	if err := os.Chmod(filepath.Join(bin, "rspec"), 0o755); err != nil {
		t.Fatal(err)
	}
	suite := Suite{Tests: []Step{{Name: "test", Command: "rspec"}}}
	for range 2 {
		if v := verify(t, r, suite, VerifyOptions{}); !v.Green {
			t.Fatalf("%q: %+v", steps(v), v)
		}
	}
	if got, err := os.ReadFile(calls); err != nil || string(got) != "6\n0\n0\n" {
		t.Errorf("called with %q arguments, %v; want asked once", got, err)
	}
}

// TestCodeThatReadsTheRunnersOptions: a test in the runner's process has code read its own arguments,
// and the process ends for one that it does not know.
func TestCodeThatReadsTheRunnersOptions(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	r := runner(t, func(k *Config) {
		k.Temp, k.Distill = t.TempDir(), NewDistiller(k.Dir, k.Dir, nil)
		k.Env = append(k.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	})
	testkit.Write(t, bin, map[string]string{"jest": "#!/bin/sh\n[ $# = 0 ] || { printf 'FAIL ./parse.test.js\\n  ● parses > arguments\\n\\n" +
		"    process.exit called with \"1\"\\n\\n      at exit (parse.js:5:3)\\n'; exit 1; }\n" +
		"printf 'PASS ./parse.test.js\\n\\nTest Suites: 1 passed, 1 total\\nTests:       2 passed, 2 total\\n'\n"})
	if err := os.Chmod(filepath.Join(bin, "jest"), 0o755); err != nil {
		t.Fatal(err)
	}
	v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "jest"}}}, VerifyOptions{})
	if !v.Green || v.TestsRan() != 2 {
		t.Errorf("green %t, %d ran, %q: %s", v.Green, v.TestsRan(), steps(v), v.Text)
	}
}

// TestOnlyTestsAreCounted: a fixture, a hook, an unhandled error or a file that cannot
// be loaded fails the run, and is no test that must run again once it is fixed.
func TestOnlyTestsAreCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, command string
		files         map[string]string
		executed      int
		ran, badly    string
	}{
		"pytest, a fixture": {
			"pytest", "pytest -q",
			map[string]string{"test_a.py": "import pytest\n@pytest.fixture\ndef box():\n    yield 1\n    assert 1 == 2\n" +
				"@pytest.fixture\ndef none():\n    assert 3 == 4\ndef test_down(box): pass\ndef test_both(box): assert 5 == 6\ndef test_up(none): pass\n"},
			2, "test_a::test_down", "test_a::test_both",
		},
		"pytest, a file": {
			"pytest", "pytest -q --continue-on-collection-errors",
			map[string]string{"test_a.py": "def test_a(): pass\n", "test_b.py": "import none_such\ndef test_b(): pass\n"},
			1, "test_a::test_a", "",
		},
		"unittest, what sets up a class": {
			"python3", "python3 -m unittest",
			map[string]string{"test_a.py": "import unittest\nclass A(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls): 1/0\n    def test_a(self): pass\n" +
				"class B(unittest.TestCase):\n    def test_b(self): pass\n", "test_c.py": "import none_such\n"},
			1, "test_a.B::test_b", "",
		},
		"node, a hook": {
			"node", "node --test",
			map[string]string{"a.test.js": "const {describe, it, after, beforeEach} = require('node:test');\n" +
				"describe('s', () => { after(() => { throw new Error('after') }); it('in', () => {}); });\n" +
				"describe('e', () => { beforeEach(() => { throw new Error('each') }); it('in', () => {}); });\n", "b.test.js": "require('./none-such');\n"},
			1, "a.test.js::s::in", "",
		},
		"mocha, a hook": {
			"sh", "cat out; exit 2",
			map[string]string{"out": "\n\n  s\n    ✔ in\n    ✔ in2\n    1) \"after all\" hook for \"in2\"\n\n\n  2 passing (49ms)\n  1 failing\n\n  1) s\n" +
				"       \"after all\" hook for \"in2\":\n     Error: after broke\n      at Context.<anonymous> (m/a.test.js:2:43)\n"},
			2, "in, in#", "",
		},
		"vitest, an unhandled error": {
			"sh", "cat out; exit 1",
			map[string]string{"out": " RUN  v4.1.12 /w\n\n ✓ v/unh.test.mjs (2 tests) 33ms\n\n⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\n" +
				"Vitest caught 1 unhandled error during the test run.\nThis might cause false positive tests. Resolve unhandled errors to make sure your tests are not affected.\n\n" +
				"⎯⎯⎯⎯⎯ Uncaught Exception ⎯⎯⎯⎯⎯\nError: late\n ❯ Timeout._onTimeout v/unh.test.mjs:1:95\n ❯ listOnTimeout node:internal/timers:581:17\n\n" +
				"⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n     Errors  1 error\n   Start at  18:20:00\n   Duration  1.20s\n"},
			2, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("%s is not here", c.tool)
			}
			r := runner(t, func(k *Config) { k.Distill = NewDistiller(k.Dir, k.Dir, nil) })
			testkit.Write(t, r.c.Dir, c.files)
			v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: c.command}}}, VerifyOptions{})
			if v.Green || v.TestsRan() != c.executed {
				t.Fatalf("green %t, %d ran, want %d: %s", v.Green, v.TestsRan(), c.executed, v.Text)
			}
			if ran, badly := strings.Join(v.Ran, ", "), strings.Join(v.RanBadly, ", "); ran != c.ran || badly != c.badly {
				t.Errorf("ran %s; failed %s", ran, badly)
			}
		})
	}
}
