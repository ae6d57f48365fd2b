//go:build unix

package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestRealRunnersReportThemselves asks the runners that are here for their reports.
func TestRealRunnersReportThemselves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, command string
		files         map[string]string
		want          []string // the tests that pass
	}{
		{
			"node", "node --test",
			map[string]string{"calc.test.js": "const {describe, it, test} = require('node:test');\n" +
				"describe('adds', () => { it('one', () => {}); it('two', () => {}); });\ntest.skip('later', () => {});\n"},
			[]string{"adds::one", "adds::two"},
		},
		{
			"python3", "python3 -m unittest",
			map[string]string{"test_calc.py": "import unittest\nclass T(unittest.TestCase):\n    def test_one(self): pass\n" +
				"    def test_two(self):\n        with self.subTest(1): pass\n    @unittest.skip('later')\n    def test_three(self): pass\n"},
			[]string{"test_calc.T::test_one", "test_calc.T::test_two"},
		},
		{
			"rspec", "rspec",
			map[string]string{".rspec": "--format documentation\n",
				"spec/calc_spec.rb": "describe 'adds' do\n  it('one') {}\n  it('two') {}\n  xit('later') {}\nend\n"},
			[]string{"./spec/calc_spec.rb::adds one", "./spec/calc_spec.rb::adds two"},
		},
	} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			if exec.Command(c.tool, "--version").Run() != nil {
				t.Skipf("%s is not here", c.tool)
			}
			dir := ""
			r := runner(t, func(k *Config) {
				dir, k.Temp, k.Distill = k.Dir, t.TempDir(), NewDistiller(k.Dir, k.Dir, nil)
			})
			testkit.Write(t, dir, c.files)
			v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: c.command}}}, VerifyOptions{})
			if diff := cmp.Diff(v.Ran, c.want); diff != "" || !v.Green || v.RanAs != "its own report" {
				t.Errorf("green %t, %s", v.Green, diff)
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
