package runner

import (
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Freed is what Clean removed.
type Freed struct {
	Bytes int64
	Trees int
	Runs  []string
}

// Clean removes what runs of the repository left outside of it: work trees that were not used for
// age, and recorded states and logs of runs that are older and not spared.
func Clean(ctx context.Context, s *Session, age time.Duration, spare func(record.Run) bool) (Freed, error) {
	var f Freed
	before, err := s.Repo.Kept()
	if err != nil {
		return f, err
	}
	if f.Trees, err = s.Repo.Slots.Drop(ctx, age); err != nil {
		return f, err
	}
	f.Runs, err = s.Repo.Records.Prune(ctx, age, func(run string) bool {
		r, err := s.Journal.Run(ctx, run, "")
		return err == nil && spare(r) || err != nil && !errors.Is(err, journal.ErrNoRun)
	})
	if err != nil {
		return f, err
	}
	logs, err := s.Journal.Blobs.Drop(ctx, f.Runs)
	if err != nil {
		return f, err
	}
	after, err := s.Repo.Kept()
	f.Bytes = max(before-after, 0) + logs
	return f, err
}
