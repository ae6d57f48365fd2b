//go:build slow && unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// whatUsersDo is what a user does in the checkout while booty works.
var whatUsersDo = map[string]string{
	"saves":            "echo mine >>notes.txt; echo new >draft.txt",
	"saves the file":   "echo '# mine' >>greet.sh",
	"commits":          "echo mine >>notes.txt; git add -A; git commit -qm mine",
	"switches":         "git switch -q -C elsewhere; echo mine >>other.txt; git add -A; git commit -qm mine",
	"stashes":          "echo mine >>notes.txt; git stash push -q; git stash list >/dev/null",
	"rebases":          "git commit -q --allow-empty -m one; git rebase -q --autostash --force-rebase HEAD~1",
	"collects garbage": "git gc -q --prune=now",
	"resets":           "echo mine >>notes.txt; git add -A; git reset -q --hard",
	"cleans":           "echo x >scratch.txt; git clean -qfdx",
}

// all is all of a repository that its user can see: files, what is staged, HEAD,
// branches and stashes, without the branches that booty makes.
func (l *lab) all() string {
	l.t.Helper()
	refs := l.git("for-each-ref", "--format=%(refname) %(objectname)")
	var kept []string
	for _, line := range strings.Split(refs, "\n") {
		if !strings.Contains(line, "refs/heads/booty/") {
			kept = append(kept, line)
		}
	}
	head, _ := l.gitTry("symbolic-ref", "HEAD")
	return manifest(l.t, l.repo) + "\n" + l.git("ls-files", "-s") + "\n" + head + "\n" + strings.Join(kept, "\n")
}

// TestAUserAtWorkBesideARun: whatever the user does while the model thinks and while
// the tests run, the repository is what the user made of it, and booty's branch.
func TestAUserAtWorkBesideARun(t *testing.T) {
	t.Parallel()
	for name, script := range whatUsersDo {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"notes.txt": "notes\n"}
			for path, content := range suite {
				files[path] = content
			}
			var l *lab
			l = newLab(t, files, func(request string) string {
				l.shell(script)
				return wrongThenRight(request)
			})
			before := l.git("rev-parse", "HEAD")
			l.shell("echo uncommitted >>notes.txt")
			r := l.booty(runArgs...)
			if r.code != 0 {
				t.Fatalf("%s", r)
			}
			got := l.all()
			// The same again, without booty, is what is wanted.
			twin := newLab(t, files, nil)
			twin.shell("echo uncommitted >>notes.txt")
			for range l.model.count() {
				twin.shell(script)
			}
			if want := twin.all(); sameButTimes(got) != sameButTimes(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if parent := l.git("rev-parse", "booty/greet-with-hello^"); parent != before {
				t.Errorf("the work begins at %s, want %s", parent, before)
			}
			if text := l.git("show", "booty/greet-with-hello:greet.sh"); text != "echo hello" {
				t.Errorf("the work is %q", text)
			}
			if err := l.sound(strings.TrimPrefix(l.git("rev-parse", "--symbolic-full-name", "HEAD"), "refs/heads/")); err != nil {
				t.Error(err)
			}
			if all := l.git("log", "--all", "--format=%an"); strings.Contains(all, "booty") {
				t.Errorf("booty's own commits are in the log: %s", all)
			}
		})
	}
}

// sameButTimes leaves the names of commits out, which hold the time.
func sameButTimes(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "refs/") {
			line, _, _ = strings.Cut(line, " ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// shell runs a script as the user would.
func (l *lab) shell(script string) {
	l.t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = l.repo
	cmd.Env = append(os.Environ(), testkit.GitEnv(l.home)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		l.t.Errorf("%s: %v: %s", script, err, out)
	}
}

// TestAUserAtWorkDuringARefine: the same in place. What the user saves stays; what booty
// writes is what the last reply says.
func TestAUserAtWorkDuringARefine(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"saves another file": "echo mine >>notes.txt; echo new >draft.txt",
		"commits another":    "echo mine >>notes.txt; git add notes.txt; git commit -qm mine",
		"stages":             "echo mine >>notes.txt; git add notes.txt",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := failing(map[string]string{"notes.txt": "notes\n"})
			var l *lab
			asked := 0
			l = newLab(t, files, func(string) string {
				asked++
				if asked == 1 {
					l.shell(script)
				}
				return rightReply
			})
			if r := l.booty("refine"); r.code != 0 || !strings.Contains(r.stderr, "meanwhile; kept, and shown to the model") {
				t.Fatalf("%s", r)
			}
			for path, want := range map[string]string{"notes.txt": "notes\nmine\n", "greet.sh": "echo hello\n"} {
				if got := read(t, filepath.Join(l.repo, path)); got != want {
					t.Errorf("%s is %q, want %q", path, got, want)
				}
			}
		})
	}
}

// TestARefineDeletesNothingByItsName: a file that looks like one of booty's is not.
func TestARefineDeletesNothingByItsName(t *testing.T) {
	t.Parallel()
	l := newLab(t, failing(nil), func(string) string { return rightReply })
	testkit.Write(t, l.repo, map[string]string{".booty-mine.tmp": "mine\n", ".booty-1.tmp": "mine\n"})
	if r := l.booty("refine"); r.code != 0 {
		t.Fatalf("%s", r)
	}
	for _, name := range []string{".booty-mine.tmp", ".booty-1.tmp"} {
		if got := read(t, filepath.Join(l.repo, name)); got != "mine\n" {
			t.Errorf("%s is %q", name, got)
		}
	}
}
