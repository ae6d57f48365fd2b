package retrieval

import (
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The weights of weights.go are fitted to commits of local clones, and what each
// signal earns is shown by leaving it out:
//
//	go test ./internal/retrieval -run TestFit -v -timeout 2h -fit -ablate -commits 7 -clones ~/src/chi
var (
	fitFlag    = flag.Bool("fit", false, "fit the weights to the commits of -clones, and write them")
	ablateFlag = flag.Bool("ablate", false, "with -fit: say what each signal earns")
)

// fitCase is a commit with what speaks for the files.
type fitCase struct {
	clone string
	files []fitFile
	lost  int // changed files of which nothing is known
}

type fitFile struct {
	signals [signals]float64
	named   bool
	size    int
	units   []fitUnit
	changed int // lines
	phrases float64
	// logit and p are what a model makes of it.
	logit, p float64
}

type fitUnit struct {
	facts   blockFeatures
	bytes   int
	changed int // lines
}

func (f *fitFile) hit() bool { return f.changed > 0 }

// maxFitFiles are the likeliest files of a case, by the weights that stand.
const maxFitFiles = 400

func TestFit(t *testing.T) {
	if *clonesFlag == "" || !*fitFlag {
		t.Skip("no -clones and -fit given")
	}
	var cases []*fitCase
	for clone := range strings.SplitSeq(*clonesFlag, ",") {
		name := filepath.Base(strings.TrimSuffix(filepath.Clean(clone), "/repo"))
		dir := filepath.Join(t.TempDir(), "tree")
		gitIn(t, ".", "clone", "-q", "--shared", "--no-checkout", clone, dir)
		for _, c := range realCommits(t, dir) {
			checkOut(t, dir, c.hash+"^")
			cases = append(cases, fitCaseOf(t, dir, name, c))
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	reportFit(t, cases)
}

func reportFit(t *testing.T, cases []*fitCase) {
	t.Helper()
	m := fitModel(cases)
	all, _ := crossValidate(cases, nil)
	t.Logf("%-52s %s", "each project by what was fitted to others", all)
	writeWeights(t, m)
	if !*ablateFlag {
		return
	}
	for s := range signals {
		got, loss := crossValidate(cases, func(f *fitFile) { f.signals[s] = 0 })
		t.Logf("without signal %2d %-35s %s, loss %+.4f", s, reasons[s], got, loss-all.loss)
	}
	for s := range blockFeatureCount {
		got, loss := crossValidate(cases, func(f *fitFile) {
			for u := range f.units {
				f.units[u].facts[s] = 0
			}
		})
		t.Logf("without unit sign %2d %s, loss %+.4f", s, got, loss-all.loss)
	}
}

// fitCaseOf looks at a commit as a choice would.
func fitCaseOf(t *testing.T, dir, clone string, c realCommit) *fitCase {
	t.Helper()
	ix := commitIndex(t, dir, c)
	if err := ix.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	r := ix.rank(root, Need{Task: c.message, Budget: 3 * budgets[0]})
	signalsOf := r.texts[0].signals
	out := &fitCase{clone: clone}
	var order []int32
	for i := range signalsOf {
		if d := &ix.docs[i]; d.lang.code() && !d.test {
			order = append(order, i)
		}
	}
	for p := range c.changed {
		if i, ok := ix.number(p); !ok {
			out.lost++
		} else if signalsOf[i] == nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.file(b).p, r.file(a).p), cmp.Compare(a, b))
	})
	var cs []*candidate
	for k, i := range order {
		changed := c.changed[ix.docs[i].path]
		if k >= maxFitFiles && changed == nil {
			continue
		}
		f := fitFile{named: r.task.files[i] >= 0.4, size: int(ix.docs[i].size), changed: len(changed)}
		if s := signalsOf[i]; s != nil {
			f.signals = *s
		}
		cd := &candidate{i: i}
		if text, ok := r.load(i); ok && (len(cs) < maxCandidates || changed != nil) {
			cd.text = text
			cd.cut(ix.docs[i].lang)
			f.size = len(text)
		}
		cs, out.files = append(cs, cd), append(out.files, f)
	}
	r.scoreBlocks(cs)
	for k, cd := range cs {
		out.files[k].phrases = cd.phrases
		for b, block := range cd.blocks {
			u := fitUnit{facts: cd.facts[b], bytes: block.bytes}
			for _, n := range c.changed[ix.docs[cd.i].path] {
				if block.from < n && n <= block.to {
					u.changed++
				}
			}
			out.files[k].units = append(out.files[k].units, u)
		}
	}
	return out
}

// fitModel fits a whole model.
func fitModel(cases []*fitCase) *model {
	m := &model{}
	copy(m.file[:], fitFiles(cases, int(signals), maxFitFiles))
	copy(m.place[:], fitPlaces(cases, m))
	copy(m.again[:], fitAgain(cases, m))
	copy(m.unit[:], fitUnits(cases))
	return m
}

// descend finds the weights at which a loss is least, of which each tells the slope.
func descend(n, rounds int, slope func(w, g []float64)) []float64 {
	w, g, m1, m2 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for e := 1; e <= rounds; e++ {
		clear(g)
		slope(w, g)
		for k := range w { // Adam
			m1[k] = 0.9*m1[k] + 0.1*g[k]
			m2[k] = 0.999*m2[k] + 0.001*g[k]*g[k]
			a := m1[k] / (1 - math.Pow(0.9, float64(e)))
			b := m2[k] / (1 - math.Pow(0.999, float64(e)))
			w[k] -= 0.05 * a / (math.Sqrt(b) + 1e-8)
		}
	}
	return w
}

// ridge holds weights back that little speaks for.
const ridge = 0.002

// fitFiles fits the signals' weights: the files that change should have the most of
// each commit's odds.
func fitFiles(cases []*fitCase, n, most int) []float64 {
	return descend(n, 150, func(w, g []float64) {
		for k := range g {
			g[k] = ridge * w[k] * float64(len(cases))
		}
		var weights [signals]float64
		copy(weights[:], w)
		for _, c := range cases {
			hits, files := 0.0, c.files[:min(len(c.files), most)]
			for _, f := range files {
				if f.hit() && !f.named {
					hits++
				}
			}
			if hits == 0 {
				continue
			}
			_, total := c.apply(&weights, most)
			for _, f := range files {
				if f.named {
					continue
				}
				d := math.Exp(f.logit - total)
				if f.hit() {
					d -= 1 / hits
				}
				for k := range g {
					g[k] += d * f.signals[k]
				}
			}
		}
	})
}

// apply returns the first files their logits, and tells the best and the sum.
func (c *fitCase) apply(weights *[signals]float64, most int) (best, total float64) {
	best = math.Inf(-1)
	files := c.files[:min(len(c.files), most)]
	for k := range files {
		f := &files[k]
		f.logit = 0
		for s, x := range f.signals {
			f.logit += weights[s] * x
		}
		if !f.named {
			best = max(best, f.logit)
		}
	}
	sum := 0.0
	for k := range files {
		if f := &files[k]; !f.named {
			sum += math.Exp(f.logit - best)
		}
	}
	return best, best + math.Log(sum)
}

// judge orders the files and gives them their chances.
func (c *fitCase) judge(m *model) {
	best, total := c.apply(&m.file, len(c.files))
	files := c.files
	slices.SortStableFunc(files, func(a, b fitFile) int { return cmp.Compare(b.logit, a.logit) })
	place := 0
	for k := range files {
		f := &files[k]
		if f.named {
			f.p = certain
			continue
		}
		f.p = m.chance(f.logit, best, total, place)
		place++
	}
	slices.SortStableFunc(files, func(a, b fitFile) int { return cmp.Compare(b.p, a.p) })
	for k := range files {
		if f := &files[k]; !f.named && len(f.units) > 0 {
			f.p = m.reconsider(f.p, f.phrases)
		}
	}
	slices.SortStableFunc(files[:min(len(files), maxCandidates)], func(a, b fitFile) int { return cmp.Compare(b.p, a.p) })
}

// logistic fits the weights of rows that are true or not.
func logistic(rows [][]float64, truth []bool, weight []float64) []float64 {
	return descend(len(rows[0]), 250, func(w, g []float64) {
		for i, x := range rows {
			v := 0.0
			for k := range x {
				v += w[k] * x[k]
			}
			d := sigmoid(v)
			if truth[i] {
				d--
			}
			for k := range x {
				g[k] += weight[i] * d * x[k]
			}
		}
	})
}

// fitPlaces fits how likely a file is at its place.
func fitPlaces(cases []*fitCase, m *model) []float64 {
	var rows [][]float64
	var truth []bool
	var weight []float64
	for _, c := range cases {
		best, total := c.apply(&m.file, len(c.files))
		files := slices.Clone(c.files)
		slices.SortStableFunc(files, func(a, b fitFile) int { return cmp.Compare(b.logit, a.logit) })
		place := 0.0
		for _, f := range files {
			if f.named {
				continue
			}
			rows = append(rows, []float64{1, f.logit - total, math.Log(1 + place), f.logit - best})
			truth, weight = append(truth, f.hit()), append(weight, 1)
			place++
		}
	}
	return logistic(rows, truth, weight)
}

// fitAgain fits how likely a file is once its text is read.
func fitAgain(cases []*fitCase, m *model) []float64 {
	n := *m
	n.again = [3]float64{0, 1, 0}
	var rows [][]float64
	var truth []bool
	var weight []float64
	for _, c := range cases {
		c.judge(&n)
		for _, f := range c.files[:min(len(c.files), maxCandidates)] {
			if f.named || len(f.units) == 0 {
				continue
			}
			rows = append(rows, []float64{1, math.Log(f.p / (1 - f.p)), f.phrases})
			truth, weight = append(truth, f.hit()), append(weight, 1)
		}
	}
	return logistic(rows, truth, weight)
}

// fitUnits fits the signs of units: those that change should have the most of their
// file's odds.
func fitUnits(cases []*fitCase) []float64 {
	var files []*fitFile
	for _, c := range cases {
		for k := range c.files {
			if f := &c.files[k]; f.hit() && len(f.units) > 1 && f.changedUnits() > 0 {
				files = append(files, f)
			}
		}
	}
	return descend(int(blockFeatureCount), 150, func(w, g []float64) {
		for k := range g {
			g[k] = ridge * w[k] * float64(len(files))
		}
		m := &model{unit: [blockFeatureCount]float64(w)}
		for _, f := range files {
			sum := 0.0
			for u := range f.units {
				sum += m.unitOdds(&f.units[u].facts)
			}
			for u := range f.units {
				d := m.unitOdds(&f.units[u].facts) / sum
				if f.units[u].changed > 0 {
					d -= 1 / f.changedUnits()
				}
				for k, x := range f.units[u].facts {
					g[k] += d * x
				}
			}
		}
	})
}

func (f *fitFile) changedUnits() float64 {
	n := 0.0
	for _, u := range f.units {
		if u.changed > 0 {
			n++
		}
	}
	return n
}

// fitFigures are what a model reaches on commits that it was not fitted to.
type fitFigures struct {
	commits, files int
	first          [3]int
	view           [2]struct{ files, all, bytes int }
	loss           float64
}

func (f fitFigures) String() string {
	s := fmt.Sprintf("%d commits, first 1, 3, 5:", f.commits)
	for _, n := range f.first {
		s += fmt.Sprintf(" %.3f", float64(n)/float64(f.commits))
	}
	for b, v := range f.view {
		s += fmt.Sprintf(", %d tokens: files %.3f commits %.3f, %d shown", budgets[b],
			float64(v.files)/float64(f.files), float64(v.all)/float64(f.commits), v.bytes/3/f.commits)
	}
	return s
}

// folds is in how many parts the projects are divided.
const folds = 5

// crossValidate fits on four parts of the projects and measures on the fifth, in turn.
func crossValidate(cases []*fitCase, change func(*fitFile)) (fitFigures, float64) {
	var out fitFigures
	mine := make([]*fitCase, len(cases))
	for k, c := range cases {
		d := *c
		d.files = slices.Clone(c.files)
		for i := range d.files {
			d.files[i].units = slices.Clone(d.files[i].units)
			if change != nil {
				change(&d.files[i])
			}
		}
		mine[k] = &d
	}
	for part := range folds {
		var train, test []*fitCase
		for _, c := range mine {
			h := fnv.New32a()
			_, _ = h.Write([]byte(c.clone))
			if int(h.Sum32()/7)%folds == part {
				test = append(test, c)
			} else {
				train = append(train, c)
			}
		}
		if len(train) == 0 {
			continue
		}
		m := fitModel(train)
		for _, c := range test {
			out.add(c, m)
		}
	}
	out.loss /= float64(max(out.commits, 1))
	return out, out.loss
}

func (f *fitFigures) add(c *fitCase, m *model) {
	c.judge(m)
	f.commits++
	f.files += c.lost
	found := false
	for k, file := range c.files {
		if !file.hit() {
			continue
		}
		f.files++
		f.loss -= math.Log(max(file.p, 1e-6))
		for n, most := range []int{1, 3, 5} {
			if !found && k < most {
				f.first[n]++
			}
		}
		found = true
	}
	for b, tokens := range budgets {
		got, all, bytes := c.spend(m, 3*tokens)
		f.view[b].files += got
		f.view[b].bytes += bytes
		if all {
			f.view[b].all++
		}
	}
}

// spend counts the changed files that a budget shows with all that changes.
func (c *fitCase) spend(m *model, budget int) (files int, all bool, bytes int) {
	var items []item
	for k := range c.files[:min(len(c.files), maxCandidates)] {
		f := &c.files[k]
		w := item{p: f.p, whole: f.size + overhead, entry: overhead}
		for _, u := range f.units {
			w.units = append(w.units, itemUnit{odds: m.unitOdds(&u.facts), cost: u.bytes + gapCost})
		}
		if len(f.units) == 0 {
			w.p = 0
		}
		items = append(items, w)
	}
	got := buy(items, budget, minValue)
	for _, b := range got {
		bytes += b.cost
	}
	all = c.lost == 0
	for k := range c.files {
		f := &c.files[k]
		if !f.hit() {
			continue
		}
		seen := 0
		if k < len(got) {
			for _, u := range got[k].units {
				seen += f.units[u].changed
			}
			if got[k].whole {
				seen = f.changed
			}
		}
		if seen == f.changed {
			files++
		} else {
			all = false
		}
	}
	return files, all, bytes
}

// writeWeights makes weights.go.
func writeWeights(t *testing.T, m *model) {
	t.Helper()
	var b strings.Builder
	list := func(name, size string, w []float64) {
		fmt.Fprintf(&b, "\t%s: [%s]float64{", name, size)
		for k, v := range w {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%.3g", v)
		}
		b.WriteString("},\n")
	}
	b.WriteString("package retrieval\n\n// fitted holds the weights that TestFit computed from commits of cloned projects\n// (docs/measuring.md).\nvar fitted = model{\n")
	list("file", "signals", m.file[:])
	list("place", "4", m.place[:])
	list("again", "3", m.again[:])
	list("unit", "blockFeatureCount", m.unit[:])
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.go", text, 0o644); err != nil {
		t.Fatal(err)
	}
}
