package retrieval

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill"
)

// corpus holds real outputs of failing runs with the trees that they came from.
const corpus = "../../pkg/distill/testdata/corpus"

type evalCase struct {
	name, tree string
	failure    string
	suspects   []string
	culprits   []string
}

func evalCases(t testing.TB) []evalCase {
	t.Helper()
	metas, err := filepath.Glob(filepath.Join(corpus, "*", "*", "meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []evalCase
	for _, m := range metas {
		data, err := os.ReadFile(m)
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			ExitCode     int      `json:"exit_code"`
			CulpritFiles []string `json:"culprit_files"`
		}
		if err := json.Unmarshal(data, &truth); err != nil {
			t.Fatal(err)
		}
		at := filepath.Dir(m)
		if truth.ExitCode == 0 || len(truth.CulpritFiles) == 0 {
			continue
		}
		tree := filepath.Join(at, "tree")
		report, err := distill.Read(t.Context(), bytes.NewReader(readOutput(t, at)), distill.Options{Dir: tree, ExitCode: &truth.ExitCode})
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(corpus, at)
		out = append(out, evalCase{name, tree, report.Text, report.Files, truth.CulpritFiles})
	}
	if len(out) < 50 {
		t.Fatalf("got %d cases below %s, want at least 50", len(out), corpus)
	}
	return out
}

func readOutput(t testing.TB, at string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(at, "output.txt"))
	if err == nil {
		return data
	}
	f, err := os.Open(filepath.Join(at, "output.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// walk lists the files below root as git would.
func walk(t testing.TB, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// figures are how often a culprit was where it should be.
type figures struct{ first3, first5, full, cases, bytes int }

func (f *figures) add(files []File, culprits []string) bool {
	f.cases++
	hit := false
	full := false
	for k, c := range files {
		f.bytes += len(c.Content)
		if !slices.Contains(culprits, c.Path) {
			continue
		}
		if !hit && k < 3 {
			f.first3++
		}
		if !hit && k < 5 {
			f.first5++
			hit = true
		}
		full = full || c.Part == "full"
	}
	if full {
		f.full++
	}
	return hit
}

func (f figures) String() string {
	share := func(n int) string { return fmt.Sprintf("%3.0f %%", 100*float64(n)/float64(f.cases)) }
	return fmt.Sprintf("%8d %8s %8s %8s %10d", f.cases, share(f.first3), share(f.first5), share(f.full), f.bytes/3/f.cases)
}

func TestCulpritsOfTheCorpusAreShown(t *testing.T) {
	if testing.Short() {
		t.Skip("looks through the trees of the whole corpus, again and again")
	}
	const budget = 3 * 20000
	modes := []struct {
		name  string
		need  func(evalCase) Need
		least float64
	}{
		{"suspects", func(c evalCase) Need { return Need{Failure: c.failure, Suspects: c.suspects, Budget: budget} }, 0.95},
		{"text alone", func(c evalCase) Need { return Need{Failure: c.failure, Budget: budget} }, 0.85},
	}
	for _, crowd := range []bool{false, true} {
		all := make([]figures, len(modes))
		for _, c := range evalCases(t) {
			root, files := c.tree, walk(t, c.tree)
			if crowd {
				root, files = crowded(t, c.tree, files)
			}
			for k, mode := range modes {
				got, err := New(root, files, Options{}).Choose(t.Context(), mode.need(c))
				if err != nil {
					t.Fatal(err)
				}
				if !all[k].add(got, c.culprits) {
					t.Logf("missed: %s (%s): want %v among the first, got %v", c.name, mode.name, c.culprits, names(got))
				}
			}
		}
		for k, mode := range modes {
			label := mode.name
			if crowd {
				label += ", crowd"
			}
			t.Logf("\n%-20s    cases  first 3  first 5  in full  mean tokens\n%-20s %s", "", label, all[k])
			if got := float64(all[k].first5) / float64(all[k].cases); got < mode.least {
				t.Errorf("%s: a culprit is among the first 5 in %.2f of the cases, want at least %.2f", label, got, mode.least)
			}
		}
	}
}

func names(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// crowded copies a tree to a place where sixty other files of the same
// languages stand around it, since small trees are easy.
func crowded(t testing.TB, tree string, files []string) (string, []string) {
	t.Helper()
	root := t.TempDir()
	files = slices.Clone(files)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(f)))
		if err != nil {
			t.Fatal(err)
		}
		write(t, root, f, string(data))
	}
	exts := map[string]bool{}
	for _, f := range files {
		if l := languageOf(f); l.code() {
			exts[filepath.Ext(f)] = true
		}
	}
	n := 0
	for _, ext := range sortedKeys(exts) {
		for range 60 / len(exts) {
			n++
			p := fmt.Sprintf("more/area%d/part%d%s", n%5, n, ext)
			write(t, root, p, filler(ext, n))
			files = append(files, p)
		}
	}
	return root, files
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// fillerWords are such as stand in any code, those of the corpus among them.
var fillerWords = strings.Fields("parse order total price item count store user cart list queue worker date format convert rate tax amount check result index name value text line node tree stack matrix cache token")

func filler(ext string, n int) string {
	w := func(k int) string { return fillerWords[(n*7+k*5)%len(fillerWords)] }
	var b strings.Builder
	if ext == ".go" {
		fmt.Fprintf(&b, "package part%d\n", n)
	}
	for k := range 12 {
		switch ext {
		case ".go":
			fmt.Fprintf(&b, "\n// %s%d handles a %s.\nfunc %s%d(%s int) int { return %s + %d }\n", w(k), n, w(k+1), w(k), n, w(k+2), w(k+2), k)
		case ".py":
			fmt.Fprintf(&b, "\ndef %s_%s_%d(%s):\n    return %s + %d\n", w(k), w(k+1), n, w(k+2), w(k+2), k)
		case ".rs":
			fmt.Fprintf(&b, "\npub fn %s_%d(%s: i64) -> i64 { %s + %d }\n", w(k), n, w(k+2), w(k+2), k)
		case ".rb":
			fmt.Fprintf(&b, "\ndef %s_%d(%s)\n  %s + %d\nend\n", w(k), n, w(k+2), w(k+2), k)
		default:
			fmt.Fprintf(&b, "\nfunction %s%d(%s) { return %s + %d }\n", w(k), n, w(k+2), w(k+2), k)
		}
	}
	return b.String()
}

func write(t testing.TB, root, p, content string) {
	t.Helper()
	at := filepath.Join(root, filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
