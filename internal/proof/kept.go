package proof

import (
	"maps"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/foreign"
)

// kept reports whether tests that pass on both sides would have noticed a change of what the
// changed lines do: each small change to them makes one fail. Where there are no such lines,
// nothing does anything new. A change that brings tests means to do something new.
func (r Ran) kept(mutants event.Claim) bool {
	return r.After.Counts.Ran() > 0 &&
		(r.Same && !r.New.failed() || r.New == nil && r.AllTried && mutants.State == event.StateProven)
}

// mayBeKept reports whether it depends on the small changes what the change is called.
func (r Ran) mayBeKept() bool {
	return r.New == nil && r.change().State == event.StateNotShown && r.unharmed().State == event.StateProven
}

// failed reports whether something failed on the old code with the new tests, so that these may
// distinguish it from the new.
func (c *Claim) failed() bool { return c != nil && len(c.Failures) > 0 }

func see(n int) string {
	if n == 1 {
		return "1 test sees"
	}
	return tests(n) + " see"
}

func (r Ran) keptBy(mutants event.Claim) string {
	if r.Same {
		return "no line of code is new"
	}
	return mutants.Reason
}

// lookAtLines says which of the changed lines small changes can be made to.
func (p *Prover) lookAtLines() {
	p.ran.AllTried, p.ran.Same = true, len(p.Sources) > 0
	for _, f := range p.Sources {
		if p.out.At.File == "" && f.New != nil {
			p.out.At = event.Place{File: f.Path, Line: 1}
			if changed := f.changed(); len(changed) > 0 {
				p.out.At.Line = slices.Min(slices.Collect(maps.Keys(changed)))
			}
		}
		if f.New == nil || len(f.changed()) == 0 || f.Old != nil && (f.onlyToolComments() || f.OnlyDocstrings()) {
			continue
		}
		p.ran.Same = false
		p.ran.AllTried = p.ran.AllTried && (len(f.mutants()) > 0 || foreign.ThirdParty(f.Path))
	}
}
