package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
)

// Again is a run that is taken up again.
type Again struct {
	// Run is its record, Memory what the engine knew last.
	Run    journal.Run
	Memory *engine.Memory
	// at is where its branch stands; nothing for a refine.
	at branchTip
	// killed is what it left under way in the checkout; nil where it ended by itself.
	killed *workspace.State
	// left is the checkout as it was last seen by the run, nil where that is not known.
	left *workspace.Checkpoint
}

// Resume makes the job that goes on with a run on record. One that was killed before
// its first step starts over; one whose attempts are used up gets as many more as the
// settings allow.
func Resume(ctx context.Context, s *Session, r journal.Run, m *engine.Memory, o Options) (Job, error) {
	j := Job{
		ID: r.ID, Options: o, Refine: r.Kind == "refine", Branch: r.Branch, Base: r.Base,
		Task: Task{Task: r.Task, Text: r.TaskText},
	}
	j.Options.Flags = r.Options
	if m == nil {
		return j, startOver(ctx, s, &j, r)
	}
	j.Again = &Again{Run: r, Memory: m}
	j.MaxAttempts = m.AttemptsAgain(s.Settings.MaxRetries)
	if !j.Refine {
		var err error
		if j.Again.at, err = tipOf(ctx, s, j); err != nil {
			return j, err
		}
	}
	if j.ownTree() {
		return j, nil
	}
	return j, resumeHere(ctx, s, &j)
}

// resumeHere sees whether a run can go on in the checkout.
func resumeHere(ctx context.Context, s *Session, j *Job) error {
	st, err := s.Repo.Interrupted(ctx)
	if err != nil {
		return err
	}
	if st != nil && st.Run == j.ID {
		j.Again.killed = st
	}
	if list, err := s.Repo.Checkpoints(ctx, j.ID+workspace.ResumeStates); err == nil {
		j.Again.left = &list[len(list)-1]
		if last := j.Again.Memory.Current; list[len(list)-1].N == 0 && last.Commit != "" {
			j.Again.left = nil
		}
	}
	branch, _, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if !j.Refine && branch != j.Branch {
		return CleanTree(ctx, s)
	}
	return nil
}

// ToResume is the named run; else the one that was killed in this checkout,
// else the latest one there.
func ToResume(ctx context.Context, s *Session, name string) (journal.Run, error) {
	if name == "" {
		st, err := s.Repo.Interrupted(ctx)
		if err != nil {
			return journal.Run{}, err
		}
		if st != nil && st.Command != "undo" {
			name = st.Run
		}
	}
	if name != "" {
		r, err := s.Journal.Run(ctx, name, s.Repo.Root())
		if errors.Is(err, journal.ErrNoRun) {
			err = fault.New(fault.Usage, "booty status lists the runs", "%w", err)
		}
		return r, err
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

// startOver makes a new run of one that was killed before its first step was
// done; what it left of a start is taken back.
func startOver(ctx context.Context, s *Session, j *Job, r journal.Run) error {
	s.Say("booty: run %s ended before its first step: its task starts over", r.ID)
	st, err := s.Repo.Interrupted(ctx)
	if err != nil {
		return err
	}
	if st != nil && st.Run == r.ID {
		if err := backToStart(ctx, s, st); err != nil {
			return err
		}
	}
	j.ID = journal.NewRunID()
	if !j.Refine && j.Branch != "" {
		j.Branch = freeBranch(ctx, s.Repo, j.Branch)
	}
	return nil
}

// backToStart frees the checkout of a run that was killed before it had changed
// any file.
func backToStart(ctx context.Context, s *Session, st *workspace.State) error {
	start, err := s.Repo.Checkpoint(ctx, st.Run, 0)
	if err != nil {
		return errors.Join(err, s.Repo.ClearState(ctx))
	}
	_, err = s.Repo.Undo(ctx, st.Run, start)
	return err
}

// MemoryOf gives the engine's memory of a run, nil where its first step was
// not done.
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
