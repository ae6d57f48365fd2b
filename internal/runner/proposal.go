package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/pkg/edit"
)

// Resolve implements engine.Workspace.
func (t *tree) Resolve(ctx context.Context, r engine.Reply) (engine.Proposal, error) {
	var p engine.Proposal
	var edits []edit.Edit
	changes := r.Changes
	if changes == nil {
		read, err := t.read(ctx, r)
		if err != nil {
			return p, err
		}
		changes, edits = read.changes, read.edits
		p.Summary, p.Prose, p.Kept = read.summary, saidIn(r.Text), read.kept
		p.Problems, p.Refused = problemsOf(read.problems)
		p.Refused = append(p.Refused, read.large...)
	}
	g, err := t.guard(ctx)
	if err != nil {
		return p, err
	}
	v, err := g.Review(changes)
	if err != nil {
		return p, err
	}
	for _, x := range v.Refused {
		p.Refused = append(p.Refused, event.Problem{Path: x.Path, Reason: x.Reason, Kind: x.Kind})
	}
	var large []event.Problem // an agent's, or named otherwise
	if v.Kept, large, err = small(ctx, t, v.Kept,
		func(c edit.Change) []string { return []string{c.Path, c.From} }); err != nil {
		return p, err
	}
	p.Refused = append(p.Refused, large...)
	var broken []event.Problem
	if r.Changes == nil { // an agent has tried its own
		if broken, err = t.unparsed(ctx, &v); err != nil {
			return p, err
		}
	}
	p.Changes, p.Notes = v.Kept, append(p.Notes, v.Notes...)
	p.Problems = append(p.Problems, broken...)
	if len(p.Problems) > 0 && p.Kept == nil && r.Changes == nil {
		p.Kept = soundBut(edits, p.Problems)
	}
	p.DocsOnly = docsOnly(t.cfg.DocsOnly, v.Kept)
	ignored, err := t.repo.States.Ignored(ctx, pathsOf(v.Kept))
	if err != nil {
		return p, err
	}
	for _, path := range ignored {
		p.Notes = append(p.Notes, path+" is ignored by git: the commit will lack it")
	}
	return p, nil
}

// reading is a reply as it was read.
type reading struct {
	summary  string
	edits    []edit.Edit
	changes  []edit.Change
	problems []edit.Problem
	large    []event.Problem
	// kept are the edits that were fine, where others were not.
	kept []edit.Edit
}

// read works a reply out against the tree, together with the edits that were
// kept of the one before.
func (t *tree) read(ctx context.Context, r engine.Reply) (reading, error) {
	var options []edit.Option
	if r.Ended {
		options = append(options, edit.Complete())
	}
	files := t.shown(ctx)
	reply := edit.Parse(files, r.Text, options...)
	out := reading{summary: reply.Summary}
	var err error
	ends := func(e edit.Edit) []string { return []string{e.Path, e.From} }
	if reply.Edits, out.large, err = small(ctx, t, reply.Edits, ends); err != nil { // before they are read, which takes long
		return out, err
	}
	alone := reply
	if len(reply.Edits) > 0 {
		reply.Edits = edit.Merge(r.Kept, reply.Edits)
	}
	out.changes, out.problems = resolveShown(files, reply)
	out.problems = append(out.problems, notOnDisk(t.repo.Root(), out.changes)...)
	if len(out.problems) > 0 && namesAll(alone.Edits, r.Kept) {
		// The reply contains everything twice, in two forms.
		if changes, problems := resolveShown(files,
			alone); len(problems)+len(notOnDisk(t.repo.Root(), changes)) == 0 {
			out.edits, out.changes, out.problems = alone.Edits, changes, nil
			return out, nil
		}
	}
	out.edits = reply.Edits
	if slices.ContainsFunc(out.problems, func(p edit.Problem) bool { return p.Kind != edit.Protected }) {
		out.kept = reply.Sound(out.problems)
		if len(alone.Edits) == 0 {
			out.kept = r.Kept
		}
	}
	return out, nil
}

// soundBut are the edits of files that no problem names.
func soundBut(edits []edit.Edit, problems []event.Problem) []edit.Edit {
	var bad []edit.Problem
	for _, p := range problems {
		bad = append(bad, edit.Problem{Path: p.Path})
	}
	return edit.Reply{Edits: edits}.Sound(bad)
}

// namesAll reports whether edits name every file that others do.
func namesAll(edits, others []edit.Edit) bool {
	return len(others) > 0 && !slices.ContainsFunc(others, func(o edit.Edit) bool {
		return !slices.ContainsFunc(edits, func(e edit.Edit) bool { return e.Path == o.Path })
	})
}

// Apply implements engine.Workspace. What is about to be written is recorded before.
func (t *tree) Apply(ctx context.Context, n int, changes []edit.Change) (engine.State, error) {
	t.alike = append(t.alike, alike(changes)...)
	if err := anotherSecond(ctx, t.repo.Root(), t.alike); err != nil {
		return engine.State{}, err
	}
	ignored, err := t.repo.States.Ignored(ctx, pathsOf(changes))
	if err != nil {
		return engine.State{}, err
	}
	if err := t.repo.States.Remember(ctx, t.job.ID, ignored); err != nil {
		return engine.State{}, err
	}
	cp, err := t.repo.States.Plan(ctx, t.job.ID, n, t.checkpoint(t.current), intended(changes),
		fmt.Sprintf("attempt %d", n))
	if err != nil {
		return engine.State{}, err
	}
	if err := applyIn(t.repo.Root(), changes, t.recorded(ctx)); err != nil {
		return engine.State{}, fault.New(fault.Refused,
			"see that the files are writable and the disk is not full, then: booty resume "+t.job.ID,
			"write the proposal: %w", err)
	}
	if t.own == nil {
		t.own = map[string]bool{}
	}
	for _, c := range changes {
		if c.Op == edit.Create || c.Op == edit.Rename {
			t.own[c.Path] = true
		}
	}
	t.current = stateOf(cp)
	return t.current, nil
}

// intended are the files that changes are about to write.
func intended(changes []edit.Change) []snapshot.Intended {
	var list []snapshot.Intended
	for _, c := range changes {
		if c.From != "" {
			list = append(list, snapshot.Intended{Path: c.From, Gone: true})
		}
		list = append(list, snapshot.Intended{Path: c.Path, Mode: c.Mode, Data: c.New,
			Gone: c.Op == edit.Delete})
	}
	return list
}
