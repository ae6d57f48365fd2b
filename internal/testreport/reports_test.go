package testreport

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReadReports reads what jest 30, vitest 4, RSpec 3.12, pytest 7.2, node 20 and PHPUnit
// wrote of tests that pass, fail and do not run, and of what fails beside them.
func TestReadReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read func(io.Reader) (Run, error)
		want string
	}{
		"jest.json": {Jest,
			"failed jj.test.js::s bad; passed jj.test.js::s in; skipped jj.test.js::sk, jj.test.js::later"},
		"jest-beside.json": {Jest,
			"failed each.test.js::e in, each.test.js::bad; failed hook hook.test.js; failed load load.test.js; passed each.test.js::ok, hook.test.js::s in, hook.test.js::s in2"},
		"rspec.json": {RSpec,
			"failed ./spec/a_spec.rb::s bad; passed ./spec/a_spec.rb::s in; skipped ./spec/a_spec.rb::s sk"},
		"rspec-load.json": {RSpec, "failed load outside of examples"},
		"rspec-hook.json": {RSpec,
			"failed ./spec/a_spec.rb::s in; failed hook outside of examples; passed ./spec/a_spec.rb::a ok"},
		"vitest.xml": {JUnit,
			"failed v/v.test.mjs::s > bad; passed v/v.test.mjs::s > in; skipped v/v.test.mjs::sk, v/v.test.mjs::later"},
		"vitest-beside.xml": {JUnit,
			"failed v/each.test.mjs::e > in, v/each.test.mjs::bad; failed hook v/hook.test.mjs::s; failed load v/load.test.mjs; passed v/each.test.mjs::ok, v/hook.test.mjs::s > in, v/hook.test.mjs::s > in2, v/retry.test.mjs::flaky, v/retry.test.mjs::f, v/unh.test.mjs::a; skipped v/retry.test.mjs::t"},
		"node.xml": {JUnit, "failed s::bad; passed s::in, top::sub; skipped skip, later"},
		"node-beside.xml": {JUnit,
			"failed bad; failed hook e::in; failed load load.test.mjs; passed s::in; skipped todo"},
		"pytest-beside.xml": {JUnit,
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
func inWords(tests Run) string {
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

// TestJUnitOfAnyWriter: a report may be in another encoding, and other XML is none.
func TestJUnitOfAnyWriter(t *testing.T) {
	const latin1 = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<testsuite><testcase classname=\"a.B\" name=\"gr\xf6\xdfer\"/></testsuite>"
	if got, err := JUnit(strings.NewReader(latin1)); err != nil || inWords(got) != "passed a.B::größer" {
		t.Errorf("got %s, %v", inWords(got), err)
	}
	if _, err := JUnit(strings.NewReader(`<checkstyle><file name="a"/></checkstyle>`)); !errors.Is(err, ErrNotJUnit) {
		t.Errorf("a report of checkstyle: %v", err)
	}
	const text = "<testsuite><testcase name=\"a\"/></testsuite>\nmore"
	if got, end, err := JUnitInText(strings.NewReader(text)); err != nil || len(got) != 1 || text[end:] != "\nmore" {
		t.Errorf("got %s up to %d, %v", inWords(got), end, err)
	}
}
