package retrieval

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzChoose returns arbitrary contents and texts to a small repository that has
// a file of each language, a secret, an excluded file and a link.
func FuzzChoose(f *testing.F) {
	f.Add("fix `Total` in a.go:3", "a_test.go:2: got 1", "package a\n\nimport (\n\t\"fmt\"\n)\n\nfunc Total() {}\n", 4000, true)
	f.Add("from x import (", "File \"b.py\", line 99999999", "def f(:\n\t\"\"\"\nfrom . import (a,\n", 300, false)
	f.Add("../../etc/passwd:1 .env secret/x.go", "C:\\x\\a.go(3,4)", "use crate::{a, b::{c}};\nmod x;\nimpl<T> A for B<T> {\n", 100, true)
	f.Add("`", "```\n`", strings.Repeat("(", 500)+"\n\x00\xff", 0, false)
	f.Add("a.b.c.d.e", ":1:2", "#include \"\nimport {\n} from '\nrequire('", 1<<20, true)
	f.Fuzz(func(t *testing.T, task, failure, content string, budget int, wide bool) {
		if len(content) > 200<<10 {
			t.Skip()
		}
		root := t.TempDir()
		files := []string{"a.go", "a_test.go", "b.py", "c.ts", "d.rs", "E.java", "f.rb", "g.php", "h.c", "i.ex", "j.sh", "k.md", "l.json", "go.mod", "tsconfig.json", "composer.json", "Cargo.toml", ".env", "secret/x.go"}
		for _, p := range files {
			write(t, root, p, content)
		}
		write(t, root, "big.go", strings.Repeat(content+"\n", 1+(60<<10)/(len(content)+1)))
		files = append(files, "big.go", "missing.go")
		o := Options{Exclude: []string{"secret/**"}, IsSecret: secretName, Include: []string{"**/*.md", ".env", "secret/*"}}
		ix := New(root, files, o)
		n := Need{Task: task, Failure: failure, Budget: budget, Wide: wide, Suspects: []string{"big.go", ".env", "a.go", task},
			Lines: map[string][]int{"big.go": {0, -1, 5, budget}}, Last: []string{"secret/x.go", failure, "../x", "new.go"}}
		got, err := ix.Choose(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, c := range got {
			total += len(c.Content)
			if c.Path == ".env" || strings.HasPrefix(c.Path, "secret/") || strings.HasPrefix(c.Path, "..") {
				t.Errorf("chose %s", c.Path)
			}
			if c.Part != "full" && c.Part != "excerpt" && c.Part != "outline" || c.Content == "" && c.Part != "full" {
				t.Errorf("%s: part %q of %d bytes", c.Path, c.Part, len(c.Content))
			}
			if c.Part == "full" && c.Path != "big.go" && c.Content != content {
				t.Errorf("%s: full, but not the file", c.Path)
			}
		}
		if total > max(budget, 0) {
			t.Errorf("got %d bytes, want at most %d", total, budget)
		}
		again := ix.Select(n)
		if len(again) != len(got) {
			t.Fatalf("the same need gave %d files, then %d", len(got), len(again))
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], again[i]) {
				t.Errorf("the same need gave %s, then %s", got[i].Path, again[i].Path)
			}
		}
		for _, limit := range []int{budget % 300, 50, 4000} {
			if s := ix.Tree(limit, task); len(s) > max(limit, 0) || strings.Contains(s, "secret/") || utf8.ValidString(s) == false {
				t.Errorf("tree of %d bytes, want at most %d:\n%s", len(s), limit, s)
			}
		}
	})
}
