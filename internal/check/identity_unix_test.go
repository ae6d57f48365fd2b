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

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestTestsOfOneNameAreToldApart: in each project two tests have one name, and fail by turns. The
// failure of the one is not that of the other, and each is known again.
func TestTestsOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, command string
		// files hold "%d" where one has 1 and the other 2: the first fails where it is 1.
		files map[string]string
	}{
		"go, two packages": {"go", "go test ./...", map[string]string{"go.mod": "module m\n\ngo 1.21\n",
			"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestUp(t *testing.T) {\n\tif 1 == %[1]d {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
			"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestUp(t *testing.T) {\n\tif 2 == %[1]d {\n\t\tt.Error(\"wrong\")\n\t}\n}\n"}},
		"pytest, two files": {"pytest", "pytest -q", map[string]string{"a/__init__.py": "", "b/__init__.py": "",
			"a/test_up.py": "def test_up(): assert 1 != %[1]d\n", "b/test_up.py": "def test_up(): assert 2 != %[1]d\n"}},
		"pytest, two classes": {"pytest", "pytest -q", map[string]string{
			"test_up.py": "class TestA:\n    def test_up(self): assert 1 != %[1]d\nclass TestB:\n    def test_up(self): assert 2 != %[1]d\n"}},
		"unittest, two files": {"python3", "python3 -m unittest", map[string]string{
			"test_a.py": "import unittest\nclass T(unittest.TestCase):\n    def test_up(self): self.assertNotEqual(1, %[1]d)\n",
			"test_b.py": "import unittest\nclass T(unittest.TestCase):\n    def test_up(self): self.assertNotEqual(2, %[1]d)\n"}},
		"node, two files": {"node", "node --test", map[string]string{
			"a/up.test.js": "require('node:test')('goes up', () => require('assert').notEqual(1, %[1]d));\n",
			"b/up.test.js": "require('node:test')('goes up', () => require('assert').notEqual(2, %[1]d));\n"}},
		"node, two blocks": {"node", "node --test", map[string]string{
			"up.test.js": "const {describe, it} = require('node:test'), assert = require('assert');\n" +
				"describe('a', () => it('goes up', () => assert.notEqual(1, %[1]d)));\ndescribe('b', () => it('goes up', () => assert.notEqual(2, %[1]d)));\n"}},
		"node, twice in a file": {"node", "node --test", map[string]string{
			"up.test.js": "const test = require('node:test'), assert = require('assert');\n" +
				"test('goes up', () => assert.notEqual(1, %[1]d));\ntest('goes up', () => assert.notEqual(2, %[1]d));\n"}},
		"cargo, two programs": {"cargo", "cargo test --offline --no-fail-fast", map[string]string{
			"Cargo.toml": "[package]\nname = \"up\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "",
			"tests/a.rs": "#[test]\nfn goes_up() { assert_ne!(1, %[1]d); }\n", "tests/b.rs": "#[test]\nfn goes_up() { assert_ne!(2, %[1]d); }\n"}},
		"minitest, two classes": {"ruby", "ruby -I. test_up.rb", map[string]string{
			"test_up.rb": "require 'minitest/autorun'\nclass ATest < Minitest::Test\n  def test_up; refute_equal 1, %[1]d; end\nend\n" +
				"class BTest < Minitest::Test\n  def test_up; refute_equal 2, %[1]d; end\nend\n"}},
		"mocha, two files": {"sh", "cat out%[1]d; exit 1", map[string]string{
			"out1":         "\n\n  ✔ other\n  1) goes up\n\n\n  1 passing (5ms)\n  1 failing\n\n  1) goes up:\n     AssertionError [ERR_ASSERTION]: wrong\n      at Context.<anonymous> (a/up.test.js:2:43)\n",
			"out2":         "\n\n  ✔ other\n  1) goes up\n\n\n  1 passing (5ms)\n  1 failing\n\n  1) goes up:\n     AssertionError [ERR_ASSERTION]: wrong\n      at Context.<anonymous> (b/up.test.js:2:43)\n",
			"a/up.test.js": "\n", "b/up.test.js": "\n"}},
		"jest, two files": {"sh", "npx jest", map[string]string{"bin/npx": jestSaying, "package.json": "{}"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if exec.Command(c.tool, "--version").Run() != nil && exec.Command(c.tool, "version").Run() != nil && c.tool != "sh" {
				t.Skipf("%s is not here", c.tool)
			}
			r := runner(t, func(k *Config) {
				k.Temp, k.Distill = t.TempDir(), NewDistiller(k.Dir, k.Dir, nil)
				k.Env = append(os.Environ(), "PATH="+k.Dir+"/bin:"+os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1")
			})
			var failed [3][]failure.ID
			for i, turn := range []int{1, 2, 1} {
				files := map[string]string{}
				for path, text := range c.files {
					if strings.Contains(text, "%[1]d") {
						text = fmt.Sprintf(text, turn)
					}
					files[path] = text
				}
				testkit.Write(t, r.c.Dir, files)
				if tool := filepath.Join(r.c.Dir, "bin", "npx"); files["bin/npx"] != "" && os.Chmod(tool, 0o700) != nil {
					t.Fatal(tool)
				}
				command := c.command
				if strings.Contains(command, "%[1]d") {
					command = fmt.Sprintf(command, turn)
				}
				v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: command}}}, VerifyOptions{})
				if failed[i] = failure.IDs(v.Failures); len(failed[i]) != 1 {
					t.Fatalf("turn %d: failed %+v: %s", turn, failed[i], v.Text)
				}
			}
			if failed[0][0].Same(failed[1][0]) || !failed[0][0].Same(failed[2][0]) {
				t.Errorf("first %+v, then %+v, then %+v", failed[0], failed[1], failed[2])
			}
			if names := failure.Names(failed[0], failed[1]...); slices.Equal(names, failure.Names(failed[1], failed[0]...)) {
				t.Errorf("both are called %q: %+v %+v", names, failed[0], failed[1])
			}
		})
	}
}

// jestSaying does as jest: one of two files fails.
const jestSaying = `#!/bin/sh
for a; do case $a in --outputFile=*) out=${a#*=};; esac; done
one=passed two=passed; [ %[1]d = 1 ] && one=failed || two=failed
row() { printf '{"name":"%%s/%%s/up.test.js","status":"%%s","message":"","assertionResults":[{"fullName":"goes up","status":"%%s","failureMessages":["wrong"]}]}' "$PWD" "$1" "$2" "$2"; }
printf '{"numTotalTests":2,"testResults":[%%s,%%s]}' "$(row a $one)" "$(row b $two)" >"$out"
[ %[1]d = 1 ] && at=a || at=b
printf 'FAIL %%s/up.test.js\n  ✕ goes up (3 ms)\n\n  ● goes up\n\n    wrong\n\n      at Object.<anonymous> (%%s/up.test.js:3:1)\n\nTests:       1 failed, 1 passed, 2 total\n' "$at" "$at"
exit 1
`
