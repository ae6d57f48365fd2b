package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/agent"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// agentProvider gets proposals from another coding agent: it edits a separate
// work tree, and what it changed there is the proposal.
type agentProvider struct {
	name    string
	options agent.Options
	repo    *workspace.Repo
	run     string
	// calls numbers the states shown to the agent.
	calls int
}

func newAgent(s *Session, run string) (*agentProvider, error) {
	m := s.Settings.Model
	if len(m.Command) == 0 {
		return nil, fault.New(fault.Usage, fmt.Sprintf("set model.command to a program, or to one of %s",
			strings.Join(agent.Presets(), ", ")),
			"provider agent needs model.command")
	}
	return &agentProvider{
		name: m.Command[0], repo: s.Repo, run: run,
		options: agent.Options{Command: m.Command, Model: m.Name, Supervise: true},
	}, nil
}

// agentCost is what is known of the price of one call.
type agentCost struct {
	// ran says that the agent was started, told that it reported its cost.
	ran, told bool
	usd       float64
}

// propose lets the agent work on a copy of the current tree.
func (p *agentProvider) propose(ctx context.Context,
	prompt string) (reply engine.Reply, cost agentCost, err error) {
	p.calls++
	cp, err := p.repo.States.Snapshot(ctx, p.run+"-agent", p.calls, "what the agent was shown")
	if err != nil {
		return reply, cost, err
	}
	w, release, err := p.repo.AddTreeBeside(ctx, cp.Commit)
	if err != nil {
		return reply, cost, err
	}
	defer func() { err = errors.Join(err, release()) }()
	o := p.options
	o.Dir, o.Prompt = w.Root(), prompt
	begun := time.Now()
	r, err := agent.Run(ctx, o)
	cost = agentCost{ran: fault.KindOf(err) != fault.Usage, told: r.Usage.CostKnown, usd: r.Usage.CostUSD}
	reply.Text = r.Output
	reply.Usage = engine.Usage{
		Input: r.Usage.Input, Output: r.Usage.Output, Cached: r.Usage.Cached, Duration: time.Since(begun),
	}
	if err != nil {
		return reply, cost, err
	}
	reply.Changes, err = changesOf(ctx, w, cp.Commit, r.Byproducts)
	return reply, cost, err
}

// changesOf returns what was changed in a work tree since a commit.
func changesOf(ctx context.Context, w *workspace.Repo, commit string,
	byproducts []string) ([]edit.Change, error) {
	now, err := w.States.Snapshot(ctx, "agent-proposal", 1, "what the agent made")
	if err != nil {
		return nil, err
	}
	list, err := w.Compare.Changes(ctx, commit, now.Commit)
	if err != nil {
		return nil, err
	}
	changes := []edit.Change{}
	for _, c := range list {
		if matchesAny(byproducts, c.Path) {
			continue
		}
		change := edit.Change{Op: edit.Op(c.Op), Path: c.Path, From: c.From}
		old := c.Path
		if c.From != "" {
			old = c.From
		}
		if change.Op != edit.Create {
			if change.Old, _, err = w.History.ReadFile(ctx, commit, old); err != nil {
				return nil, err
			}
		}
		if change.Op != edit.Delete {
			full := filepath.Join(w.Root(), filepath.FromSlash(c.Path))
			info, err := os.Lstat(full)
			if err != nil {
				return nil, fmt.Errorf("read what the agent made: %w", err)
			}
			if !info.Mode().IsRegular() {
				continue // links are no edits that a text could propose
			}
			if change.New, err = regular.Read(full, regular.MaxSize); err != nil {
				return nil, fmt.Errorf("read what the agent made: %w", err)
			}
			change.Mode = info.Mode().Perm()
		}
		changes = append(changes, change)
	}
	return changes, nil
}
