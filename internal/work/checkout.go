package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// Apart is the session in a work tree of its own, which begins at base ("" is
// HEAD), and what takes that away again.
func Apart(ctx context.Context, s *Session, base string) (*Session, func() error, error) {
	commit, err := s.Repo.Resolve(ctx, cmp.Or(base, "HEAD"))
	if err != nil {
		return nil, nil, err
	}
	w, cleanup, err := s.Repo.AddWorktree(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	var done closers
	done.add(func() error { return cleanup(context.WithoutCancel(ctx)) })
	l, err := w.Lock(ctx, "run")
	if err != nil {
		return nil, nil, errors.Join(err, done.Close())
	}
	done.add(l.Unlock)
	return s.In(w), done.Close, nil
}

// CleanTree refuses to work where the user's own changes would be in the way.
func CleanTree(ctx context.Context, s *Session) error {
	if err := Unblock(ctx, s); err != nil {
		return err
	}
	dirty, err := InTheWay(ctx, s)
	if err != nil || len(dirty) == 0 {
		return err
	}
	return fault.New(fault.Refused, "commit or stash them, or use --worktree; booty refine works on a dirty tree",
		"the work tree has changes: %s", report.Some(dirty))
}

// InTheWay lists what differs from the commit, but for settings that booty
// init has just written.
func InTheWay(ctx context.Context, s *Session) ([]string, error) {
	entries, err := s.Repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, e := range entries {
		if e.Untracked() && (isSettings(e.Path) || s.Repo.IsOutput(e.Path)) {
			continue
		}
		dirty = append(dirty, e.Path)
	}
	return dirty, nil
}

// Unblock looks for a run that was killed here. One whose checkout has been
// put right by hand is forgotten; else the way out is told.
func Unblock(ctx context.Context, s *Session) error {
	st, err := s.Repo.Interrupted(ctx)
	if err != nil || st == nil {
		return err
	}
	branch, _, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if st.Origin.RunBranch == "" || branch != st.Origin.RunBranch {
		s.Say("booty: run %s was interrupted here; booty resume %s goes on, booty undo %s takes it back", st.Run,
			st.Run, st.Run)
		return s.Repo.ClearState(ctx)
	}
	return fault.New(fault.Refused, fmt.Sprintf("booty resume %s, or booty undo %s, or git switch %s", st.Run,
		st.Run, originName(st.Origin)),
		"run %s was interrupted and left the checkout on its branch %s", st.Run, branch)
}

func originName(o workspace.Origin) string {
	if o.Branch != "" {
		return o.Branch
	}
	return "--detach " + o.Commit
}
