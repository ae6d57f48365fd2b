package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Undone is what was restored.
type Undone struct {
	Run journal.Run
	bringback.Undone
}

// Undo restores the files that a refine changed in the checkout; name "" is the last refine here
// that changed any.
func Undo(ctx context.Context, s *Session, name string) (Undone, error) {
	r, err := runToUndo(ctx, s, name)
	if err != nil {
		return Undone{}, err
	}
	u := Undone{Run: r}
	err = locked(ctx, s.Repo, "undo", func() (err error) {
		u.Undone, err = s.Repo.Results.Undo(ctx, r.ID)
		return err
	})
	if err != nil || u.Restored+u.Commits == 0 { // the user may have put the change aside
		return u, err
	}
	return u, closeUndone(ctx, s, r)
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

// runToUndo is the named run, or the last one that brought anything back into this
// checkout.
func runToUndo(ctx context.Context, s *Session, name string) (journal.Run, error) {
	if name != "" {
		return namedToUndo(ctx, s, name)
	}
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Repo.Root(), Limit: 100})
	if err != nil {
		return journal.Run{}, err
	}
	undone := ""
	for _, r := range runs {
		brought, err := s.Repo.Results.Wrote(ctx, r.ID)
		if err != nil {
			return r, err
		}
		if brought && !r.Undone {
			return r, nil
		}
		if brought && undone == "" {
			undone = r.ID
		}
	}
	if undone != "" {
		return journal.Run{}, fault.New(fault.NothingToDo, "booty status lists the runs",
			"run %s is undone already", undone)
	}
	return journal.Run{}, fault.New(fault.NothingToDo,
		"the work of booty run is on branches: booty status names them",
		"no refine has changed anything in this checkout")
}

func namedToUndo(ctx context.Context, s *Session, name string) (journal.Run, error) {
	r, err := s.Journal.Run(ctx, name, s.Repo.Root())
	if err != nil && !errors.Is(err, journal.ErrNoRun) {
		return r, err
	}
	id := name
	if err == nil {
		id = r.ID
	}
	brought, e := s.Repo.Results.Wrote(ctx, id)
	switch {
	case err != nil && (e != nil || !brought):
		return r, err
	case e != nil:
		return r, e
	case err != nil: // the records are gone, what git has is not
		return journal.Run{ID: name}, nil //nolint:nilerr // what git has is enough
	case brought:
		return r, nil
	}
	return r, fault.New(fault.NothingToDo, whereWorkIs(ctx, s, r), "run %s changed nothing in this checkout",
		r.ID)
}

// whereWorkIs names the branch that a run's work is on, while it is there.
func whereWorkIs(ctx context.Context, s *Session, r journal.Run) string {
	if r.Kind == "run" && r.Branch != "" {
		if _, err := s.Repo.History.Resolve(ctx, "refs/heads/"+r.Branch); err == nil {
			return "its work is on branch " + r.Branch
		}
	}
	return "booty status lists the runs"
}
