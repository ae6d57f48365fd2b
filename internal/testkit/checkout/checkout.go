// Package checkout makes the place of a work tree for tests of packages that act on one, so that
// each can be tested without those that open a repository. Only tests import it.
package checkout

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
	"github.com/booty-cli/booty/internal/trees"
)

// At is the checkout at dir with a store of its own.
func At(t testing.TB, dir string) snapshot.Place {
	t.Helper()
	gitDir := filepath.Join(dir, ".git")
	client := git.New("git", dir, nil)
	free := client.Env
	client.Env = append(slices.Clone(free), "GIT_DIR="+gitDir, "GIT_COMMON_DIR="+gitDir, "GIT_WORK_TREE="+dir)
	s := store.New(t.TempDir(), gitDir, nil, nil)
	inStore := func() git.Client { return s.Git(client) }
	access := s.For(store.WorkTree{GitDir: gitDir, CommonDir: gitDir, Private: filepath.Join(s.Dir(), "main", "own"),
		Git: inStore, InStore: inStore})
	t.Cleanup(func() {
		if err := access.Close(); err != nil {
			t.Error(err)
		}
	})
	return snapshot.Place{Root: dir, GitDir: gitDir, CommonDir: gitDir, Name: "main", ID: ".", Store: access, Git: client,
		Home: client, Free: free, Now: time.Now, Step: func(string) {}}
}

// Slots are those of the checkout at a place.
func Slots(at snapshot.Place) trees.Slots {
	return trees.In(filepath.Join(at.Store.Dir(), at.Name),
		trees.Dirs{Root: at.Root, GitDir: at.GitDir, CommonDir: at.CommonDir}, at.Store, at.Now)
}

// In is the tree in a slot of the checkout home, and its place.
func In(s *trees.Slot, home snapshot.Place) (*trees.Tree, snapshot.Place) {
	at := home
	at.Root, at.GitDir, at.CommonDir, at.Own = s.Root, s.GitDir, home.Store.Path(), true
	at.Name, at.ID = filepath.Base(s.GitDir), "own/"+home.ID
	at.Store = home.Store.ForTree(s.GitDir, s.Private())
	at.Git.Dir, at.Git.Env = s.Root, append(slices.Clone(home.Free), "GIT_DIR="+at.GitDir,
		"GIT_COMMON_DIR="+at.CommonDir, "GIT_WORK_TREE="+at.Root)
	states := at.Recorder()
	return trees.New(s, at, listing.New(at, listing.OwnFiles{}, states), states), at
}

// Source is the checkout at a place as one whose ignored files a tree gets.
func Source(at snapshot.Place) trees.Source {
	return trees.Source{At: at, Listing: listing.New(at, listing.OwnFiles{}, at.Recorder())}
}

// Beside makes a tree of booty's own beside a checkout, on a branch at a commit, until the test
// ends.
func Beside(t testing.TB, home snapshot.Place, branch, commit string) snapshot.Place {
	t.Helper()
	slots := Slots(home)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(slots.Prepare(t.Context(), home.Git))
	slot, err := slots.Take(t.Context())
	must(err)
	t.Cleanup(func() { _ = slot.Release() })
	tree, at := In(slot, home)
	must(tree.Fill(t.Context(), commit, Source(home), trees.Options{}))
	must(tree.NameBranch(t.Context(), branch))
	return at
}
