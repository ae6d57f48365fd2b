package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAGitFolderThatCannotBeWrittenToIsAProblem(t *testing.T) {
	t.Parallel()
	writable, file := t.TempDir(), filepath.Join(t.TempDir(), "refs")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if f := examineGitFolder([]string{writable}); f.State != "ok" {
		t.Errorf("a folder that can be written to: got %+v", f)
	}
	if left, err := os.ReadDir(writable); err != nil || len(left) > 0 {
		t.Errorf("the look left %v behind (%v)", left, err)
	}
	// As root there is no other way to a folder that takes nothing.
	f := examineGitFolder([]string{writable, file})
	if f.State != "problem" || !strings.Contains(f.Text, file+" is not writable") || f.Hint == "" {
		t.Errorf("got %+v, want a problem that names %s and a way out", f, file)
	}
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		return
	}
	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	if f := examineGitFolder([]string{readOnly}); f.State != "problem" {
		t.Errorf("a read-only folder: got %+v, want a problem", f)
	}
}
