package runner

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/trees"
	"github.com/booty-cli/booty/internal/workspace"
)

// gitSandbox plans what hooks and programs that git starts may touch: the same as the checks, but
// they see the tree at its own path, since git has to find the user's objects.
func gitSandbox(ctx context.Context, s *Session, repo *workspace.Repo) (*sandbox.Plan, error) {
	o, err := sandboxConfig(ctx, s, repo)
	if err != nil {
		return nil, err
	}
	home := repo.Home()
	hooks, _ := repo.Hooks.Place() // it may lie below the home directory
	o.View, o.Shown, o.Read = "", nil, append(slices.Clone(o.Read), home.CommonDir(), home.GitDir(), hooks)
	return sandbox.New(o)
}

// reachingSandbox is that of the checks, but for that they may read the user's checkout.
func reachingSandbox(ctx context.Context, s *Session, repo *workspace.Repo) (*sandbox.Plan, error) {
	o, err := sandboxConfig(ctx, s, repo)
	if err != nil {
		return nil, err
	}
	o.Denied, o.Read = []string{repo.Slots.Dir()}, append(slices.Clone(o.Read), repo.Checkout())
	return sandbox.New(o)
}

// newSandbox plans what the checks may touch, and reports what the system cannot defend. A tree of
// booty's own is shown to them in place of the user's checkout, which they cannot see. Booty's own
// records and settings are among the secrets.
func newSandbox(ctx context.Context, s *Session, repo *workspace.Repo,
	events event.Listener) (*sandbox.Plan, error) {
	o, err := sandboxConfig(ctx, s, repo)
	if err != nil {
		return nil, err
	}
	plan, err := sandbox.New(o)
	if err == nil && plan.Checkout() == sandbox.Denied {
		// Nor may they reach other trees of booty's, which ignored files of one may name.
		o.Denied = append(slices.Clone(o.Denied), repo.Slots.Dir())
		err = plan.Close()
		if err == nil {
			plan, err = sandbox.New(o)
		}
	}
	if err != nil {
		return nil, err
	}
	level := "info"
	if o.Mode == sandbox.Off {
		level = "warning"
		events.Handle(event.Notice{Level: level,
			Message: "the sandbox is off: the checks may read and write all that you may"})
	}
	for _, n := range plan.Notes {
		events.Handle(event.Notice{Level: level, Message: "sandbox: " + n})
	}
	return plan, nil
}

func sandboxConfig(ctx context.Context, s *Session, repo *workspace.Repo) (sandbox.Config, error) {
	c := s.Settings.Sandbox
	obeyed, err := repo.Obeyed(ctx)
	if err != nil {
		return sandbox.Config{}, err
	}
	o := sandbox.Config{
		Mode: sandbox.Mode(c.Mode), Root: repo.Root(), Network: c.Network, Read: c.Read, Write: c.Write, Env: c.Env,
		ReadOnly: obeyed,
		Commands: append(judgingCommands(s.Settings.Config), s.Settings.SetupCommand),
		Secrets: append(s.Journal.Private(),
			filepath.Dir(config.DefaultUserFile(s.Getenv)), config.DefaultConsentFile(s.Getenv)),
	}
	if repo.Tree != nil {
		shownAsCheckout(&o, repo.Tree, repo.Checkout())
	}
	return o, nil
}

// shownAsCheckout has a tree of booty's own shown in place of the user's checkout, if that can be.
func shownAsCheckout(o *sandbox.Config, tree *trees.Tree, checkout string) {
	o.Denied = []string{checkout}
	if nested(o.Root, checkout) {
		return
	}
	o.View = checkout
	for at, from := range tree.Borrowed() {
		o.Shown = append(o.Shown, sandbox.Shown{From: from, At: at})
	}
	for _, l := range tree.Overlays() {
		o.Overlays = append(o.Overlays, sandbox.Overlay{Lower: l.Lower, Upper: l.Upper, Work: l.Work, Target: l.Target,
			File: l.File, Whole: l.Whole})
	}
}

// nested reports whether one of two directories lies in the other: then one cannot be
// shown in place of the other.
func nested(a, b string) bool {
	return strings.HasPrefix(a+string(filepath.Separator), b+string(filepath.Separator)) ||
		strings.HasPrefix(b+string(filepath.Separator), a+string(filepath.Separator))
}
