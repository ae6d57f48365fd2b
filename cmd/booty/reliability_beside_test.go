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

// TestUserEditsDuringARun: whatever the user does while the model thinks and while
// the tests run, the repository is what the user made of it, and booty's branch.
func TestUserEditsDuringARun(t *testing.T) {
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

// TestUserEditsDuringARefine: the same while a refine works. Afterwards the files are as the
// user made them, with what the refine changed; where both changed the same lines, the user's.
func TestUserEditsDuringARefine(t *testing.T) {
	t.Parallel()
	for name, script := range whatUsersDo {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := failing(map[string]string{"notes.txt": "notes\n", "other.txt": "other\n"})
			var l *lab
			l = newLab(t, files, func(request string) string {
				l.shell(script)
				return refineReplies(request)
			})
			l.shell("echo uncommitted >>notes.txt")
			r := l.booty("refine")
			conflict := name == "saves the file"
			if r.code != map[bool]int{false: 0, true: 3}[conflict] {
				t.Fatalf("%s", r)
			}
			twin := newLab(t, files, nil)
			twin.shell("echo uncommitted >>notes.txt")
			for range l.model.count() {
				twin.shell(script)
			}
			if !conflict {
				twin.shell("echo echo hello >greet.sh")
			}
			if got, want := sameButTimes(l.all()), sameButTimes(twin.all()); got != want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, want, r)
			}
			if err := l.sound(strings.TrimPrefix(l.git("rev-parse", "--symbolic-full-name", "HEAD"), "refs/heads/")); err != nil {
				t.Error(err)
			}
		})
	}
}

// hostile is what a check may do: it deletes, writes, renames, fills, plants and leaves
// processes, in the tree and wherever it can reach the checkout.
const hostile = `
for d in . "$(git rev-parse --show-toplevel)" CHECKOUT; do
	rm -rf $d/notes.txt $d/untracked.txt $d/ignored.log $d/folder
	echo planted >$d/planted.txt
	echo more >>$d/crlf.txt
	mv $d/no_newline.txt $d/moved.txt
	rm -f $d/staged.txt && ln -s /etc/passwd $d/staged.txt
	printf '[core]\n\tfsmonitor = "touch RAN"\n' >>$d/.git/config
	printf '#!/bin/sh\ntouch RAN\n' >$d/.git/hooks/post-checkout
	rm -f $d/.git/index $d/.git/refs/heads/main
	git -C $d update-ref -d refs/heads/main
	git -C $d switch -q -c evil
	chmod -R a-w $d/tests
done >/dev/null 2>&1
(sleep 60 &) >/dev/null 2>&1
setsid sleep 60 >/dev/null 2>&1 &
head -c 3000000 /dev/zero >fill.bin
truncate -s 1T holes.bin
mkfifo pipe
`

// TestHostileChecksLeaveTheCheckoutAlone: whichever command runs them.
func TestHostileChecksLeaveTheCheckoutAlone(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"run": runArgs, "refine": {"refine"}, "check": {"check"}, "check --staged": {"check", "--staged"},
		"prove": {"prove", "side"}, "prove uncommitted": {"prove"}, "init": {"init", "--force"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, failing(map[string]string{"crlf.txt": "a\r\n", "no_newline.txt": "no"}), refineReplies)
			script := strings.NewReplacer("CHECKOUT", l.repo, "RAN", l.outside()).Replace(hostile) + suite["run_tests.sh"]
			testkit.Write(t, l.repo, map[string]string{
				"run_tests.sh": script, "notes.txt": "notes\n", "folder/file.txt": "file\n", ".gitignore": "*.log\n",
				"Makefile": "test:\n\tsh run_tests.sh\n",
			})
			l.git("add", "-A")
			l.git("commit", "-q", "-m", "hostile")
			l.git("switch", "-q", "-c", "side")
			testkit.Write(t, l.repo, map[string]string{"greet.sh": "echo hello\n"})
			l.git("commit", "-q", "-am", "side")
			l.git("switch", "-q", "main")
			testkit.Write(t, l.repo, map[string]string{
				"notes.txt": "changed\n", "untracked.txt": "mine\n", "ignored.log": "mine\n", "staged.txt": "staged\n",
			})
			l.git("add", "staged.txt")
			settings, hooks := read(t, filepath.Join(l.repo, ".git", "config")), l.hooks()
			before := l.all()
			r := l.booty(args...)
			want := before
			if name == "refine" {
				twin := read(t, filepath.Join(l.repo, "greet.sh"))
				if r.code != 0 || twin != "echo hello\n" {
					t.Errorf("%s", r)
				}
				testkit.Write(t, l.repo, map[string]string{"greet.sh": "echo bye\n"})
			}
			if name == "init" {
				testkit.Write(t, l.repo, map[string]string{".booty.yml": "test_command: sh run_tests.sh\n"})
			}
			if got := l.all(); got != want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, want, r)
			}
			if read(t, filepath.Join(l.repo, ".git", "config")) != settings || l.hooks() != hooks {
				t.Errorf("the git directory was written to\n%s", r)
			}
			if _, err := os.Stat(l.outside()); err == nil {
				t.Errorf("what was planted ran\n%s", r)
			}
			if err := l.sound("main"); err != nil {
				t.Errorf("%v\n%s", err, r)
			}
		})
	}
}

// hooks lists the hooks of the repository.
func (l *lab) hooks() string {
	found, _ := filepath.Glob(filepath.Join(l.repo, ".git", "hooks", "*"))
	return strings.Join(found, "\n")
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
