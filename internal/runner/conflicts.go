package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/pkg/edit"
)

// merger is the engine's Merger over a tree whose earlier work is in conflict
// with its base.
type merger struct {
	*tree
	prompts *prompts
}

// Conflicts implements engine.Merger.
func (m *merger) Conflicts(_ context.Context, problems []event.Problem) (engine.Prompt, bool, error) {
	if len(m.pending) == 0 {
		return engine.Prompt{}, false, nil
	}
	w := m.prompts
	in := prompt.Input{
		Role: string(engine.ResolveConflicts), Repo: w.repo, Nonce: w.nonce, Task: w.task, Conventions: w.conventions(),
		EditFormat: "whole", TestEdits: w.cfg.TestEdits, Protected: w.cfg.ProtectedPaths, MaxTokens: w.cfg.Context.MaxTokens,
		Failure: m.sides(),
	}
	for _, c := range m.pending {
		if text := shownConflict(c); text != "" {
			in.Files = append(in.Files, prompt.File{Path: c.Path, Content: w.redact(text), Part: "full"})
		}
	}
	for _, p := range problems {
		in.Problems = append(in.Problems, prompt.Problem{Path: p.Path, Reason: w.redact(p.Reason)})
	}
	out, err := prompt.Assemble(in)
	return fromPrompt(out), err == nil, err
}

// sides says what the two sides of each conflict did.
func (m *merger) sides() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Bringing %s into this work left conflicts. Between the markers stand first the lines of this work, then those of the "+
		"common base, then those of %s.\n", m.shared.BaseName, m.shared.BaseName)
	for _, c := range m.pending {
		fmt.Fprintf(&b, "%s: %s\n", c.Path, sidesOf(c, m.shared.BaseName))
	}
	return b.String()
}

func sidesOf(c commit.ConflictText, base string) string {
	switch {
	case c.Ours == nil && c.Theirs == nil:
		return "renamed or deleted differently by both; DELETE it, or give it whole"
	case c.Ours == nil:
		return "deleted by this work, changed by " + base + "; DELETE it, or give it whole"
	case c.Theirs == nil:
		return "changed by this work, deleted by " + base + "; DELETE it, or give it whole"
	case c.Base == nil:
		return "made by both"
	}
	return "changed by both"
}

// shownConflict is the file as the model sees it: with the markers, or the side
// that is left.
func shownConflict(c commit.ConflictText) string {
	for _, text := range [][]byte{c.Merged, c.Ours, c.Theirs} {
		if text != nil {
			return string(text)
		}
	}
	return ""
}

// Settle implements engine.Merger.
func (m *merger) Settle(ctx context.Context, reply engine.Reply) (engine.Start, []event.Problem, error) {
	message := "Merge " + m.shared.BaseName + " into " + m.branch
	merged, err := m.repo.Committer.Merge(ctx, m.job.oldCommit(), message)
	if err != nil {
		return engine.Start{}, nil, err
	}
	// What is given whole is held against this side, not against the markers.
	err = m.repo.Committer.TakeOurs(ctx, m.pending)
	var changes []edit.Change
	var problems []event.Problem
	if err == nil {
		changes, problems, err = m.read(ctx, reply)
	}
	if err == nil && len(problems) == 0 {
		err = applyIn(m.repo.Root(), changes, nil)
	}
	if err != nil || len(problems) > 0 {
		if len(merged.Conflicts) > 0 {
			if e := m.repo.Committer.AbortMerge(context.WithoutCancel(ctx)); e != nil && err == nil {
				err = e
			}
		}
		return engine.Start{}, problems, err
	}
	var paths []string
	for _, c := range merged.Conflicts {
		paths = append(paths, c.Path)
	}
	commit, err := m.repo.Committer.Commit(ctx,
		commit.Options{Message: message, Trailers: m.trailers, Paths: paths})
	if err != nil {
		return engine.Start{}, nil, err
	}
	m.settled, m.conflicts, m.pending, m.baseCommit, m.onto = paths, nil, nil, commit, commit
	cp, err := m.repo.States.Snapshot(ctx, m.job.ID+snapshot.SettledStates, 0,
		"the base of the run, its conflicts settled")
	if err != nil {
		return engine.Start{}, nil, err
	}
	m.start, m.resettled = stateOf(cp), true
	m.current = m.start
	m.remember(cp)
	return engine.Start{State: m.start, Repo: m.name, Branch: m.branch, Base: m.baseName, BaseCommit: commit},
		nil, nil
}

// read reads a reply against this side of the merge, and says what it leaves
// open.
func (m *merger) read(ctx context.Context, reply engine.Reply) ([]edit.Change, []event.Problem, error) {
	files := m.shown(ctx)
	parsed := edit.Parse(files, reply.Text)
	changes, wrong := resolveShown(files, parsed)
	problems, refused := problemsOf(wrong)
	problems = append(problems, refused...)
	for _, c := range changes {
		at := slices.IndexFunc(m.pending, func(t commit.ConflictText) bool { return t.Path == c.Path })
		if at < 0 {
			problems = append(problems, event.Problem{Path: c.Path, Kind: "path",
				Reason: "it was not in conflict: return only files that were"})
			continue
		}
		sides := m.pending[at]
		if why := unsettled(c, sides, matchesAny(m.cfg.ProtectedPaths, c.Path)); why != "" {
			problems = append(problems, event.Problem{Path: c.Path, Kind: "match", Reason: why})
		}
	}
	for _, t := range m.pending {
		// What is given just as this side has it changes nothing, and settles it.
		named := slices.ContainsFunc(parsed.Edits, func(e edit.Edit) bool { return e.Path == t.Path })
		if !named && !slices.ContainsFunc(changes, func(c edit.Change) bool { return c.Path == t.Path }) {
			problems = append(problems, event.Problem{Path: t.Path, Kind: "match",
				Reason: "its conflict is not settled: give the whole file, or DELETE it"})
		}
	}
	broken, err := m.unparsed(ctx, &guard.Verdict{Kept: changes})
	return changes, append(problems, broken...), err
}

// unsettled says why a change does not settle a conflict. What it does to tests is for these
// to say, as the base has them.
func unsettled(c edit.Change, sides commit.ConflictText, protected bool) string {
	for line := range bytes.Lines(c.New) {
		for _, mark := range []string{"<<<<<<< ", "||||||| ", ">>>>>>> "} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return "a conflict marker is left in it: " + strings.TrimSpace(string(line))
			}
		}
	}
	if protected && !bytes.Equal(c.New, sides.Theirs) {
		return "the file is protected: give it as the base has it"
	}
	return ""
}
