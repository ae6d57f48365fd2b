package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Noticer tries whether the tests notice the change of a state at all: the files that it
// changed are broken, and the tests must fail.
type Noticer interface {
	Notices(ctx context.Context, from, to State) (bool, error)
}

// noticed sees to it that green is about the work, where nothing keeps tests from judging
// the code in the user's checkout: a test that was seen to tell old from new shows it, or
// else the tests fail once the changed files are broken.
func (r *run) noticed(ctx context.Context) error {
	if r.Noticer == nil || slices.ContainsFunc(r.m.Claims, func(c event.Claim) bool {
		return c.Claim == event.ClaimChange && c.State == event.StateProven
	}) {
		return nil
	}
	ok, err := r.Noticer.Notices(ctx, r.m.Start.State, r.m.Current)
	if err != nil || ok {
		return err
	}
	return fault.New(fault.Environment,
		"let setup_command install the project in the work tree, or turn the sandbox on (sandbox.mode: auto); then: booty resume",
		"the tests pass with the changed files broken as well: they may judge other code, such as that of the checkout")
}
