package retrieval

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Each task leads to one file among sixty others, though something stands in the way.
func TestWordsLeadToTheFile(t *testing.T) {
	for _, c := range []struct {
		name, task, want string
		files            map[string]string
		// why is what the reason must say, not names a file that must not be shown.
		why, not string
		within   int
	}{
		{
			name: "through a file that hands on what others define", want: "src/deep/plain.ts", why: "hands on stringifyNumber", within: 2,
			task: "yaml/util: exponents of a number are lost",
			files: map[string]string{
				"yaml/util.ts":      "export { stringifyNumber } from '../src/deep/plain'\nexport { visitAll } from '../src/deep/visit'\n",
				"src/deep/plain.ts": "export function stringifyNumber(n) {\n  return String(n)\n}\n",
				"src/deep/visit.ts": "export function visitAll(n) {\n  return n\n}\n",
			},
		},
		{
			name: "a hyphen that code does not write", task: "v-for loses the index of its items", want: "zz/loops.ts",
			files: map[string]string{"zz/loops.ts": "export function transform(node) {\n  return vFor(node)\n}\n"},
		},
		{
			name: "sources, not what is built of them", task: "the carousel skips a slide", want: "src/carousel.js", not: "dist/carousel.js",
			files: map[string]string{
				"src/carousel.js":  "export function carousel(slide) {\n  return slide\n}\n",
				"dist/carousel.js": "function carousel(slide) {\n  return slide\n}\n",
			},
		},
		{
			name: "words that stand together", task: "keep the retry delay within bounds", want: "zz/wait.go",
			files: map[string]string{
				"zz/wait.go": "package zz\n\n// after sets the retry delay.\nfunc after(n int) int {\n\treturn n\n}\n",
				"aa/list.go": "package aa\n\n// delay says how to retry.\nfunc after(n int) int {\n\treturn n\n}\n",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for p, text := range c.files {
				write(t, root, p, text)
			}
			for k := range 60 {
				write(t, root, fmt.Sprintf("more/part%d.go", k), filler(".go", k))
			}
			got, why := New(root, walk(t, root), Options{}).Select(Need{Task: c.task, Budget: 20000}), ""
			for _, f := range got[:min(len(got), max(c.within, 1))] {
				if f.Path == c.want {
					why = f.Why
				}
			}
			if why == "" || !strings.Contains(why, c.why) {
				t.Errorf("%s is not among the first because of %q (%q): %v", c.want, c.why, why, names(got))
			}
			for _, f := range got {
				if f.Path == c.not {
					t.Errorf("%s is shown", c.not)
				}
			}
		})
	}
}

// The test to extend is the one called after the likeliest file, else one that failed when
// that file was changed, else the one that past changes changed along with it.
func TestTheTestToExtendIsShown(t *testing.T) {
	root := t.TempDir()
	for k := range 60 {
		write(t, root, fmt.Sprintf("more/part%d.go", k), filler(".go", k))
	}
	write(t, root, "zz/carousel.go", "package zz\n\n// Carousel turns to the next slide.\nfunc Carousel(slide int) int { return slide }\n")
	write(t, root, "zz/all_test.go", "package zz\n\nfunc TestA(t *testing.T) {}\n")
	write(t, root, "zz/some_test.go", "package zz\n\nfunc TestB(t *testing.T) {}\n")
	past := []PastChange{
		{Message: "a", Files: []string{"zz/carousel.go", "zz/some_test.go"}},
		{Message: "b", Files: []string{"zz/carousel.go", "zz/all_test.go"}},
		{Message: "c", Files: []string{"zz/carousel.go", "zz/all_test.go"}},
	}
	extend := func() (path string) {
		o := Options{History: func(context.Context) []PastChange { return past }}
		for _, f := range New(root, walk(t, root), o).Select(Need{Task: "the carousel skips a slide", Budget: 20000}) {
			if f.Why == "test of zz/carousel.go" {
				path = f.Path
			}
		}
		return path
	}
	if got := extend(); got != "zz/all_test.go" {
		t.Errorf("by the past: %q", got)
	}
	past = append(past, PastChange{Files: []string{"zz/carousel.go"}, Failed: []string{"zz/some_test.go", "zz/carousel.go"}})
	if got := extend(); got != "zz/some_test.go" {
		t.Errorf("by what failed when the source was changed: %q", got)
	}
	write(t, root, "zz/carousel_test.go", "package zz\n\nfunc TestC(t *testing.T) {}\n")
	if got := extend(); got != "zz/carousel_test.go" {
		t.Errorf("by its name: %q", got)
	}
}

// Of more files than a pass reads it reads code first, and of that what the task or the
// past speaks of; the others are known by their paths.
func TestOfManyFilesThoseThatMatterAreRead(t *testing.T) {
	root := t.TempDir()
	for k := range 30 {
		write(t, root, fmt.Sprintf("a/notes%d.md", k), "word\n")
		write(t, root, fmt.Sprintf("b/part%d.go", k), "package b\n\nfunc word() {}\n")
	}
	write(t, root, "z/carousel.go", "package z\n\nfunc slide() {}\n")
	write(t, root, "c/harbour.go", "package c\n\nfunc ship() {}\n")
	write(t, root, "z/lately.go", "package z\n\nfunc changed() {}\n")
	ix := New(root, walk(t, root), Options{
		Task: "the carousel stops",
		History: func(context.Context) []PastChange {
			return []PastChange{{Message: "x", Files: []string{"z/lately.go"}}}
		},
	})
	ix.maxRead = 10
	if err := ix.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for _, d := range ix.docs {
		if d.words > 0 {
			read[d.path] = true
		}
	}
	if len(read) != 10 || !read["z/carousel.go"] || !read["z/lately.go"] || read["c/harbour.go"] || read["a/notes1.md"] {
		t.Errorf("read %v", read)
	}
	if got := names(ix.Select(Need{Task: "dredge the harbour", Budget: 2000})); len(got) == 0 || got[0] != "c/harbour.go" {
		t.Errorf("a file that was not read is not found by its path: %v", got)
	}
}

func TestWhatLooksLikeAName(t *testing.T) {
	names := namesIn("Total500 of the Total in H2O and `in` is_ok, see parse(x)").names
	for name, want := range map[string]float64{"Total500": 0.9, "Total": 0.3, "is_ok": 0.9, "parse": 1, "H2O": 0, "in": 0} {
		if names[name] != want {
			t.Errorf("%s: %.1f, want %.1f", name, names[name], want)
		}
	}
}
