package check

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNewFileCommand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"tests/test_a.py": "", "a/a.go": "", "test/a.test.js": "",
		"package.json": `{"scripts":{"test":"node --test test/a.test.js"}}`} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		template, test, file string
		want                 string // "" where there is no way
	}{
		{"", "go test ./...", "a/more1a/more_test.go", "go test ./a/more1a"},
		{"", "go test .", "more1a/more_test.go", "go test ./more1a"},
		{"", "go test", "more_1a_test.go", "go test ./"},
		{"", "go test -race -run TestA -count 1 ./a ./b", "a/more_1a_test.go", "go test -race -count 1 ./a"},
		{"", "go test -run=TestA a_test.go", "a/more_1a_test.go", "go test ./a"},
		{"", "go -C sub test ./...", "sub/more_1a_test.go", ""},
		{"", "go test ./... -args -slow", "a/more_1a_test.go", ""},
		{"", "pytest -q tests/test_a.py", "tests/test_more_1a.py", "pytest -q tests/test_more_1a.py"},
		{"", "pytest tests/test_a.py::test_x -k fast --tb short", "tests/test_more_1a.py", "pytest --tb short tests/test_more_1a.py"},
		{"", "python -m pytest --asyncio-mode auto --cov tests tests", "tests/test_more_1a.py", "python -m pytest --asyncio-mode auto --cov tests tests/test_more_1a.py"},
		{"", "pytest --lf", "tests/test_more_1a.py", ""},
		{"", "python3 -m unittest -v tests.test_a", "tests/test_more_1a.py", "python3 -m unittest -v tests/test_more_1a.py"},
		{"", "python3 -m unittest", "my-tests/test_more_1a.py", ""},
		{"", "python3 -m unittest discover -s tests -t . -p test_a.py", "tests/test_more_1a.py", "python3 -m unittest discover -s tests -t . -p test_more_1a.py"},
		{"", "python3 -m unittest discover tests", "tests/sub/test_more_1a.py", "python3 -m unittest discover tests -p test_more_1a.py"},
		{"", "python3 -m unittest discover tests", "other/test_more_1a.py", ""},
		{"", "node --test test/a.test.js", "test/more_1a.test.js", "node --test test/more_1a.test.js"},
		{"", "node --test --import tsx --test-name-pattern=x a.js", "lib/more_1a.js", "node --test --import tsx lib/more_1a.js"},
		{"", "npm test", "test/more_1a.test.js", "npm test -- test/more_1a.test.js"},
		{"", "npx jest --ci -t x a.test.js", "test/more_1a.test.js", "npx jest --ci --runTestsByPath test/more_1a.test.js"},
		{"", "npx vitest run src", "test/more_1a.test.js", "npx vitest run test/more_1a.test.js"},
		{"", "npx vitest run", "test/more_1a_test.go", ""},
		{"", "cargo test --lib parse -- --skip slow --test-threads=1", "tests/more_1a.rs", "cargo test --test more_1a -- --test-threads=1"},
		{"", "cargo test", "crate/tests/more_1a.rs", "cargo test --workspace --test more_1a"},
		{"", "cargo test -p crate --test x", "crate/tests/more_1a.rs", "cargo test -p crate --test more_1a"},
		{"", "ruby -Ilib -Itest test/a_test.rb", "test/more_1a_test.rb", "ruby -Ilib -Itest test/more_1a_test.rb"},
		{"", "ruby -Ilib test/all.rb", "test/more_1a_test.rb", ""},
		{"", "bin/rails test test/models", "test/more_1a_test.rb", "bin/rails test test/more_1a_test.rb"},
		{"", "bundle exec rake test TEST=test/a_test.rb", "test/more_1a_test.rb", "bundle exec rake test TEST=test/more_1a_test.rb"},
		{"", "bundle exec rspec spec/a_spec.rb", "spec/more_1a_spec.rb", "bundle exec rspec spec/more_1a_spec.rb"},
		{"", "make test", "a/more_1a_test.go", ""},
		{"", "go test ./... && echo done", "a/more_1a_test.go", ""},
		{"", "go test ./...", "../more_1a_test.go", ""},
		{"", "pytest", "-x.py", ""},
		{"run {{.Files}}", "make test", "a/more_1a_test.go", "run a/more_1a_test.go"},
		{"run {{.Files}} -t {{.Pattern}}", "go test .", "a/more_1a_test.go", "go test ./a"},
	} {
		got, ok := newFileCommand(dir, c.template, c.test, c.file)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s for %s: got %q, %t, want %q", c.test, c.file, got, ok, c.want)
		}
	}
}
