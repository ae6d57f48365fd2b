package distill

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestValuesOfEachCase compares what is told of each failing test but its name: its kind,
// its message, and what was expected and what was there. testdata/values.golden has been
// read line by line: each value is right or empty, and no message is a banner.
func TestValuesOfEachCase(t *testing.T) {
	var got bytes.Buffer
	for _, dir := range loadCases(t, "testdata") {
		m := loadTruth(t, dir)
		r := readWith(t, dir, m.ExitCode)
		told := map[string]bool{}
		for _, x := range r.Failures {
			if x.Test == "" {
				continue
			}
			line := fmt.Sprintf("%s %s: %q", filepath.ToSlash(strings.TrimPrefix(dir, "testdata"+string(filepath.Separator))),
				x.Kind, firstOf(x.Message))
			if x.Expected != "" || x.Actual != "" {
				line += fmt.Sprintf(" want %q got %q", x.Expected, x.Actual)
			}
			if !told[line] {
				fmt.Fprintln(&got, line)
			}
			told[line] = true
		}
	}
	golden := filepath.Join("testdata", "values.golden")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	is, was := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(is), len(was)) {
		if i >= len(is) || i >= len(was) || is[i] != was[i] {
			t.Fatalf("line %d is not that of %s: read the change, then go test ./pkg/distill -run ValuesOfEachCase -update\n%s", i+1, golden, strings.Join(is[min(i, len(is)):min(i+1, len(is))], ""))
		}
	}
}

func firstOf(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// TestPairsOfValuesAreSeen has an example of each form that tells both values, and of lines
// that only look so.
func TestPairsOfValuesAreSeen(t *testing.T) {
	for s, told := range map[string]bool{
		"AssertionError: expected:<8> but was:<7>": true, "sum ==> expected: <8> but was: <7>": true,
		"assert 7 == 8": true, "AssertionError: 7 != 8": true, `a ("7") is not equal to ("8")`: true,
		"values: CHECK( 7 == 8 )": true, "total = 7, want 8": true, "got 7, want 8": true,
		"AssertionError: expected 7 to be 8 // Object.is equality": true, "Error: Expected 7 to be 8.": true,
		"expected: 8, actual: 7": true, "expected 8, but got 7": true, "expected: 8 but got: 7": true,
		"Expected values to be strictly equal:": false, "SyntaxError: expected ':'": false,
		"assert {'a': ...'7'} == {'a': ...'8'}": false, "expected [Function] to throw an error": false,
		"Expected objects to be equal.": false, "Expected exception but nothing was raised": false,
		"actual: 7": false, "expected 7 to be truthy": false,
	} {
		out := "--- FAIL: TestTill (0.00s)\n    till_test.go:7: " + s + "\nFAIL\nFAIL\tshop/till\t0.1s\n"
		r, err := Read(context.Background(), strings.NewReader(out), Options{Dir: t.TempDir()})
		if err != nil || len(r.Failures) != 1 {
			t.Fatal(r, err)
		}
		x := r.Failures[0]
		if told && (x.Expected != "8" || x.Actual != "7") || !told && x.Expected+x.Actual != "" {
			t.Errorf("%q: expected %q, actual %q", s, x.Expected, x.Actual)
		}
	}
}
