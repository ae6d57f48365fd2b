package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof/mutant"
)

// mutantSum is the result of all mutants.
type mutantSum struct {
	Claim     event.Claim
	Files     []event.ProvenFile
	Survivors []event.Survivor
	Dismissed []event.Survivor
	LeftOut   []string
}

// mutants tries mutants and reports the result.
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
	p.out.Files, p.out.Survivors, p.out.Dismissed, p.out.LeftOut = f.Files, f.Survivors, f.Dismissed,
		f.LeftOut
	if f.Claim.State != event.StateUntried {
		p.step(event.StepMutants, f.Claim.State == event.StateProven, f.Claim.Reason, began)
	}
	return ctx.Err()
}

// tryMutants has the tests run on small changes to the changed lines. A change that
// does not build does not count, and another one takes its turn.
func (p *Prover) tryMutants(ctx context.Context) (mutantSum, error) {
	possible := p.Subject.mutants()
	all := mutant.Choose(possible, 3*p.Mutants, p.seed())
	f := &mutantPool{p: p, been: map[mutant.Place]bool{},
		killers: killers{alone: p.passAlone, passing: p.ran.After.Passing, ignore: p.ran.noKillers(),
			// else a test alone takes no less than a file
			soon:     time.Duration(p.out.SuiteMS)*time.Millisecond > patience,
			controls: &controls{passes: map[string]bool{}}}}
	if len(all) > 0 {
		t, err := p.newTree(ctx)
		if err != nil {
			return mutantSum{}, err
		}
		f.trees = []Tree{t}
	}
	tried, next, want := 0, 0, p.Mutants
	if places := mutant.Places(possible); p.ran.mayBeKept() {
		want = min(max(want, places), 2*p.Mutants)
	}
	for tried < want && next < len(all) && !f.late(ctx) && (tried < p.Mutants || !f.survived()) {
		batch := all[next:min(next+min(want-tried, p.Mutants), len(all))]
		next += len(batch)
		became, err := f.run(ctx, batch)
		if err != nil {
			return mutantSum{}, err
		}
		for i, m := range batch {
			if became[i].unbuilt {
				f.unbuilt++
			}
			if !became[i].late {
				f.been[m.In()] = true
			}
			if !became[i].unbuilt && !became[i].late {
				tried++
				f.tried = append(f.tried, m)
				f.results = append(f.results, became[i])
			}
		}
	}
	p.ran.AllTried = p.ran.AllTried && (len(f.been) == mutant.Places(possible) || tried >= enoughPlaces)
	out := f.sum(len(all) == 0, min(p.Mutants, len(all))-tried, f.ended(ctx))
	out.nameUntried(possible)
	return out, nil
}

// nameUntried adds the files in which a mutant was possible and none was tried.
func (s *mutantSum) nameUntried(possible []mutant.Mutant) {
	for _, m := range possible {
		if !slices.ContainsFunc(s.Dismissed, func(d event.Survivor) bool { return d.File == m.Path }) {
			fileOf(&s.Files, m.Path)
		}
	}
	slices.SortFunc(s.Files, func(a, b event.ProvenFile) int { return cmp.Compare(a.Path, b.Path) })
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

// enough is the number of mutants after which it is no accident that none of them loads: the code
// may check itself.
const enough = 5

// enoughPlaces are tried of a large change of which nothing is to be seen.
const enoughPlaces = 20

// mutantPool is where mutants are tried: some trees of the new code, each with one at a time.
type mutantPool struct {
	p       *Prover
	killers killers
	trees   []Tree
	tried   []mutant.Mutant
	results []mutantResult
	// unbuilt is how many did not build or load, been where one was.
	unbuilt int
	been    map[mutant.Place]bool
}

func (f *mutantPool) survived() bool {
	return slices.ContainsFunc(f.results, func(r mutantResult) bool { return !r.killed })
}

func (f *mutantPool) late(ctx context.Context) bool { return f.ended(ctx) != "" }

// ended says why no further mutant is begun; "" while one may.
func (f *mutantPool) ended(ctx context.Context) string {
	switch {
	case !f.p.Until.IsZero() && !f.p.Now().Before(f.p.Until), errors.Is(context.Cause(ctx), ErrTimeUp):
		return ErrTimeUp.Error()
	case ctx.Err() != nil:
		return "it was stopped"
	}
	return ""
}

// run tries a batch, in as many trees as are allowed where that saves more time than a tree takes
// to make.
func (f *mutantPool) run(ctx context.Context, batch []mutant.Mutant) ([]mutantResult, error) {
	long := time.Duration(len(batch))*time.Duration(f.p.out.SuiteMS)*time.Millisecond > patience
	for long && !f.p.apart && len(f.trees) < min(f.p.Workers, len(batch)) {
		if err := f.p.releaseOld(); err != nil {
			return nil, err
		}
		t, err := f.p.Sides.New(ctx)
		if err != nil {
			return nil, err
		}
		f.trees = append(f.trees, t)
	}
	if !f.p.Until.IsZero() {
		var stop func()
		ctx, stop = context.WithDeadlineCause(ctx, f.p.Until, ErrTimeUp)
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
				if results[i].late = f.late(ctx); !results[i].late {
					results[i], errs[w] = f.p.try(ctx, t, batch[i], f.killers)
				}
				if errs[w] != nil && ctx.Err() != nil {
					results[i], errs[w] = mutantResult{late: true}, nil
				}
			}
		})
	}
	all.Wait()
	return results, errors.Join(errs...)
}

// sum adds up the results of the mutants; ended says why some were not tried.
func (f *mutantPool) sum(none bool, left int, ended string) mutantSum {
	out := mutantSum{Claim: event.Claim{Claim: event.ClaimMutants, State: event.StateProven,
		Tests: []string{}}}
	c := &out.Claim
	killed := 0
	for i, m := range f.tried {
		result := f.results[i]
		s := event.Survivor{File: m.Path, Line: m.Line, Was: m.Was, Now: m.Now, What: m.What}
		if !result.killed && f.p.Dismissed != nil && f.p.Dismissed(s) {
			out.Dismissed = append(out.Dismissed, s)
			continue
		}
		file := fileOf(&out.Files, m.Path)
		file.Tried++
		if !result.killed {
			file.Survived++
			out.Survivors = append(out.Survivors, s)
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
	slices.SortFunc(out.Survivors,
		func(a, b event.Survivor) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	counted := len(f.tried) - len(out.Dismissed)
	c.Reason = fmt.Sprintf("%d of %d small changes to the changed lines made a test fail", killed, counted)
	switch {
	case none:
		c.State, c.Reason = event.StateUntried, "the changed lines hold nothing to try small changes on"
	case len(f.tried) == 0 && ended != "":
		c.State, c.Reason = event.StateUntried, ended+" before a small change was tried"
	case len(f.tried) == 0 && f.unbuilt >= enough:
		c.State, c.Reason = event.StateNotShown,
			fmt.Sprintf("none of %d small changes to the changed lines builds or loads", f.unbuilt)
	case len(f.tried) == 0:
		c.State, c.Reason = event.StateUntried, "no small change builds"
	case counted == 0:
		c.State, c.Reason = event.StateUntried, "all small changes that survived were dismissed"
	case killed < counted:
		c.State = event.StateNotShown
	}
	if left > 0 && ended != "" {
		out.LeftOut = append(out.LeftOut,
			fmt.Sprintf("%d of %d small changes were not tried: %s", left, left+len(f.tried), ended))
	}
	return out
}

// releaseOld releases the tree of the old code, so that the next tree reuses what setup and builds
// left there.
func (p *Prover) releaseOld() error {
	t := p.old
	if p.old = nil; t == nil || p.Release == nil {
		return nil
	}
	return p.Release(t)
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
