package snapshot

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/testkit"
)

// written is a repository whose files git has just written anew.
func written(t *testing.T, files map[string]string, settings ...string) string {
	t.Helper()
	dir := testkit.Repo(t, files)
	for i := 0; i+1 < len(settings); i += 2 {
		testkit.Git(t, dir, "config", settings[i], settings[i+1])
	}
	for name := range files {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	must(t, os.Remove(filepath.Join(dir, ".git", "index")))
	testkit.Git(t, dir, "reset", "--quiet", "--hard")
	// Git reads files again that are as new as the index.
	later := time.Now().Add(2 * time.Second)
	must(t, os.Chtimes(filepath.Join(dir, ".git", "index"), later, later))
	return dir
}

// adopt has the shadow take the index over.
func adopt(t *testing.T, r *Recorder) {
	t.Helper()
	entries, err := r.at.Git.IndexEntries(t.Context())
	must(t, err)
	must(t, r.Adopt(t.Context(), entries))
}

// recordedAsOnDisk: a state has the bytes of a file.
func recordedAsOnDisk(t *testing.T, at Place, cp Checkpoint, name string) {
	t.Helper()
	disk, err := os.ReadFile(filepath.Join(at.Root, name))
	must(t, err)
	got, err := at.Store.Git(at.Git).Run(t.Context(), git.Call{Args: []string{"cat-file", "blob", cp.Tree + ":" + name}})
	must(t, err)
	if string(got) != string(disk) {
		t.Errorf("%q is recorded as %q, and is %q on disk", name, got, disk)
	}
}

// TestANewTreeIsNotReadAgain: what git has written as its objects have it is known without a look
// at its bytes; what git converted is read, and a state has the bytes on disk of each.
func TestANewTreeIsNotReadAgain(t *testing.T) {
	testkit.Hermetic(t)
	files := map[string]string{
		".gitattributes": "*.id ident\n*.up filter=up\n*.win eol=crlf\n*.u16 working-tree-encoding=UTF-16LE\n" +
			"*.txt text=auto\n*.bin -text\n*.sh eol=lf\n",
		"plain": "a\n", "x.id": "$Id$\n", "x.up": "up\n", "x.win": "a\nb\n", "x.u16": "a\n", "x.txt": "a\n",
		"x.bin": "a\r\n", "x.sh": "a\n", "a\nb": "odd\n",
	}
	dir := written(t, files, "filter.up.smudge", "tr a-z A-Z", "filter.up.clean", "tr A-Z a-z")
	at := place(t, dir, "git")
	r := at.Recorder()
	adopt(t, r)
	stale, err := r.shadow.stale(t.Context())
	must(t, err)
	want := []string{"x.id", "x.u16", "x.up", "x.win"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(stale))); diff != "" {
		t.Errorf("files that are read again (-want +got):\n%s", diff)
	}
	put(t, dir, "plain", "b\n") // of the same size
	cp, err := r.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	for name := range files {
		recordedAsOnDisk(t, at, cp, name)
	}
}

// TestSettingsHaveANewTreeRead: those that have git write other bytes than its objects have, leave
// files out, not look at files again, or keep the index in two files.
func TestSettingsHaveANewTreeRead(t *testing.T) {
	testkit.Hermetic(t)
	for _, setting := range [][]string{{"core.autocrlf", "true"}, {"core.autocrlf", "2"}, {"core.eol", "CRLF"},
		{"core.sparseCheckout", "true"}, {"core.splitIndex", "true"}, {"core.ignoreStat", "true"}} {
		t.Run(strings.Join(setting, " "), func(t *testing.T) {
			dir := written(t, map[string]string{".gitattributes": "* text=auto\n", "x": "a\nb\n"}, setting...)
			at := place(t, dir, "git")
			at.Settings = []git.Setting{{Key: setting[0], Value: setting[1]}}
			r := at.Recorder()
			adopt(t, r)
			if r.shadow != nil {
				t.Error("the index was adopted")
			}
			cp, err := r.Snapshot(t.Context(), "r1", 0, "before")
			must(t, err)
			recordedAsOnDisk(t, at, cp, "x")
			put(t, dir, "x", "edited, and longer\n")
			cp, err = r.Snapshot(t.Context(), "r1", 1, "after")
			must(t, err)
			recordedAsOnDisk(t, at, cp, "x")
		})
	}
}
