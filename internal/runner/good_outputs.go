package runner

import (
	"bytes"
	"context"
	"log/slog"
	"sync"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/pkg/distill"
)

// goodOutputs are the outputs that failed commands are compared with. A run compares one with many, so
// each is read once: the journal is asked every time which it is.
type goodOutputs struct {
	journal *journal.Journal
	home    string
	log     *slog.Logger

	mu   sync.Mutex // trees are checked side by side
	read map[string]goodOutput
}

// goodOutput is the output of a check.
type goodOutput struct {
	check int64
	lines *distill.Good
}

func newGoodOutputs(j *journal.Journal, home string, log *slog.Logger) *goodOutputs {
	return &goodOutputs{journal: j, home: home, log: log, read: map[string]goodOutput{}}
}

// of returns what a step printed in the last run of this repository in which it passed; nil if that is
// not known.
func (g *goodOutputs) of(ctx context.Context, step check.Step) *distill.Good {
	g.mu.Lock()
	has := g.read[step.Command]
	g.mu.Unlock()
	id, log, err := g.journal.LastGoodLog(ctx, g.home, step.Command, has.check)
	if err == nil && id != 0 && id == has.check {
		return has.lines
	}
	var lines *distill.Good
	if len(log) > 0 {
		lines, err = distill.ReadGood(ctx, bytes.NewReader(log))
	}
	if err != nil {
		g.log.Debug("no output to compare with", "command", step.Command, "err", err)
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.read[step.Command] = goodOutput{id, lines}
	return lines
}
