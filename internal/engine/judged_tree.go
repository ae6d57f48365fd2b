package engine

import (
	"context"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
)

// noticesChange reports whether the tests fail once the changed files of a state are broken: if not,
// they may judge the user's checkout instead of the tree.
func (v *verifier) noticesChange(ctx context.Context, s State) (bool, error) {
	files, err := v.changes.Sources(ctx, v.before.Start.State, s)
	if err != nil {
		return false, err
	}
	return inTree(ctx, v.trees, s.Commit, TreeOptions{},
		func(t Tree) (bool, error) { return proof.Notices(ctx, t, files) })
}

// errUnnoticed is the error of a run whose tests did not notice the change.
func errUnnoticed() error {
	return fault.New(fault.Environment,
		"let setup_command install the project in the work tree, or turn the sandbox on (sandbox.mode: auto); then: booty resume",
		"the tests pass with the changed files broken as well: they may judge other code, such as that of the checkout")
}
