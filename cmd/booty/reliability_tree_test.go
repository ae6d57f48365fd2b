//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// failing is a repository whose check fails until greet.sh says hello.
func failing(more map[string]string) map[string]string {
	files := map[string]string{
		".booty.yml":          "test_command: sh run_tests.sh\n",
		"run_tests.sh":        suite["run_tests.sh"],
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
		"greet.sh":            "echo bye\n",
		"notes.txt":           "notes\n",
	}
	for name, content := range more {
		files[name] = content
	}
	return files
}

// TestBranchSwitchedByHand: the user goes elsewhere in the middle of a refine. Its changes
// arrive in the files, and no branch is touched.
func TestBranchSwitchedByHand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		code int
	}{"refine": {[]string{"refine"}, 0}, "refine --commit": {[]string{"refine", "--commit"}, 7}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, failing(nil), nil)
			asked := 0
			l.model.answers(func(string) string {
				if asked++; asked == 2 {
					l.git("switch", "-q", "-c", "other")
					testkit.Write(t, l.repo, map[string]string{"mine.txt": "work of my own\n"})
				}
				if asked == 1 {
					return strings.Replace(rightReply, "hello", "hullo", 1)
				}
				return rightReply
			})
			r := l.booty(c.args...)
			if r.code != c.code {
				t.Errorf("want exit code %d, got %s", c.code, r)
			}
			if c.code != 0 && !strings.Contains(r.stderr, "its changes are in the checkout, not committed") {
				t.Errorf("got %s", r)
			}
			if got := l.git("branch", "--show-current"); got != "other" {
				t.Errorf("the checkout is on %s now\n%s", got, r)
			}
			if got := l.git("status", "--porcelain"); got != " M greet.sh\n?? mine.txt" {
				t.Errorf("got %s, %s", got, r)
			}
			if got := l.git("log", "--format=%s", "--branches"); got != "start" {
				t.Errorf("commits: %s", got)
			}
			if err := l.sound("other"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBytesSurviveEdits: line ends, modes, links and a missing final newline.
func TestBytesSurviveEdits(t *testing.T) {
	t.Parallel()
	l := newLab(t, failing(map[string]string{
		"crlf.txt": "one\r\ntwo\r\nthree\r\n", "end.txt": "first\nlast", "tool.sh": "#!/bin/sh\necho a\n", "bom.txt": "\ufeffone\ntwo\n",
		"sealed.txt": "one\ntwo\n", "latin.txt": "caf\xe9\nbye\n",
	}), func(string) string {
		edit := func(path, old, now string) string {
			return path + "\n```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + now + "\n>>>>>>> REPLACE\n```\n\n"
		}
		return rightReply + edit("crlf.txt", "two", "zwei") + edit("end.txt", "first", "erste") + edit("tool.sh", "echo a", "echo b") +
			edit("bom.txt", "one", "eins") + edit("sealed.txt", "one", "eins") + edit("latin.txt", "bye", "hello")
	})
	for path, mode := range map[string]os.FileMode{"tool.sh": 0o755, "sealed.txt": 0o444} {
		if err := os.Chmod(filepath.Join(l.repo, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("crlf.txt", filepath.Join(l.repo, "link.txt")); err != nil {
		t.Fatal(err)
	}
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "modes")
	before := manifest(t, l.repo)
	if r := l.booty("run", "--task", "greet with hello"); r.code != 0 {
		t.Fatalf("%s", r)
	}
	if manifest(t, l.repo) != before {
		t.Error("the checkout is not as before")
	}
	l.git("switch", "-q", "booty/greet-with-hello")
	for path, want := range map[string]string{
		"crlf.txt": "one\r\nzwei\r\nthree\r\n", "end.txt": "erste\nlast", "tool.sh": "#!/bin/sh\necho b\n",
		"bom.txt": "\ufeffeins\ntwo\n", "sealed.txt": "eins\ntwo\n", "latin.txt": "caf\xe9\nhello\n",
	} {
		if got := read(t, filepath.Join(l.repo, path)); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := l.git("ls-files", "-s", "tool.sh", "link.txt"); !strings.Contains(got, "100755") || !strings.Contains(got, "120000") {
		t.Errorf("modes: %s", got)
	}
}

// TestOddCheckouts: a submodule, a sparse checkout, a linked work tree, a
// detached HEAD and a subdirectory.
func TestOddCheckouts(t *testing.T) {
	quick(t)
	t.Parallel()
	for name, prepare := range map[string]func(l *lab){
		"submodule": func(l *lab) {
			sub := filepath.Join(filepath.Dir(l.repo), "lib")
			testkit.Write(t, sub, map[string]string{"lib.sh": "echo lib\n"})
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "lib"}} {
				l.git(append([]string{"-C", sub}, args...)...)
			}
			l.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "lib")
			l.git("commit", "-q", "-m", "with a submodule")
		},
		"sparse": func(l *lab) {
			testkit.Write(l.t, l.repo, map[string]string{"big/one.txt": "1\n", "big/two.txt": "2\n"})
			l.git("add", "-A")
			l.git("commit", "-q", "-m", "big")
			l.git("sparse-checkout", "set", "--cone", "tests")
		},
		"linked work tree": func(l *lab) {
			dir := filepath.Join(filepath.Dir(l.repo), "linked")
			l.git("worktree", "add", "-q", "-b", "side", dir)
			l.repo = dir
		},
		"detached HEAD": func(l *lab) { l.git("switch", "-q", "--detach") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, failing(nil), func(string) string { return rightReply })
			prepare(l)
			before, head, state := manifest(t, l.repo), l.git("rev-parse", "HEAD"), l.git("status", "--porcelain=v2", "--branch")
			r := l.booty("run", "--task", "greet with hello")
			if r.code != 0 {
				t.Fatalf("%s", r)
			}
			if manifest(t, l.repo) != before || l.git("rev-parse", "HEAD") != head || l.git("status", "--porcelain=v2", "--branch") != state {
				t.Errorf("the checkout is not as before: %s", l.git("status"))
			}
			if got := l.git("diff", "--name-only", head, "booty/greet-with-hello"); got != "greet.sh" {
				t.Errorf("the commit holds %q", got)
			}
			if out, err := l.gitTry("fsck", "--strict", "--no-dangling"); err != nil {
				t.Errorf("git fsck: %s", out)
			}
			if r := l.booty("refine"); r.code != 0 {
				t.Fatalf("refine: %s", r)
			}
			if r := l.booty("undo"); r.code != 0 || manifest(t, l.repo) != before {
				t.Errorf("undo after refine: %s", r)
			}
		})
	}
}

// TestFullDisk runs on a small file system with ever less room left.
func TestFullDisk(t *testing.T) {
	quick(t)
	t.Parallel()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("a small file system can be mounted by root on Linux only")
	}
	var count tally
	t.Cleanup(func() { count.log(t, "disk full") })
	for _, where := range []string{"repository", "records"} {
		for _, free := range []int{0, 8, 40, 100, 200, 400} {
			if !every(free/8, 5) {
				continue
			}
			t.Run(fmt.Sprintf("%s with %d KB left", where, free), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				fullDisk(t, where, free)
			})
		}
	}
}

func fullDisk(t *testing.T, where string, free int) {
	l := newLab(t, failing(nil), func(string) string { return rightReply })
	small := filepath.Join(filepath.Dir(l.repo), "small")
	if err := os.Mkdir(small, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := mountSmall(small); err != nil {
		t.Skipf("no small file system can be mounted: %v", err)
	}
	t.Cleanup(func() { _ = unmount(small) })
	if where == "repository" {
		if out, err := l.gitTry("clone", "-q", l.repo, filepath.Join(small, "app")); err != nil {
			t.Fatal(out)
		}
		l.repo = filepath.Join(small, "app")
	} else {
		l.extra = []string{"XDG_STATE_HOME=" + small}
	}
	before := manifest(t, l.repo)
	filler := filepath.Join(small, "filler")
	fill(t, filler, free)
	r := l.booty("run", "--task", "greet with hello")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if r.code == 1 || strings.Contains(r.stderr, "panic") || r.code != 0 && strings.Count(r.stderr, "booty: error:") != 1 {
		t.Errorf("want one clear line, got %s", r)
	}
	if alive := l.alive(); len(alive) > 0 {
		t.Errorf("left alive: %s", alive)
	}
	if manifest(t, l.repo) != before || l.git("branch", "--show-current") != "main" {
		if u := l.booty("undo"); u.code != 0 {
			t.Errorf("undo: %s\nafter %s", u, r)
		}
	}
	if manifest(t, l.repo) != before {
		t.Errorf("the files are not as before, after %s", r)
	}
	if err := l.sound("main"); err != nil {
		t.Errorf("%v after %s", err, r)
	}
	if again := l.booty("run", "--task", "greet with hello", "--branch", "again"); again.code != 0 {
		t.Errorf("with room again: %s\nafter %s", again, r)
	}
}

// TestResultThatDoesNotFit has a disk fill up while a refine writes its result: nothing else
// begins before that is completed or undone.
func TestResultThatDoesNotFit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("a small file system can be mounted by root on Linux only")
	}
	large := "zz.txt\n```\n" + strings.Repeat("a line of a large file\n", 1200) + "```\n"
	l := newLab(t, failing(nil), func(string) string { return rightReply + "\n" + large })
	small := filepath.Join(filepath.Dir(l.repo), "small")
	if err := os.Mkdir(small, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := mountSmall(small); err != nil {
		t.Skipf("no small file system can be mounted: %v", err)
	}
	t.Cleanup(func() { _ = unmount(small) })
	if out, err := l.gitTry("clone", "-q", l.repo, filepath.Join(small, "app")); err != nil {
		t.Fatal(out)
	}
	l.repo = filepath.Join(small, "app")
	before := manifest(t, l.repo)
	filler := filepath.Join(small, "filler")
	fill(t, filler, 12)
	if r := l.booty("refine"); r.code != 9 || !strings.Contains(r.stderr, "disk") {
		t.Fatalf("want a full disk, got %s", r)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if manifest(t, l.repo) == before {
		t.Fatal("nothing was written: this shows nothing")
	}
	r := l.booty("refine")
	if r.code != 8 || !strings.Contains(r.stderr, "was stopped while it wrote its result to the checkout") ||
		!strings.Contains(r.stderr, "writes the rest, booty undo ") {
		t.Errorf("want a refusal, got %s", r)
	}
	if r := l.booty("undo"); r.code != 0 || manifest(t, l.repo) != before {
		t.Errorf("undo: %s", r)
	}
	if r := l.booty("refine"); r.code != 0 {
		t.Errorf("with room again: %s", r)
	}
}

// fill writes a file until only so many KB are left on its file system.
func fill(t *testing.T, path string, free int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for {
		if _, err := f.Write(block); err != nil {
			break
		}
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(max(info.Size()-int64(free)<<10, 0)); err != nil {
		t.Fatal(err)
	}
}
