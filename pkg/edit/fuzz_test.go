package edit_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/booty-cli/booty/pkg/edit"
)

// memory is a file system of texts.
type memory map[string]string

func (m memory) Open(name string) (fs.File, error) { return m.fs().Open(name) }

func (m memory) fs() fstest.MapFS {
	out := make(fstest.MapFS, len(m))
	for p, s := range m {
		out[p] = &fstest.MapFile{Data: []byte(s), Mode: 0o644}
	}
	return out
}

// readAndResolve does both steps.
func readAndResolve(fsys fs.FS, reply string, options ...edit.Option) ([]edit.Change, []edit.Problem) {
	return edit.Resolve(fsys, edit.Parse(fsys, reply, options...))
}

// applyTo writes changes below a directory.
func applyTo(dir string, changes []edit.Change) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return edit.Apply(root, changes)
}

func addReplies(f *testing.F, add func(c replyCase)) {
	f.Helper()
	for _, c := range loadReplies(f) {
		add(c)
	}
	for _, half := range halves {
		for _, c := range loadCases(f, "testdata/models/"+half) {
			add(c)
		}
	}
}

// Parsing never panics, does not depend on the line ends of the transport, and
// makes up no path: each stands in the reply.
func FuzzParse(f *testing.F) {
	addReplies(f, func(c replyCase) { f.Add(c.reply) })
	f.Fuzz(func(t *testing.T, text string) {
		r := edit.Parse(nil, text)
		if len(r.Edits) == 0 && len(r.Problems) == 0 && !r.Truncated {
			t.Error("a reply without an edit has no problem")
		}
		plain := strings.ReplaceAll(text, `\`, "/")
		for _, e := range r.Edits {
			if e.Path == "" {
				t.Errorf("an edit without a path: %+v", e)
			}
			for _, p := range []string{e.Path, e.From} {
				if p != "" && !strings.Contains(plain, p) && !strings.ContainsAny(text, `"\`) {
					t.Errorf("path %q does not stand in the reply", p)
				}
			}
			if strings.Contains(text, "\r") {
				continue
			}
			if e.Op == edit.Write && len(e.Content) > len(text)+1 {
				t.Errorf("%s: more content than the reply has", e.Path)
			}
		}
	})
}

// Changes stay inside the file system, say what was there before, and change
// something; the result does not depend on the order of maps.
func FuzzResolve(f *testing.F) {
	addReplies(f, func(c replyCase) {
		for p, s := range c.before {
			f.Add(c.reply, p, s)
			break
		}
	})
	f.Fuzz(func(t *testing.T, text, name, content string) {
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
			return
		}
		tree := memory{name: content}
		r := edit.Parse(tree, text)
		changes, problems := edit.Resolve(tree, r)
		seen := make(map[string]bool)
		for _, c := range changes {
			if !fs.ValidPath(c.Path) || c.Path != path.Clean(c.Path) || c.Path == "." {
				t.Errorf("path %q", c.Path)
			}
			from := c.Path
			if c.Op == edit.Rename {
				from = c.From
			}
			if c.Op != edit.Create && string(c.Old) != tree[from] {
				t.Errorf("%s %s: old is not what the file holds", c.Op, c.Path)
			}
			if c.Op == edit.Modify && bytes.Equal(c.Old, c.New) {
				t.Errorf("%s is modified but the same", c.Path)
			}
			if c.Op == edit.Modify && c.Path != name {
				t.Errorf("%s is modified but does not exist", c.Path)
			}
			losesNoMore(t, text, r, c)
			key := string(c.Op) + " " + c.Path
			if seen[key] {
				t.Errorf("%s twice", key)
			}
			seen[key] = true
		}
		again, problemsAgain := edit.Resolve(tree, r)
		if fmt.Sprint(changes, problems) != fmt.Sprint(again, problemsAgain) {
			t.Error("a second time gives something else")
		}
	})
}

// losesNoMore checks that an existing file loses no line that the reply does not
// show, unless the reply gives the file completely.
func losesNoMore(t *testing.T, text string, r edit.Reply, c edit.Change) {
	t.Helper()
	whole := slices.ContainsFunc(r.Edits, func(e edit.Edit) bool { return e.Op != edit.Modify })
	if c.Op != edit.Modify || whole || strings.ContainsAny(text, "&\\") || strings.ContainsFunc(text+string(c.Old), func(r rune) bool { return r > 0x7e }) {
		return // escaped or typeset text shows the lines in another way
	}
	left := make(map[string]int)
	for _, l := range strings.Split(string(c.New), "\n") {
		left[strings.TrimSpace(l)]++
	}
	for _, l := range strings.Split(string(c.Old), "\n") {
		l = strings.TrimSpace(l)
		if left[l]--; left[l] < 0 && !strings.Contains(text, l) {
			t.Errorf("%s loses %q, which the reply does not show", c.Path, l)
		}
	}
}

// Bytes outside of the lines that a block finds stay as they are, whatever they are.
func FuzzBlockKeepsTheRest(f *testing.F) {
	f.Add("before\r\n", "after")
	f.Add("\ufeffa\nb\r\n", "\r\n\n")
	f.Add("", "  \t\n x")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "needle") || strings.Contains(before+after, "\x00") || before != "" && !strings.HasSuffix(before, "\n") {
			return
		}
		reply := "f.txt\n<<<<<<< SEARCH\nthe needle\n=======\nanother thing\n>>>>>>> REPLACE\n"
		changes, problems := readAndResolve(memory{"f.txt": before + "the needle\r\n" + after}, reply)
		if len(problems) != 0 || len(changes) != 1 {
			t.Fatalf("got %d changes, problems %q", len(changes), problems)
		}
		if got, want := string(changes[0].New), before+"another thing\r\n"+after; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// What Unified prints, Parse and Resolve read back to the same bytes.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n")
	f.Add("a", "a\n")
	f.Add("a\nb\n", "b")
	f.Add("x\n", "x\ny\n-- z\n")
	f.Add("", "x\n")
	f.Add("-- a\n++ b\n", "-- c\n++ d\n")
	f.Add("a\n", "Heading\n=======\n")
	f.Fuzz(func(t *testing.T, old, now string) {
		if strings.ContainsAny(old+now, "\r\x00") || old == now || strings.TrimSpace(old) == "" || strings.TrimSpace(now) == "" || len(old)+len(now) > 4000 ||
			strings.HasPrefix(old, "\ufeff") || strings.HasPrefix(now, "\ufeff") {
			return
		}
		want := []edit.Change{{Op: edit.Modify, Path: "d/f.md", Old: []byte(old), New: []byte(now), Mode: 0o644}}
		text := edit.Unified(want)
		changes, problems := readAndResolve(memory{"d/f.md": old}, "~~~~~~~~~~~~diff\n"+text+"~~~~~~~~~~~~\n")
		for _, p := range problems {
			if strings.Contains(p.Reason, "ambiguous") || strings.Contains(p.Reason, "no context") || strings.Contains(p.Reason, "conversation") ||
				strings.Contains(p.Reason, "line numbers") || strings.Contains(p.Reason, "begins with") || strings.Contains(p.Reason, "write it plainly") || strings.Contains(p.Reason, "placeholder") || strings.Contains(p.Reason, "not in UTF-8") {
				return // the printed context does not single the place out, or the text is like a slip of a model's
			}
		}
		if len(problems) != 0 || len(changes) != 1 {
			t.Fatalf("got %d changes, problems %q\n%s", len(changes), problems, text)
		}
		if got := string(changes[0].New); got != now {
			t.Errorf("got %q, want %q\n%s", got, now, text)
		}
	})
}
