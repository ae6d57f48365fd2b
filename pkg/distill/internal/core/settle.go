package core

import (
	"slices"
	"strings"
)

// settle turns the ledger into failures and totals.
func (g *generic) settle() {
	f := g.f
	if !g.counted {
		g.learnedSum()
	}
	g.innerSums()
	told := len(f.Totals[f.totalsFrom:])+len(f.Reports) > 0
	if !told {
		for _, r := range g.runs {
			g.total(&r)
		}
	}
	if inner := g.insideOthers(); inner != nil {
		f.Failures = append(f.Failures[:f.from], inner...)
		return
	}
	if g.known || f.namedFound && len(g.ledger.open()) == 0 || told && f.green() {
		g.secondRun()
		return
	}
	if g.counted && g.failed == 0 && f.exit == nil && !f.partFailed {
		return
	}
	proven := g.proven()
	g.tests = g.tests || proven
	var out, loose []Failure
	for _, x := range g.agree(g.ledger.failing()) {
		if len(out)+len(loose) >= maxFailures {
			break
		}
		y, ok := g.failure(x)
		if ok {
			out = append(out, g.alsoFailed(&y, x.best().block)...)
		}
		switch {
		case !ok:
		case !g.counted && !proven && x.proof() < proofMark: // perhaps a tool that ran others
			loose = append(loose, y)
		default:
			out = append(out, y)
		}
	}
	if len(out) == 1 && (out[0].File == "" || !f.Root.Exists(out[0].File)) {
		g.onlyTrace(&out[0])
	}
	if len(out) == 0 {
		f.Loose = append(f.Loose, loose...)
	} else {
		out = append(out, loose...)
	}
	if x, ok := g.died(); ok && (len(out) == 0 || f.exit == nil || *f.exit != 0) {
		f.finish(&x)
		out = append(out, x)
	}
	g.report(out)
}

// insideOthers gives the failures of a runner that the failing tests of another one have run:
// those say nothing and have no place.
func (g *generic) insideOthers() (out []Failure) {
	says := func(x Failure) bool { return !x.Weak || x.File != "" }
	if !g.known || slices.ContainsFunc(g.f.Failures[g.f.from:], says) {
		return nil
	}
	for _, x := range g.ledger.failing() {
		if y, ok := g.failure(x); ok && y.File != "" && y.Message != "" {
			out = append(out, y)
		}
	}
	return out
}

// innerSums forgets the sums that failing tests have printed: they ran a runner
// of their own, and the sum that follows them counts them as one.
func (g *generic) innerSums() {
	last := len(g.runs) - 1
	for last > 0 && !g.runs[last].summed {
		last-- // what stands behind the last sum
	}
	for i := range g.runs[:max(0, last)] {
		r := &g.runs[i]
		inside := slices.ContainsFunc(g.ledger.failing(), func(x *entry) bool {
			return slices.ContainsFunc(x.events, func(e event) bool {
				return e.at < r.to && (r.end <= e.at+1+len(e.block) ||
					strings.HasPrefix(e.mark, headingOutput) && g.speaksOf(e.name, e.at+1, r.to))
			})
		})
		if r.summed && inside {
			r.summed = false
			g.failed, g.passed = g.failed-max(r.total.Failed, 0), g.passed-max(r.total.Passed, 0)
		}
	}
}

// speaksOf tells whether lines tell results of one test and no other.
func (g *generic) speaksOf(name string, from, to int) bool {
	key := NameKey(name)
	for i := range g.marks {
		if m := &g.marks[i]; m.at >= from && m.at < to && m.said != unknown && !endsIn(key, NameKey(m.name)) {
			return false
		}
	}
	return true
}

// onlyTrace gives the only failing test the trace that the run has printed
// elsewhere.
func (g *generic) onlyTrace(x *Failure) {
	var rest []string
	for i := range g.d.Lines {
		if l := &g.d.Lines[i]; !l.Used && len(rest) < 2000 {
			rest = append(rest, l.S)
		}
	}
	z := Failure{Frames: innermostFirst(rest)}
	if g.f.place(&z); z.File != "" && g.f.Root.Exists(z.File) {
		x.File, x.Line, x.Column, x.Frames = z.File, z.Line, z.Column, z.Frames
	}
}

func (g *generic) report(out []Failure) {
	g.f.Failures = append(g.f.Failures, g.withoutFiles(out)...)
	if len(out) > 0 {
		g.f.Saw(g.f.runner())
	}
}

// total files the sum of a run.
func (g *generic) total(r *run) {
	f := g.f
	if !r.summed || !g.tests && (r.total.Passed < 0 || r.total.Failed < 0) {
		return
	}
	if r.total.Failed < 0 && r.total.Passed >= 0 && len(g.ledger.failing()) == 0 {
		r.total.Failed, r.total.Skipped = 0,
			max(r.total.Skipped, 0) // who tells only what passed had no more to tell
	}
	if t := &r.total; t.Passed < 0 && len(g.runs) < 3 && t.Failed == len(g.ledger.failing()) {
		t.Passed = max(t.Passed, g.ledger.passing()) // the other numbers agree with what is told
	}
	for i := r.from; i < r.end; i++ { // the headline tells them
		l := &g.all.Lines[i]
		l.Used = l.Used || resultWords().Match([]byte(l.S)) &&
			len(countsIn(g.d.Lines[i].S)) > min(1, max(0, r.to-i))
	}
	f.Format = f.runner()
	if len(f.docs) > 1 && f.Doc.Label == "" { // what a task runner counts are tasks
		f.outer = append(f.outer, r.total)
		return
	}
	f.Total(r.total.Passed, r.total.Failed, r.total.Skipped)
}

// secondRun reads what stands behind the last line that the reader of a tool
// has used, if it ends at a sum of its own: a second tool behind the first.
func (g *generic) secondRun() {
	last := -1
	for i := range g.all.Lines {
		if l := &g.all.Lines[i]; l.Used && !l.Guessed {
			last = i
		}
	}
	for k := range g.runs {
		r := &g.runs[k]
		if !r.summed || r.to <= last || r.total.Failed <= 0 {
			continue
		}
		var out []Failure
		for _, x := range g.ledger.failing() {
			best := x.best()
			if best.at <= last || best.at >= r.to || len(out) >= r.total.Failed || tellingBlock(best.block) < 4 {
				continue // without a message of its own it is a wrapper
			}
			if y, ok := g.failure(x); ok {
				out = append(out, y)
			}
		}
		if len(out) > 0 {
			g.report(out)
			g.total(r)
		}
	}
}

// agree drops the least proven where more failures are named than the sums
// count.
func (g *generic) agree(all []*entry) []*entry {
	if !g.counted || g.failed == 0 || len(all) <= g.failed {
		return all
	}
	worth := func(x *entry) int {
		w := 10 * x.proof()
		if len(x.events) > 1 {
			w += 8
		}
		if g.f.Root.IsFile(x.name()) {
			w -= 25
		}
		return w + min(tellingBlock(x.best().block), 9)
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *entry) int { return worth(b) - worth(a) })
	keep := map[*entry]bool{}
	least := worth(order[g.failed-1])
	for i, x := range order {
		keep[x] = i < g.failed || worth(x) == least && x.proof() > proofListed
	}
	return slices.DeleteFunc(all, func(x *entry) bool { return !keep[x] })
}

// onlyFindings tells a block that holds findings of a compiler or linter.
func (g *generic) onlyFindings(block []string) bool {
	return slices.ContainsFunc(block, func(s string) bool {
		p, ok := ParseDiag(s, g.f.Root)
		return ok && (p.Severity != "" || p.Code != "" || p.Col > 0)
	})
}

// withoutFiles drops entries that are files in which other tests failed.
func (g *generic) withoutFiles(all []Failure) []Failure {
	in := map[string]bool{}
	for i := range all {
		if !g.f.Root.IsFile(all[i].Test) {
			in[all[i].File] = true
			for _, fr := range all[i].Frames {
				in[fr.File] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(x Failure) bool {
		rel, ok := g.f.Root.Resolve(x.Test, "")
		return ok && in[rel]
	})
}

// proven tells whether a line counts as many failures as are named: two numbers
// that agree prove both.
func (g *generic) proven() bool {
	n := len(g.ledger.failing())
	if n == 0 {
		return false
	}
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if len(s) < 200 && !otherThings(s) && resultWords().Match([]byte(s)) &&
			slices.Contains(countsIn(s), count{countFailed, n}) {
			return true
		}
	}
	return false
}
