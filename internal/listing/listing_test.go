package listing

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// at is the place of a checkout, as far as it is listed.
func at(dir string) snapshot.Place {
	return snapshot.Place{Root: dir, GitDir: filepath.Join(dir, ".git"), Git: git.New("git", dir, nil)}
}

func TestFilesAreTrackedOrNewAndNotIgnored(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{".gitignore": "out/\n", "a b/ü.py": "1", "gone.py": "1"})
	testkit.Write(t, dir, map[string]string{"out/x.js": "1", "new.py": "1"})
	must(t, os.Remove(filepath.Join(dir, "gone.py")))
	p := at(dir)
	got, err := New(p, OwnFiles{}, p.Recorder()).Files(t.Context())
	must(t, err)
	slices.Sort(got)
	if want := []string{".gitignore", "a b/ü.py", "gone.py", "new.py"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBootysOwnFilesAreNoPartOfTheWork: its state below the checkout is listed nowhere, its output
// is known by what it is, not by its name.
func TestBootysOwnFilesAreNoPartOfTheWork(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.log\n"})
	state := filepath.Join(dir, ".local", "state")
	before := OwnFilesIn(dir, state, nil) // where it will be
	testkit.Write(t, dir, map[string]string{".local/state/db": "x\n", ".local/state/run.log": "x\n", ".local/stateful": "mine\n",
		"out.log": "said\n", "mine.log": "mine\n"})
	output, err := os.Stat(filepath.Join(dir, "out.log"))
	must(t, err)
	own := OwnFilesIn(dir, state, []fs.FileInfo{output})
	for path, want := range map[string]bool{".local/state": true, ".local/state/db": true, ".local/stateful": false, ".local": false,
		"out.log": true, "mine.log": false, "never-was.log": false} {
		if got := own.Has(path); got != want {
			t.Errorf("%s: got %t, want %t", path, got, want)
		}
	}
	if !before.Has(".local/state/db") || !own.IsStateDir(state) || own.IsStateDir(dir) {
		t.Error("the state directory is not known")
	}
	for name, o := range map[string]OwnFiles{"elsewhere": OwnFilesIn(dir, t.TempDir(), nil), "none": {}, "the root": OwnFilesIn(dir, dir, nil)} {
		if !o.None() || o.Has(".local/state/db") {
			t.Errorf("state %s: files of the checkout are taken for booty's", name)
		}
	}

	p := at(dir)
	l := New(p, own, p.Recorder())
	files, err := l.Files(t.Context())
	must(t, err)
	ignored, err := l.Ignored(t.Context())
	must(t, err)
	entries, err := l.Status(t.Context())
	must(t, err)
	var status []string
	for _, e := range entries {
		status = append(status, e.Path)
	}
	slices.Sort(files)
	got := [][]string{files, ignored, status}
	if diff := cmp.Diff([][]string{{".gitignore", ".local/stateful", "a.txt"}, {"mine.log"}, {".local/stateful"}}, got); diff != "" {
		t.Errorf("files, ignored and status (-want +got):\n%s", diff)
	}
}

// TestIgnoredIsWhatACommitDoesNotBringAlong: ignored directories as one, submodules, large files.
func TestIgnoredIsWhatACommitDoesNotBringAlong(t *testing.T) {
	testkit.Hermetic(t)
	inner := testkit.Repo(t, map[string]string{"s.txt": "s\n"})
	dir := testkit.Repo(t, map[string]string{"sub/a.c": "a\n", ".gitignore": "deps/\n*.o\n"})
	testkit.Git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "mod")
	testkit.Write(t, dir, map[string]string{"deps/x": "x\n", "deps/y/z": "z\n", "sub/a.o": "o\n", "big.bin": strings.Repeat("x", 100),
		"small.bin": "x"})
	p := at(dir)
	large := func() []snapshot.Large { return []snapshot.Large{{Path: "big.bin", Size: 100}} }
	l := New(p, OwnFiles{}, p.Recorder())
	l.large = large
	want := []string{"big.bin", "deps", "mod", "sub/a.o"}
	for range 2 { // what was asked for once is not changed by the answer
		got, err := l.Ignored(t.Context())
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
	other := New(at(t.TempDir()), OwnFiles{}, p.Recorder()) // git knows nothing there
	must(t, other.SubmodulesOf(t.Context(), l))
	if got, err := other.Submodules(t.Context()); err != nil || !slices.Equal(got, []string{"mod"}) {
		t.Errorf("taken over: %v, %v", got, err)
	}
}

// TestStagedIsLookedAtAgain once the index has changed, or another commit is asked about.
func TestStagedIsLookedAtAgain(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	p := at(dir)
	l := New(p, OwnFiles{}, p.Recorder())
	paths := func(head string) []string {
		t.Helper()
		raw, err := l.Staged(t.Context(), head)
		must(t, err)
		pairs, err := git.ParseRaw(raw)
		must(t, err)
		list := []string{}
		for path := range pairs {
			list = append(list, path)
		}
		slices.Sort(list)
		return list
	}
	got := [][]string{paths(head)}
	for _, name := range []string{"a.txt", "new.txt"} {
		testkit.Write(t, dir, map[string]string{name: "staged\n"})
		testkit.Git(t, dir, "add", name)
		got = append(got, paths(head), paths(head))
	}
	got = append(got, paths(""))
	want := [][]string{{}, {"a.txt"}, {"a.txt"}, {"a.txt", "new.txt"}, {"a.txt", "new.txt"}, {"a.txt", "b.txt", "new.txt"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
