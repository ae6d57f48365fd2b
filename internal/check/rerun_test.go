//go:build unix

package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
)

// project has a file for each test that the tables below name.
func project(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	testkit.Write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n", "x_test.go": "", "units/units_test.go": "", "units/units.go": "",
		"tests/test_a.py": "", "tests/sub/test_b.py": "", "test_top.py": "", "conf/pytest.ini": "", "-odd/test_c.py": "",
		"src/a.test.js": "", "src/__tests__/b.js": "", "test/c.spec.ts": "", "src/a.js": "", "it's/d.test.js": "",
		"spec/a_spec.rb": "", "lib/a.rb": "", "package.json": `{"scripts": {"test": "vitest run --coverage"}}`,
	})
	return dir
}

func TestRerunsAreDerivedWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	dir := project(t)
	one := func(test, file string) []failure.Failure { return []failure.Failure{{Test: test, File: file, Line: 7}} }
	for _, c := range []struct {
		test     string
		failures []failure.Failure
		want     string // "" where only the full command is safe
	}{
		{"go test ./...", one("TestA", "units/units_test.go"), `go test -run '^(TestA)$' -count=1 ./units`},
		{"go test ./...", one("TestA", "x_test.go"), `go test -run '^(TestA)$' -count=1 ./.`},
		{"go test ./...", one("example.com/m/units.TestA/sub.TestB/case 1", ""), `go test -run '^(TestA)$' -count=1 ./units`},
		{"go test ./...", one("example.com/m.TestA", ""), `go test -run '^(TestA)$' -count=1 ./`},
		{"go test ./...", one("example.com/mother.TestA", ""), `go test -run '^(TestA)$' -count=1 ./...`},
		{"go test ./...", one("example.com/m/../../etc.TestA", ""), `go test -run '^(TestA)$' -count=1 ./...`},
		{"go test ./...", append(one("TestA", "units/units_test.go"), one("TestA", "x_test.go")...), `go test -run '^(TestA)$' -count=1 ./units ./.`},
		{"go test ./...", append(one("TestA", "units/units_test.go"), one("TestB/x", "units/units.go")...), `go test -run '^(TestA|TestB)$' -count=1 ./...`},
		{"CGO_ENABLED=0 go test -race -timeout 5m -count=2 ./...", one("TestA", "x_test.go"), `CGO_ENABLED=0 go test -run '^(TestA)$' -race -timeout 5m -count=2 ./.`},
		{"go test -run=Foo ./...", one("TestA", "x_test.go"), ""},
		{"go test ./... | tee log", one("TestA", "x_test.go"), ""},
		{"go vet ./... && go test ./...", one("TestA", "x_test.go"), ""},
		{"cd sub; go test ./...", one("TestA", "x_test.go"), ""},
		{"go test $(go list ./...)", one("TestA", "x_test.go"), ""},
		{"go test ./...", one("not a test of Go", "x_test.go"), ""},
		{"go test ./...", one("TestÄ", "x_test.go"), ""},
		{"gotestsum ./...", one("TestA", "x_test.go"), ""},

		{"node --test", one("sums > all (x)", "src/a.test.js"), `node --test '--test-name-pattern=all \(x\)$' src/a.test.js`},
		{"node --test test", one("adds", "src/a.test.js"), ""},
		{"node --test", one("adds", "src/a.js"), ""},

		{"python3 -m unittest -v", one("test_top.AddTest.test_y", "test_top.py"), `python3 -m unittest -v test_top.AddTest.test_y`},
		{"python3 -m unittest discover -s tests", one("test_a.AddTest.test_y", "tests/test_a.py"), `python3 -m unittest discover -s tests -k test_a.AddTest.test_y`},
		{"python3 -m unittest", one("a test; touch pwned", "test_top.py"), ""},

		{"pytest", one("tests/test_a.py::TestX::test_y[a b-$(touch pwned)]", ""), `pytest 'tests/test_a.py::TestX::test_y[a b-$(touch pwned)]'`},
		{"pytest -q tests", one("tests/sub/test_b.py::test_y", ""), `pytest -q tests/sub/test_b.py::test_y`},
		{"python3 -m pytest -x -n 4", one("test_y", "test_top.py"), `python3 -m pytest -x -n 4 test_top.py::test_y`},
		{"uv run pytest -c conf/pytest.ini", one("TestX.test_y", "tests/test_a.py"), `uv run pytest -c conf/pytest.ini tests/test_a.py::TestX::test_y`},
		{"pytest", one("-odd/test_c.py::test_y", ""), `pytest ./-odd/test_c.py::test_y`},
		{"pytest", one("/etc/passwd.py::test_y", ""), ""},
		{"pytest", one("../test_a.py::test_y", ""), ""},
		{"pytest", one("tests/gone.py::test_y", ""), ""},
		{"pytest -k fast", one("tests/test_a.py::test_y", ""), ""},
		{"pytest tests/test_a.py::test_z", one("tests/test_a.py::test_y", ""), ""},
		{"pytest 'tests'", one("tests/test_a.py::test_y", ""), ""},
		{"tox", one("tests/test_a.py::test_y", ""), ""},

		{"npx jest --ci", one("Cart > adds 5% (twice)", "src/a.test.js"), `npx jest --ci -t 'Cart.*adds.*5.*twice.*' --runTestsByPath src/a.test.js`},
		{"jest", append(one("a", "src/a.test.js"), one("b", "src/__tests__/b.js")...), `jest -t 'a|b' --runTestsByPath src/a.test.js src/__tests__/b.js`},
		{"jest", one("quoted", "it's/d.test.js"), `jest -t quoted --runTestsByPath 'it'\''s/d.test.js'`},
		{"jest", one("a", "src/a.js"), ""},
		{"jest -t foo", one("a", "src/a.test.js"), ""},
		{"jest src", one("a", "src/a.test.js"), ""},
		{"npx vitest run", one("test/c.spec.ts > suite > works", "test/c.spec.ts"), `npx vitest run -t 'suite.*works' test/c.spec.ts`},
		{"npx vitest", one("test/c.spec.ts > works", "test/c.spec.ts"), ""},
		{"npm test", one("test/c.spec.ts > works", "test/c.spec.ts"), `npm test -- -t works test/c.spec.ts`},
		{"yarn test", one("test/c.spec.ts > works", "test/c.spec.ts"), `yarn test -t works test/c.spec.ts`},
		{"npm run test:unit", one("works", "test/c.spec.ts"), ""},

		{"cargo test", append(one("stats::tests::mean", "src/lib.rs"), one("bulk", "")...), `cargo test -- --exact stats::tests::mean bulk`},
		{"cargo test --workspace -p core", one("a", ""), `cargo test --workspace -p core -- --exact a`},
		{"cargo test some_filter", one("a", ""), ""},
		{"cargo test", one("src/lib.rs - add (line 3)", "src/lib.rs"), ""},

		{"bundle exec rspec", one("Roster works", "spec/a_spec.rb"), `bundle exec rspec spec/a_spec.rb:7`},
		{"rspec", one("Roster works", "lib/a.rb"), ""},
		{"rspec spec/models", one("Roster works", "spec/a_spec.rb"), ""},
		{"make test", one("TestA", "x_test.go"), ""},
		{"", one("TestA", "x_test.go"), ""},
	} {
		got, ok := rerunCommand(dir, "", c.test, c.failures)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q, %+v:\n got %s\nwant %s", c.test, c.failures, got, c.want)
		}
	}
	for _, kind := range []string{"compile", "load", "type"} {
		if got, ok := rerunCommand(dir, "", "go test ./...", []failure.Failure{{Test: "TestA", File: "x_test.go", Kind: kind}}); ok {
			t.Errorf("%s: got %s", kind, got)
		}
	}
}

func TestATemplateTakesValuesInAnyQuotes(t *testing.T) {
	t.Parallel()
	dir := project(t)
	failures := []failure.Failure{{Test: "it's > $(touch pwned) `x` & more", File: "src/a.test.js"}, {Test: "-rf", File: "../../etc/passwd"}}
	for _, c := range []struct{ template, want string }{
		{"vitest {{.Files}} -t '{{.Pattern}}'", "vitest src/a.test.js -t 'it.*s.*touch.*pwned.*x.*more|rf'"},
		{`vitest {{ .Files }} -t "{{.Pattern}}"`, `vitest src/a.test.js -t "it.*s.*touch.*pwned.*x.*more|rf"`},
		{"vitest -t {{.Pattern}}", "vitest -t 'it.*s.*touch.*pwned.*x.*more|rf'"},
		{"run {{.Tests}}", `run 'it'\''s > $(touch pwned) ` + "`x` & more' -rf"},
		{"run '{{.Tests}}'", ""},      // cannot stand there
		{"run `echo {{.Tests}}`", ""}, // nor there
		{"run {{.Nonsense}}", ""},
		{"run everything", ""},
	} {
		got, ok := rerunCommand(dir, c.template, "ignored", failures)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.template, got, c.want)
		}
	}
	for template, bad := range map[string]bool{"x {{.Files}}": false, "x {{Pattern}}": false, "x": true, "x {{.Tests}} {{.Name}}": true} {
		if _, err := parse(template); (err != nil) != bad {
			t.Errorf("%s: %v", template, err)
		}
	}
}

// shims are programs named like the runners that print their arguments.
func shims(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go", "pytest", "jest", "cargo", "rspec", "run"} {
		script := "#!/bin/sh\nfor a; do printf '%s\\000' \"$a\"; done\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FuzzRerun checks with a real shell that no name of a test or file does
// anything but be an argument.
func FuzzRerun(f *testing.F) {
	for _, s := range []string{"TestA", "a b", "it's", `"`, "$(touch pwned)", "`touch pwned`", "a;touch pwned", "a\ntouch pwned", "-x", "*", "\\", "a|b", "a'||touch pwned||'b", "%PATH%", "ü", "\xff", "!x", "~"} {
		f.Add(s, s)
	}
	dir, bin := project(f), shims(f)
	f.Fuzz(func(t *testing.T, name, file string) {
		failures := []failure.Failure{{Test: name, File: file, Line: 1}, {Test: "tests/test_a.py::" + name, File: "src/a.test.js"}, {Test: "TestX/" + name, File: "x_test.go"}}
		for i, f := range failures {
			for _, c := range []struct{ template, test string }{
				{"", "go test ./..."}, {"", "pytest"}, {"", "jest"}, {"", "cargo test"}, {"", "rspec"},
				{"run {{.Tests}}", ""}, {"run '{{.Tests}}'", ""}, {`run "{{.Pattern}}" {{.Files}}`, ""}, {"run {{.Pattern}}", ""},
			} {
				command, ok := rerunCommand(dir, c.template, c.test, []failure.Failure{f})
				if !ok {
					continue
				}
				cmd := exec.Command("/bin/sh", "-c", command)
				cmd.Dir = dir
				cmd.Env = []string{"PATH=" + bin}
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v", command, err)
				}
				args := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
				if c.template == "run {{.Tests}}" && !slices.Equal(args, []string{f.Test}) {
					t.Errorf("failure %d: %s: got %q, want %q", i, command, args, f.Test)
				}
				if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
					t.Fatalf("%s: ran something", command)
				}
			}
		}
	})
}
