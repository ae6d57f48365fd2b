package guard

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/pkg/edit"
)

// Flags, not settings of the environment, so that a command tells what was measured.
var (
	clones  = flag.String("clones", "", "local clones whose commits are judged, parted as in PATH")
	commits = flag.Int("commits", 20, "how many commits of each clone")
	skip    = flag.Int("skip", 0, "how many fitting commits to pass over first")
	only    = flag.String("commit", "", "judge the commit alone that begins so")
	hunks   = flag.String("hunks", "", "print hunks that were set aside: all, or odd ones")
)

// TestHonestCommits judges the last commits of local clones as if they were
// proposals on their parents, and prints what was not simply kept, to be read by
// whoever changed a rule:
//
//	go test ./internal/guard -run TestHonestCommits -v -args -clones ~/src/click:~/src/gson
//
// The clones may be bare. Merges are passed over, and commits that touch more than
// six files, links or binary files, or workflows, which are protected. With -hunks
// odd those hunks are printed that lose no line of code: what loses one changes a
// test, and is set aside by right.
func TestHonestCommits(t *testing.T) {
	if *clones == "" {
		t.Skip("-clones names no clones")
	}
	var sum tally
	for _, dir := range filepath.SplitList(*clones) {
		one := judgeHistory(t, dir)
		t.Logf("%s: %v", dir, one)
		sum.add(one)
	}
	t.Logf("all: %v", sum)
}

// losesCode tells a hunk by which an old line of code is gone from the file, and
// not merely laid out otherwise.
func losesCode(h event.Hunk, after string) bool {
	plain := func(text string) string {
		return strings.NewReplacer(",", "", ";", "").Replace(strings.Join(strings.Fields(text), ""))
	}
	if plain(h.Old) == plain(h.New) {
		return false
	}
	now := map[string]bool{}
	for line := range strings.Lines(after) {
		now[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(h.Old) {
		line = strings.TrimSpace(line)
		comment := false
		for _, mark := range []string{"//", "#", "*", "/*", "--", "import ", "from ", "use ", "using "} {
			comment = comment || strings.HasPrefix(line, mark)
		}
		if line != "" && !comment && !now[line] {
			return true
		}
	}
	return false
}

// tally counts commits by what became of them.
type tally struct {
	commits, clean, aside, refused int
	slowest                        time.Duration
	slow                           string
}

func (a *tally) add(b tally) {
	a.commits += b.commits
	a.clean += b.clean
	a.aside += b.aside
	a.refused += b.refused
	if b.slowest > a.slowest {
		a.slowest, a.slow = b.slowest, b.slow
	}
}

func (a tally) String() string {
	return fmt.Sprintf("%d commits, %d kept whole, %d with parts set aside, %d with parts refused, slowest %v (%s)",
		a.commits, a.clean, a.aside, a.refused, a.slowest.Round(time.Millisecond), a.slow)
}

func judgeHistory(t *testing.T, dir string) tally {
	git := openHistory(t, dir)
	project := strings.TrimSuffix(strings.TrimSuffix(dir, "/.git"), "/repo")
	project = filepath.Base(project)
	var sum tally
	passed := 0
	list := git.run("rev-list", "--min-parents=1", "--max-parents=1", "--max-count="+strconv.Itoa(8*(*skip+*commits)), "HEAD")
	for _, commit := range strings.Fields(list) {
		if !strings.HasPrefix(commit, *only) {
			continue
		}
		changes, ok := git.changes(commit)
		if !ok {
			continue
		}
		if passed++; passed <= *skip && *only == "" {
			continue
		}
		tree := git.tree(commit + "^")
		g, err := New(Policy{
			MaxFiles: 30, MaxDiffLines: 1500, MaxFileLines: 2000,
			Protected: []string{".github/workflows/**", ".env", ".env.*", "**/secrets.*", "Dockerfile", "docker-compose*.yml"},
			Base: func(p string) ([]byte, bool) {
				data, err := tree.ReadFile(p)
				return data, err == nil
			},
		}, tree)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		v, err := g.Review(changes)
		if err != nil {
			t.Fatal(err)
		}
		one := tally{commits: 1, slowest: time.Since(begin), slow: commit[:10]}
		for _, r := range v.Refused {
			t.Logf("REFUSED %s %s %s: %s: %s", project, commit[:10], r.Kind, r.Path, r.Reason)
		}
		for _, a := range v.SetAside {
			t.Logf("ASIDE %s %s %s (%d hunks): %s", project, commit[:10], a.Path, len(a.Hunks), a.Reason)
			for _, h := range a.Hunks {
				if *hunks == "all" || *hunks == "odd" && !losesCode(h, string(a.Change.New)) {
					old, new := strings.ReplaceAll(h.Old, "\n", "\n-"), strings.ReplaceAll(h.New, "\n", "\n+")
					t.Logf("@@ %s %s %d\n-%s\n+%s", project, commit[:10], h.Line, old, new)
				}
			}
		}
		switch {
		case len(v.Refused) > 0:
			one.refused = 1
		case len(v.SetAside) > 0:
			one.aside = 1
		default:
			one.clean = 1
		}
		if sum.add(one); sum.commits == *commits {
			break
		}
	}
	return sum
}

// history is a clone, read through one git process.
type history struct {
	t   *testing.T
	dir string
	in  io.Writer
	out *bufio.Reader
}

func openHistory(t *testing.T, dir string) *history {
	cmd := exec.CommandContext(t.Context(), "git", "-C", dir, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	return &history{t: t, dir: dir, in: in, out: bufio.NewReader(out)}
}

func (h *history) command(args ...string) *exec.Cmd {
	return exec.CommandContext(h.t.Context(), "git", append([]string{"-C", h.dir}, args...)...)
}

func (h *history) run(args ...string) string {
	out, err := h.command(args...).Output()
	if err != nil {
		h.t.Fatalf("git %s in %s: %v", strings.Join(args, " "), h.dir, err)
	}
	return string(out)
}

// blob gives an object's bytes, and none for one that a clone lacks.
func (h *history) blob(id string) ([]byte, bool) {
	fmt.Fprintln(h.in, id)
	head, err := h.out.ReadString('\n')
	if err != nil {
		h.t.Fatalf("%s: read %s: %v", h.dir, id, err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, false
	}
	n, _ := strconv.Atoi(fields[2])
	data := make([]byte, n+1)
	if _, err := io.ReadFull(h.out, data); err != nil {
		h.t.Fatal(err)
	}
	return data[:n], true
}

// changes gives what a commit does to files of text, as a reply would.
func (h *history) changes(commit string) (out []edit.Change, ok bool) {
	// A clone may lack its largest files, without which git tells no renames.
	list, err := h.command("diff-tree", "-r", "-z", "-M", "--root", "--no-commit-id", commit).Output()
	if err != nil {
		return nil, false
	}
	raw := strings.Split(string(list), "\x00")
	for i := 0; i+1 < len(raw); i += 2 {
		f := strings.Fields(strings.TrimPrefix(raw[i], ":"))
		from, to := raw[i+1], raw[i+1]
		if f[4][0] == 'R' {
			to = raw[i+2]
			i++
		}
		if strings.HasPrefix(f[0], "16") || strings.HasPrefix(f[1], "16") || strings.HasPrefix(f[0], "12") ||
			strings.HasPrefix(f[1], "12") {
			return nil, false
		}
		c := edit.Change{Path: to, Mode: 0o644}
		have, haveNew := true, true
		if f[4][0] != 'A' {
			c.Old, have = h.blob(f[2])
		}
		if f[4][0] != 'D' {
			c.New, haveNew = h.blob(f[3])
		}
		if !have || !haveNew || strings.HasPrefix(to, ".github/workflows/") {
			return nil, false
		}
		switch f[4][0] {
		case 'A':
			c.Op = edit.Create
		case 'D':
			c.Op = edit.Delete
		case 'R':
			c.Op, c.From = edit.Rename, from
		default:
			c.Op = edit.Modify
		}
		if bytes.IndexByte(c.Old, 0) >= 0 || bytes.IndexByte(c.New, 0) >= 0 {
			return nil, false
		}
		out = append(out, c)
	}
	return out, len(out) > 0 && len(out) <= 6
}

// tree is the checkout of a commit.
func (h *history) tree(commit string) *pastTree {
	p := &pastTree{history: h, blobs: map[string]string{}, dirs: map[string][]string{}}
	for _, line := range strings.Split(h.run("ls-tree", "-r", "-z", commit), "\x00") {
		head, name, is := strings.Cut(line, "\t")
		if !is {
			continue
		}
		p.blobs[name] = head
		for at := name; at != "."; at = path.Dir(at) {
			dir := path.Dir(at)
			if slices.Contains(p.dirs[dir], path.Base(at)) {
				break
			}
			p.dirs[dir] = append(p.dirs[dir], path.Base(at))
		}
	}
	return p
}

type pastTree struct {
	*history
	blobs map[string]string
	dirs  map[string][]string
}

func (p *pastTree) Kind(at string) (checkout.Kind, error) {
	switch head := p.blobs[at]; {
	case strings.HasPrefix(head, "120000"):
		return checkout.Symlink, nil
	case strings.HasPrefix(head, "160000"):
		return checkout.Submodule, nil
	case head != "":
		return checkout.File, nil
	case p.dirs[at] != nil:
		return checkout.Dir, nil
	}
	return checkout.Absent, nil
}

func (p *pastTree) CaseFold() bool { return false }

func (p *pastTree) ReadFile(at string) ([]byte, error) {
	if kind, _ := p.Kind(at); kind != checkout.File {
		return nil, fmt.Errorf("read %s: %w", at, fs.ErrNotExist)
	}
	data, have := p.blob(strings.Fields(p.blobs[at])[2])
	if !have {
		return nil, fmt.Errorf("read %s: %w", at, fs.ErrNotExist)
	}
	return data, nil
}

func (p *pastTree) Link(at string) (string, error) {
	if kind, _ := p.Kind(at); kind == checkout.Symlink {
		if to, have := p.blob(strings.Fields(p.blobs[at])[2]); have {
			return string(to), nil
		}
	}
	return "", fmt.Errorf("follow %s: %w", at, fs.ErrNotExist)
}

func (p *pastTree) List(dir string) ([]string, error) { return p.dirs[dir], nil }
