//go:build slow && unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// An ending is how the first part of a run ends.
type ending struct {
	name string
	end  func(l *lab, args ...string)
}

var endings = []ending{
	{"attempts used up", func(l *lab, args ...string) {
		if r := l.booty(append(args, "--max-retries", "1")...); r.code != 3 {
			l.t.Fatalf("the first part: %s", r)
		}
	}},
	{"interrupted while the model thinks", func(l *lab, args ...string) { l.endAt(syscall.SIGINT, "model.request", args...) }},
	{"interrupted while the tests run", func(l *lab, args ...string) { l.endAt(syscall.SIGINT, "edits.applied", args...) }},
	{"killed while the model thinks", func(l *lab, args ...string) { l.endAt(syscall.SIGKILL, "model.request", args...) }},
	{"killed while the tests run", func(l *lab, args ...string) { l.endAt(syscall.SIGKILL, "edits.applied", args...) }},
}

// endAt ends a run with a signal after the first event of a name, while the
// model or the tests of its first attempt are held up.
func (l *lab) endAt(sig syscall.Signal, event string, args ...string) {
	l.t.Helper()
	hold := filepath.Join(l.repo, "..", "hold")
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		l.t.Fatal(err)
	}
	answer, release := l.model.answer, make(chan struct{})
	if event == "model.request" {
		l.model.answers(func(request string) string {
			<-release
			return answer(request)
		})
	}
	h := l.strikeWhen(sig, 0, func(events []string) bool { return len(events) > 0 && events[len(events)-1] == event }, append(args, "--json")...)
	close(release)
	l.model.answers(answer)
	if err := os.Remove(hold); err != nil {
		l.t.Fatal(err)
	}
	if h.code == 0 || h.events[len(h.events)-1] == "attempt.finished" {
		l.t.Fatalf("the first part was not cut short: %v", h.events)
	}
}

// wrongOnce is wrong until its wrong reply is in view.
func wrongOnce(wrong string) func(request string) string {
	return func(request string) string {
		if strings.Contains(request, "echo hullo") {
			return rightReply
		}
		return wrong
	}
}

// heldSuite is suite with tests that can be held up once something was changed.
func heldSuite() map[string]string {
	files := maps.Clone(suite)
	files["run_tests.sh"] = "if grep -q hullo greet.sh; then while [ -e ../hold ]; do sleep 0.05; done; fi\n" + files["run_tests.sh"]
	return files
}

// deed is what the user does between the two parts of a run.
type deed struct {
	name string
	do   func(l *lab)
	// told is what resume says of it.
	told string
	// mine says that something of the user's lies in the tree afterwards that is
	// no state of the run: going back to before the run is refused.
	mine bool
	// fixed says that the checks pass then.
	fixed bool
}

func (l *lab) commit(args ...string) {
	l.t.Helper()
	l.git(append([]string{"commit", "-q", "-m", "mine"}, args...)...)
}

var deeds = []deed{
	{"nothing", func(*lab) {}, "", false, false},
	{"edits the file that booty changed", write(map[string]string{"greet.sh": "# mine\necho hullo\n"}), "greet.sh", true, false},
	{"edits another", write(map[string]string{"crlf.txt": "mine\r\n"}), "crlf.txt", true, false},
	{"deletes a file", func(l *lab) { remove(l, "no_newline.txt") }, "no_newline.txt", true, false},
	{"deletes the file that booty changed", func(l *lab) { remove(l, "greet.sh") }, "greet.sh", true, false},
	{"makes new files", write(map[string]string{"new.txt": "mine\n", "a/b/new\nline.txt": "mine\n"}), "new.txt", true, false},
	{"stages something", func(l *lab) {
		testkit.Write(l.t, l.repo, map[string]string{"staged.txt": "staged\n", "crlf.txt": "staged\n"})
		l.git("add", "staged.txt", "crlf.txt")
		testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "and changed again\n"})
	}, "staged.txt", true, false},
	{"commits all", func(l *lab) { l.git("add", "-A"); l.commit() }, "", true, false},
	{"edits and commits a part", func(l *lab) {
		testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "mine\n"})
		l.commit("crlf.txt")
	}, "changed since", true, false},
	{"goes to another branch", func(l *lab) { l.git("switch", "-q", "-c", "other") }, "on other now", true, false},
	{"commits on another branch", func(l *lab) {
		l.git("switch", "-q", "-c", "other")
		testkit.Write(l.t, l.repo, map[string]string{"crlf.txt": "mine\n"})
		l.commit("crlf.txt")
	}, "on other now", true, false},
	{"makes a file executable", func(l *lab) {
		if err := os.Chmod(filepath.Join(l.repo, "notes.txt"), 0o755); err != nil {
			l.t.Fatal(err)
		}
	}, "notes.txt", true, false},
	{"takes the change back by hand", func(l *lab) { l.git("checkout", "-q", "greet.sh") }, "", false, false},
	{"takes it back with undo", func(l *lab) { l.booty("undo") }, "", false, false},
	{"fixes it by hand", write(map[string]string{"greet.sh": "echo hello # mine\n"}), "greet.sh", true, true},
}

func remove(l *lab, name string) {
	if err := os.Remove(filepath.Join(l.repo, name)); err != nil {
		l.t.Fatal(err)
	}
}

// scene is all that must not get lost: files with modes and bytes, what is
// staged, and where HEAD is.
type scene struct{ files, staged, head, branch string }

func (l *lab) scene() scene {
	l.t.Helper()
	return scene{manifest(l.t, l.repo), l.git("diff", "--cached"), l.git("rev-parse", "HEAD"), l.git("branch", "--show-current")}
}

// others leaves the file that the model changes out of a manifest.
func others(manifest string) string {
	var out []string
	for line := range strings.Lines(manifest) {
		if !strings.Contains(line, " greet.sh ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// TestResumeOfARefineGoesOnFromTheTreeAsItIs: whatever the user did since the
// run ended, however it ended, is there after resume, after undo, and recorded.
func TestResumeOfARefineGoesOnFromTheTreeAsItIs(t *testing.T) {
	t.Parallel()
	var count tally
	t.Cleanup(func() { count.log(t, "refine ended, changed by hand, resumed, undone") })
	for i, e := range endings {
		for k, d := range deeds {
			if !turn(k, i, len(endings)) {
				continue
			}
			t.Run(e.name+", the user "+d.name, func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				l := newLab(t, heldSuite(), wrongOnce("Summary: fix: greet\n\ngreet.sh\n```sh\necho hullo\n```\n"))
				half(l)
				e.end(l, "refine")
				d.do(l)
				found := l.scene()
				theirs := greet(l)
				resumedRefine(t, l, d, found)
				undoneRefine(t, l, d, found, theirs)
			})
		}
	}
}

func resumedRefine(t *testing.T, l *lab, d deed, found scene) {
	t.Helper()
	r := l.booty("resume", "--max-retries", "3")
	want := 0
	if d.fixed {
		want = 4
	}
	if r.code != want {
		t.Errorf("resume: want exit code %d, got %s", want, r)
	}
	after := l.scene()
	if got, want := others(after.files), others(found.files); got != want {
		t.Errorf("resume changed files that no proposal named:\n%s\nwant\n%s\n%s", got, want, r.stderr)
	}
	data, err := os.ReadFile(filepath.Join(l.repo, "greet.sh"))
	if !d.fixed && string(data) != "echo hello\n" {
		t.Errorf("greet.sh is not as proposed: %q, %v\n%s", data, err, r.stderr)
	}
	if d.fixed && after.files != found.files {
		t.Error("resume changed what passed already")
	}
	after.files = found.files
	if after != found {
		t.Errorf("resume left %+v\nwant %+v", after, found)
	}
	if d.mine && !strings.Contains(r.stderr, d.told) {
		t.Errorf("resume did not tell %q: %s", d.told, r.stderr)
	}
}

// greet is the file that the model changes, "" where there is none.
func greet(l *lab) string {
	data, _ := os.ReadFile(filepath.Join(l.repo, "greet.sh"))
	return string(data)
}

// undoneRefine: the file is as before the refine, or as the user had it since; nothing
// else is touched.
func undoneRefine(t *testing.T, l *lab, d deed, found scene, theirs string) {
	t.Helper()
	code := 0
	if d.fixed { // then nothing was brought back
		code = 4
	}
	if r := l.booty("undo"); r.code != code {
		t.Errorf("undo: want exit code %d, got %s", code, r)
	}
	got := l.scene()
	if others(got.files) != others(found.files) {
		t.Errorf("undo changed other files:\n%s\nwant\n%s", got.files, found.files)
	}
	want := "echo bye\n"
	if theirs != "echo hullo\n" {
		want = theirs
	}
	if is := greet(l); is != want && !(d.name == "commits all" && is == "echo hullo\n") {
		t.Errorf("undo left greet.sh at %q, want %q", is, want)
	}
	got.files = found.files
	if got != found {
		t.Errorf("undo left %+v\nwant %+v", got, found)
	}
	if err := l.sound(found.branch); err != nil {
		t.Error(err)
	}
}
