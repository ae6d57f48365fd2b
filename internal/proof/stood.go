package proof

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// Stood runs the tests as they stood in a tree of the new code: with the build files as they
// stood or, where nothing builds then, as they are, which builds reports; and once more with
// what product code uses as it is now.
func (s Subject) Stood(ctx context.Context, t Tree) (r Result, builds bool, err error) {
	changes := slices.Concat(s.OldTests, s.OldBuilds)
	r, err = with(ctx, t, changes, t.Test)
	if more := s.aliases(); err == nil && !r.Passed && len(more) > 0 {
		changes = slices.Concat(changes, more)
		r, err = with(ctx, t, changes, t.Test)
	}
	if err == nil && !r.Passed && len(s.OldBuilds) > 0 && r.noneRan() {
		changes = slices.Concat(s.OldTests, s.aliases())
		r, err = with(ctx, t, changes, t.Test)
		builds = r.Passed
	}
	rest := slices.DeleteFunc(slices.Clone(changes), func(c edit.Change) bool { return slices.Contains(s.Shared, c.Path) })
	if err == nil && r.Passed && len(rest) > 0 && len(rest) < len(changes) {
		r, err = with(ctx, t, rest, t.Test)
	}
	return r, builds, err
}

// noneRan reports whether no test came so far as to fail.
func (r Result) noneRan() bool {
	return !slices.ContainsFunc(r.Failures, func(f failure.Failure) bool { return f.Test != "" && !f.NotLoaded() })
}

// GatesStood runs the gates in a tree of the new code with some files as they stood.
func GatesStood(ctx context.Context, t Tree, changes []edit.Change) (failure.Verdict, error) {
	return with(ctx, t, changes, t.Gates)
}
