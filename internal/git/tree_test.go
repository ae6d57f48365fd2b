package git_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestPairsAreThoseOfGit compares many states, each made from the one before by writing and
// removing files, by files that become directories, and the other way round.
func TestPairsAreThoseOfGit(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "a\n"})
	gitDir := filepath.Join(dir, ".git")
	client := git.New("git", dir, nil)
	st := git.NewObjects(git.Places{GitDir: gitDir, CommonDir: gitDir, Own: t.TempDir(), User: gitDir},
		git.NewReader(func() git.Client { return client }),
		func(string) (string, bool, error) { return "", false, nil })
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "dir/a", "dir/b", "dir/sub/a", "dir.txt", "dir0", "b/c", "é/ü"}
	states := []string{git.EmptyTree}
	for n := range 25 {
		for range 4 {
			path := filepath.Join(dir, filepath.FromSlash(names[r.IntN(len(names))]))
			_ = os.RemoveAll(path)
			if r.IntN(3) == 0 {
				continue
			}
			if parent := filepath.Dir(path); parent != dir {
				if info, err := os.Lstat(parent); err == nil && !info.IsDir() {
					_ = os.Remove(parent)
				}
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n", n), 0o644|os.FileMode(r.IntN(2)*0o111)); err != nil {
				t.Fatal(err)
			}
		}
		testkit.Git(t, dir, "add", "--all")
		states = append(states, strings.TrimSpace(testkit.Git(t, dir, "write-tree")))
	}
	for range 100 {
		a, b := states[r.IntN(len(states))], states[r.IntN(len(states))]
		out, err := client.Run(t.Context(), git.Call{Args: []string{"diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", a, b}})
		if err != nil {
			t.Fatal(err)
		}
		want, err := git.ParseRaw(out)
		if err != nil {
			t.Fatal(err)
		}
		for path, p := range want { // where there is nothing, git names nothing
			if !p.Was.Present() {
				p.Was = git.Entry{}
			}
			if !p.Is.Present() {
				p.Is = git.Entry{}
			}
			want[path] = p
		}
		got, err := st.Pairs(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s..%s (-git +booty):\n%s", a, b, diff)
		}
	}
}
