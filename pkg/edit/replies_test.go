package edit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// reply is one file of testdata/replies: a comment that says the promise, the
// tree before (before/…), the reply, and what is expected: the files that
// differ afterwards (after/…), those that are gone (gone, a path a line), parts
// of the problems in their order (problems), the summary, and truncated. In
// testdata/models a word that the refusal has to say (refused), and why one
// does not come out as it should (stays).
type replyCase struct {
	title          string
	before, after  map[string]string
	reply, summary string
	gone, problems []string
	truncated      bool

	refused, stays string
	at             int    // the line of the file at which a block stands
	form           string // how its lines are numbered
}

func loadReplies(tb testing.TB) map[string]replyCase {
	tb.Helper()
	return loadCases(tb, filepath.Join("testdata", "replies"))
}

// loadCases reads the cases of a folder.
func loadCases(tb testing.TB, dir string) map[string]replyCase {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) < 120 {
		tb.Fatalf("found %d replies in %s, want at least 120 (%v)", len(names), dir, err)
	}
	out := make(map[string]replyCase)
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		c := replyCase{title: strings.TrimSpace(string(a.Comment)), before: map[string]string{}, after: map[string]string{}}
		for _, f := range a.Files {
			data := string(f.Data)
			switch dir, rest, _ := strings.Cut(f.Name, "/"); {
			case dir == "before":
				c.before[rest] = data
			case dir == "after":
				c.after[rest] = data
			case f.Name == "reply":
				c.reply = data
			case f.Name == "summary":
				c.summary = strings.TrimSpace(data)
			case f.Name == "gone":
				c.gone = strings.FieldsFunc(data, func(r rune) bool { return r == '\n' })
			case f.Name == "refused":
				c.refused = strings.TrimSpace(data)
			case f.Name == "stays":
				c.stays = strings.TrimSpace(data)
			case f.Name == "problems":
				c.problems = strings.Split(strings.TrimSpace(data), "\n")
			case f.Name == "truncated":
				c.truncated = true
			default:
				tb.Fatalf("%s: unknown section %s", name, f.Name)
			}
		}
		out[strings.TrimSuffix(filepath.Base(name), ".txtar")] = c
	}
	return out
}

func TestReplies(t *testing.T) {
	t.Parallel()
	for name, c := range loadReplies(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.title == "" {
				t.Error("the case does not say what it promises")
			}
			for _, eol := range []string{"\n", "\r\n"} {
				checkReply(t, c, strings.ReplaceAll(c.reply, "\n", eol))
			}
		})
	}
}

func checkReply(t *testing.T, c replyCase, text string) {
	t.Helper()
	root := t.TempDir()
	writeTree(t, root, c.before)
	r := edit.Parse(edit.DirFS(root), text)
	if r.Truncated != c.truncated {
		t.Errorf("truncated: got %v, want %v", r.Truncated, c.truncated)
	}
	if c.summary != "" && r.Summary != c.summary {
		t.Errorf("summary: got %q, want %q", r.Summary, c.summary)
	}
	if c.truncated {
		r.Truncated = false
		if _, ps := edit.Resolve(edit.DirFS(root), edit.Reply{Truncated: true}); len(ps) == 0 {
			t.Error("a truncated reply was resolved without a problem")
		}
		if len(c.problems) == 0 && len(c.after) == 0 {
			return
		}
	}
	changes, problems := edit.Resolve(edit.DirFS(root), r)
	matchProblems(t, problems, c.problems)
	if len(problems) > 0 || t.Failed() {
		return
	}
	if err := applyTo(root, changes); err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for p, s := range c.before {
		want[p] = s
	}
	for p, s := range c.after {
		want[p] = s
	}
	for _, p := range c.gone {
		delete(want, p)
	}
	if d := cmp.Diff(readTree(t, root), want); d != "" {
		t.Errorf("tree after (got, want):\n%s\nedits: %+v", d, r.Edits)
	}
}

func matchProblems(t *testing.T, got []edit.Problem, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("got %d problems, want %d: %q", len(got), len(want), got)
		return
	}
	for i, w := range want {
		if s := got[i].Path + ": " + got[i].Reason; !strings.Contains(s, w) {
			t.Errorf("problem %d: got %q, want it to contain %q", i, s, w)
		}
	}
}

func writeTree(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for p, s := range files {
		name := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree reads all files; an empty directory counts as one, with a slash.
func readTree(t testing.TB, root string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if es, err := os.ReadDir(p); err == nil && len(es) == 0 {
				out[rel+"/"] = ""
			}
			return nil
		}
		data, err := os.ReadFile(p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
