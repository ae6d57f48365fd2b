package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReporting(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"pytest":                       "pytest --junitxml=/r.xml",
		"PYTHONPATH=. pytest -q tests": "PYTHONPATH=. pytest --junitxml=/r.xml -q tests",
		"python3 -m pytest tests":      "python3 -m pytest --junitxml=/r.xml tests",
		"pytest --junitxml=own.xml":    "",
		"pytest && flake8":             "",
		"vendor/bin/phpunit tests":     "vendor/bin/phpunit --log-junit=/r.xml tests",
		"make test":                    "",
	} {
		if got := reporting(command, "/r.xml"); got != want {
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
	got, err := readReport(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &ownReport{passed: 1, failed: 1, skipped: 1, names: []string{"tests.test_a::test_one[x]"}}
	if diff := cmp.Diff(got, want, cmp.AllowUnexported(ownReport{})); diff != "" {
		t.Error(diff)
	}
	write(whole[:len(whole)-20])
	if got, err := readReport(path); err == nil {
		t.Errorf("half a report was taken for a whole one: %+v", got)
	}
}
