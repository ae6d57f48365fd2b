package check

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
)

func TestAskingForReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts": {"test": "jest"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	r := New(Config{Dir: dir, Temp: temp})
	path := regexp.MustCompile(regexp.QuoteMeta(temp) + `/r[A-Z2-7]{26}`)
	for command, want := range map[string]string{
		"pytest":                        "pytest --junitxml=/r.xml",
		"PYTHONPATH=. pytest -q tests":  "PYTHONPATH=. pytest --junitxml=/r.xml -q tests",
		"python3 -m pytest tests":       "python3 -m pytest --junitxml=/r.xml tests",
		"pytest --junitxml=own.xml":     "",
		"pytest && flake8":              "",
		"vendor/bin/phpunit tests":      "vendor/bin/phpunit --log-junit=/r.xml tests",
		"make test":                     "",
		"npm test":                      "npm test -- --json --outputFile=/r.xml",
		"npx jest src":                  "npx jest --json --outputFile=/r.xml src",
		"jest --watch":                  "",
		"npx vitest run":                "npx vitest run --reporter=default --reporter=junit --outputFile.junit=/r.xml",
		"npx vitest run --reporter=dot": "",
		"bundle exec rspec spec":        "bundle exec rspec --format progress --format json --out /r.xml spec",
		"rspec -f doc":                  "",
		"node --test test":              "node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=/r.xml.mjs --test-reporter-destination=/r.xml test",
		"node --test --watch":           "",
		"go test ./...":                 "go test -v=test2json ./...",
		"CGO_ENABLED=0 go test -v -p 1": "CGO_ENABLED=0 go test -v=test2json -p 1",
		"go test -json ./...":           "",
		"go vet ./...":                  "",
		"go test ./... && go vet ./...": "",
		"cargo test -p a":               `cargo test --config 'target."cfg(all())".runner=["sh","-c","exec \"$@\" --logfile /r.xml.$$.\"${1##*/}\"","sh"]' -p a`,
		"cargo test --no-run":           "",
	} {
		asked := r.ask(t.Context(), Step{Command: command})
		if got := path.ReplaceAllString(asked.command, "/r.xml"); got != want || (asked.read == nil) != (want == "") {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

// TestReadReports reads what jest 30, vitest 4, RSpec 3.12, pytest 7.2, node 20 and PHPUnit
// wrote of tests that pass, fail and do not run, and of what fails beside them.
func TestReadReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read func(io.Reader) (failure.Ran, error)
		want string
	}{
		"jest.json": {readJest,
			"failed jj.test.js::s bad; passed jj.test.js::s in; skipped jj.test.js::sk, jj.test.js::later"},
		"jest-beside.json": {readJest,
			"failed each.test.js::e in, each.test.js::bad; failed hook hook.test.js; failed load load.test.js; passed each.test.js::ok, hook.test.js::s in, hook.test.js::s in2"},
		"rspec.json": {readRSpec,
			"failed ./spec/a_spec.rb::s bad; passed ./spec/a_spec.rb::s in; skipped ./spec/a_spec.rb::s sk"},
		"rspec-load.json": {readRSpec, "failed load outside of examples"},
		"rspec-hook.json": {readRSpec,
			"failed ./spec/a_spec.rb::s in; failed hook outside of examples; passed ./spec/a_spec.rb::a ok"},
		"vitest.xml": {readVitest,
			"failed v/v.test.mjs::s > bad; passed v/v.test.mjs::s > in; skipped v/v.test.mjs::sk, v/v.test.mjs::later"},
		"vitest-beside.xml": {readVitest,
			"failed v/each.test.mjs::e > in, v/each.test.mjs::bad; failed hook v/hook.test.mjs::s; failed load v/load.test.mjs; passed v/each.test.mjs::ok, v/hook.test.mjs::s > in, v/hook.test.mjs::s > in2, v/retry.test.mjs::flaky, v/retry.test.mjs::f, v/unh.test.mjs::a; skipped v/retry.test.mjs::t"},
		"node.xml": {readJUnit, "failed s::bad; passed s::in, top::sub; skipped skip, later"},
		"node-beside.xml": {readJUnit,
			"failed bad; failed hook e::in; failed load load.test.mjs; passed s::in; skipped todo"},
		"pytest-beside.xml": {readPytest,
			"failed test_a::test_both, test_a.T::test_s; failed hook test_a::test_down, test_a::test_up, test_a::test_both, test_a::test_sub; failed load test_load; passed test_a::test_down; skipped test_a::test_x"},
	} {
		path := filepath.Join("testdata", "reports", name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tests, err := c.read(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := inWords(tests); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
		if got, err := c.read(bytes.NewReader(text[:len(text)/2])); err == nil {
			t.Errorf("%s: half a report was taken for a whole one: %+v", name, got)
		}
	}
}

// inWords tells the tests by their outcomes and kinds.
func inWords(tests failure.Ran) string {
	byKind := map[string][]string{}
	for _, t := range tests {
		kind := strings.TrimSpace(string(t.Outcome) + " " + t.Kind)
		byKind[kind] = append(byKind[kind], t.Name)
	}
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		out = append(out, kind+" "+strings.Join(byKind[kind], ", "))
	}
	return strings.Join(out, "; ")
}
