package runner

import (
	"context"

	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/report"
)

// setup runs what ranks highest, and what is usual for the tools where that fails or changes
// versioned files: CI installs its own tools or old versions that way, and a run would commit
// it.
func (t *trial) setup(ctx context.Context,
	reopen func() error) (command string, o detect.Outcome, err error) {
	first, usual := t.found.Setups()
	if first != "" {
		if o, err = t.prepare(ctx, first); err != nil || o.Passed && first == usual {
			return first, o, err
		}
	}
	unclean := false
	if o.Passed {
		changed, err := t.changed(ctx)
		if err != nil || len(changed) == 0 {
			return first, o, err
		}
		unclean = true
		t.leave(first, "it changes "+report.Some(changed))
		if err := reopen(); err != nil {
			return first, o, err
		}
	}
	switch {
	case usual == "" && unclean:
		return "", o, nil
	case usual == "" || usual == first:
		return first, o, nil
	}
	if o, err = t.prepare(ctx, usual); err != nil || o.Passed || !unclean {
		return usual, o, err
	}
	t.left = nil // nothing else works
	o, err = t.prepare(ctx, first)
	return first, o, err
}

// prepare tries a setup. If it fails, failing tests and gates mean nothing.
func (t *trial) prepare(ctx context.Context, command string) (o detect.Outcome, err error) {
	t.tell.Begin(detect.Setup, command)
	if o = t.blocked(command); o.State == detect.Untried {
		if o, err = t.run(ctx, detect.Setup, command); err != nil {
			return o, err
		}
	}
	t.tell.End(detect.Setup, command, o)
	if t.broken = ""; !o.Passed {
		t.broken = "after a setup that failed"
	}
	return o, nil
}

func (t *trial) leave(command, why string) {
	t.left = append(t.left, detect.Left{Kind: detect.Setup, Command: command, Why: why})
}

// changed lists the versioned files that differ from the commit.
func (t *trial) changed(ctx context.Context) ([]string, error) {
	entries, err := t.repo.Listing.Status(ctx)
	var paths []string
	for _, e := range entries {
		if !e.Untracked() {
			paths = append(paths, e.Path)
		}
	}
	return paths, err
}
