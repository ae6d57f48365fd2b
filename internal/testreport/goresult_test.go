package testreport

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzGoResult compares the readers of the lines of "go test -v" with what they stand for.
func FuzzGoResult(f *testing.F) {
	result := regexp.MustCompile(`^( *)(|[^ ].*[^ ]|[^ ])--- (PASS|FAIL|SKIP): (\S+?)( \([\d.]+s\))?\s*$`)
	pkg := regexp.MustCompile(`^(?:ok  |FAIL)\t(\S+)\t`)
	for _, s := range []string{
		"--- PASS: TestA (0.00s)\n", "--- FAIL: BenchmarkA\n", "--- FAIL: TestA\n", "    --- FAIL: TestA/b (1.50s)\r\n", "text--- SKIP: TestA (0s)", "text --- PASS: TestA (0.00s)",
		"  own words: --- PASS: TestA (0.00s)\n", "  x--- PASS: TestA/(b) (0.00s) ", "--- PASS: Test A (0.00s)", "--- PASS:  (0.00s)", "--- PASS: A (s)",
		"--- PASS: A (0s)x", "--- DONE: A (0s)", "", " ", "--- PASS: --- FAIL: B (0s)", "a\n--- PASS: B (0s)",
		"ok  \texample.com/a\t0.01s\n", "FAIL\texample.com/a [build failed]\n", "FAIL\n", "FAIL\t\t", "ok  \ta", "FAIL\ta\u00a0b\t1s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for i := range max(len(line)-1, 0) { // a line ends once
			if line[i] == '\n' {
				return
			}
		}
		got, name, before := GoResult(line)
		var want, wantName, wantBefore string
		if m := result.FindStringSubmatch(line); m != nil && (m[1] == "" || strings.Contains(m[4], "/")) &&
			(m[5] != "" || strings.HasPrefix(m[4], "Benchmark")) {
			want, wantName, wantBefore = m[3], m[4], m[2]
		}
		if got != want || name != wantName || before != wantBefore {
			t.Errorf("%q: got %q %q %q, want %q %q %q", line, got, name, before, want, wantName, wantBefore)
		}
		wantPkg := ""
		if m := pkg.FindStringSubmatch(line); m != nil {
			wantPkg = m[1]
		}
		if got, ok := EndOfGoPackage(line); got != wantPkg || ok != (wantPkg != "") {
			t.Errorf("%q: got package %q %v, want %q", line, got, ok, wantPkg)
		}
	})
}
