package check

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFilesCommand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/a.go", "a/a_test.go", "b_test.go", "tests/test_x.py", "x.py", "src/x.test.ts", "spec/x_spec.rb",
		"tests/it.rs", "src/lib.rs", "test/x_test.rb", "test/y_test.rb",
		"package.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := ""
		if name == "package.json" {
			text = `{"scripts":{"test":"jest --ci"}}`
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		template, test string
		files          []string
		want           string // "" where there is no way
	}{
		{"", "go test -race ./...", []string{"a/a.go", "a/a_test.go", "b_test.go"}, "go test -race ./a ./"},
		{"", "go test ./a", []string{"a/a.go"}, ""},
		{"", "go test ./...", []string{"a/gone/x.go"}, ""},
		{"", "python3 -m pytest -q tests", []string{"x.py", "tests/test_x.py"}, "python3 -m pytest -q tests/test_x.py"},
		{"", "pytest -k slow", []string{"tests/test_x.py"}, ""},
		{"", "pytest", []string{"x.py"}, ""},
		{"", "pytest --cov=x --cov-fail-under=90", []string{"tests/test_x.py"}, ""},
		{"", "pytest -q -n 2 tests/test_x.py x.py", []string{"tests/test_x.py"}, "pytest -q -n 2 tests/test_x.py"},
		{"", "pytest other", []string{"tests/test_x.py"}, ""},
		{"", "python3 -m unittest discover -s tests", []string{"tests/test_x.py"}, "python3 -m unittest discover -s tests -p test_x.py"},
		{"", "python3 -m unittest tests.test_y", []string{"tests/test_x.py"}, ""},
		{"", "go test -run TestA ./...", []string{"a/a.go"}, ""},
		{"", "go test ./a/... ./c", []string{"a/a.go", "b_test.go"}, "go test ./a"},
		{"", "go test", []string{"a/a.go"}, ""},
		{"", "cargo test", []string{"tests/it.rs", "src/lib.rs"}, "cargo test --test it"},
		{"", "ruby -Itest test/x_test.rb test/y_test.rb", []string{"test/x_test.rb"}, "ruby -Itest test/x_test.rb"},
		{"", "rspec spec/models", []string{"spec/x_spec.rb"}, ""},
		{"", "node --test src", []string{"src/x.test.ts"}, "node --test src/x.test.ts"},
		{"", "npx jest src", []string{"src/x.test.ts"}, ""},
		{"", "npm test", []string{"src/x.test.ts", "src/x.ts"}, "npm test -- --runTestsByPath src/x.test.ts"},
		{"", "npx vitest run", []string{"src/x.test.ts"}, "npx vitest run src/x.test.ts"},
		{"", "node --test", []string{"src/x.test.ts"}, "node --test src/x.test.ts"},
		{"", "bundle exec rspec", []string{"spec/x_spec.rb"}, "bundle exec rspec spec/x_spec.rb"},
		{"", "make test", []string{"a/a_test.go"}, ""},
		{"run {{.Files}}", "make test", []string{"a/a_test.go", "a/a.go"}, "run a/a_test.go"},
		{"run {{.Files}} -t {{.Pattern}}", "make test", []string{"a/a_test.go"}, ""},
		{"run {{.Tests}}", "go test ./...", []string{"a/a_test.go"}, "go test ./a"},
	} {
		got, ok := filesCommand(dir, c.template, c.test, c.files)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s of %v: got %q, %t, want %q", c.test, c.files, got, ok, c.want)
		}
	}
}

func TestUntilFailureCommand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts":{"test":"jest --ci"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test, command string
		want          string // "" where there is no way
	}{
		{"go test ./...", "go test ./...", "go test ./... -failfast"},
		{"go test ./...", "go test ./a", "go test ./a -failfast"},
		{"go test ./... -args -x", "go test ./... -args -x", ""},
		{"go test -failfast ./...", "go test ./a", ""},
		{"A=1 python3 -m pytest tests", "A=1 python3 -m pytest tests", "A=1 python3 -m pytest tests -x"},
		{"python3 -m unittest discover tests", "python3 -m unittest discover tests", "python3 -m unittest discover tests -f"},
		{"npm test", "npm test", "npm test -- --bail"},
		{"npm test", "npm test -- --runTestsByPath a.test.js", "npm test -- --runTestsByPath a.test.js --bail"},
		{"npx jest --bail=2", "npx jest --bail=2", ""},
		{"npx vitest run", "npx vitest run a.test.ts", "npx vitest run a.test.ts --bail=1"},
		{"bundle exec rspec", "bundle exec rspec", "bundle exec rspec --fail-fast"},
		{"node --test", "node --test", ""},
		{"cargo test", "cargo test", ""},
		{"make test", "make test", ""},
		{"go test ./... && echo done", "go test ./... && echo done", ""},
	} {
		got, ok := untilFailureCommand(dir, c.test, c.command)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s for %s: got %q, %t, want %q", c.command, c.test, got, ok, c.want)
		}
	}
}
