//go:build slow && unix

package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testkit"
)

// sameName is a project in which two tests have one name. Its files hold "%[1]d": the test of
// a fails where that is 1, that of b where it is 2.
type sameName struct {
	name, tool string
	commands   []string
	files      map[string]string
	// a and b tell the tests apart, in the order of the files.
	a, b string
}

// TestSameNameIsNotSameTest: a change fixes the one of two tests of one name and breaks the
// other. The judge names the one that broke and the one that was fixed, and never calls it whole.
func TestSameNameIsNotSameTest(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(goOfOneName(), pythonOfOneName(), javaScriptOfOneName(), rustOfOneName(), rubyOfOneName(), recordedOfOneName()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			modules := c.modules(t)
			one, two := c.run(t, 1, modules), c.run(t, 2, modules)
			for _, turn := range []struct {
				before, after proof.Result
				fixed, broken string
			}{{one, two, c.a, c.b}, {two, one, c.b, c.a}} {
				r := proof.Ran{Before: turn.before, After: turn.after}
				if got := proof.Judge(r)[1]; got.State != event.StateDisproven || len(got.Tests) != 1 || !strings.Contains(got.Tests[0], turn.broken) {
					t.Errorf("what broke: got %+v, want the one of %s; before %+v, after %+v", got, turn.broken, turn.before, turn.after)
				}
				shown, _ := r.Shown()
				if names := failure.Names(failure.IDs(shown), failure.IDs(turn.after.Failures)...); len(names) != 1 || !strings.Contains(names[0], turn.fixed) {
					t.Errorf("what was fixed: got %q, want the one of %s", names, turn.fixed)
				}
			}
			if got := proof.Judge(proof.Ran{Before: one, After: one})[1]; got.State == event.StateDisproven {
				t.Errorf("the same twice: got %+v", got)
			}
		})
	}
}

// modules is the folder of node's packages that a tool comes from, "" for other tools. It
// skips where the tool is not here.
func (c sameName) modules(t *testing.T) string {
	t.Helper()
	if variable, is := strings.CutPrefix(c.tool, "$"); is {
		at := os.Getenv(variable)
		if at == "" {
			t.Skip(variable + " does not say where it is: .ci/tools installs it")
		}
		return filepath.Dir(at)
	}
	if c.tool != "sh" && exec.Command(c.tool, "--version").Run() != nil && exec.Command(c.tool, "version").Run() != nil {
		t.Skipf("%s is not here", c.tool)
	}
	return ""
}

// run runs the tests where the one of a fails, or the one of b.
func (c sameName) run(t *testing.T, turn int, modules string) proof.Result {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	for path, text := range c.files {
		if strings.Contains(text, "%[1]d") {
			text = fmt.Sprintf(text, turn)
		}
		files[path] = text
	}
	testkit.Write(t, dir, files)
	if modules != "" {
		if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	r := check.New(check.Config{Dir: dir, LogDir: t.TempDir(), Temp: t.TempDir(), Distill: check.NewDistiller(dir, dir, nil),
		Env: append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "CARGO_TARGET_DIR="+filepath.Join(dir, "target"))})
	var suite check.Suite
	for i, command := range c.commands {
		if strings.Contains(command, "%[1]d") {
			command = fmt.Sprintf(command, turn)
		}
		suite.Tests = append(suite.Tests, check.Step{Name: fmt.Sprintf("test %d", i+1), Command: command, Kind: check.Test})
	}
	v, err := r.Verify(t.Context(), suite, check.VerifyOptions{Full: true, FlakeCheck: true, Again: true})
	if err != nil || v.Green || len(failure.IDs(v.Failures)) != 1 {
		t.Fatalf("turn %d: %v, green %t, failed %+v: %s", turn, err, v.Green, failure.IDs(v.Failures), v.Text)
	}
	return resultOf(v)
}

func goOfOneName() []sameName {
	up := func(pkg, n string) string {
		return "package " + pkg + "\n\nimport \"testing\"\n\nfunc TestUp(t *testing.T) {\n\tif " + n + " == %[1]d {\n\t\tt.Error(\"wrong\")\n\t}\n}\n"
	}
	packages := map[string]string{"go.mod": "module m\n\ngo 1.21\n", "a/up_test.go": up("a", "1"), "b/up_test.go": up("b", "2")}
	row := func(n string) string {
		return "package m\n\nimport \"testing\"\n\nfunc Test" + map[string]string{"1": "A", "2": "B"}[n] + "(t *testing.T) {\n\tt.Run(\"goes up\", func(t *testing.T) {\n\t\tif " +
			n + " == %[1]d {\n\t\t\tt.Error(\"wrong\")\n\t\t}\n\t})\n}\n"
	}
	return []sameName{
		{"go, two packages", "go", []string{"go test ./..."}, packages, "m/a", "m/b"},
		{"go, two commands", "go", []string{"go test ./a", "go test ./b"}, packages, "m/a", "m/b"},
		{"go, cases of two tests in two files", "go", []string{"go test ./..."},
			map[string]string{"go.mod": "module m\n\ngo 1.21\n", "a_test.go": row("1"), "b_test.go": row("2")}, "TestA", "TestB"},
	}
}

func pythonOfOneName() []sameName {
	f := func(n string) string { return "def test_up(): assert " + n + " != %[1]d\n" }
	class := func(name, n string) string {
		return "class Test" + name + ":\n    def test_up(self): assert " + n + " != %[1]d\n"
	}
	unit := func(name, n string) string {
		return "class " + name + "(unittest.TestCase):\n    def test_up(self): self.assertNotEqual(" + n + ", %[1]d)\n"
	}
	const head = "import unittest\n"
	packages := map[string]string{"a/__init__.py": "", "b/__init__.py": "", "a/test_up.py": f("1"), "b/test_up.py": f("2")}
	units := map[string]string{"a/__init__.py": "", "b/__init__.py": "", "a/test_up.py": head + unit("T", "1"), "b/test_up.py": head + unit("T", "2")}
	pytest, unittest := []string{"pytest -q"}, []string{"python3 -m unittest"}
	return []sameName{
		{"pytest, two files", "pytest", pytest, map[string]string{"test_a.py": f("1"), "test_b.py": f("2")}, "test_a", "test_b"},
		{"pytest, two classes", "pytest", pytest, map[string]string{"test_up.py": class("A", "1") + class("B", "2")}, "TestA", "TestB"},
		{"pytest, two packages", "pytest", pytest, packages, "a/test_up", "b/test_up"},
		{"pytest, two commands", "pytest", []string{"pytest -q a", "pytest -q b"}, packages, "a/test_up", "b/test_up"},
		{"unittest, two files", "python3", unittest, map[string]string{"test_a.py": head + unit("T", "1"), "test_b.py": head + unit("T", "2")}, "test_a", "test_b"},
		{"unittest, two classes", "python3", unittest, map[string]string{"test_up.py": head + unit("A", "1") + unit("B", "2")}, ".A", ".B"},
		{"unittest, two packages", "python3", []string{"python3 -m unittest discover -s . -t ."}, units, "a.test_up", "b.test_up"},
		{"unittest, two commands", "python3", []string{"python3 -m unittest a.test_up", "python3 -m unittest b.test_up"}, units, "a.test_up", "b.test_up"},
	}
}

// javaScriptOfOneName are the runners whose tests are called it, in blocks called describe.
func javaScriptOfOneName() []sameName {
	const nodeHead = "const { describe, it } = require('node:test');\nconst assert = require('assert');\n"
	const assert, expect = "assert.notEqual(%s, %%[1]d)", "expect(%s).not.toBe(%%[1]d)"
	all := []sameName{
		{"node, twice in a file", "node", []string{"node --test"}, map[string]string{
			"up.test.js": nodeHead + "it('goes up', () => assert.notEqual(1, %[1]d));\nit('goes up', () => assert.notEqual(2, %[1]d));\n"}, "no. 1", "no. 2"},
		{"node and mocha", "$BOOTY_MOCHA", []string{"node --test a/up.test.js", "npx mocha b/up.test.js"}, map[string]string{
			"package.json": "{}", "a/up.test.js": nodeHead + "it('goes up', () => assert.notEqual(1, %[1]d));\n",
			"b/up.test.js": "it('goes up', () => require('assert').notEqual(2, %[1]d));\n"}, "a/up.test.js", "b/up.test.js"},
	}
	for _, r := range []struct{ name, tool, command, head, not string }{
		{"node", "node", "node --test ", nodeHead, assert},
		{"jest", "$BOOTY_JEST", "npx jest ", "", expect},
		{"mocha", "$BOOTY_MOCHA", "npx mocha ", "const assert = require('assert');\n", assert},
		{"vitest", "$BOOTY_VITEST", "npx vitest run ", "import { describe, it, expect } from 'vitest';\n", expect},
	} {
		it := func(n string) string { return "it('goes up', () => { " + fmt.Sprintf(r.not, n) + "; });\n" }
		// at is a project of files, and the command that runs them all.
		at := func(files ...string) (map[string]string, []string) {
			out, command := map[string]string{"package.json": "{}"}, r.command
			for i := 0; i < len(files); i += 2 {
				out[files[i]], command = r.head+files[i+1], command+files[i]+" "
			}
			return out, []string{strings.TrimSpace(command)}
		}
		files, allFiles := at("a.test.js", it("1"), "b.test.js", it("2"))
		folders, allFolders := at("a/up.test.js", it("1"), "b/up.test.js", it("2"))
		blocks, allBlocks := at("up.test.js", "describe('block a', () => { "+it("1")+"});\ndescribe('block b', () => { "+it("2")+"});\n")
		all = append(all,
			sameName{r.name + ", two files", r.tool, allFiles, files, "a.test.js", "b.test.js"},
			sameName{r.name + ", two folders", r.tool, allFolders, folders, "a/up.test.js", "b/up.test.js"},
			sameName{r.name + ", two blocks", r.tool, allBlocks, blocks, "block a", "block b"},
			sameName{r.name + ", two commands", r.tool, []string{r.command + "a/up.test.js", r.command + "b/up.test.js"}, folders, "a/up.test.js", "b/up.test.js"})
	}
	return all
}

func rustOfOneName() []sameName {
	const toml = "[package]\nname = \"%s\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"
	up := func(n string) string { return "#[test]\nfn goes_up() { assert_ne!(" + n + ", %[1]d); }\n" }
	lib := func(n string) string { return "#[cfg(test)]\nmod tests {\n" + up(n) + "}\n" }
	workspace := map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n",
		"a/Cargo.toml": fmt.Sprintf(toml, "a"), "b/Cargo.toml": fmt.Sprintf(toml, "b"), "a/src/lib.rs": lib("1"), "b/src/lib.rs": lib("2")}
	one := fmt.Sprintf(toml, "up")
	return []sameName{
		{"cargo, two files", "cargo", []string{"cargo test --offline --no-fail-fast"},
			map[string]string{"Cargo.toml": one, "src/lib.rs": "", "tests/a.rs": up("1"), "tests/b.rs": up("2")}, "(a)", "(b)"},
		{"cargo, two modules", "cargo", []string{"cargo test --offline --no-fail-fast"},
			map[string]string{"Cargo.toml": one, "src/lib.rs": "", "tests/t.rs": "mod of_a {\n" + up("1") + "}\nmod of_b {\n" + up("2") + "}\n"}, "of_a", "of_b"},
		{"cargo, two packages", "cargo", []string{"cargo test --offline --no-fail-fast"}, workspace, "(a)", "(b)"},
		{"cargo, two commands", "cargo", []string{"cargo test --offline -p a", "cargo test --offline -p b"}, workspace, "(a)", "(b)"},
	}
}

func rubyOfOneName() []sameName {
	class := func(name, n string) string {
		return "require 'minitest/autorun'\nclass " + name + "Test < Minitest::Test\n  def test_up; refute_equal " + n + ", %[1]d; end\nend\n"
	}
	folders := map[string]string{"a/test_up.rb": class("A", "1"), "b/test_up.rb": class("B", "2"), "all.rb": "require './a/test_up'\nrequire './b/test_up'\n"}
	return []sameName{
		{"minitest, two classes", "ruby", []string{"ruby -I. test_up.rb"}, map[string]string{"test_up.rb": class("A", "1") + class("B", "2")}, "ATest", "BTest"},
		{"minitest, two files", "ruby", []string{"ruby -I. all.rb"}, folders, "ATest", "BTest"},
		{"minitest, two commands", "ruby", []string{"ruby -I. a/test_up.rb", "ruby -I. b/test_up.rb"},
			map[string]string{"a/test_up.rb": class("Up", "1"), "b/test_up.rb": class("Up", "2")}, "a/test_up.rb", "b/test_up.rb"},
	}
}

// recordedOfOneName are runners that are not installed for tests, by what they print and leave.
func recordedOfOneName() []sameName {
	nextest := func(fails, passes, at string) string {
		return "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.05s\n────────────\n Nextest run ID 1234 with nextest profile: default\n" +
			"    Starting 2 tests across 2 binaries\n        PASS [   0.004s] " + passes + " goes_up\n        FAIL [   0.005s] " + fails + " goes_up\n" +
			"──── STDOUT:             " + fails + " goes_up\n\nrunning 1 test\ntest goes_up ... FAILED\n\nfailures:\n\nfailures:\n    goes_up\n\n" +
			"test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n" +
			"──── STDERR:             " + fails + " goes_up\n\nthread 'goes_up' panicked at " + at + ":2:16:\n" +
			"assertion `left != right` failed\n  left: 1\n right: 1\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n" +
			"────────────\n     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 0 skipped\n        FAIL [   0.005s] " + fails + " goes_up\nerror: test run failed\n"
	}
	xml := func(class, outcome string) string {
		return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" + class + "\" tests=\"1\" skipped=\"0\" failures=\"0\" errors=\"0\" time=\"0.01\">\n" +
			"  <testcase name=\"goesUp()\" classname=\"" + class + "\" time=\"0.01\">" + outcome + "</testcase>\n</testsuite>\n"
	}
	const wrong = "<failure message=\"org.opentest4j.AssertionFailedError: wrong\" type=\"org.opentest4j.AssertionFailedError\">wrong</failure>"
	gradle := func(class string) string {
		return "> Task :test FAILED\n\n" + class[strings.LastIndex(class, ".")+1:] + " > goesUp() FAILED\n    org.opentest4j.AssertionFailedError at UpTest.java:9\n\n1 test completed, 1 failed\n\n" +
			"FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///w/build/reports/tests/test/index.html\n\nBUILD FAILED in 1s\n"
	}
	classes := func(a, b string) map[string]string {
		return map[string]string{"out1": gradle(a), "out2": gradle(b),
			"r1/TEST-a.txt": xml(a, wrong), "r1/TEST-b.txt": xml(b, ""), "r2/TEST-a.txt": xml(a, ""), "r2/TEST-b.txt": xml(b, wrong)}
	}
	const left = "cat out%[1]d; mkdir -p build/test-results; cp r%[1]d/TEST-a.txt build/test-results/TEST-a.xml; cp r%[1]d/TEST-b.txt build/test-results/TEST-b.xml; exit 1"
	return []sameName{
		{"nextest, two files", "sh", []string{"cat out%[1]d >&2; exit 100"}, map[string]string{
			"out1": nextest("up::a", "up::b", "tests/a.rs"), "out2": nextest("up::b", "up::a", "tests/b.rs"),
			"tests/a.rs": "\n", "tests/b.rs": "\n"}, "tests/a.rs", "tests/b.rs"},
		{"nextest, two packages", "sh", []string{"cat out%[1]d >&2; exit 100"}, map[string]string{
			"out1": nextest("a", "b", "a/src/lib.rs"), "out2": nextest("b", "a", "b/src/lib.rs"),
			"a/src/lib.rs": "\n", "b/src/lib.rs": "\n"}, "a/src/lib.rs", "b/src/lib.rs"},
		{"JUnit XML, two classes", "sh", []string{left}, classes("org.ATest", "org.BTest"), "ATest", "BTest"},
		{"JUnit XML, two packages", "sh", []string{left}, classes("org.a.UpTest", "org.b.UpTest"), "org.a", "org.b"},
	}
}
