package work

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/workspace"
)

// WholeRun undoes all that was done since the run began, or was last resumed.
const WholeRun = -1

// Undone is what was taken back.
type Undone struct {
	Run journal.Run
	// Already says that there was nothing to take back, Resumed that the tree is as
	// the run last found it: when it was resumed, or changed meanwhile.
	Already, Resumed bool
}

// Undo puts the work tree back as it was before a run ("" is the last one here
// that changed anything), or as an attempt of it left the tree; 0 is before the
// run, resumed or not.
func Undo(ctx context.Context, s *Session, name string, attempt int) (Undone, error) {
	r, err := runToUndo(ctx, s, name)
	if err != nil {
		return Undone{}, err
	}
	target, err := undoTarget(ctx, s, r, attempt)
	if err != nil {
		return Undone{}, err
	}
	u := Undone{Run: r, Resumed: target.Run != r.ID}
	whole := attempt <= 0
	if whole {
		if u.Already, err = s.Repo.AsBefore(ctx, target); err != nil {
			return u, err
		}
	}
	if !u.Already {
		if err := s.Repo.Undo(ctx, r.ID, target); err != nil {
			return u, err
		}
		if err := s.Repo.ClearState(ctx); err != nil {
			return u, err
		}
	}
	if whole && r.State == record.Interrupted {
		return u, closeUndone(ctx, s, r)
	}
	return u, nil
}

func undoTarget(ctx context.Context, s *Session, r journal.Run, attempt int) (workspace.Checkpoint, error) {
	if attempt == WholeRun {
		return s.Repo.UndoTarget(ctx, r.ID)
	}
	return s.Repo.UndoAttempt(ctx, r.ID, attempt)
}

// closeUndone closes a run that was cut short on record: nothing of it is left
// to be ended, though it can be resumed.
func closeUndone(ctx context.Context, s *Session, r journal.Run) error {
	return s.Journal.FinishRun(ctx, r.ID, event.RunFinished{
		Outcome: event.Interrupted, ExitCode: fault.ExitCode(fault.New(fault.Interrupted, "", "interrupted")),
		Branch:   r.Branch,
		Attempts: r.Attempts, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
		Message: "interrupted, and taken back with booty undo", Hint: "booty resume " + r.ID + " goes on with it",
	})
}

// ownTree says that a run worked in a tree of its own: there is nothing of it
// in the checkout.
func ownTree(r journal.Run) bool {
	given := map[string]string{}
	return len(r.Options) > 0 && json.Unmarshal(r.Options, &given) == nil && given["worktree"] == "true"
}

// leftSomething says whether a run changed the tree, if only in an attempt that
// was cut short.
func leftSomething(ctx context.Context, s *Session, run string) bool {
	set, err := s.Repo.Checkpoints(ctx, run)
	if err != nil { // none was made, or none is left
		return false
	}
	for _, cp := range set {
		if cp.Tree != set[0].Tree {
			return true
		}
	}
	return false
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
		case ownTree(r) && r.Attempts > 0:
			return r, workedElsewhere(r)
		case !ownTree(r) && (r.Attempts > 0 || leftSomething(ctx, s, r.ID)):
			return r, nil
		}
	}
	return lastInGit(ctx, s)
}

func workedElsewhere(r journal.Run) error {
	hint := "booty undo RUN takes back another one; booty status lists them"
	if r.Branch != "" {
		hint = "its work is on branch " + r.Branch + "; " + hint
	}
	return fault.New(fault.NothingToDo, hint,
		"run %s worked in a work tree of its own: nothing of this checkout was changed", r.ID)
}

func namedToUndo(ctx context.Context, s *Session, name string) (journal.Run, error) {
	r, err := s.Journal.Run(ctx, name, s.Repo.Root())
	switch {
	case err == nil && ownTree(r):
		return r, workedElsewhere(r)
	case !errors.Is(err, journal.ErrNoRun):
		return r, err
	}
	if _, e := s.Repo.Checkpoints(ctx, name); e == nil {
		return journal.Run{ID: name}, nil // the records are gone, the states in git are not
	}
	return r, fault.New(fault.Usage, "booty status lists the runs", "%w", err)
}

// lastInGit finds the last run by its states in git, which move with the
// repository's folder where the records do not.
func lastInGit(ctx context.Context, s *Session) (journal.Run, error) {
	recorded, err := s.Repo.Runs(ctx)
	if err != nil {
		return journal.Run{}, err
	}
	for _, x := range recorded {
		if !x.Here || workspace.Beside(x.Run) || !leftSomething(ctx, s, x.Run) {
			continue
		}
		r, err := s.Journal.Run(ctx, x.Run, "")
		if errors.Is(err, journal.ErrNoRun) {
			return journal.Run{ID: x.Run}, nil
		}
		if err != nil || !ownTree(r) {
			return r, err
		}
	}
	return journal.Run{}, fault.New(fault.NothingToDo, "booty status --all lists the runs of other checkouts",
		"no run has changed anything in this checkout")
}
