package retrieval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/look"
)

// reader looks round as a model may that knows what it wants and at most it
// was shown: it asks for a file only where the tree, or what a file that is in view
// says, names it, for a folder where the tree names that, and for lines where an
// outline shows that they are left out.
type reader struct {
	ix    *Index
	c     realCommit
	seen  string            // all that was read so far
	shown map[string][]File // a file may be shown in several parts
	asked []look.Request
	view  View
	size  int // of what was shown
}

const (
	// readerRounds and readerRoom are what a run allows: replies, and bytes of files.
	readerRounds, readerRoom = 3, 3 * (42000 - 8000)
	// readerTree is the size of the tree in a request.
	readerTree = 4500
)

func readerOf(t *testing.T, ix *Index, c realCommit, got []File) *reader {
	t.Helper()
	r := &reader{ix: ix, c: c, seen: "\n" + ix.Tree(readerTree, c.message), shown: map[string][]File{}}
	var view []Shown
	for _, f := range got {
		view = append(view, Shown{Path: f.Path, Lines: f.Lines})
	}
	got, err := ix.Add(t.Context(), &r.view, view)
	if err != nil {
		t.Fatal(err)
	}
	r.take(got)
	return r
}

func (r *reader) take(got []File) {
	for _, f := range got {
		r.shown[f.Path] = append(r.shown[f.Path], f)
		r.size += len(f.Content)
		r.seen += "\n" + f.Path + "\n" + f.Content
	}
}

// read looks round and gives what is shown in the end.
func (r *reader) read(t *testing.T) map[string][]File {
	t.Helper()
	for range readerRounds {
		wishes := r.wishes()
		if len(wishes) == 0 {
			break
		}
		r.asked = append(r.asked, wishes...)
		answers, parts, err := r.ix.Look(t.Context(), wishes, readerRoom-r.size)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ix.AddParts(t.Context(), &r.view, parts)
		if err != nil {
			t.Fatal(err)
		}
		r.take(got)
		for _, a := range answers {
			r.seen += "\n" + a.Found
		}
	}
	return r.shown
}

// wishes are for the files that are not in view with all of their changed lines.
func (r *reader) wishes() []look.Request {
	var out []look.Request
	add := func(w look.Request) {
		if len(out) < look.MaxRequests && !slices.Contains(out, w) && !slices.Contains(r.asked, w) {
			out = append(out, w)
		}
	}
	var paths []string
	for p := range r.c.changed {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		lines := r.c.changed[p]
		if linesInView(lines, r.shown[p]...) == len(lines) {
			continue
		}
		whole := look.Request{Kind: look.Show, What: p}
		switch {
		case slices.Contains(r.asked, whole): // it was too large: the outline says where lines are left out
			for _, l := range stretches(lines) {
				add(look.Request{Kind: look.Show, What: p, From: l[0], To: l[1]})
			}
		case r.names(p):
			add(whole)
		default:
			for d := dir(p); ; d = dir(d) { // the deepest folder that is named
				if d == "" || r.names(d) {
					if d == "" {
						d = "."
					}
					add(look.Request{Kind: look.Show, What: d})
					break
				}
			}
		}
	}
	return out
}

// stretches are the lines with some around them, those that lie near each other as one.
func stretches(lines []int) [][2]int {
	const around = 20
	lines = slices.Sorted(slices.Values(lines))
	var out [][2]int
	for _, n := range lines {
		if k := len(out) - 1; k >= 0 && n-around <= out[k][1] {
			out[k][1] = n + around
			continue
		}
		out = append(out, [2]int{max(n-around, 1), n + around})
	}
	return out
}

// names reports whether what was read names a path: as it is, or by its name in the
// line of its folder.
func (r *reader) names(p string) bool {
	if regexp.MustCompile(`(?m)(^|[^\w./-])` + regexp.QuoteMeta(p) + `($|[^\w-])`).MatchString(r.seen) {
		return true
	}
	for line := range lines(r.seen) {
		if rest, ok := strings.CutPrefix(line, dir(p)+"/ "); ok && slices.Contains(strings.Fields(rest), base(p)) {
			return true
		}
	}
	return false
}

// look counts what is in view after looking round.
func (f *commitFigures) look(shown map[string][]File, c realCommit) {
	v, all := &f.view[2], true
	for _, parts := range shown {
		for _, s := range parts {
			v.bytes += len(s.Content)
		}
	}
	for path, lines := range c.changed {
		n := linesInView(lines, shown[path]...)
		v.lines += n
		if n == len(lines) {
			v.files++
		} else {
			all = false
		}
	}
	v.shares = float64(v.files) / float64(len(c.changed))
	if all {
		v.all++
	}
}

// The reader asks for nothing that it was not told of.
func TestReadsOnlyNamedFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var files []string
	for i := range 900 {
		p := fmt.Sprintf("area%d/part%d/some_long_name_of_a_file_%d.go", i%30, i%3, i)
		write(t, root, p, "package part\n\nfunc Nothing() {}\n")
		files = append(files, p)
	}
	ix := New(root, files, Options{})
	c := realCommit{message: "mend it", changed: map[string][]int{files[417]: {3}}}
	got, err := ix.Choose(t.Context(), Need{Task: c.message, Budget: 3 * budgets[0]})
	if err != nil {
		t.Fatal(err)
	}
	r := readerOf(t, ix, c, got)
	first := r.wishes()
	if want := dir(files[417]); len(first) != 1 || first[0].What != want && !r.names(files[417]) {
		t.Errorf("it asks for %v first, want the folder %s", first, want)
	}
	if shown := r.read(t)[files[417]]; len(shown) != 1 || shown[0].Part != "full" {
		t.Errorf("in the end the file is shown as %v, want it full; it asked for %v", shown, r.asked)
	}
}
