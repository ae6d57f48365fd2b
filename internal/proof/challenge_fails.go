package proof

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof/mutant"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// canFail runs the tests that pass with what they expect made wrong: one that passes then as well
// says nothing. One that failed on the old code was seen failing, and so is one that fails on a
// small change to the new: it may expect what no literal says, such as an error that is raised.
func (r *challengeRun) canFail(ctx context.Context) error {
	lines := map[int]bool{}
	for _, t := range r.w.Tests {
		for from, to := r.w.LinesOf(t); from <= to && from > 0; from++ {
			lines[from] = true
		}
	}
	seen, spoilt := map[string]bool{}, map[string]bool{}
	for _, t := range r.tests {
		seen[t.Name] = t.Old == string(challenge.Fails)
	}
	for _, t := range r.w.Tests { // what compares nothing is as if all of it had been made wrong
		spoilt[t.Name] = !compares().MatchString(r.w.CodeOf(t))
	}
	left := func() bool {
		return slices.ContainsFunc(r.tests,
			func(t event.ChallengeTest) bool { return challenge.State(t.State).Holds() && !seen[t.Name] })
	}
	whole := []byte(r.w.Text)
	for i, spoil := range []func() ([]byte, int){
		func() ([]byte, int) { return Spoil(whole, lines, false) },
		func() ([]byte, int) { return Spoil(whole, lines, true) },
		func() ([]byte, int) { return negated(whole, lines) },
		func() ([]byte, int) { return otherwise(testfile.Language(r.w.Path), whole, lines) },
		func() ([]byte, int) { return spoilEach(whole, lines) }, // inputs, perhaps
	} {
		text, n := spoil()
		if n == 0 || !left() {
			continue
		}
		got, err := r.run(ctx, r.p.new, text)
		if err != nil {
			return err
		}
		for _, t := range r.w.Tests { // what does not build says nothing of a test
			is, _ := r.ended(t, got)
			spoilt[t.Name] = spoilt[t.Name] || i < 4 && is == challenge.Passes && r.differs(t, text)
		}
		r.see(seen, got)
	}
	for _, m := range mutant.Choose(r.p.Subject.mutants(), maxConfirm, r.p.seed()) {
		if !left() {
			break
		}
		got, err := r.onMutant(ctx, m)
		if err != nil {
			return err
		}
		r.see(seen, got)
	}
	r.dropped(challenge.CannotFail, func(_ int, t event.ChallengeTest) bool {
		return t.New == string(challenge.Passes) && spoilt[t.Name] && !seen[t.Name]
	})
	return nil
}

// differs reports whether a test's lines are others in another text of the same number of lines.
func (r *challengeRun) differs(t challenge.Test, text []byte) bool {
	from, to := r.w.LinesOf(t)
	was, is := strings.Split(r.w.Text, "\n"), strings.Split(string(text), "\n")
	return from > 0 && !slices.Equal(was[from-1:min(to, len(was))], is[from-1:min(to, len(is))])
}

// see marks the tests that fail in a run.
func (r *challengeRun) see(seen map[string]bool, in Result) {
	for _, t := range r.w.Tests {
		if is, _ := r.ended(t, in); is == challenge.Fails {
			seen[t.Name] = true
		}
	}
}

// onMutant runs the tests on a small change to the new code.
func (r *challengeRun) onMutant(ctx context.Context, m mutant.Mutant) (Result, error) {
	t, err := r.p.newTree(ctx)
	if err != nil {
		return Result{}, err
	}
	return with(ctx, t, []edit.Change{r.p.changeOf(m)}, func(ctx context.Context) (Result, error) {
		return r.run(ctx, t, []byte(r.w.Text))
	})
}
