package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
)

// big makes a repository of 30,000 files in 300 directories.
func big(b *testing.B) string {
	b.Helper()
	testkit.Hermetic(b)
	dir := b.TempDir()
	testkit.Git(b, dir, "init", "-q", "-b", "main")
	line := "The quick brown fox jumps over the lazy dog, again and again.\n"
	for i := range 30000 {
		name := filepath.Join(dir, fmt.Sprintf("dir%03d/sub%d/file%05d.txt", i%300, i%7, i))
		if i < 2100 {
			must(b, os.MkdirAll(filepath.Dir(name), 0o755))
		}
		content := fmt.Appendf(nil, "%d\n", i)
		for range 1 + i%100 {
			content = append(content, line...)
		}
		must(b, os.WriteFile(name, content, 0o644))
	}
	testkit.Git(b, dir, "add", "-A")
	testkit.Git(b, dir, "-c", "gc.auto=0", "commit", "-q", "-m", "start")
	testkit.Git(b, dir, "gc", "-q")
	return dir
}

func BenchmarkThirtyThousandFiles(b *testing.B) {
	dir := big(b)
	one := filepath.Join("dir007", "sub0", "file00007.txt")
	var r *Repo
	var first snapshot.Checkpoint
	n := 1000
	snapshot := func(b *testing.B) snapshot.Checkpoint {
		n++
		cp, err := r.States.Snapshot(b.Context(), "bench", n, "state")
		must(b, err)
		return cp
	}
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			r = open(b, dir)
		}
	})
	b.Run("Snapshot, the first", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			must(b, os.RemoveAll(r.at.Store.Private()))
			r = open(b, dir)
			b.StartTimer()
			cp, err := r.States.Snapshot(b.Context(), fmt.Sprintf("first-%d", i), 0, "state")
			must(b, err)
			first = cp
		}
	})
	b.Run("Snapshot of one changed file", func(b *testing.B) {
		for b.Loop() {
			put(b, dir, filepath.ToSlash(one), fmt.Sprintf("changed %d\n", n))
			snapshot(b)
		}
	})
	b.Run("Snapshot of nothing new", func(b *testing.B) {
		for b.Loop() {
			snapshot(b)
		}
	})
	b.Run("Since, nothing", func(b *testing.B) {
		cp := snapshot(b)
		for b.Loop() {
			_, err := r.States.Since(b.Context(), cp)
			must(b, err)
		}
	})
	b.Run("Restore of one file", func(b *testing.B) {
		cp := snapshot(b)
		for b.Loop() {
			put(b, dir, filepath.ToSlash(one), "to be undone\n")
			must(b, r.States.Restore(b.Context(), cp))
		}
	})
	b.Run("Changes between two checkpoints", func(b *testing.B) {
		cp := snapshot(b)
		for b.Loop() {
			_, err := r.Compare.Changes(b.Context(), first.Commit, cp.Commit)
			must(b, err)
		}
	})
	b.Run("Status", func(b *testing.B) {
		for b.Loop() {
			_, err := r.Listing.Status(b.Context())
			must(b, err)
		}
	})
	b.Run("git status, for comparison", func(b *testing.B) {
		for b.Loop() {
			testkit.Git(b, dir, "--no-optional-locks", "status", "--porcelain")
		}
	})
}
