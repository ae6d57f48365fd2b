package guard

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/pkg/edit"
)

// A review case is a txtar file. Its comment begins with the promise in a
// sentence, then come lines of these kinds:
//
//	test_edits: deny
//	command: ./run.sh
//	own: path            a file that the model made earlier in the run
//	link: path to        a symbolic link of the checkout
//	delete: path
//	rename: from to
//	kept: path...        which may be applied
//	refused: path kind
//
// Files below before/ are the checkout; those below earlier/ what an attempt before this
// one has made of it; those below after/ are what the proposal would make of it, unnamed
// ones stay.
type reviewCase struct {
	policy Policy
	before map[string]string
	// now is before with what an earlier attempt has changed.
	now     map[string]string
	changes []edit.Change
	// want is what becomes of the proposal: kept and refused lines, sorted.
	want []string
}

func loadCase(t *testing.T, file string) reviewCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment, files := splitArchive(string(text))
	c := reviewCase{before: map[string]string{}, policy: Policy{OwnFiles: map[string]bool{}}}
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.name, "before/"); ok {
			c.before[name] = f.data
		}
	}
	c.now = maps.Clone(c.before)
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.name, "earlier/"); ok {
			_, stood := c.before[name]
			c.now[name], c.policy.OwnFiles[name] = f.data, !stood
		}
	}
	for _, f := range files {
		name, ok := strings.CutPrefix(f.name, "after/")
		if !ok {
			continue
		}
		old, stands := c.now[name]
		if stands {
			c.changes = append(c.changes, edit.Change{Op: edit.Modify, Path: name, Old: []byte(old), New: []byte(f.data), Mode: 0o644})
		} else {
			c.changes = append(c.changes, edit.Change{Op: edit.Create, Path: name, New: []byte(f.data)})
		}
	}
	for _, line := range strings.Split(comment, "\n") {
		word, rest, _ := strings.Cut(line, ": ")
		args := strings.Fields(rest)
		switch word {
		case "test_edits":
			c.policy.TestEdits = rest
		case "command":
			c.policy.Commands = append(c.policy.Commands, rest)
		case "own":
			c.policy.OwnFiles[rest] = true
		case "link":
			c.now[args[0]] = linkTo + args[1]
		case "delete":
			c.changes = append(c.changes, edit.Change{Op: edit.Delete, Path: rest, Old: []byte(c.now[rest]), Mode: 0o644})
		case "rename":
			old := []byte(c.now[args[0]])
			c.changes = append(c.changes, edit.Change{Op: edit.Rename, From: args[0], Path: args[1], Old: old, New: old, Mode: 0o644})
		case "kept":
			for _, p := range args {
				c.want = append(c.want, "kept: "+p)
			}
		case "refused":
			c.want = append(c.want, word+": "+rest)
		}
	}
	c.policy.Base = func(p string) ([]byte, bool) {
		text, stood := c.before[p]
		return []byte(text), stood
	}
	slices.Sort(c.want)
	if len(c.want) == 0 {
		t.Fatalf("%s: expects nothing", file)
	}
	return c
}

type archived struct{ name, data string }

// splitArchive reads the txtar format: a comment, then files after "-- name --".
func splitArchive(text string) (comment string, files []archived) {
	into := &comment
	for _, line := range strings.SplitAfter(text, "\n") {
		if name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- "); ok && strings.HasSuffix(name, " --") {
			files = append(files, archived{name: strings.TrimSuffix(name, " --")})
			into = &files[len(files)-1].data
			continue
		}
		*into += line
	}
	return comment, files
}

// mapTree is a checkout in memory, by path: there are too many cases to write each
// to the disk.
type mapTree map[string]string

// linkTo stands before where a symbolic link of a mapTree leads.
const linkTo = "\x00-> "

func (m mapTree) Kind(p string) (checkout.Kind, error) {
	if text, is := m[p]; is {
		if strings.HasPrefix(text, linkTo) {
			return checkout.Symlink, nil
		}
		return checkout.File, nil
	}
	names, err := m.List(p)
	if len(names) > 0 {
		return checkout.Dir, err
	}
	return checkout.Absent, err
}

func (m mapTree) CaseFold() bool { return false }

func (m mapTree) ReadFile(p string) ([]byte, error) {
	if text, is := m[p]; is && !strings.HasPrefix(text, linkTo) {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("read %s: %w", p, fs.ErrNotExist)
}

func (m mapTree) Link(p string) (string, error) {
	if to, is := strings.CutPrefix(m[p], linkTo); is {
		return to, nil
	}
	return "", fmt.Errorf("follow %s: %w", p, fs.ErrNotExist)
}

func (m mapTree) List(dir string) ([]string, error) {
	var names []string
	for p := range m {
		if dir != "." {
			below, is := strings.CutPrefix(p, dir+"/")
			if !is {
				continue
			}
			p = below
		}
		name, _, _ := strings.Cut(p, "/")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func TestReviewCases(t *testing.T) {
	files, err := filepath.Glob("testdata/review/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := loadCase(t, file)
			g, err := New(c.policy, mapTree(c.now))
			if err != nil {
				t.Fatal(err)
			}
			v, err := g.Review(c.changes)
			if err != nil {
				t.Fatal(err)
			}
			got := told(v)
			for _, r := range v.Refused {
				t.Log(r.Reason)
			}
			if *update && !slices.Equal(got, c.want) {
				rewrite(t, file, got)
			} else if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			checkVerdict(t, g, c.changes, v)
		})
	}
}

var update = flag.Bool("update", false, "write what becomes of the cases into them")

// rewrite puts the lines about what is expected into a case.
func rewrite(t *testing.T, file string, got []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment, _ := splitArchive(string(text))
	var lines []string
	for line := range strings.Lines(comment) {
		if word, _, _ := strings.Cut(line, ": "); word != "kept" && word != "refused" {
			lines = append(lines, line)
		}
	}
	now := strings.Join(lines, "") + strings.Join(got, "\n") + "\n"
	if err := os.WriteFile(file, []byte(now+string(text)[len(comment):]), 0o644); err != nil {
		t.Fatal(err)
	}
}

// told says the result of a proposal, by path.
func told(v Verdict) []string {
	var out []string
	for _, k := range v.Kept {
		out = append(out, "kept: "+k.Path)
	}
	for _, r := range v.Refused {
		out = append(out, "refused: "+r.Path+" "+r.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// checkVerdict holds a verdict to what is true of all: what is kept is kept again
// when it is proposed alone, and no change is lost.
func checkVerdict(t *testing.T, g *Guard, changes []edit.Change, v Verdict) {
	t.Helper()
	if again, err := g.Review(v.Kept); err != nil || len(again.Kept) != len(v.Kept) || len(again.Refused) > 0 {
		t.Errorf("what was kept is not kept again: %q, %v", told(again), err)
	}
	for _, c := range changes {
		kept := slices.ContainsFunc(v.Kept, func(k edit.Change) bool { return k.Path == c.Path && string(k.New) == string(c.New) })
		refused := slices.ContainsFunc(v.Refused, func(r Refusal) bool { return slices.Contains(ends(c), r.Path) && r.Reason != "" })
		if kept == refused {
			t.Errorf("%s: kept %t, refused %t", c.Path, kept, refused)
		}
	}
}
