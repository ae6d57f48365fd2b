package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
)

// CountOn continues the attempt numbers of earlier unfinished runs of the same task in words.
// Unlike an issue's, the work itself starts over; a notice names the command that continues the old
// one.
func CountOn(ctx context.Context, s *Session, j *Job) error {
	if j.Shared != nil {
		return nil
	}
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Home, Since: s.Now().Add(-journal.KeepFor)})
	if err != nil {
		return err
	}
	last, ok := unfinished(runs, s.Redact.String(j.Task.Text))
	if !ok {
		return nil
	}
	j.Earlier = last.AttemptsTotal
	text := fmt.Sprintf("run %s of the same words is not done", last.ID)
	switch last.AttemptsTotal {
	case 0:
	case 1:
		text += ", after 1 attempt"
	default:
		text += fmt.Sprintf(", after %d attempts", last.AttemptsTotal)
	}
	s.Say("booty: %s; booty resume %s continues it, this run starts over", text, last.ID)
	return nil
}

// unfinished returns the latest run of a task in words that made an attempt or was interrupted, if
// it was not finished since.
func unfinished(runs []journal.Run, words string) (journal.Run, bool) {
	for _, r := range runs {
		switch {
		case r.Kind != "run" || r.Task.Kind == "issue" || r.TaskText != words || r.State == record.Running:
			continue
		case r.Outcome == event.NothingToDo:
			continue
		case r.AttemptsTotal == 0 && slices.Contains([]string{event.Declined, event.Errored, event.ModelFailed, event.Environment}, r.Outcome):
			continue // it has nothing to continue
		}
		return r, r.Outcome != event.Green
	}
	return journal.Run{}, false
}
