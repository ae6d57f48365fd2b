package guard

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
	"github.com/booty-cli/booty/internal/guard/internal/weaken"
	"github.com/booty-cli/booty/internal/testfile"
)

// What people did to their tests is in their history (TestHonestCommits), some thousand
// changes. What they could do is in the tests as they stand, and there is more of it: each
// case may be new, each remark another. What the guard holds up of that it reads wrongly.

// sample is one test file of a clone.
type sample struct {
	place string // the clone and the path
	path  string
	lang  *lexer.Language
	lines []string
	text  *source.Text
}

// samples draws test files of a clone's newest commit, the same ones each time.
func samples(t *testing.T, dir string, most int, rnd *rand.Rand) (out []sample) {
	git := openHistory(t, dir)
	tree := git.tree("HEAD")
	var paths []string
	for p := range tree.blobs {
		if lang := lexer.Of(p); lang != nil && lang.Name != "other" && testfile.Of(p) == testfile.Case {
			paths = append(paths, p)
		}
	}
	sort.Strings(paths)
	rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, p := range paths[:min(most, len(paths))] {
		data, err := tree.ReadFile(p)
		if err != nil || len(data) == 0 || len(data) > 150_000 {
			continue
		}
		s := sample{place: filepath.Base(strings.TrimSuffix(strings.TrimSuffix(dir, "/.git"), "/repo")) + " " + p,
			path: p, lang: lexer.Of(p), lines: strings.SplitAfter(string(data), "\n")}
		if last := len(s.lines) - 1; s.lines[last] == "" {
			s.lines = s.lines[:last]
		}
		s.text = source.Read(s.lang, s.lines)
		out = append(out, s)
	}
	return out
}

func (s *sample) inText(i int) bool {
	at := s.text.Start[i]
	return at > 0 && s.text.Source.Kind[at-1] == lexer.InString || s.lang.Name == "c" && strings.HasPrefix(s.lines[i], "#")
}

func (s *sample) blank(i int) bool { return strings.TrimSpace(s.lines[i]) == "" && !s.inText(i) }

func (s *sample) pad(i int) string {
	return s.lines[i][:len(s.lines[i])-len(strings.TrimLeft(s.lines[i], " \t"))]
}

func (s *sample) indent(i int) int { return len(strings.ReplaceAll(s.pad(i), "\t", "    ")) }

// with is the file with lines in the place of others.
func (s *sample) with(from, to int, lines ...string) []string {
	return slices.Concat(s.lines[:from], lines, s.lines[to:])
}

var (
	closes     = regexp.MustCompile(`^\s*([)\]}]|end\b|done\b|fi\b|else\b)`)
	beginsHead = regexp.MustCompile(`^\s*(@|\[|#\[|TEST|let!? ?\(|macro_rules!|template|(test|it|describe|context|def|defp|class|` +
		`func|fn|pub|static|void|public|private|protected|internal|fun|sub|subtest|struct|enum|function|async|export|` +
		`local function|type|interface|impl|module|defmodule|property|namespace|group|testWidgets|mod|record|final|open|` +
		`data|abstract|sealed|extension)\b)`)
)

// blocks are the parts of a file between blank lines, each from a line to the next of the same
// indentation: cases, helpers and types, in most files.
func (s *sample) blocks() (out [][2]int) {
	for i := 1; i < len(s.lines); i++ {
		if s.inText(i) || s.blank(i) || !s.blank(i-1) || closes.MatchString(s.lines[i]) || s.indent(i) > 8 ||
			!beginsHead.MatchString(s.lines[i]) {
			continue
		}
		end := i + 1
		for ; end < len(s.lines); end++ {
			if s.inText(end) || s.blank(end) {
				continue
			}
			if n := s.indent(end); n < s.indent(i) || n == s.indent(i) && s.blank(end-1) && !closes.MatchString(s.lines[end]) {
				break
			}
		}
		if end-i >= 4 && end < len(s.lines) {
			out = append(out, [2]int{i, end})
		}
	}
	return out
}

// named tells whether the file names, outside of a block, what the block declares: then it is no
// addition that anybody makes.
func (s *sample) named(b [2]int) bool {
	rest := strings.Join(s.lines[:b[0]], "") + strings.Join(s.lines[b[1]:], "")
	for i := b[0]; i < b[1]; i++ {
		names, _ := source.Binds(s.lang, s.text.Code[i], s.text.Live[i])
		for _, name := range names {
			name = strings.TrimSuffix(name, ".")
			if s.indent(i) == s.indent(b[0]) && name != "" &&
				regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(name)+`(\W|$)`).MatchString(rest) {
				return true
			}
		}
	}
	return false
}

// heldUp counts what was tried and held up, by kind and reason, with some places.
type heldUp struct {
	tried, held map[string]int
	places      map[string][]string
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func (h *heldUp) try(kind string, s *sample, at int, before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	kind += " " + s.lang.Name
	h.tried[kind]++
	out := weaken.Split(s.lang, s.path, strings.Join(before, ""), strings.Join(after, ""))
	if out.Whole() {
		return
	}
	h.held[kind]++
	why := strings.Join(append(out.Refused, out.Why), " ")
	key := kind + ": " + inQuotes.ReplaceAllString(why, "…")
	h.places[key] = append(h.places[key], fmt.Sprintf("%s:%d %s", s.place, at+1, why))
}

func (h *heldUp) log(t *testing.T) {
	keys := make([]string, 0, len(h.places))
	for k := range h.places {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return len(h.places[keys[i]]) > len(h.places[keys[j]]) })
	for _, k := range keys {
		t.Logf("%d times %s", len(h.places[k]), k)
		for _, place := range h.places[k][:min(6, len(h.places[k]))] {
			t.Log("    ", place)
		}
	}
	kinds := make([]string, 0, len(h.tried))
	for k := range h.tried {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		t.Logf("%s: %d of %d held up", k, h.held[k], h.tried[k])
	}
}

// overSamples tries changes of the test files of the clones named on the command line.
func overSamples(t *testing.T, try func(*heldUp, *sample, *rand.Rand)) {
	if *clones == "" {
		t.Skip("-clones names no clones")
	}
	h := &heldUp{map[string]int{}, map[string]int{}, map[string][]string{}}
	rnd := rand.New(rand.NewSource(1))
	for _, dir := range filepath.SplitList(*clones) {
		for _, s := range samples(t, dir, *commits, rnd) {
			try(h, &s, rnd)
		}
	}
	h.log(t)
}

// TestBlocksOfClones takes parts out of test files and adds them again, and prints what is held up,
// to be read by whoever changed how code is read:
//
//	go test ./internal/guard -run OfClones -v -args -clones ~/src/click:~/src/gson -commits 30
//
// Here -commits is how many files of each clone. Hooks and skips are held up by right.
func TestBlocksOfClones(t *testing.T) {
	overSamples(t, func(h *heldUp, s *sample, rnd *rand.Rand) {
		blocks := s.blocks()
		rnd.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, b := range blocks[:min(6, len(blocks))] {
			if !s.named(b) {
				h.try("added", s, b[0], s.with(b[0], b[1]), s.lines)
			}
		}
	})
}

// TestEditsOfClones changes remarks, blank lines and the places of cases in test files.
func TestEditsOfClones(t *testing.T) {
	overSamples(t, func(h *heldUp, s *sample, rnd *rand.Rand) {
		mark := "//"
		switch s.lang.Name {
		case "python", "ruby", "shell", "elixir", "perl":
			mark = "#"
		case "lua":
			mark = "--"
		}
		for range 9 {
			i := rnd.Intn(len(s.lines))
			trimmed := strings.TrimSpace(s.lines[i])
			switch {
			case i == 0 || s.inText(i) || strings.HasPrefix(trimmed, "#!"):
			case trimmed == "":
				h.try("blank line gone", s, i, s.lines, s.with(i, i+1))
			case s.text.Comment(i) != "" && strings.HasPrefix(trimmed, mark):
				h.try("remark changed", s, i, s.lines, s.with(i, i+1, s.pad(i)+mark+" Another remark, of somebody's.\n"))
				h.try("remark gone", s, i, s.lines, s.with(i, i+1))
			case !s.text.Blank(i) && !strings.HasSuffix(strings.TrimSpace(s.lines[i-1]), `\`):
				h.try("remark added", s, i, s.lines, s.with(i, i, s.pad(i)+mark+" Checks that it's all right (see #12).\n"))
				h.try("blank line added", s, i, s.lines, s.with(i, i, "\n"))
			}
		}
		blocks := s.blocks()
		for k := 0; k+1 < len(blocks); k++ {
			a, b := blocks[k], blocks[k+1]
			if a[1] != b[0] || s.pad(a[0]) != s.pad(b[0]) || !s.blank(b[1]-1) || rnd.Intn(4) > 0 {
				continue
			}
			h.try("exchanged", s, a[0], s.lines, slices.Concat(s.lines[:a[0]], s.lines[b[0]:b[1]], s.lines[a[0]:a[1]], s.lines[b[1]:]))
		}
	})
}
