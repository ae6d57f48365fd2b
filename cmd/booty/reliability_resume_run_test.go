//go:build slow && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

const ownBranch = "booty/greet-with-hello"

// runSuite is heldSuite with settings that git does not know.
func runSuite() map[string]string {
	files := heldSuite()
	delete(files, ".booty.yml")
	return files
}

// runDeed is what the user does between the two parts of a run.
type runDeed struct {
	name  string
	do    func(t *testing.T, l *lab)
	after func(t *testing.T, l *lab, r result)
}

// onBranch does something on the run's own branch and comes back.
func onBranch(do func(l *lab)) func(t *testing.T, l *lab) {
	return func(_ *testing.T, l *lab) {
		if _, err := l.gitTry("switch", "-q", ownBranch); err != nil {
			l.git("switch", "-q", "-c", ownBranch)
			l.git("tag", "made-by-hand")
		}
		do(l)
		l.git("switch", "-q", "main")
	}
}

func commitCRLF(l *lab) {
	testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "mine\r\n"})
	l.commit("crlf.txt")
	l.git("tag", "mine")
}

// stays says that the commit "mine" is on the run's branch, below its own; a branch that
// the user made, where the run had none yet, is left as it is.
func stays(t *testing.T, l *lab, r result) {
	t.Helper()
	if _, err := l.gitTry("rev-parse", "made-by-hand"); err == nil {
		if !strings.Contains(r.stderr, "is not this run's") || l.git("rev-parse", ownBranch) != l.git("rev-parse", "mine") {
			t.Errorf("the user's own branch is at %s: %s", l.git("rev-parse", ownBranch), r)
		}
		return
	}
	if out, err := l.gitTry("merge-base", "--is-ancestor", "mine", ownBranch); err != nil {
		t.Errorf("the user's commit was left behind: %v %s\n%s", err, out, l.git("log", "--oneline", "--graph", "--all"))
	}
	if got := l.git("show", ownBranch+":crlf.txt"); got != "mine\r" {
		t.Errorf("crlf.txt is %q on the branch", got)
	}
}

func lies(path, want string) func(t *testing.T, l *lab, r result) {
	return func(t *testing.T, l *lab, r result) {
		t.Helper()
		if data, err := os.ReadFile(filepath.Join(l.repo, path)); err != nil || string(data) != want {
			t.Errorf("%s is %q in the work tree, %v; want %q\n%s", path, data, err, want, r.stderr)
		}
	}
}

var runDeeds = []runDeed{
	{name: "does nothing", do: func(*testing.T, *lab) {}},
	{name: "commits on the branch", do: onBranch(commitCRLF), after: func(t *testing.T, l *lab, r result) {
		t.Helper()
		if _, err := l.gitTry("rev-parse", "made-by-hand"); err != nil && !strings.Contains(r.stderr, "commits made since") {
			t.Errorf("resume did not name the commits made since: %s", r.stderr)
		}
		stays(t, l, r)
	}},
	{name: "amends the run's commit", do: func(_ *testing.T, l *lab) {
		if _, err := l.gitTry("rev-parse", ownBranch); err != nil {
			return
		}
		l.git("switch", "-q", ownBranch)
		testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "mine\r\n"})
		l.git("commit", "-q", "--amend", "-m", "mine", "crlf.txt")
		l.git("tag", "mine")
		l.git("switch", "-q", "main")
	}, after: func(t *testing.T, l *lab, r result) {
		if _, err := l.gitTry("rev-parse", "mine"); err == nil {
			stays(t, l, r)
		}
	}},
	{name: "edits the settings, which git does not know", do: func(_ *testing.T, l *lab) {
		testkit.Write(l.t, l.repo, map[string]string{".booty.yml": "test_command: sh run_tests.sh # mine\n"})
	}, after: lies(".booty.yml", "test_command: sh run_tests.sh # mine\n")},
	{name: "goes elsewhere", do: func(_ *testing.T, l *lab) { l.git("switch", "-q", "-c", "elsewhere") }},
	{name: "commits on main", do: func(_ *testing.T, l *lab) { commitCRLF(l) }},
	{name: "leaves main dirty", do: func(_ *testing.T, l *lab) {
		testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "mine\r\n"})
	}, after: lies("crlf.txt", "mine\r\n")},
}

// TestResumeOfARunGoesOnFromItsBranch: commits made there since stay, and what
// was changed there is neither lost nor brought to where it does not belong.
func TestResumeOfARunGoesOnFromItsBranch(t *testing.T) {
	t.Parallel()
	var count tally
	t.Cleanup(func() { count.log(t, "run ended, changed by hand, resumed") })
	for k, d := range runDeeds {
		for i, e := range endings {
			if !turn(k, i, len(endings)) {
				continue
			}
			t.Run(e.name+", the user "+d.name, func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				l := newLab(t, runSuite(), wrongOnce(wrongReply))
				testkit.Write(t, l.repo, map[string]string{".booty.yml": "test_command: sh run_tests.sh\n"})
				e.end(l, "run", "--task", "greet with hello")
				d.do(t, l)
				resumedRun(t, l, d)
			})
		}
	}
}

func resumedRun(t *testing.T, l *lab, d runDeed) {
	t.Helper()
	found := l.scene()
	r := l.booty("resume", "--max-retries", "3")
	if r.code != 0 {
		t.Fatalf("resume: %s", r)
	}
	if d.after != nil {
		d.after(t, l, r)
	}
	if now := l.scene(); now != found {
		t.Errorf("resume left %+v\nwant %+v", now, found)
	}
	branch := ownBranch
	if _, err := l.gitTry("rev-parse", "made-by-hand"); err == nil {
		branch += "-2"
	}
	if got := l.git("show", branch+":greet.sh"); !strings.HasPrefix(got, "echo hello") {
		t.Errorf("greet.sh is %q on the branch", got)
	}
	if r := l.booty("undo"); r.code != 4 {
		t.Errorf("undo: %s", r)
	}
	if err := l.sound(l.git("branch", "--show-current")); err != nil {
		t.Error(err)
	}
}

// TestAStoredReplyIsUsedOnAnUnchangedTreeOnly: what was paid for is used again
// where nothing was changed, and not where something was.
func TestAStoredReplyIsUsedOnAnUnchangedTreeOnly(t *testing.T) {
	t.Parallel()
	for _, changed := range []bool{false, true} {
		l := newLab(t, heldSuite(), wrongOnce("Summary: fix: greet\n\ngreet.sh\n```sh\necho hullo\n```\n"))
		half(l)
		l.endAt(syscall.SIGKILL, "edits.applied", "refine")
		want, attempts := 2, `"attempts":2,`
		if changed { // the reply was made for another tree
			testkit.Write(t, l.repo, map[string]string{"crlf.txt": "mine\r\n"})
			want = 3
		}
		if r := l.booty("resume", "--json"); r.code != 0 || l.model.count() != want || !strings.Contains(r.stdout, attempts) {
			t.Errorf("changed %t: got %d requests, want %d and %s; %s", changed, l.model.count(), want, attempts, r)
		}
	}
}
