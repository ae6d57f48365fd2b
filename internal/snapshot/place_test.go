package snapshot

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// place is the checkout at dir, with nothing around it; bin is the git program.
func place(t *testing.T, dir, bin string) Place {
	t.Helper()
	gitDir := filepath.Join(dir, ".git")
	client := git.New(bin, dir, nil)
	free := client.Env
	client.Env = append(slices.Clone(free), "GIT_DIR="+gitDir, "GIT_COMMON_DIR="+gitDir, "GIT_WORK_TREE="+dir)
	s := store.New(t.TempDir(), gitDir, nil, nil)
	access := s.For(store.WorkTree{
		GitDir: gitDir, CommonDir: gitDir, Private: filepath.Join(s.Dir(), "main", "own"),
		Git: func() git.Client {
			reading := client
			reading.Env = slices.Concat(client.Env, s.Lend())
			return reading
		},
		InStore: func() git.Client { return s.Git(client) },
	})
	t.Cleanup(func() { must(t, access.Close()) })
	return Place{Root: dir, GitDir: gitDir, CommonDir: gitDir, Name: "main", ID: ".", Store: access, Git: client,
		Home: client, Free: free, Now: time.Now, Step: func(string) {}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(content), 0o644))
}
