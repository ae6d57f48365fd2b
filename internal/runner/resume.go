package runner

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Again is a run that is resumed.
type Again struct {
	// Run is its record, Memory the engine's last memory.
	Run    journal.Run
	Memory *engine.Memory
	// at is the tip of its branch; zero for a refine.
	at branchTip
	// read is the checkout as a refine last read it; zero if it was undone. brought says that its
	// result was brought back since.
	read    snapshot.Checkpoint
	brought bool
}

// Resume returns the job that continues a recorded run. One that was killed before its first step
// starts over; one whose attempts are used up gets as many more as the settings allow.
func Resume(ctx context.Context, s *Session, r journal.Run, m *engine.Memory, o Options) (Job, error) {
	j := Job{
		ID: r.ID, Options: o, Refine: r.Kind == "refine", Branch: r.Branch, Base: r.Base,
		Task: Task{Task: r.Task, Text: r.TaskText},
	}
	j.Options.Flags = r.Options
	if m == nil {
		startOver(ctx, s, &j, r)
		return j, nil
	}
	j.Again = &Again{Run: r, Memory: m}
	j.MaxAttempts = m.AttemptsAgain(s.Settings.MaxRetries)
	if !j.Refine {
		var err error
		if j.Again.at, err = tipOf(ctx, s, &j); err != nil {
			return j, err
		}
		m.Start.Branch = j.Branch
	}
	return j, nil
}

// ToResume returns the named run, or else the latest of this checkout.
func ToResume(ctx context.Context, s *Session, name string) (journal.Run, error) {
	if name != "" {
		return s.Journal.Run(ctx, name, s.Repo.Root())
	}
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Repo.Root(), Limit: 1})
	if err != nil {
		return journal.Run{}, err
	}
	switch {
	case len(runs) == 0:
		return journal.Run{}, fault.New(fault.NothingToDo, "start one with booty run or booty refine",
			"no run in this checkout has anything left to do")
	case runs[0].Outcome == event.NothingToDo:
		return journal.Run{}, fault.New(fault.NothingToDo,
			"booty status lists the runs; booty resume RUN goes on with another",
			"the latest run, %s, had nothing to do: %s", runs[0].ID, runs[0].Message)
	}
	return runs[0], nil
}

// startOver makes a new run of one that was killed before its first step was done.
func startOver(ctx context.Context, s *Session, j *Job, r journal.Run) {
	s.Say("booty: run %s ended before its first step: its task starts over", r.ID)
	j.ID = journal.NewRunID()
	if !j.Refine && j.Branch != "" {
		j.Branch = freeBranch(ctx, s.Repo.History, j.Branch)
	}
}

// MemoryOf returns the engine's memory of a run; nil if its first step was not finished.
func MemoryOf(ctx context.Context, s *Session, r journal.Run) (*engine.Memory, error) {
	steps, err := s.Journal.Steps(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if step.Name != memoryStep {
			continue
		}
		var m engine.Memory
		if err := json.Unmarshal(step.Data, &m); err != nil {
			return nil, fmt.Errorf("read the state of run %s: %w", r.ID, err)
		}
		if m.Stage != engine.Begun {
			if m.Progress = engine.Moving; r.Outcome == event.Stuck || r.Outcome == event.Declined {
				m.Replies = nil // a second chance begins with a clean slate
			}
			return &m, nil
		}
	}
	return nil, nil
}
