//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// ambush is a lab whose tests do something to the git directory as soon as the
// right code lies there: what it does stands in attack.sh, outside of the
// repository. evil holds what the attacks lead git to; ran is made by every
// program of it, and cannot be made from inside of the sandbox.
type ambush struct {
	*lab
	dir  string // the checkout that booty is started in
	args []string
	evil string
	ran  string
	uid  uint32 // whom booty runs as; 0 is whoever runs the tests
}

// ambushes are the ways to work in which a command meets a git directory.
var ambushes = []struct {
	name   string
	linked bool
	args   []string
}{
	{"in place", false, []string{"refine", "--commit"}},
	{"on a branch", false, []string{"run", "--task", "greet with hello"}},
	{"in a linked work tree", true, []string{"run", "--task", "greet with hello"}},
	{"with --worktree", false, []string{"run", "--worktree", "--task", "greet with hello"}},
}

func newAmbush(t *testing.T, linked bool, args []string) *ambush {
	t.Helper()
	files := map[string]string{
		".booty.yml": "test_command: sh run_tests.sh\n", ".gitignore": "seen\n",
		"run_tests.sh":        "[ \"$(sh greet.sh)\" = hello ] && . \"$LAB/attack.sh\" >&2\n" + suite["run_tests.sh"],
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
		"greet.sh":            "echo bye\n",
	}
	l := newLab(t, files, func(string) string { return rightReply })
	lab := filepath.Dir(l.repo)
	a := &ambush{lab: l, dir: l.repo, args: args, evil: filepath.Join(lab, "evil"), ran: filepath.Join(lab, "outside", "ran")}
	l.extra = append(l.extra, "LAB="+lab, "EVIL="+a.evil)
	out := filepath.Join(lab, "out")
	if err := os.MkdirAll(out, 0o777); err != nil {
		t.Fatal(err)
	}
	// Without it the git directory cannot be written to at all, where the system
	// has mount namespaces: then nothing of this would be tried.
	testkit.Write(t, l.home, map[string]string{".config/booty/config.yml": "sandbox: {write: [.git, " + out + ", " + filepath.Join(l.repo, ".git") + "]}\n"})
	if linked {
		a.dir = filepath.Join(lab, "linked")
		l.git("worktree", "add", "-q", "-b", "side", a.dir)
	}
	a.plantEvil()
	// What is the user's own and not committed.
	testkit.Write(t, a.dir, map[string]string{"seen": ""})
	if a.inPlace() {
		testkit.Write(t, a.dir, map[string]string{"mine.txt": "not committed\n"})
	}
	return a
}

func (a *ambush) inPlace() bool { return a.args[0] == "refine" }

// plantEvil makes a git directory that names programs wherever git looks.
func (a *ambush) plantEvil() {
	a.t.Helper()
	if err := os.MkdirAll(filepath.Dir(a.ran), 0o777); err != nil {
		a.t.Fatal(err)
	}
	a.git("clone", "-q", a.repo, a.evil)
	program := filepath.Join(a.evil, "program")
	script := "#!/bin/sh\necho \"$0 $*\" >> " + a.ran + "\nexit 0\n"
	testkit.Write(a.t, a.evil, map[string]string{"program": script, "poison": poison(program)})
	must := func(err error) {
		if err != nil {
			a.t.Fatal(err)
		}
	}
	must(os.Chmod(program, 0o755))
	for _, hook := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-index-change",
		"reference-transaction", "pre-push", "post-merge", "fsmonitor-watchman"} {
		path := filepath.Join(a.evil, ".git", "hooks", hook)
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		must(os.WriteFile(path, []byte(script), 0o755))
	}
	f, err := os.OpenFile(filepath.Join(a.evil, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	must(err)
	_, err = f.WriteString(poison(program))
	must(err)
	must(f.Close())
	must(os.WriteFile(filepath.Join(a.evil, ".git", "info", "attributes"), []byte("* filter=evil diff=evil merge=evil\n"), 0o644))
}

func poison(program string) string {
	p := fmt.Sprintf("%q", program)
	return "\n[core]\n\tfsmonitor = " + p + "\n\tsshCommand = " + p + "\n\tpager = " + p + "\n\thooksPath = " + filepath.Join(filepath.Dir(program), ".git", "hooks") +
		"\n\teditor = " + p + "\n[filter \"evil\"]\n\tclean = " + p + "\n\tsmudge = " + p + "\n\trequired = true\n[gpg]\n\tprogram = " + p +
		"\n[commit]\n\tgpgsign = true\n[credential]\n\thelper = " + p + "\n[diff]\n\texternal = " + p + "\n[alias]\n\tstatus = \"!" + program + "\"\n"
}

// attack sets what the tests do: $G is the git directory of the work tree, $C
// that of the repository.
func (a *ambush) attack(script string) {
	a.t.Helper()
	head := "ROOT=$(pwd); G=$(git rev-parse --absolute-git-dir); C=$(cd \"$(git rev-parse --git-common-dir)\" && pwd)\n"
	path := filepath.Join(filepath.Dir(a.repo), "attack.sh")
	if err := os.WriteFile(path, []byte(head+script+"\n"), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

// run starts booty in the ambushed checkout.
func (a *ambush) run(args ...string) result {
	a.t.Helper()
	cmd := a.command(args...)
	cmd.Dir = a.dir
	if a.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: a.uid, Gid: a.uid}}
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	end := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer end.Stop()
	_ = cmd.Run()
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// as makes everything another user's, who runs booty from now on.
func (a *ambush) as(uid uint32) {
	a.t.Helper()
	a.uid = uid
	lab := filepath.Dir(a.repo)
	err := filepath.WalkDir(lab, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, int(uid), int(uid)))
	})
	bin, lookErr := exec.LookPath("booty")
	for dir := filepath.Dir(lab); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		err = errors.Join(err, os.Chmod(dir, 0o755))
	}
	for dir := filepath.Dir(bin); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		err = errors.Join(err, os.Chmod(dir, 0o755))
	}
	if err := errors.Join(err, lookErr); err != nil {
		a.t.Fatal(err)
	}
	// The tests' own git looks at it too.
	a.git("config", "--global", "--add", "safe.directory", "*")
}

// state is every file of the checkout and of its git directory that a run has no
// business with.
func (a *ambush) state() string {
	a.t.Helper()
	var b strings.Builder
	b.WriteString(manifest(a.t, a.dir))
	roots := []string{filepath.Join(a.repo, ".git")}
	if a.dir != a.repo {
		roots = append(roots, filepath.Join(a.dir, ".git"))
	}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // what cannot be looked at is not there
			}
			rel, _ := filepath.Rel(root, path)
			if rest, ok := strings.CutPrefix(rel, "worktrees/linked/"); ok {
				rel = rest
			}
			for _, own := range []string{"objects", "logs", "index", "refs/booty", "refs/heads/booty", "ORIG_HEAD", "booty", "FETCH_HEAD", "COMMIT_EDITMSG"} {
				if rel == own || strings.HasPrefix(rel, own+"/") {
					return nil
				}
			}
			info, err := d.Info()
			if err != nil {
				return nil //nolint:nilerr // gone since
			}
			if d.IsDir() && strings.HasPrefix(rel, "refs/") {
				return nil // an empty one says nothing
			}
			fmt.Fprintf(&b, "%s %s", info.Mode(), path)
			if info.Mode().IsRegular() {
				data, _ := os.ReadFile(path)
				fmt.Fprintf(&b, " %q", data)
			}
			b.WriteByte('\n')
			return nil
		})
	}
	return b.String()
}

// held says what an attack came to, nil where all is well: no program ran, no
// path was added to a commit, and undo gives every byte back.
func (a *ambush) held(script string, beyondRepair bool) error {
	a.attack(script)
	head, err := a.gitTry("rev-parse", "HEAD")
	if err != nil {
		return fmt.Errorf("the lab is broken before the attack: %s", head)
	}
	before := a.state()
	r := a.run(a.args...)
	if r.code == 1 || r.code < 0 {
		return fmt.Errorf("booty: %s", r)
	}
	ran := func(when string) error {
		if text, err := os.ReadFile(a.ran); err == nil {
			return fmt.Errorf("%s: ran outside: %s\n%s", when, text, r)
		}
		return nil
	}
	if err := ran("booty"); err != nil {
		return err
	}
	if beyondRepair && (r.code == 8 || r.code == 7) {
		return nil // no git any more: the user's own history is gone
	}
	commits, err := a.gitTry("for-each-ref", "--format=%(objectname)", "refs/heads")
	if err != nil {
		return fmt.Errorf("git cannot read the repository any more: %s\n%s", commits, r)
	}
	for _, c := range strings.Fields(commits) {
		names, err := a.gitTry("diff", "--name-only", head, c)
		if err != nil {
			return fmt.Errorf("commit %s: %w", c, err)
		}
		if names != "" && names != "greet.sh" {
			return fmt.Errorf("commit %s holds %s", c, names)
		}
	}
	u := a.run("undo")
	if u.code != 0 && u.code != 4 { // 4: nothing is to be taken back, which the comparison below shows
		return fmt.Errorf("undo: %s\nafter %s", u, r)
	}
	if err := ran("undo"); err != nil {
		return err
	}
	if after := a.state(); after != before {
		return fmt.Errorf("after undo: %s\nrun: %s", lineDiff(before, after), r)
	}
	if out, err := a.gitTry("-C", a.dir, "status", "--porcelain"); err != nil {
		return fmt.Errorf("git status: %s", out)
	}
	return ran("the user's git")
}

// lineDiff lists the lines that only one of two texts has.
func lineDiff(a, b string) string {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, l := range was {
		if !slices.Contains(is, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			out = append(out, "+ "+l)
		}
	}
	return strings.Join(out, "\n")
}

// knownAttacks are those that once worked.
var knownAttacks = []struct{ name, script string }{
	{"settings", `cat "$EVIL/poison" >> "$C/config"`},
	{"settings of the work tree", `git config extensions.worktreeConfig true; cat "$EVIL/poison" >> "$G/config.worktree"`},
	{"a hook", `cp "$EVIL/program" "$C/hooks/pre-commit"`},
	{"booty's own git directory", `for f in $(find "$C" -path '*booty*' -name config); do cat "$EVIL/poison" >> $f; done`},
	{"another git directory", `mv "$ROOT/.git" "$ROOT/tests/.hidden"; cp -r "$EVIL/.git" "$ROOT/.git"`},
	{"a file .git that leads elsewhere", `mv "$ROOT/.git" "$ROOT/.hidden"; echo "gitdir: $EVIL/.git" > "$ROOT/.git"`},
	{"a link .git", `mv "$ROOT/.git" "$ROOT/.hidden"; ln -s "$EVIL/.git" "$ROOT/.git"`},
	{"commondir", `echo "$EVIL/.git" > "$G/commondir"`},
	{"a merge that never was", `git rev-parse HEAD > "$G/MERGE_HEAD"; echo x > more.txt; git add more.txt`},
	{"a staged file", `echo x > more.txt; git add -f more.txt`},
	{"a replaced object", `git replace -f HEAD $(git -C "$EVIL" commit-tree -m evil HEAD^{tree}) 2>/dev/null; git update-ref refs/replace/$(git rev-parse HEAD) HEAD~0`},
	{"objects from elsewhere", `echo "$EVIL/.git/objects" > "$C/objects/info/alternates"`},
	{"attributes", `echo '* filter=evil' > "$C/info/attributes"; cat "$EVIL/poison" >> "$C/config"`},
	{"a log that is a link", `rm -rf "$G/logs"; ln -s "$EVIL" "$G/logs"`},
	{"an index that is a pipe", `rm -f "$G/index"; mkfifo "$G/index"`},
	{"checkpoints deleted", `rm -rf "$C/refs/booty" "$C/packed-refs"; rm -f mine.txt`},
	{"checkpoints and objects deleted", `for h in $(git rev-list --all --objects --not HEAD | cut -c1-40); do rm -f "$C/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)"; done; rm -rf "$C/refs/booty"; rm -f mine.txt`},
	{"recorded states without their objects", `for h in $(git for-each-ref --format='%(objectname)' refs/booty); do rm -f "$C/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)"; done`},
	{"spoilt objects", `for h in $(git for-each-ref --format='%(objectname)' refs/booty); do o="$C/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)"; rm -f "$o"; cp "$EVIL/program" "$o"; done`},
	{"locks of work trees", `for f in "$C"/booty/worktrees/*.lock; do rm -f "$f"; mkdir "$f"; cp "$EVIL/program" "$f/x"; done`},
	{"a repository inside", `mkdir in; git -C in init -q; git -C in -c user.name=x -c user.email=x commit -q --allow-empty -m x; cat "$EVIL/poison" >> in/.git/config; git add in`},
	{"HEAD", `git symbolic-ref HEAD refs/heads/other`},
	{"sparse checkout", `git config core.sparseCheckout true; mkdir -p "$G/info"; echo /nothing > "$G/info/sparse-checkout"`},
}

// TestGitUnderAttack: what tests do to the git directory makes no program run
// outside, gets into no commit, and is undone.
func TestGitUnderAttack(t *testing.T) {
	t.Parallel()
	for i, place := range ambushes {
		for k, attack := range knownAttacks {
			if !turn(k, i, len(ambushes)) {
				continue
			}
			t.Run(place.name+"/"+attack.name, func(t *testing.T) {
				t.Parallel()
				if err := newAmbush(t, place.linked, place.args).held(attack.script, false); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestGitDirectoryGone: a run whose git directory is taken away, or the history
// that it stands on, says so and starts no git any more.
func TestGitDirectoryGone(t *testing.T) {
	t.Parallel()
	for i, place := range ambushes {
		t.Run(place.name+"/history", func(t *testing.T) {
			t.Parallel()
			a := newAmbush(t, place.linked, place.args)
			a.attack(`for h in $(git rev-parse HEAD HEAD^{tree}); do d="$C/objects/$(echo $h | cut -c1-2)"; rm -rf "$d"; ln -s "$EVIL/.git/objects" "$d"; done`)
			if r := a.run(a.args...); r.code != 7 && r.code != 8 || !strings.Contains(r.stderr, "has destroyed the commit that the run began at") {
				t.Error(r)
			}
		})
		for k, m := range mutations {
			if !turn(k, i, len(ambushes)) {
				continue
			}
			t.Run(place.name+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				err := newAmbush(t, place.linked, place.args).held("f=\"$C\"\n"+m.script, true)
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestFilterUnderAttack: a command cannot change the program of a filter, which
// git runs outside when a commit is made, also where git does not know the file.
func TestFilterUnderAttack(t *testing.T) {
	t.Parallel()
	for _, place := range ambushes[:2] {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/writable %t", place.name, open), func(t *testing.T) {
				t.Parallel()
				a := newAmbush(t, false, place.args)
				if open { // then it is put back, not kept from being written
					testkit.Write(t, a.home, map[string]string{".config/booty/config.yml": "sandbox: {mode: off}\n"})
				}
				testkit.Write(t, a.repo, map[string]string{".git/info/exclude": "tools\n", "tools/clean.sh": "cat\n", ".git/info/attributes": "*.sh filter=mine\n"})
				a.git("config", "filter.mine.clean", "sh tools/clean.sh")
				if err := a.held(`cp "$EVIL/program" tools/clean.sh 2>/dev/null; true`, false); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(filepath.Join(a.repo, "tools", "clean.sh")); err != nil || string(got) != "cat\n" {
					t.Errorf("the filter is now %q, %v", got, err)
				}
			})
		}
	}
}

// mutations are what is done to every path, $f.
var mutations = []struct{ name, script string }{
	{"poisoned", `if [ -f "$f" ]; then case "$f" in *config*) cat "$EVIL/poison" >> "$f";; *) cp "$EVIL/program" "$f";; esac; fi`},
	{"a link", `rm -rf "$f"; ln -s "$EVIL/.git/${f##*/.git/}" "$f"`},
	{"of another kind", `if [ -d "$f" ]; then rm -rf "$f"; echo "gitdir: $EVIL/.git" > "$f"; else rm -f "$f"; mkdir "$f"; cp "$EVIL/program" "$f/x"; fi`},
	{"gone", `rm -rf "$f"`},
	{"a pipe", `rm -rf "$f"; mkfifo "$f"`},
}

// below lists every path below the git directories as a command finds them, as
// patterns: what differs from run to run is a star.
func (a *ambush) below() []string {
	a.t.Helper()
	seen := filepath.Join(filepath.Dir(a.repo), "out", "seen")
	a.attack(`find "$C" "$G" "$ROOT/.git" -path '*/objects/??/*' -prune -o -path '*/booty/worktrees/*/*' -prune -o -print > "$LAB/out/seen"; find "$C/objects" -type f | head -3 >> "$LAB/out/seen"`)
	r := a.run(a.args...)
	text, err := os.ReadFile(seen)
	if err != nil {
		a.t.Fatalf("%v: %s", err, r)
	}
	changing := regexp.MustCompile(`refs/(booty|heads/booty)/[^/]+|worktrees/(w[0-9]+|app[0-9]*)|logs/refs/heads/booty/[^/]+`)
	var list []string
	for _, line := range strings.Fields(string(text)) {
		rel, ok := strings.CutPrefix(line, filepath.Join(a.repo, ".git"))
		base := `"$C"`
		if !ok {
			base, rel = `"$ROOT/.git"`, ""
		}
		rel = changing.ReplaceAllStringFunc(rel, func(s string) string { return s[:strings.LastIndexByte(s, '/')+1] + "*" })
		if p := base + rel; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// TestEveryPathBelowGit: whatever a command does to any one path of a git
// directory, in every way to work, as root and as another user.
func TestEveryPathBelowGit(t *testing.T) {
	t.Parallel()
	step := 144
	if testing.Short() {
		step = 240
	}
	if os.Getenv("BOOTY_EVERY_PATH") != "" { // takes an hour of two processors
		step = 1
	}
	users := []uint32{0}
	if os.Getuid() == 0 {
		users = append(users, 65534)
	}
	var count tally
	t.Cleanup(func() { count.log(t, "paths below .git") })
	n := 0
	for _, place := range ambushes {
		for _, uid := range users {
			scout := newAmbush(t, place.linked, place.args)
			if uid != 0 {
				scout.as(uid)
			}
			for _, path := range scout.below() {
				for _, m := range mutations {
					if n++; n%step != 0 || step > 1 && strings.HasPrefix(path, `"$C"/objects`) {
						continue // history that a command destroys cannot be brought back (docs/SECURITY.md)
					}
					t.Run(fmt.Sprintf("%s/user %d/%s/%s", place.name, uid, strings.ReplaceAll(path, "/", ":"), m.name), func(t *testing.T) {
						t.Parallel()
						a := newAmbush(t, place.linked, place.args)
						if uid != 0 {
							a.as(uid)
						}
						whole := path == `"$C"` || path == `"$ROOT/.git"` || strings.HasPrefix(path, `"$C"/objects`) ||
							path == `"$C"/booty` && slices.Contains(place.args, "--worktree") // the work tree itself lies there
						err := a.held("for f in "+path+"; do\n"+m.script+"\ndone", whole)
						count.add(err == nil)
						if err != nil {
							t.Error(err)
						}
					})
				}
			}
		}
	}
	t.Logf("%d cases in all, every %d. of them was tried", n, step)
}
