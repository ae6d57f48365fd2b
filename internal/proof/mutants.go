package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof/mutant"
)

// mutantSum is what became of all mutants.
type mutantSum struct {
	Claim     event.Claim
	Files     []event.ProvenFile
	Survivors []event.Survivor
	LeftOut   []string
}

// mutants tries them and tells of it.
func (p *Prover) mutants(ctx context.Context) error {
	if p.Mutants == 0 {
		return nil
	}
	began := p.Now()
	if p.Until.IsZero() && p.MutantTime > 0 {
		p.Until = began.Add(p.MutantTime)
	}
	f, err := p.tryMutants(ctx)
	if err != nil {
		return err
	}
	p.ran.Mutants = &f.Claim
	p.out.Files, p.out.Survivors, p.out.LeftOut = f.Files, f.Survivors, f.LeftOut
	p.step(event.StepMutants, f.Claim.State != event.StateNotShown, f.Claim.Reason, began)
	return nil
}

// tryMutants has the tests run on small changes to the changed lines. A change that
// does not build does not count, and another one takes its turn.
func (p *Prover) tryMutants(ctx context.Context) (mutantSum, error) {
	all := mutant.Choose(p.Subject.mutants(), 3*p.Mutants, p.seed())
	f := &mutantPool{p: p, ignore: p.ran.noKillers()}
	if len(all) > 0 {
		t, err := p.newTree(ctx)
		if err != nil {
			return mutantSum{}, err
		}
		f.trees = []Tree{t}
	}
	tried, next := 0, 0
	for tried < p.Mutants && next < len(all) && !f.late() {
		batch := all[next:min(next+p.Mutants-tried, len(all))]
		next += len(batch)
		became, err := f.run(ctx, batch)
		if err != nil {
			return mutantSum{}, err
		}
		for i, m := range batch {
			if !became[i].unbuilt && !became[i].late {
				tried++
				f.tried = append(f.tried, m)
				f.results = append(f.results, became[i])
			}
		}
	}
	return f.sum(len(all) == 0, min(p.Mutants, len(all))-tried), nil
}

// noKillers are the tests that a mutant is not noticed by: they fail without it as well, always
// or sometimes.
func (r Ran) noKillers() []failure.ID {
	ids := failure.IDs(slices.Concat(r.Before.Failures, r.After.Failures, r.Chance))
	fixed := failure.IDs(r.fixed())
	ids = slices.DeleteFunc(ids, func(id failure.ID) bool { return id.Among(fixed) })
	for _, name := range slices.Concat(r.Before.Flaky, r.After.Flaky) {
		ids = append(ids, failure.ID{Name: name})
	}
	return ids
}

// mutantPool is where mutants are tried: some trees of the new code, each with one at a time.
type mutantPool struct {
	p       *Prover
	ignore  []failure.ID
	trees   []Tree
	tried   []mutant.Mutant
	results []mutantResult
}

func (f *mutantPool) late() bool { return !f.p.Until.IsZero() && !f.p.Now().Before(f.p.Until) }

// run tries a batch, in as many trees as are allowed.
func (f *mutantPool) run(ctx context.Context, batch []mutant.Mutant) ([]mutantResult, error) {
	for len(f.trees) < min(f.p.Workers, len(batch)) {
		t, err := f.p.Sides.New(ctx)
		if err != nil {
			return nil, err
		}
		f.trees = append(f.trees, t)
	}
	if !f.p.Until.IsZero() {
		var stop func()
		ctx, stop = context.WithDeadlineCause(ctx, f.p.Until, errLate)
		defer stop()
	}
	results, errs := make([]mutantResult, len(batch)), make([]error, len(f.trees))
	var mu sync.Mutex
	next := 0
	var all sync.WaitGroup
	for w, t := range f.trees {
		all.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(batch) || errs[w] != nil {
					return
				}
				if results[i].late = f.late(); !results[i].late {
					results[i], errs[w] = f.p.try(ctx, t, batch[i], f.ignore, f.p.ran.After.Passing)
				}
				if errors.Is(errs[w], errLate) {
					results[i], errs[w] = mutantResult{late: true}, nil
				}
			}
		})
	}
	all.Wait()
	return results, errors.Join(errs...)
}

// errLate ends a test run for which there was no time left.
var errLate = errors.New("out of time")

// sum adds up what became of the mutants.
func (f *mutantPool) sum(none bool, left int) mutantSum {
	out := mutantSum{Claim: event.Claim{Claim: event.ClaimMutants, State: event.StateProven, Tests: []string{}}}
	c := &out.Claim
	killed := 0
	for i, m := range f.tried {
		result := f.results[i]
		file := fileOf(&out.Files, m.Path)
		file.Tried++
		if !result.killed {
			file.Survived++
			out.Survivors = append(out.Survivors, event.Survivor{File: m.Path, Line: m.Line, Was: m.Was, Now: m.Now, What: m.What})
			continue
		}
		killed++
		for _, t := range result.tests {
			for _, list := range []*[]string{&file.Tests, &c.Tests} {
				if !slices.Contains(*list, t) {
					*list = append(*list, t)
				}
			}
		}
	}
	slices.SortFunc(out.Survivors, func(a, b event.Survivor) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	slices.SortFunc(out.Files, func(a, b event.ProvenFile) int { return cmp.Compare(a.Path, b.Path) })
	c.Reason = fmt.Sprintf("%d of %d small changes to the changed lines made a test fail", killed, len(f.tried))
	switch {
	case none:
		c.State, c.Reason = event.StateUntried, "the changed lines hold nothing to try small changes on"
	case len(f.tried) == 0:
		c.State, c.Reason = event.StateUntried, "no small change could be built and tested in time"
	case killed < len(f.tried):
		c.State = event.StateNotShown
	}
	if left > 0 && f.late() {
		out.LeftOut = append(out.LeftOut, fmt.Sprintf("%d small changes were not tried: the time was up", left))
	}
	return out
}

func fileOf(list *[]event.ProvenFile, path string) *event.ProvenFile {
	for i := range *list {
		if (*list)[i].Path == path {
			return &(*list)[i]
		}
	}
	*list = append(*list, event.ProvenFile{Path: path})
	return &(*list)[len(*list)-1]
}
