package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// Separate work trees come and go beside each other: git gives the name of one that is gone
// to the next, and booty's own files of that must stay.
func TestWorktreesBesideEachOther(t *testing.T) {
	testkit.Hermetic(t)
	repo := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	state := t.TempDir()
	r, err := Open(t.Context(), repo, Options{StateDir: state})
	if err != nil {
		t.Fatal(err)
	}
	cp, err := r.Snapshot(t.Context(), "r", 0, "begin")
	if err != nil {
		t.Fatal(err)
	}
	round := func(ctx context.Context, run string) error {
		w, cleanup, err := r.AddWorktree(ctx, cp.Commit)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(w.Root(), "b.txt"), []byte("b\n"), 0o600); err != nil {
			return err
		}
		for n := range 3 {
			if _, err := w.Snapshot(ctx, run, n, "one more"); err != nil {
				return err
			}
			if _, err := os.Stat(filepath.Join(w.ownDir(), ofFile)); err != nil {
				return fmt.Errorf("the tree's own files: %w", err)
			}
			if err := r.dropOrphans(); err != nil {
				return err
			}
		}
		return cleanup(ctx)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for n := range 6 {
				if err := round(t.Context(), fmt.Sprint("r", k, "-", n)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
