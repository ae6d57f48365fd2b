package edit_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
	"github.com/google/go-cmp/cmp"
)

// The replies of testdata/models are written as models write them, well and
// badly, and what each of them means was written down before any was run. Those
// in unseen were run only when the rules were done.

// verdict is the result of a reply, measured by what it means.
type verdict string

const (
	appliedRight  verdict = "applied right"
	refusedRight  verdict = "refused right"
	refusedClear  verdict = "refused though clear"
	refusedOddly  verdict = "refused with another message"
	wrongSilently verdict = "wrong in silence"
)

// judge carries a reply out and compares. detail tells what there is to know.
func judge(t testing.TB, c replyCase) (v verdict, detail string) {
	t.Helper()
	files := make(memory, len(c.before))
	maps.Copy(files, c.before)
	changes, problems := readAndResolve(files, c.reply)
	if len(problems) > 0 {
		var all []string
		for _, p := range problems {
			all = append(all, p.Path+": "+p.Reason)
		}
		detail = strings.Join(all, "\n")
		switch {
		case c.refused == "":
			return refusedClear, detail
		case !strings.Contains(strings.ToLower(detail), strings.ToLower(c.refused)):
			return refusedOddly, detail
		}
		return refusedRight, detail
	}
	d := cmp.Diff(after(files, changes), expected(c))
	if c.refused != "" {
		return wrongSilently, "applied, though it should have been refused (" + c.refused + "):\n" + cmp.Diff(map[string]string(files), after(files, changes))
	} else if d != "" {
		return wrongSilently, "tree (got, want):\n" + d
	}
	return appliedRight, ""
}

// expected is the tree that a case wants.
func expected(c replyCase) map[string]string {
	want := maps.Clone(c.before)
	maps.Copy(want, c.after)
	for _, p := range c.gone {
		delete(want, p)
	}
	return want
}

// after is the tree with the changes made.
func after(files memory, changes []edit.Change) map[string]string {
	out := make(map[string]string, len(files))
	maps.Copy(out, files)
	for _, c := range changes {
		switch c.Op {
		case edit.Delete:
			delete(out, c.Path)
			continue
		case edit.Rename:
			delete(out, c.From)
		}
		out[c.Path] = string(c.New)
	}
	return out
}

// halves are the folders of testdata/models.
var halves = []string{"seen", "unseen"}

func TestModels(t *testing.T) {
	t.Parallel()
	for _, half := range halves {
		dir := filepath.Join("testdata", "models", half)
		cases := loadCases(t, dir)
		count := make(map[verdict]int)
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			c := cases[name]
			v, detail := judge(t, c)
			count[v]++
			windows := c
			windows.reply = strings.ReplaceAll(c.reply, "\n", "\r\n")
			if w, d := judge(t, windows); w != v {
				t.Errorf("%s/%s: %s, and with the line ends of Windows %s\n%s", half, name, v, w, d)
			}
			if v == appliedRight || v == refusedRight {
				if c.stays != "" {
					t.Errorf("%s/%s: %s now, so its section \"stays\" can go", half, name, v)
				}
				t.Logf("%s/%s: %s\n%s", half, name, v, detail)
				continue
			}
			if v != wrongSilently && c.stays != "" {
				t.Logf("%s/%s: %s, as known: %s\n%s", half, name, v, c.stays, detail)
				continue
			}
			t.Errorf("%s/%s (%s): %s\n%s", half, name, c.title, v, detail)
		}
		t.Log(figures(half, len(cases), count))
	}
}

func figures(half string, n int, count map[verdict]int) string {
	s := fmt.Sprintf("FIGURES %s: %d replies", half, n)
	for _, v := range []verdict{appliedRight, refusedRight, refusedClear, refusedOddly, wrongSilently} {
		s += fmt.Sprintf(", %s %d", v, count[v])
	}
	return s
}
