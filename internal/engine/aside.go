package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Trial checks a state together with the parts that were set aside, in a tree
// of its own.
type Trial interface {
	Try(ctx context.Context, s State, parts []SetAside, known func(event.Failure) bool) (Verdict, error)
}

// errNeedsReview marks the end of a run whose task itself changes what old tests
// expect: with the lines that were set aside everything passes, and whether they
// may be taken is for a person to say.
var errNeedsReview = errors.New("a person must judge")

// noteAside keeps what of a reply was set aside, and says whether the very same
// was asked for before.
func (r *run) noteAside(parts []SetAside) {
	if len(parts) == 0 {
		return
	}
	key := keyOf(parts)
	again := slices.Contains(r.asideKeys, key) ||
		slices.ContainsFunc(r.m.Attempts, func(a Attempt) bool { return keyOf(a.SetAside) == key })
	r.asideTwice = r.asideTwice || again
	r.asideKeys = append(r.asideKeys, key)
	r.asideNow = latest(append(r.asideNow, parts...))
}

// latest keeps the last part of each path.
func latest(parts []SetAside) []SetAside {
	var out []SetAside
	for _, p := range slices.Backward(parts) {
		if !slices.ContainsFunc(out, func(o SetAside) bool { return o.Path == p.Path }) {
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

// aside gives all that was set aside in the run, the latest of each path.
func (r *run) aside() []SetAside {
	var all []SetAside
	for _, a := range r.m.Attempts {
		all = append(all, a.SetAside...)
	}
	return latest(append(all, r.asideNow...))
}

// tryAside sees whether all passes in state s with what was set aside. Then the
// run ends: its error is errNeedsReview.
func (r *run) tryAside(ctx context.Context, s State) error {
	parts := r.aside()
	key := s.Tree + "\x00" + keyOf(parts)
	if r.Trial == nil || len(parts) == 0 || slices.Contains(r.tried, key) {
		return nil
	}
	r.tried = append(r.tried, key)
	k := r.known()
	r.notice("info", "trying the lines of old tests that were set aside, in a tree of their own")
	v, err := r.Trial.Try(ctx, s, parts, k.has)
	if err != nil {
		return err
	}
	if v = v.settle(k); !v.Green {
		r.notice("info", "with them the checks fail, too")
		return nil
	}
	r.m.ForReview, r.m.Aside = &s, parts
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.mustBeJudged()
}

// mustBeJudged is the end of a run that passes with old tests changed.
func (r *run) mustBeJudged() error {
	var paths []string
	for _, p := range r.m.Aside {
		paths = append(paths, p.Path)
	}
	return fault.New(fault.Exhausted, "booty status latest --show set-aside shows them; booty resume --test-edits allow takes them",
		"everything passes with lines of old tests changed, which %w: %s", errNeedsReview, list(paths))
}

// asideSummary stands for the attempt that takes set-aside hunks: it names a
// commit only where nothing else was done.
const asideSummary = "test: expect what the change does"

// takeAside applies, as an attempt of its own, what was set aside before the
// user allowed it.
func (r *run) takeAside(ctx context.Context) (Attempt, error) {
	parts := r.m.Aside
	r.m.ForReview, r.m.Aside = nil, nil
	a := Attempt{N: r.m.total() + 1, Summary: asideSummary, State: r.m.Current}
	changes, err := r.Workspace.Fit(ctx, parts)
	if err != nil {
		return a, err
	}
	if len(changes) > 0 {
		err = r.applyAndCheck(ctx, &a, Proposal{Summary: a.Summary, Changes: changes}, nil)
	} else { // they are there by now
		if last := r.m.lastChange(); last != nil {
			a.Files = last.Files
		}
		a.Verdict, err = r.verifyAgain(ctx, a.State, a.N)
	}
	if err != nil {
		return a, err
	}
	if a.Verdict.Green {
		if err := r.evidence(ctx, &a); err != nil {
			return a, err
		}
	}
	if a.Outcome, err = r.outcome(ctx, a); err != nil {
		return a, err
	}
	return a, r.record(ctx, a)
}

// forReview gives the attempt that a person must judge, nil where none is or
// where nothing but old tests was to change.
func (m *Memory) forReview() *Attempt {
	if m.ForReview == nil {
		return nil
	}
	for i := range m.Attempts {
		if a := &m.Attempts[i]; a.State == *m.ForReview && len(a.Files) > 0 {
			return a
		}
	}
	return nil
}

// needsReview ends an attempt that a trial has judged, or lets it go on.
func (r *run) needsReview(ctx context.Context, a Attempt, last bool) error {
	if a.Verdict.Green || !r.asideTwice && !last {
		return nil
	}
	err := r.tryAside(ctx, a.State)
	if !errors.Is(err, errNeedsReview) {
		return err
	}
	a.Outcome = event.Failing
	if e := r.record(ctx, a); e != nil {
		return fmt.Errorf("keep what needs review: %w", e)
	}
	return err
}
