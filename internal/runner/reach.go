package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/sandbox"
)

// Where the system cannot show commands the work tree in place of the user's checkout, they
// are denied the checkout: what reaches into it by an absolute path fails instead of judging
// the wrong code. Failures of that kind are no failures of the code.

// needsCheckout reports whether failing checks end differently once they may read the user's
// checkout. They run once more for that, and the result is used for nothing else.
func (c *checks) needsCheckout(ctx context.Context, suite check.Suite, v failure.Verdict) (bool, error) {
	if v.Green || v.Environment != "" || c.box.Checkout() != sandbox.Denied {
		return false, nil
	}
	reaching, done, err := c.reaching(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = done() }() // an empty folder for temporary files may stay
	w, err := reaching.Verify(ctx, suite, check.VerifyOptions{Full: true, FlakeCheck: true})
	return err == nil && saysOtherwise(v, w.Verdict), err
}

// saysOtherwise reports whether another run of failing checks lacks one of the failures, or has it
// with another message, apart from what differs from run to run.
func saysOtherwise(v, other failure.Verdict) bool {
	if other.Green || v.TestsFailed && !other.TestsFailed {
		return true
	}
	known := failure.Signatures(v.Failures, v.Again)
	return slices.ContainsFunc(v.Failures, func(f failure.Failure) bool {
		i := slices.IndexFunc(other.Failures, func(o failure.Failure) bool { return o.ID().Same(f.ID()) })
		return f.Test != "" && (i < 0 || !failure.SignatureOf(other.Failures[i]).Known(known))
	})
}

// unnoticed reports whether the passing tests of a proof also pass in another tree with the changed
// files broken, if nothing keeps them from the user's checkout.
func (t *proving) unnoticed(ctx context.Context, c *secondTree) (bool, error) {
	if c.checks.box.Checkout() != sandbox.Reachable || c.setup != nil {
		return false, nil
	}
	other, err := t.ready(ctx, t.to)
	if err != nil {
		return false, err
	}
	other.unnoticed = nil
	ok, err := proof.Notices(ctx, other, t.sources)
	return !ok, err
}

// reachWords are what is said of checks that need the checkout, and what helps.
func (c *checks) reachWords() (why, hint string) {
	return fmt.Sprintf("they reach into %s by its absolute path, and this system cannot show them the work tree there", c.setups.tree.Checkout()),
		"allow mount namespaces (in Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined; on Ubuntu: " +
			"sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0), or have setup_command install the project anew"
}
