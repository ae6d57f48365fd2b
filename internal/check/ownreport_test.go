package check

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReporting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts": {"test": "jest"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
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
		"node --test test":              "node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=/r.xml test",
		"node --test --watch":           "",
	} {
		if got, read := reporting(dir, command, "/r.xml"); got != want || (read == nil) != (want == "") {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

func TestReadReport(t *testing.T) {
	t.Parallel()
	const whole = `<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="3">
<testcase classname="tests.test_a" name="test_one[x]" time="0.1" />
<testcase classname="tests.test_a" name="test_two"><failure message="assert 1 == 2">E</failure></testcase>
<testcase classname="tests.test_a" name="test_three"><skipped type="pytest.skip" message="m" /></testcase>
</testsuite></testsuites>`
	path := filepath.Join(t.TempDir(), "r.xml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(whole)
	got, err := readReport(path, readJUnit)
	if err != nil {
		t.Fatal(err)
	}
	want := &ownReport{passed: 1, failed: 1, skipped: 1, names: []string{"tests.test_a::test_one[x]"}}
	if diff := cmp.Diff(got, want, cmp.AllowUnexported(ownReport{})); diff != "" {
		t.Error(diff)
	}
	write(whole[:len(whole)-20])
	if got, err := readReport(path, readJUnit); err == nil {
		t.Errorf("half a report was taken for a whole one: %+v", got)
	}
}

// TestReadReports reads what jest 30, vitest 4 and RSpec 3.12 wrote of one test that
// passes, one that fails and one or two that do not run.
func TestReadReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read func(io.Reader) (*ownReport, error)
		want ownReport
	}{
		"jest.json":  {readJest, ownReport{1, 1, 2, []string{"jj.test.js::s in"}}},
		"rspec.json": {readRSpec, ownReport{1, 1, 1, []string{"./spec/a_spec.rb::s in"}}},
		"vitest.xml": {readJUnit, ownReport{1, 1, 2, []string{"v/v.test.mjs::s > in"}}},
		"node.xml":   {readJUnit, ownReport{2, 1, 2, []string{"s::in", "top::sub"}}},
	} {
		path := filepath.Join("testdata", "reports", name)
		got, err := readReport(path, c.read)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(*got, c.want, cmp.AllowUnexported(ownReport{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		half := strings.NewReader(string(text[:len(text)/2]))
		if got, err := c.read(half); err == nil {
			t.Errorf("%s: half a report was taken for a whole one: %+v", name, got)
		}
	}
}
