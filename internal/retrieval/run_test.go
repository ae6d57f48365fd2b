package retrieval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/booty-cli/booty/internal/look"
)

func TestChangedFilesAreIndexedAgain(t *testing.T) {
	root := t.TempDir()
	for k := range 60 {
		write(t, root, filepath.ToSlash(filepath.Join("more", "part"+string(rune('a'+k%26))+string(rune('a'+k/26))+".py")), filler(".py", k))
	}
	write(t, root, "shop/cart.py", "def total():\n    return 1\n")
	ix := New(root, walk(t, root), Options{IsSecret: secretName})
	n := Need{Failure: "NameError: name 'grand_total' is not defined", Budget: 20000}
	if got := names(ix.Select(n)); slices.Contains(got, "shop/taxes.py") {
		t.Fatalf("a file that is not there yet: %v", got)
	}
	write(t, root, "shop/cart.py", "from .taxes import rate\n\n\ndef total():\n    return rate()\n")
	write(t, root, "shop/taxes.py", "def grand_total():\n    return 2\n")
	write(t, root, ".env", "KEY=1\n")
	n.Last = []string{"shop/cart.py", "shop/taxes.py", ".env", "../out.py", ".git/config"}
	got := names(ix.Select(n))
	if want := []string{"shop/cart.py", "shop/taxes.py"}; !slices.Equal(got[:min(2, len(got))], want) || slices.Contains(got, ".env") {
		t.Errorf("got %v, want %v first", got, want)
	}
	n.Last = nil
	if got := names(ix.Select(n)); len(got) == 0 || got[0] != "shop/taxes.py" {
		t.Errorf("the definition in the new file is not found: %v", got)
	}
	if err := os.Remove(filepath.Join(root, "shop", "taxes.py")); err != nil {
		t.Fatal(err)
	}
	n.Last = []string{"shop/taxes.py"}
	if got := names(ix.Select(n)); slices.Contains(got, "shop/taxes.py") {
		t.Errorf("a removed file is shown: %v", got)
	}
}

// TestIgnoredFilesAreNotShown: neither where a failure names it, nor where the
// model asks for it, once or twice, unless it is among the files to include.
func TestIgnoredFilesAreNotShown(t *testing.T) {
	root := t.TempDir()
	write(t, root, "app.py", "import local\n")
	write(t, root, "local/settings.py", "PASSWORD = 'PLANTED'\n")
	write(t, root, "made.py", "x = 1\n")
	for _, include := range []bool{false, true} {
		o := Options{IsIgnored: func(p string) bool { return strings.HasPrefix(p, "local/") }}
		if include {
			o.Include = []string{"local/settings.py"}
		}
		ix := New(root, []string{"app.py"}, o)
		wish := []look.Request{{Kind: look.Show, What: "local/settings.py"}}
		n := Need{Failure: "local/settings.py:1: boom", Suspects: []string{"local/settings.py"},
			Tests: []FailingTest{{Name: "x", File: "local/settings.py", Line: 1}}, Budget: 20000,
			Last: []string{"local/settings.py", "made.py"}}
		for range 2 {
			answers, parts, err := ix.Look(t.Context(), wish, 20000)
			if err != nil {
				t.Fatal(err)
			}
			if !include && (answers[0].Answer != look.Refused || len(parts) > 0) {
				t.Errorf("asked for: %+v, %v", answers[0], parts)
			}
			again, err := ix.AddParts(t.Context(), &View{}, parts)
			if err != nil {
				t.Fatal(err)
			}
			got := append(names(ix.Select(n)), names(again)...)
			if slices.Contains(got, "local/settings.py") != include || !slices.Contains(got, "made.py") {
				t.Errorf("included %v: shown %v", include, got)
			}
		}
		if ix.MayShow("local/settings.py") != include || !ix.MayShow("app.py") || !ix.MayShow("other.py") {
			t.Error("what may be shown")
		}
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	root, out := t.TempDir(), t.TempDir()
	write(t, root, ".env", "TOKEN=hidden\n")
	write(t, out, "other.py", "hidden = 1\n")
	for to, from := range map[string]string{".env": "notes.txt", filepath.Join(out, "other.py"): "other.py", out: "linked"} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"notes.txt", "other.py", "linked/other.py"}
	n := Need{Task: "notes.txt other.py linked/other.py hidden", Suspects: files, Last: append(files, "linked/new.py"), Budget: 10000}
	if got := New(root, files, Options{IsSecret: secretName}).Select(n); len(got) > 0 {
		t.Errorf("got %v, want nothing", names(got))
	}
}

func TestWarmStopsWithItsContext(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.py", "def find_me():\n    pass\n")
	ix := New(root, []string{"a.py"}, Options{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ix.Warm(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Warm: got %v, want the context's error", err)
	}
	if _, err := ix.Choose(ended, Need{Task: "find_me", Budget: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("Choose: got %v, want the context's error", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := ix.Warm(t.Context()); err != nil {
				t.Error(err)
			}
			if got := names(ix.Select(Need{Task: "`find_me`", Budget: 1000})); !slices.Equal(got, []string{"a.py"}) {
				t.Errorf("got %v", got)
			}
			ix.Tree(100, "")
		})
	}
	wg.Wait()
}

func TestTiesKeepTheirOrder(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{"c.py", "a.py", "b.py"} {
		write(t, root, p, "def work():\n    return 1\n")
	}
	ix := New(root, []string{"c.py", "a.py", "b.py"}, Options{})
	for _, failure := range []string{"work failed", "work failed again, at another place", ""} {
		if got := names(ix.Select(Need{Task: "work", Failure: failure, Budget: 1000})); !slices.Equal(got, []string{"a.py", "b.py", "c.py"}) {
			t.Errorf("after %q: got %v", failure, got)
		}
	}
}

func TestStrangeContentsAreLeftOut(t *testing.T) {
	root := t.TempDir()
	write(t, root, "binary.py", "order\x00order")
	write(t, root, "utf16.py", "o\x00r\x00d\x00e\x00r\x00")
	write(t, root, "packed.js", "var order="+strings.Repeat("1,", 5000))
	write(t, root, "made.py", "# This file is @generated by a tool.\norder = 1\n")
	write(t, root, "mine.py", "order = 1  # DO NOT EDIT is a phrase here\n")
	got := names(New(root, walk(t, root), Options{}).Select(Need{Task: "order", Budget: 50000}))
	if !slices.Equal(got, []string{"mine.py"}) {
		t.Errorf("got %v, want mine.py alone", got)
	}
}
