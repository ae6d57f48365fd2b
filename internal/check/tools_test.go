//go:build unix

package check

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestRealRunnersAreRunAgainByTheirFailedTests goes the way of a repair: two
// tests fail; one is fixed, so that the other alone runs; then all is well.
func TestRealRunnersAreRunAgainByTheirFailedTests(t *testing.T) {
	if testing.Short() && os.Getenv("BOOTY_TEST_EVERY") == "" { // .ci/run sets it for a second user
		t.Skip("it starts real tools")
	}
	t.Parallel()
	for _, c := range []struct {
		tool, command   string
		files           map[string]string
		product         string // the file to fix
		none, half, all string // its contents
		rerun           string // what the command that runs again contains
	}{
		{
			"go", "go test ./...",
			map[string]string{
				"go.mod":          "module example.com/m\n\ngo 1.21\n",
				"calc/x_test.go":  "package calc\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tt.Run(\"a case; touch pwned\", func(t *testing.T) {\n\t\tif One() != 1 {\n\t\t\tt.Error(\"one is\", One())\n\t\t}\n\t})\n}\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Error(\"two is\", Two())\n\t}\n}\n",
				"other/y_test.go": "package other\n\nimport \"testing\"\n\nfunc TestFine(t *testing.T) {}\n",
			},
			"calc/calc.go",
			"package calc\n\nfunc One() int { return 0 }\nfunc Two() int { return 0 }\n",
			"package calc\n\nfunc One() int { return 0 }\nfunc Two() int { return 2 }\n",
			"package calc\n\nfunc One() int { return 1 }\nfunc Two() int { return 2 }\n",
			"go test -run '^(TestOne)$' -count=1 ./calc",
		},
		{
			"pytest", "pytest -q",
			map[string]string{"tests/test_x.py": "import sys, os\nsys.path.insert(0, os.getcwd())\nimport pytest\nfrom calc import one, two\n\n@pytest.mark.parametrize('n', ['it; touch pwned'])\ndef test_one(n):\n    assert one() == 1\n\nclass TestTwo:\n    def test_two(self):\n        assert two() == 2\n"},
			"calc.py",
			"def one():\n    return 0\n\ndef two():\n    return 0\n",
			"def one():\n    return 0\n\n\ndef two():\n    return 2  # fixed\n",
			"def one():\n    return 1  # fixed too\n\n\ndef two():\n    return 2  # fixed\n",
			"tests/test_x.py::test_one",
		},
		{
			"cargo", "cargo test --offline",
			map[string]string{
				"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"tests/t.rs": "#[test]\nfn one() { assert_eq!(calc::one(), 1); }\n#[test]\nfn two() { assert_eq!(calc::two(), 2); }\n",
			},
			"src/lib.rs",
			"pub fn one() -> i32 { 0 }\npub fn two() -> i32 { 0 }\n",
			"pub fn one() -> i32 { 0 }\npub fn two() -> i32 { 2 + 0 }\n",
			"pub fn one() -> i32 { 1 + 0 + 0 }\npub fn two() -> i32 { 2 + 0 }\n",
			"cargo test --offline -- --exact one",
		},
	} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("%s is not here", c.tool)
			}
			if exec.Command(c.tool, "--version").Run() != nil && exec.Command(c.tool, "version").Run() != nil {
				t.Skipf("%s does not start here", c.tool)
			}
			var dir string
			r := runner(t, func(k *Config) {
				dir = k.Dir
				k.Distill = NewDistiller(k.Dir, k.Dir, nil)
			})
			testkit.Write(t, dir, c.files)
			s := Suite{Tests: []Step{{Name: "test", Command: c.command}}}
			state := func(content string, previous []failure.Failure) Verdict {
				testkit.Write(t, dir, map[string]string{c.product: content})
				return verify(t, r, s, VerifyOptions{Previous: previous})
			}

			v := state(c.none, nil)
			if steps(v) != "test!" || v.Failing != 2 || v.Tally > failure.Unnamed || v.Environment != "" {
				t.Fatalf("at first: %q, %+v", steps(v), v)
			}
			v = state(c.half, v.Failures)
			if steps(v) != "rerun!" || v.Failing != 1 || !v.Partial {
				t.Fatalf("half: %q, %+v", steps(v), v)
			}
			v = state(c.all, v.Failures)
			if steps(v) != "rerun test" || !v.Green || !strings.Contains(v.Results[0].Command, c.rerun) {
				t.Fatalf("whole: %q, %+v", steps(v), v)
			}
		})
	}
}
