package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestReadersSeeOneWholeContent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	old, other := strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<16)
	if err := Write(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for _, text := range []string{old, other} { // two at once in one folder
		writers.Go(func() {
			for range 50 {
				if err := Write(file, []byte(text), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if got, err := os.ReadFile(file); err != nil || string(got) != old && string(got) != other {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	writers.Wait()
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWriteReplacesWhatIsThere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits or links")
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := Write(target, []byte("kept"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(link); err != nil || string(got) != "kept" {
		t.Errorf("through the link: %q, %v", got, err)
	}
	if err := Write(link, []byte("new"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "kept" {
		t.Errorf("the link was followed: %q", got)
	}
	for file, want := range map[string]os.FileMode{target: 0o640, link: 0o755} {
		if st, err := os.Lstat(file); err != nil || st.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", file, st.Mode(), err, want)
		}
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "taken", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "taken"), []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if err := WriteFresh(filepath.Join(dir, "no", "folder"), nil, 0o666); err == nil {
		t.Error("a folder was made")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestIsTemp(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		filepath.Base(tempName("/x/y")): true, ".booty-12.tmp": true, ".booty.yml": false, "booty-1.tmp": false,
	} {
		if IsTemp(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
