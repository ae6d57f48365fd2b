package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
)

// WholeRun undoes all that was done since the run began.
const WholeRun = -1

// Undone is what was taken back.
type Undone struct {
	Run journal.Run
	// Already says that there was nothing to take back.
	Already bool
}

// Undo gives the files that a run ("" is the last one here that changed any) wrote in
// the checkout what they held before it, or as an attempt of it left them; 0 is before
// the run.
func Undo(ctx context.Context, s *Session, name string, attempt int) (Undone, error) {
	r, err := runToUndo(ctx, s, name)
	if err != nil {
		return Undone{}, err
	}
	target, err := s.Repo.Checkpoint(ctx, r.ID, max(attempt, 0))
	if err != nil {
		return Undone{}, err
	}
	u := Undone{Run: r}
	if u.Already, err = s.Repo.Undo(ctx, r.ID, target); err != nil {
		return u, err
	}
	if attempt <= 0 {
		return u, closeUndone(ctx, s, r)
	}
	return u, nil
}

// closeUndone notes that a run was taken back, and closes one that was cut short: it
// can be resumed all the same.
func closeUndone(ctx context.Context, s *Session, r journal.Run) error {
	if r.Started.IsZero() { // its record is gone
		return nil
	}
	if r.State == record.Interrupted {
		if err := s.Journal.FinishRun(ctx, r.ID, event.RunFinished{
			Outcome: event.Interrupted, ExitCode: fault.ExitCode(fault.New(fault.Interrupted, "", "interrupted")),
			Branch:   r.Branch,
			Attempts: r.Attempts, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
			Message: "interrupted", Hint: "booty resume " + r.ID + " continues it",
		}); err != nil {
			return err
		}
	}
	return s.Journal.MarkUndone(ctx, r.ID)
}

// elsewhere says that a run worked in a tree of booty's own: there is nothing of it
// in the checkout.
func elsewhere(ctx context.Context, s *Session, r journal.Run) bool {
	if st, err := s.Repo.Interrupted(ctx); err == nil && st != nil && st.Run == r.ID {
		return false // killed on its branch here, before it had written anything
	}
	return r.Kind == "run" && !s.Repo.HasWritten(ctx, r.ID)
}

// runToUndo is the named run, or the last one in this checkout that changed
// anything.
func runToUndo(ctx context.Context, s *Session, name string) (journal.Run, error) {
	if name != "" {
		return namedToUndo(ctx, s, name)
	}
	if st, err := s.Repo.Interrupted(ctx); err != nil {
		return journal.Run{}, err
	} else if st != nil { // whatever was killed here comes first
		return namedToUndo(ctx, s, st.Run)
	}
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Repo.Root(), Limit: 100})
	if err != nil {
		return journal.Run{}, err
	}
	for _, r := range runs {
		switch {
		case r.Undone:
		case s.Repo.HasWritten(ctx, r.ID):
			return r, nil
		case elsewhere(ctx, s, r) && r.Attempts > 0:
			return r, workedElsewhere(r)
		}
	}
	return journal.Run{}, fault.New(fault.NothingToDo, "booty status --all lists the runs of other checkouts",
		"no run has changed anything in this checkout")
}

func workedElsewhere(r journal.Run) error {
	hint := "booty undo RUN takes back another one; booty status lists them"
	if r.Branch != "" {
		hint = "its work is on branch " + r.Branch + "; " + hint
	}
	return fault.New(fault.NothingToDo, hint,
		"run %s worked in a work tree of its own: nothing in this checkout was changed", r.ID)
}

func namedToUndo(ctx context.Context, s *Session, name string) (journal.Run, error) {
	r, err := s.Journal.Run(ctx, name, s.Repo.Root())
	switch {
	case err == nil && elsewhere(ctx, s, r):
		return r, workedElsewhere(r)
	case !errors.Is(err, journal.ErrNoRun):
		return r, err
	}
	if _, e := s.Repo.Checkpoints(ctx, name); e == nil {
		return journal.Run{ID: name}, nil // the records are gone, the states in git are not
	}
	return r, fault.New(fault.Usage, "booty status lists the runs", "%w", err)
}
