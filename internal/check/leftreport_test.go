package check

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestLeftReports: the JUnit XML that a quiet command leaves is counted, what it leaves as
// it was as well, and nothing that somebody else had left before.
func TestLeftReports(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("shell commands")
	}
	dir, beside := t.TempDir(), t.TempDir()
	old := filepath.Join(dir, "old.xml")
	const suite = `<testsuite name="a"><testcase classname="a" name="one"/><testcase classname="a" name="two"/></testsuite>`
	if err := os.WriteFile(old, []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Now().Add(-time.Minute), time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	r := New(Config{Dir: dir, LogDir: t.TempDir(), Beside: []string{beside}, Distill: NewDistiller(dir, dir, nil)})
	for _, c := range []struct {
		command string
		ran     int
		silent  bool
	}{
		{"true", -1, true},
		{"mkdir b; echo '" + suite + "' > b/a.xml; echo '" + suite + "' > " + beside + "/b.xml; echo '<x>' > c.xml; echo '<checkstyle/>' > d.xml", 4, false},
		{"true", 4, true}, // up to date
		{"rm b/a.xml; touch " + beside + "/b.xml", 2, false},
		{"echo '" + `<testsuite><testcase name="x"><failure message="no"/></testcase></testsuite>` + "' > b/a.xml; exit 1", 3, false},
	} {
		v, err := r.Verify(context.Background(), Suite{Tests: []Step{{Name: "test", Command: c.command}}}, VerifyOptions{Full: true})
		if err != nil || v.TestsRan() != c.ran || v.Green && len(v.Silent) > 0 != c.silent {
			t.Errorf("%s: %d ran, silent %q, %v; want %d, silent %t", c.command, v.TestsRan(), v.Silent, err, c.ran, c.silent)
		}
	}
}
