package guard

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// A review case is a txtar file. Its comment begins with the promise in a
// sentence, then come lines of these kinds:
//
//	test_edits: deny
//	command: ./run.sh
//	own: path            a file that the model made earlier in the run
//	delete: path
//	rename: from to
//	kept: path...
//	refused: path kind
//
// Files below before/ are the checkout; those below after/ are what the proposal
// would make of it, unnamed ones stay.
type reviewCase struct {
	policy  Policy
	before  map[string]string
	changes []edit.Change
	kept    []string
	refused []string
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
	for _, f := range files {
		name, ok := strings.CutPrefix(f.name, "after/")
		if !ok {
			continue
		}
		old, stood := c.before[name]
		if stood {
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
		case "delete":
			c.changes = append(c.changes, edit.Change{Op: edit.Delete, Path: rest, Old: []byte(c.before[rest]), Mode: 0o644})
		case "rename":
			old := []byte(c.before[args[0]])
			c.changes = append(c.changes, edit.Change{Op: edit.Rename, From: args[0], Path: args[1], Old: old, New: old, Mode: 0o644})
		case "kept":
			c.kept = append(c.kept, args...)
		case "refused":
			c.refused = append(c.refused, rest)
		}
	}
	c.policy.Base = func(p string) ([]byte, bool) {
		text, stood := c.before[p]
		return []byte(text), stood
	}
	if len(c.kept)+len(c.refused) == 0 {
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

func (m mapTree) Kind(p string) (Kind, error) {
	if _, is := m[p]; is {
		return File, nil
	}
	names, err := m.List(p)
	if len(names) > 0 {
		return Dir, err
	}
	return Absent, err
}

func (m mapTree) CaseFold() bool { return false }

func (m mapTree) ReadFile(p string) ([]byte, error) {
	if text, is := m[p]; is {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("read %s: %w", p, fs.ErrNotExist)
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
			g, err := New(c.policy, mapTree(c.before))
			if err != nil {
				t.Fatal(err)
			}
			kept, refused, err := g.Review(c.changes)
			if err != nil {
				t.Fatal(err)
			}
			var gotKept, gotRefused []string
			for _, k := range kept {
				gotKept = append(gotKept, k.Path)
			}
			for _, r := range refused {
				gotRefused = append(gotRefused, r.Path+" "+r.Kind)
				t.Log(r.Reason)
			}
			slices.Sort(gotKept)
			slices.Sort(gotRefused)
			slices.Sort(c.kept)
			slices.Sort(c.refused)
			if !slices.Equal(gotKept, c.kept) || !slices.Equal(gotRefused, c.refused) {
				t.Errorf("got kept %q and refused %q, want %q and %q", gotKept, gotRefused, c.kept, c.refused)
			}
		})
	}
}
