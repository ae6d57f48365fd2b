package workspace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

func TestHooksChangeWhatIsNamedAndNothingElse(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	hook(t, dir, "pre-commit", `echo formatted > a.txt; echo more > b.txt; git add a.txt b.txt`)
	hook(t, dir, "prepare-commit-msg", `[ "$2" = message ] && echo "Prepared: yes" >> "$1"`)
	hook(t, dir, "commit-msg", `echo "Change-Id: I1" >> "$1"`)
	ran := filepath.Join(t.TempDir(), "ran")
	hook(t, dir, "post-commit", "touch "+ran)
	put(t, dir, "a.txt", "fixed\n")
	hash, err := commitHere(t, open(t, dir), commit.Options{Message: "fix", Paths: []string{"a.txt"}})
	must(t, err)
	got := testkit.Git(t, dir, "show", "--format=%B", "--name-only", hash) + "\n" + testkit.Git(t, dir, "show", hash+":a.txt")
	if want := "fix\nPrepared: yes\nChange-Id: I1\n\n\na.txt\nformatted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Error("post-commit was not run")
	}
	sound(t, dir)
}

// TestCommitBelievesNoIndex: what commands stage, and a merge that they feign,
// have no part in a commit.
func TestCommitBelievesNoIndex(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	r := open(t, dir)
	put(t, dir, "a.txt", "fixed\n")
	put(t, dir, "evil.txt", "evil\n")
	testkit.Git(t, dir, "add", "-A")
	must(t, os.WriteFile(filepath.Join(dir, ".git", "MERGE_HEAD"), []byte(head+"\n"), 0o644))
	hash, err := commitHere(t, r, commit.Options{Message: "fix", Paths: []string{"a.txt"}})
	must(t, err)
	if got := testkit.Git(t, dir, "show", "--format=%P", "--name-only", hash); got != head+"\n\na.txt" {
		t.Errorf("got parents and names %q", got)
	}
}

// TestGitIsPinned: settings, hooks and a .git that come later start no program.
func TestGitIsPinned(t *testing.T) {
	testkit.Hermetic(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755))
	attacks := map[string]func(t *testing.T, dir string){
		"a monitor": func(t *testing.T, dir string) { testkit.Git(t, dir, "config", "core.fsmonitor", program) },
		"hooks":     func(t *testing.T, dir string) { testkit.Git(t, dir, "config", "core.hooksPath", filepath.Dir(program)) },
		"a signer":  func(t *testing.T, dir string) { testkit.Git(t, dir, "config", "gpg.program", program) },
		"signing":   func(t *testing.T, dir string) { testkit.Git(t, dir, "config", "commit.gpgsign", "true") },
		"another git": func(t *testing.T, dir string) {
			must(t, os.Rename(dir+"/.git", dir+"/.hidden"))
			must(t, exec.Command("git", "init", "-q", dir).Run())
		},
	}
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			head := testkit.Git(t, dir, "rev-parse", "HEAD")
			r := open(t, dir)
			put(t, dir, "a.txt", "fixed\n")
			attack(t, dir)
			if w, done, err := r.AddTree(t.Context(), head, trees.Options{}); err == nil {
				put(t, w.at.Root, "a.txt", "fixed\n")
				_, _ = w.Committer.Commit(t.Context(), commit.Options{Message: "fix", Paths: []string{"a.txt"}}) // it may fail
				_ = done()
			}
			_, _ = r.Listing.Status(t.Context())
			if _, err := os.Stat(ran); err == nil {
				t.Error("a program was run")
			}
		})
	}
}

// TestHooksAreRunByBooty, at the root of the work tree as git runs them, wherever they lie: git
// itself starts none.
func TestHooksAreRunByBooty(t *testing.T) {
	for _, at := range []string{".husky", ".git/hooks"} {
		t.Run(at, func(t *testing.T) {
			testkit.Hermetic(t)
			dir, _ := withRemote(t)
			testkit.Git(t, dir, "config", "core.hooksPath", at)
			for _, name := range []string{"pre-commit", "pre-push"} {
				put(t, dir, at+"/"+name, "#!/bin/sh\necho "+name+" \"$@\" $(cat) in $(pwd -P) $"+githook.Variable+" >> said\n")
				must(t, os.Chmod(filepath.Join(dir, at, name), 0o755))
			}
			r := open(t, dir)
			var ran []string
			_ = r.Confine(func(_ context.Context, cmd *exec.Cmd, write []string) error {
				if filepath.Base(cmd.Path) == "sh" { // else it is a git that may start filters
					ran = append(ran, filepath.Base(cmd.Args[3]))
				}
				return cmd.Run()
			})
			if got := strings.Join(r.Trusted(), " "); at == ".husky" && got != ".husky" {
				t.Errorf("got %s not to be changed, want .husky", got)
			}
			put(t, dir, "a.txt", "fixed\n")
			hash, err := commitHere(t, r, commit.Options{Message: "fix", Paths: []string{"a.txt"}})
			must(t, err)
			must(t, r.Remote.Push(t.Context(), remote.PushOptions{Remote: "origin", Local: hash, Branch: "fix"}))
			if got := strings.Join(ran, " "); got != "pre-commit pre-push" {
				t.Errorf("booty ran %q", got)
			}
			said, err := os.ReadFile(filepath.Join(dir, "said"))
			must(t, err)
			if !strings.Contains(string(said), "pre-push origin ") || strings.Count(string(said), "pre-push") != 1 ||
				!strings.Contains(string(said), hash+" refs/heads/fix "+git.NoObject+" in "+r.Root()+" 1\n") {
				t.Errorf("got %s", said)
			}
		})
	}
}

// TestLargeFilesArePushedWithTheUsersCredentials: the hook of Git LFS, in the sandbox, is told
// that they are.
func TestLargeFilesArePushedWithTheUsersCredentials(t *testing.T) {
	testkit.Hermetic(t)
	dir, _ := withRemote(t)
	bin := t.TempDir()
	script := "#!/bin/sh\n[ -n \"$GIT_LFS_SKIP_PUSH\" ] && { echo skipped >> " + bin + "/said; exit 0; }\necho pushed \"$@\" $(cat) >> " + bin + "/said\n"
	must(t, os.WriteFile(filepath.Join(bin, "git-lfs"), []byte(script), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	hook(t, dir, "pre-push", `git lfs pre-push "$@"`)
	r := open(t, dir)
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	must(t, r.Remote.Push(t.Context(), remote.PushOptions{Remote: "origin", Local: head, Branch: "fix"}))
	said, err := os.ReadFile(filepath.Join(bin, "said"))
	must(t, err)
	if !strings.HasPrefix(string(said), "pushed pre-push origin ") || !strings.HasSuffix(string(said), git.NoObject+"\nskipped\n") {
		t.Errorf("got %s", said)
	}
}
