package runner

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/snapshot"
)

// memoryKeeper is the engine's Journal: it keeps the loop's memory, and of each
// finished attempt what no event carries.
type memoryKeeper struct {
	journal *journal.Journal
	states  *snapshot.Comparer
	run     string
	off     bool
	// recorded is how many attempts are on record.
	recorded int
}

// newMemoryKeeper keeps the memory of a job; the attempts of a resumed run are already recorded.
func newMemoryKeeper(s *Session, j Job) *memoryKeeper {
	k := &memoryKeeper{journal: s.Journal, states: s.Repo.Compare, run: j.ID, off: j.Options.DryRun}
	if j.Again != nil {
		k.recorded = len(j.Again.Memory.Attempts)
	}
	return k
}

// memoryStep is the name under which the engine's memory is kept.
const memoryStep = "memory"

// Save implements engine.Journal.
func (k *memoryKeeper) Save(ctx context.Context, m engine.Memory) error {
	if k.off {
		return nil
	}
	err := k.save(ctx, m)
	if err != nil && fault.KindOf(err) == fault.Bug { // a full disk, most often
		return fault.New(fault.Usage,
			"free some disk space and make the state directory writable, then: booty resume", "keep the records: %w", err)
	}
	return err
}

func (k *memoryKeeper) save(ctx context.Context, m engine.Memory) error {
	for ; k.recorded < len(m.Attempts); k.recorded++ {
		if err := k.attempt(ctx, m, k.recorded); err != nil {
			return err
		}
	}
	return k.journal.SaveStep(ctx, k.run, memoryStep, m)
}

// attempt records the diff, checkpoint and signature of an attempt.
func (k *memoryKeeper) attempt(ctx context.Context, m engine.Memory, i int) error {
	a := m.Attempts[i]
	from := m.Start.State.Commit
	if m.From.Commit != "" {
		from = m.From.Commit
	}
	for _, before := range m.Attempts[min(m.Fresh, i):i] {
		if before.Outcome != event.RolledBack && before.State.Commit != "" {
			from = before.State.Commit
		}
	}
	rec := journal.Attempt{
		Run: k.run, N: a.N, Outcome: a.Outcome, Summary: a.Summary, Prose: a.Prose, Files: a.Files, Failing: a.Verdict.Failing,
		Trouble:   a.Verdict.Words(),
		Signature: a.Verdict.Signature, PatchHash: a.State.Tree, Checkpoint: a.State.Commit,
	}
	if a.State.Commit != from && a.State.Commit != "" {
		diff, err := k.states.Diff(ctx, from, a.State.Commit)
		if err != nil {
			return err
		}
		if rec.Diff, err = k.journal.Blobs.Save(ctx, k.run, fmt.Sprintf("attempt-%d/diff.patch", a.N),
			[]byte(diff)); err != nil {
			return err
		}
	}
	return k.journal.FinishAttempt(ctx, rec)
}
