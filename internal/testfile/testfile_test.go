package testfile

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/globs"
)

var roles = map[string]Role{"product": Product, "case": Case, "data": Data, "runner": Runner}

func TestRoles(t *testing.T) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		word, p, is := strings.Cut(strings.TrimSpace(line), " ")
		if !is || word == "#" {
			continue
		}
		want, known := roles[word]
		if !known {
			t.Errorf("unknown role in %q", line)
		}
		if got := Of(p); got != want {
			t.Errorf("%s: got %v, want %s", p, got, word)
		}
		if Is(p) != (want != Product) {
			t.Errorf("%s: Is and Of disagree", p)
		}
		rows++
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}

// What the tables find fast is what the globs say one by one.
func TestTablesSayWhatTheirGlobsSay(t *testing.T) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	matched := 0
	for line := range strings.Lines(string(table)) {
		_, p, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, list := range [][]string{cases, sourceSets, data, documents, builds, runnersAnywhere, runners} {
			want := slices.ContainsFunc(list, func(g string) bool { return doublestar.MatchUnvalidated(g, p) })
			if got := globs.New(list...).Match(p); got != want {
				t.Errorf("%s: got %v, want %v of %q", p, got, want, list)
			}
			if want {
				matched++
			}
		}
	}
	if matched < 80 {
		t.Errorf("only %d paths fit a table", matched)
	}
}

// BenchmarkOf tells the time for one path.
func BenchmarkOf(b *testing.B) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		b.Fatal(err)
	}
	var paths []string
	for line := range strings.Lines(string(table)) {
		if word, p, is := strings.Cut(strings.TrimSpace(line), " "); is && word != "#" {
			paths = append(paths, p)
		}
	}
	n := 0
	for b.Loop() {
		Of(paths[n%len(paths)])
		n++
	}
}
