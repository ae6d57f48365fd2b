package edit_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
	"github.com/google/go-cmp/cmp"
)

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
}

func TestApplyWritesThroughALinkInside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"real/f.txt": "old\n"})
	symlink(t, filepath.Join("real", "f.txt"), filepath.Join(root, "link.txt"))
	apply(t, root, "link.txt\n```\nnew\n```\n")
	if link, err := os.Readlink(filepath.Join(root, "link.txt")); err != nil || filepath.ToSlash(link) != "real/f.txt" {
		t.Errorf("the link is gone: %q, %v", link, err)
	}
	if got := readTree(t, root)["real/f.txt"]; got != "new\n" {
		t.Errorf("got %q", got)
	}
}

func TestNothingLeadsOutOfTheRoot(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]struct{ target, at string }{
		"an absolute link to a file":         {"ABS/secret.txt", "x.txt"},
		"a relative link to a file":          {"../out/secret.txt", "x.txt"},
		"a link to a directory":              {"../out", "d"},
		"a link to nothing outside":          {"../out/none.txt", "x.txt"},
		"a link through a link":              {"y", "x.txt"},
		"a link to a directory and up again": {"../out/../out", "d"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			root := filepath.Join(base, "root")
			writeTree(t, base, map[string]string{"out/secret.txt": "secret\n", "root/a.txt": "a\n"})
			target := link.target
			if filepath.Dir(target) == "ABS" {
				target = filepath.Join(base, "out", "secret.txt")
			}
			symlink(t, target, filepath.Join(root, link.at))
			if target == "y" {
				symlink(t, "../out/secret.txt", filepath.Join(root, "y"))
			}
			for _, p := range []string{"x.txt", "d/secret.txt", "d/new.txt"} {
				for _, reply := range []string{p + "\n```\nnew\n```\n", "DELETE " + p + "\n", "RENAME a.txt -> " + p + "\n"} {
					changes, problems := readAndResolve(edit.DirFS(root), reply)
					if len(problems) == 0 {
						_ = applyTo(root, changes)
					}
				}
				// Changes that nobody resolved must not get out either.
				_ = applyTo(root, []edit.Change{{Op: edit.Create, Path: p, New: []byte("x")}})
				_ = applyTo(root, []edit.Change{{Op: edit.Modify, Path: p, Old: []byte("secret\n"), New: []byte("x")}})
			}
			want := map[string]string{"secret.txt": "secret\n"}
			if d := cmp.Diff(readTree(t, filepath.Join(base, "out")), want); d != "" {
				t.Errorf("outside (got, want):\n%s", d)
			}
		})
	}
}

func TestApplyRefusesPathsThatAreNone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, p := range []string{"../x", "/x", ".", "", "a/../../x", "a//b"} {
		if err := applyTo(root, []edit.Change{{Op: edit.Create, Path: p, New: []byte("x")}}); err == nil {
			t.Errorf("%q was written", p)
		}
	}
}

func TestApplyIsAllOrNothing(t *testing.T) {
	t.Parallel()
	before := map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n", "file": "x\n"}
	good := []edit.Change{
		{Op: edit.Modify, Path: "a.txt", Old: []byte("a\n"), New: []byte("A\n")},
		{Op: edit.Create, Path: "n/m/new.txt", New: []byte("new\n")},
		{Op: edit.Rename, From: "b.txt", Path: "r/b2.txt", Old: []byte("b\n"), New: []byte("B\n")},
		{Op: edit.Delete, Path: "c/d.txt", Old: []byte("d\n")},
	}
	for name, bad := range map[string]edit.Change{
		"a file below a file":     {Op: edit.Create, Path: "file/below.txt", New: []byte("x")},
		"a rename below a file":   {Op: edit.Rename, From: "file", Path: "a.txt/x", Old: []byte("x\n"), New: []byte("x\n")},
		"a rename onto a file":    {Op: edit.Rename, From: "file", Path: "a.txt", Old: []byte("x\n"), New: []byte("x\n")},
		"an unknown operation":    {Op: "explode", Path: "file"},
		"a file that is missing":  {Op: edit.Modify, Path: "missing", Old: []byte("x"), New: []byte("y")},
		"a file that has changed": {Op: edit.Modify, Path: "file", Old: []byte("before"), New: []byte("y")},
		"a new file that exists":  {Op: edit.Create, Path: "file", New: []byte("y")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			writeTree(t, root, before)
			if err := applyTo(root, append(append([]edit.Change{}, good...), bad)); err == nil {
				t.Fatal("no error")
			}
			if d := cmp.Diff(readTree(t, root), before); d != "" {
				t.Errorf("tree after a failure (got, want):\n%s", d)
			}
		})
	}
	t.Run("without the bad one all is done", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		writeTree(t, root, before)
		if err := applyTo(root, good); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"a.txt": "A\n", "n/m/new.txt": "new\n", "r/b2.txt": "B\n", "file": "x\n"}
		if d := cmp.Diff(readTree(t, root), want); d != "" {
			t.Errorf("(got, want):\n%s", d)
		}
	})
}

func TestALinkThatWasDeletedIsPutBack(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"real.txt": "x\n", "d/e/f.txt": "f\n"})
	name := filepath.Join(root, "link.txt")
	symlink(t, "real.txt", name)
	gone := []edit.Change{
		{Op: edit.Delete, Path: "link.txt", Old: []byte("x\n")},
		{Op: edit.Delete, Path: "d/e/f.txt", Old: []byte("f\n")},
	}
	err := applyTo(root, append(gone, edit.Change{Op: edit.Create, Path: "real.txt/y", New: []byte("y")}))
	if err == nil {
		t.Fatal("no error")
	}
	if link, err := os.Readlink(name); err != nil || link != "real.txt" {
		t.Errorf("the link is not back: %q, %v", link, err)
	}
	if got := readTree(t, root)["d/e/f.txt"]; got != "f\n" {
		t.Errorf("the file is not back: %q", got)
	}
	if err := applyTo(root, gone); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(readTree(t, root), map[string]string{"real.txt": "x\n"}); d != "" {
		t.Errorf("the link goes, not what it leads to (got, want):\n%s", d)
	}
}

func TestLinksInACircleAreAnError(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	symlink(t, "b", filepath.Join(root, "a"))
	symlink(t, "a", filepath.Join(root, "b"))
	_, problems := readAndResolve(edit.DirFS(root), "a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n")
	if len(problems) == 0 {
		t.Error("no problem")
	}
}

func TestApplyReportsAChangedFile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"a.txt": "user's own\n"})
	err := applyTo(root, []edit.Change{{Op: edit.Modify, Path: "a.txt", Old: []byte("a\n"), New: []byte("b\n")}})
	if !errors.Is(err, edit.ErrChanged) {
		t.Errorf("got %v", err)
	}
}

func TestRenameOfCaseOnly(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"File.go": "package a\n"})
	apply(t, root, "RENAME File.go -> file.go\n\nfile.go\n```go\npackage b\n```\n")
	if d := cmp.Diff(readTree(t, root), map[string]string{"file.go": "package b\n"}); d != "" {
		t.Errorf("(got, want):\n%s", d)
	}
}

func TestApplyFailsInADirectoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not stop this user")
	}
	root := t.TempDir()
	before := map[string]string{"a.txt": "a\n", "d/b.txt": "b\n"}
	writeTree(t, root, before)
	dir := filepath.Join(root, "d")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	err := applyTo(root, []edit.Change{
		{Op: edit.Modify, Path: "a.txt", Old: []byte("a\n"), New: []byte("A\n")},
		{Op: edit.Modify, Path: "d/b.txt", Old: []byte("b\n"), New: []byte("B\n")},
	})
	if err == nil {
		t.Fatal("no error")
	}
	if d := cmp.Diff(readTree(t, root), before); d != "" {
		t.Errorf("(got, want):\n%s", d)
	}
}

func TestFilesInTheWritingAreNamedAsTold(t *testing.T) {
	dir := t.TempDir()
	was, is := []byte(strings.Repeat("old\n", 1<<20)), []byte(strings.Repeat("new\n", 1<<20))
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), was, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	apply := func() {
		err := applyTo(dir, []edit.Change{{Op: edit.Modify, Path: "a.txt", Old: was, New: is}})
		was, is = is, was
		done <- err
	}
	go apply()
	for seen := false; ; {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() == "a.txt" {
				continue
			}
			seen = true
			if ok, err := path.Match(".booty-*.tmp", e.Name()); err != nil || !ok {
				t.Errorf("an unexpected name: %s (%v)", e.Name(), err)
			}
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			if seen {
				return
			}
			go apply()
		default:
		}
	}
}
