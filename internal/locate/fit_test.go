package locate

import (
	"cmp"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var fitFlag = flag.Bool("fit", false, "fit the signals' worths to the commits of -clones")

// fitCase is a commit with all that speaks for each file.
type fitCase struct {
	files []fitFile
	want  int // how many files are to be found
}

type fitFile struct {
	signals [signals]float64
	base    float64
	changed bool
}

// value is how good an order is: how soon the first file comes, and how many
// come among the first few.
func (c fitCase) value(w [signals]float64) float64 {
	sum, found := 0.0, 0.0
	for k, changed := range c.order(w) {
		if k == 40 {
			break
		}
		if !changed {
			continue
		}
		if found == 0 {
			sum += 1 / float64(k+1)
		}
		found++
		for _, n := range []int{3, 6, 12, 24} {
			if k < n {
				sum += 0.5 / float64(min(c.want, n))
			}
		}
	}
	return sum
}

// order tells of each file, the likeliest first, whether it is to be found.
func (c fitCase) order(w [signals]float64) []bool {
	type scored struct {
		v  float64
		ok bool
	}
	all := make([]scored, len(c.files))
	for k, f := range c.files {
		v := f.base
		for s, x := range f.signals {
			v += w[s] * x
		}
		all[k] = scored{v, f.changed}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(b.v, a.v) })
	out := make([]bool, len(all))
	for k, s := range all {
		out[k] = s.ok
	}
	return out
}

// among counts the files to be found among the first n.
func (c fitCase) among(w [signals]float64, n int) int {
	found := 0
	for k, changed := range c.order(w) {
		if k < n && changed {
			found++
		}
	}
	return found
}

// fitCases collects the cases of the clones; one that says nothing of any
// changed file teaches nothing.
func fitCases(t *testing.T) []fitCase {
	t.Helper()
	var out []fitCase
	for clone := range strings.SplitSeq(*clonesFlag, ",") {
		dir := filepath.Join(t.TempDir(), "tree")
		gitIn(t, ".", "clone", "-q", "--shared", "--no-checkout", clone, dir)
		for _, c := range realCommits(t, dir) {
			checkOut(t, dir, c.hash+"^")
			ix := commitIndex(t, dir, c)
			if err := ix.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			r := ix.rank(root, Need{Task: c.message, Budget: 3 * budgets[0]})
			_ = root.Close()
			f := fitCase{want: len(c.changed)}
			for i, s := range r.signals {
				d := &ix.docs[i]
				if !d.lang.code() || d.test {
					continue
				}
				file := fitFile{signals: *s}
				for k := range file.signals {
					file.signals[k] *= r.share(i)
				}
				if v := r.score[i]; v >= known {
					file.base = v
				}
				_, file.changed = c.changed[d.path]
				f.files = append(f.files, file)
			}
			out = append(out, f)
		}
	}
	return out
}

func total(cases []fitCase, w [signals]float64) float64 {
	sum := 0.0
	for _, c := range cases {
		sum += c.value(w)
	}
	return sum / float64(len(cases))
}

// TestFitSignals climbs from the worths that stand, one signal after the other.
func TestFitSignals(t *testing.T) {
	if *clonesFlag == "" || !*fitFlag {
		t.Skip("no -clones and -fit given")
	}
	cases := fitCases(t)
	w := worths
	best := total(cases, w)
	t.Logf("%d commits, before: %.4f", len(cases), best)
	for _, n := range []int{1, 3, 5, 10, 20, 40} {
		found, want := 0, 0
		for _, c := range cases {
			found += c.among(w, n)
			want += c.want
		}
		t.Logf("changed files among the first %d: %.3f", n, float64(found)/float64(want))
	}
	for _, step := range []float64{2, 1.4, 1.2, 1.1} {
		for again := true; again; {
			again = false
			for s := range w {
				for _, by := range []float64{step, 1 / step} {
					try := w
					try[s] = math.Round(max(try[s], 4)*by*10) / 10
					if v := total(cases, try); v > best+1e-4 && try[s] < 600 {
						w, best, again = try, v, true
					}
				}
			}
		}
	}
	t.Logf("after: %.4f with %v", best, w)
	for s := range w {
		without := w
		without[s] = 0
		t.Logf("without signal %d: %.4f (%+.4f)", s, total(cases, without), total(cases, without)-best)
	}
}
