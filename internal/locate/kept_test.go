package locate

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/look"
)

// An index that was kept, and brought up to date by what changed, chooses what a
// new one does.
func TestAKeptIndexChoosesAsANewOne(t *testing.T) {
	t.Parallel()
	root, at := t.TempDir(), filepath.Join(t.TempDir(), "words")
	r := rand.New(rand.NewPCG(1, 2))
	files := map[string]bool{}
	old := time.Now().Add(-time.Hour)
	put := func(p string) {
		var b strings.Builder
		fmt.Fprintf(&b, "package p\n\nimport \"example.com/m/d%d\"\n", r.IntN(5))
		for range 1 + r.IntN(20) {
			w := fillerWords[r.IntN(len(fillerWords))]
			fmt.Fprintf(&b, "\n// %s it.\nfunc %s%d() {}\n", fillerWords[r.IntN(len(fillerWords))], w, r.IntN(30))
		}
		write(t, root, p, b.String())
		old = old.Add(time.Second)
		if err := os.Chtimes(filepath.Join(root, p), old, old); err != nil {
			t.Fatal(err)
		}
		files[p] = true
	}
	name := func() string { return fmt.Sprintf("d%d/f%d.go", r.IntN(5), r.IntN(40)) }
	write(t, root, "go.mod", "module example.com/m\n")
	files["go.mod"] = true
	if err := os.Chtimes(filepath.Join(root, "go.mod"), old, old); err != nil {
		t.Fatal(err)
	}
	for range 120 {
		put(name())
	}
	list := func() []string {
		var out []string
		for p := range files {
			out = append(out, p)
		}
		return out
	}
	read := -1
	for round := range 6 {
		keeping := New(root, list(), Options{Kept: at})
		if err := keeping.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(keeping.found.shards[0].terms.used); round > 0 && read == 0 && n > 0 {
			t.Errorf("round %d: %d words were read anew", round, n)
		}
		anew := New(root, list(), Options{})
		for range 12 {
			n := Need{Budget: 9000, Task: fmt.Sprintf("%s the %s of `%s%d`", fillerWords[r.IntN(len(fillerWords))],
				fillerWords[r.IntN(len(fillerWords))], fillerWords[r.IntN(len(fillerWords))], r.IntN(30))}
			if got, want := keeping.Select(n), anew.Select(n); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %q: %v, from a new index %v", round, n.Task, names(got), names(want))
			}
			wish := []look.Wish{{Kind: look.Find, What: fillerWords[r.IntN(len(fillerWords))]}}
			got, _, err := keeping.Look(t.Context(), wish, 9000)
			if err != nil {
				t.Fatal(err)
			}
			if want, _, _ := anew.Look(t.Context(), wish, 9000); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %v: %v, from a new index %v", round, wish, got, want)
			}
		}
		if read = 0; round%2 == 0 {
			for range 8 {
				put(name())
				read++
			}
			gone := list()
			slices.Sort(gone)
			for _, p := range gone[1:4] {
				if p != "go.mod" {
					delete(files, p)
					_ = os.Remove(filepath.Join(root, p))
				}
			}
		}
	}
}

// A file that was changed just now may change once more in the same tick of the
// clock: it is read again.
func TestAFileChangedJustNowIsReadAgain(t *testing.T) {
	t.Parallel()
	root, at := t.TempDir(), filepath.Join(t.TempDir(), "words")
	write(t, root, "a.go", "package a\n\nfunc Before() {}\n")
	info, err := os.Stat(filepath.Join(root, "a.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := New(root, []string{"a.go"}, Options{Kept: at}).Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, root, "a.go", "package a\n\nfunc AfterX() {}\n"[:info.Size()])
	if err := os.Chtimes(filepath.Join(root, "a.go"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	ix := New(root, []string{"a.go"}, Options{Kept: at})
	if err := ix.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(ix.definers("AfterX")) == 0 {
		t.Error("what was kept is believed")
	}
}

// A file that got other contents of the same length, and its time back, is read again
// where the system tells when it was changed.
func TestAFileThatGotItsTimeBackIsReadAgain(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the time of change is not asked for here")
	}
	root, at := t.TempDir(), filepath.Join(t.TempDir(), "words")
	write(t, root, "a.go", "package a\n\nfunc Before() {}\n")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(root, "a.go"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := New(root, []string{"a.go"}, Options{Kept: at}).Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	used := New(root, []string{"a.go"}, Options{Kept: at})
	if err := used.Warm(t.Context()); err != nil || len(used.found.learnt) > 0 {
		t.Fatalf("what was kept is not used: %v, %v read", err, used.found.learnt)
	}
	was, err := os.Lstat(filepath.Join(root, "a.go"))
	if err != nil {
		t.Fatal(err)
	}
	for { // until the clock of the file system has moved on
		write(t, root, "a.go", "package a\n\nfunc AfterX() {}\n")
		if err := os.Chtimes(filepath.Join(root, "a.go"), old, old); err != nil {
			t.Fatal(err)
		}
		now, err := os.Lstat(filepath.Join(root, "a.go"))
		if err != nil {
			t.Fatal(err)
		}
		if now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
			t.Fatal("it can be told by its size and time")
		}
		if changeTime(now) != changeTime(was) {
			break
		}
	}
	ix := New(root, []string{"a.go"}, Options{Kept: at})
	if err := ix.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(ix.definers("AfterX")) == 0 || len(ix.definers("Before")) > 0 {
		t.Error("what was kept is believed")
	}
}

// What is written is for this program alone: damage of any kind means that all is
// read anew.
func TestADamagedIndexIsNotUsed(t *testing.T) {
	t.Parallel()
	root, at := t.TempDir(), filepath.Join(t.TempDir(), "words")
	write(t, root, "a.go", "package a\n\nfunc Total() {}\n")
	if err := New(root, []string{"a.go"}, Options{Kept: at}).Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if readKept(at) == nil {
		t.Fatal("it cannot be read as it was written")
	}
	for i := range whole {
		for _, damaged := range [][]byte{whole[:i], slices.Concat(whole[:i], []byte{whole[i] ^ 1}, whole[i+1:])} {
			if err := os.WriteFile(at, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if readKept(at) != nil {
				t.Fatalf("damage at byte %d is not seen", i)
			}
		}
	}
}

func FuzzReadKept(f *testing.F) {
	root, at := f.TempDir(), filepath.Join(f.TempDir(), "words")
	write(f, root, "a.go", "package a\n\nimport \"fmt\"\n\nfunc Total() { fmt.Println() }\n")
	if err := New(root, []string{"a.go"}, Options{Kept: at}).Keep(f.Context()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(at)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:len(whole)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		k, err := parseKept(bytes.NewReader(body), int64(len(body)))
		if err != nil {
			return
		}
		for _, l := range []*keptList{&k.terms, &k.defs} {
			var read, loaded []uint32
			for _, t := range l.terms() {
				l.each(t, func(n uint32) { read = append(read, n) })
			}
			if err := l.load(); err != nil {
				t.Fatal(err)
			}
			for _, t := range l.terms() {
				l.each(t, func(n uint32) { loaded = append(loaded, n) })
			}
			if !slices.Equal(read, loaded) {
				t.Fatalf("%d numbers one by one, %d loaded", len(read), len(loaded))
			}
			for _, n := range read {
				_ = k.ids[n>>l.shift]
			}
		}
	})
}

// keptVersion must be counted up when study finds something else in a file.
func TestWhatIsKeptHasAVersion(t *testing.T) {
	t.Parallel()
	f := facts{}
	study(golang, "package a\n\nimport \"fmt\"\n\n// Parsers parse parsed things.\nfunc parseThings(x fooBar) { fmt.Println(HTTPServer, snake_case) }\n", &f, nil)
	sum := uint64(len(f.defs))
	for t, n := range f.counts.each {
		sum += uint64(t) * uint64(n)
	}
	if want := uint64(0xb00857ce955d8873); keptVersion != 4 || sum != want {
		t.Errorf("version %d has %#x, want %#x: count keptVersion up, and put the new sum here", keptVersion, sum, want)
	}
}

// A pass that may not read all begins with what changed lately.
func TestALargeRepositoryIsReadWhereItChanged(t *testing.T) {
	t.Parallel()
	root, at := t.TempDir(), filepath.Join(t.TempDir(), "words")
	files := []string{"a.go", "b.go", "c.go", "d.go"}
	old := time.Now().Add(-time.Hour)
	for _, p := range files {
		write(t, root, p, fmt.Sprintf("package p\n\nfunc Only%s() {}\n", strings.ToUpper(p[:1])))
		if err := os.Chtimes(filepath.Join(root, p), old, old); err != nil {
			t.Fatal(err)
		}
	}
	past := func(context.Context) []PastChange { return []PastChange{{Message: "fix", Files: []string{"d.go"}}} }
	for range 2 { // nothing kept, then kept
		ix := New(root, files, Options{Kept: at, History: past})
		ix.maxPass = 60 // two files
		if err := ix.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var known []string
		for i := range ix.docs {
			if ix.docs[i].words > 0 {
				known = append(known, ix.docs[i].path)
			}
		}
		if want := []string{"a.go", "d.go"}; !slices.Equal(known, want) {
			t.Errorf("known are %v, want %v", known, want)
		}
	}
}
