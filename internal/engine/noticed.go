package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
)

// noticed makes sure that green is about the work, if the tests could judge the user's checkout
// instead: a test must have been seen to fail without the change, or the tests must fail once the
// changed files are broken.
func (r *run) noticed(ctx context.Context) error {
	if !r.o.MustNotice || slices.ContainsFunc(r.m.Claims, func(c event.Claim) bool {
		return c.Claim == event.ClaimChange && c.State == event.StateProven
	}) {
		return nil
	}
	files, err := r.Changes.Sources(ctx, r.m.Start.State, r.m.Current)
	if err != nil {
		return err
	}
	ok, err := inTree(ctx, r.Trees, r.m.Current.Commit, TreeOptions{},
		func(t Tree) (bool, error) { return proof.Notices(ctx, t, files) })
	if err != nil || ok {
		return err
	}
	return fault.New(fault.Environment,
		"let setup_command install the project in the work tree, or turn the sandbox on (sandbox.mode: auto); then: booty resume",
		"the tests pass with the changed files broken as well: they may judge other code, such as that of the checkout")
}
