package retrieval

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A case of testdata/select is a repository. The first line of its comment says
// the promise; the lines after it are settings (suspects, last, wide, include,
// exclude, budget) and expectations:
//
//	within K: paths    each is among the first K
//	order: paths       the choice begins with exactly these
//	shown: paths       each is somewhere
//	not: paths         none is anywhere
//	before: a b        a comes before b
//
// The files .task and .failure are the need; filler "60 go" adds that many
// files that have nothing to do with it.
func TestTaskAndFailureLeadToTheFilesThatMatter(t *testing.T) {
	archives, err := filepath.Glob("testdata/select/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, a := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(a), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(a)
			if err != nil {
				t.Fatal(err)
			}
			selectCase(t, ar)
		})
	}
}

func secretName(p string) bool { return base(p) == ".env" }

func selectCase(t *testing.T, ar *txtar.Archive) {
	n := Need{Budget: 60000}
	o := Options{IsSecret: secretName}
	var expect [][2]string
	_, settings, _ := strings.Cut(string(ar.Comment), "\n")
	for line := range lines(settings) {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("not a setting: %q", line)
		}
		switch key {
		case "suspects":
			n.Suspects = strings.Fields(value)
		case "last":
			n.Last = strings.Fields(value)
		case "wide":
			n.Wide = true
		case "include":
			o.Include = strings.Fields(value)
		case "exclude":
			o.Exclude = strings.Fields(value)
		default:
			expect = append(expect, [2]string{key, value})
		}
	}
	root := t.TempDir()
	for _, f := range ar.Files {
		switch f.Name {
		case ".task":
			n.Task = string(f.Data)
		case ".failure":
			n.Failure = string(f.Data)
		case "filler":
			var many int
			var ext string
			if _, err := fmt.Sscan(string(f.Data), &many, &ext); err != nil {
				t.Fatal(err)
			}
			for k := range many {
				write(t, root, fmt.Sprintf("more/area%d/part%d.%s", k%7, k, ext), filler("."+ext, k))
			}
		default:
			write(t, root, f.Name, string(f.Data))
		}
	}
	files, err := New(root, walk(t, root), o).Choose(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Path)
	}
	for _, e := range expect {
		if problem := unmet(got, e[0], strings.Fields(e[1])); problem != "" {
			t.Errorf("%s: %s: %s\ngot %s", e[0], e[1], problem, strings.Join(got, " "))
		}
	}
}

func unmet(got []string, what string, paths []string) string {
	if k, ok := strings.CutPrefix(what, "within "); ok {
		n, err := strconv.Atoi(k)
		if err != nil {
			return err.Error()
		}
		got, what = got[:min(n, len(got))], "shown"
	}
	switch what {
	case "order":
		if len(got) < len(paths) || !slices.Equal(got[:len(paths)], paths) {
			return "another order"
		}
	case "before":
		if a, b := slices.Index(got, paths[0]), slices.Index(got, paths[1]); a < 0 || b < 0 || a > b {
			return "another order"
		}
	case "shown", "not":
		for _, p := range paths {
			if slices.Contains(got, p) != (what == "shown") {
				return p
			}
		}
	default:
		return "no such expectation"
	}
	return ""
}

// The room in pieces is more bytes where code has long words.
func TestPiecesAreMoreBytesOfLongWords(t *testing.T) {
	shown := func(line string) (bytes int) {
		root := t.TempDir()
		for k := range 60 {
			write(t, root, fmt.Sprintf("src/part%d.py", k), fmt.Sprintf("def order_%d():\n", k)+strings.Repeat("    "+line+"\n", 40))
		}
		for _, f := range New(root, walk(t, root), Options{}).Select(Need{Task: "order", Pieces: 3000}) {
			bytes += len(f.Content)
		}
		return bytes
	}
	dense, wide := shown("a[i] = b[j] * (c + d[k])"), shown("registration = repository.current_registration")
	if dense > 3000*3 || wide > 3000*8 || wide < dense*2 {
		t.Errorf("3,000 pieces are %d bytes of dense code and %d of long words", dense, wide)
	}
}
