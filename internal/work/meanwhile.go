package work

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// Meanwhile implements engine.Workspace: in place, what the user wrote while a
// reply was waited for is met as it is by resume. On a branch of its own a run
// puts it back before it writes, see setAside.
func (t *tree) Meanwhile(ctx context.Context, s engine.State) (engine.Found, error) {
	t.fresh = nil
	if !t.inPlace {
		return engine.Found{}, nil
	}
	if err := t.atHome(ctx); err != nil {
		return engine.Found{}, err
	}
	changes, err := t.repo.Since(ctx, t.asLeftBehind(s))
	if err != nil || len(changes) == 0 {
		return engine.Found{}, err
	}
	met, err := t.repo.Meet(ctx, t.run)
	if err != nil {
		return engine.Found{}, err
	}
	d, err := t.repo.Differs(ctx, t.run, t.checkpoint(s))
	if err != nil {
		return engine.Found{}, err
	}
	now := map[string]bool{}
	for _, c := range changes {
		now[c.Path] = true
	}
	d.Theirs = slices.DeleteFunc(d.Theirs, func(c workspace.Change) bool { return !now[c.Path] })
	d.Own = slices.DeleteFunc(d.Own, func(path string) bool { return !now[path] })
	found := engine.Found{State: stateOf(met.Checkpoint), Theirs: t.takeIn(met.Checkpoint, d), Rest: d.Own}
	found.DocsOnly = len(found.Rest) == 0 && allMatch(t.cfg.DocsOnly, found.Theirs)
	t.met, t.fresh, t.rest = &met, append(found.Theirs, found.Rest...), nil
	t.start, t.current, t.theirs = found.State, found.State, append(t.theirs, found.Theirs...)
	t.origin = workspace.Origin{Branch: met.Branch, Commit: met.Head, Start: met.Checkpoint}
	t.say("changed by someone else meanwhile, kept and in view: %s", report.Some(t.fresh))
	return found, t.repo.SaveState(ctx, t.state("met"))
}

// takeIn makes a tree that the user has changed one of the run's, and gives the
// paths that are the user's.
func (t *tree) takeIn(from workspace.Checkpoint, d workspace.Differences) []string {
	var names []string
	for _, c := range d.Theirs {
		names = append(names, c.Path)
		delete(t.own, c.Path)
	}
	if t.states == nil {
		t.states = map[string]workspace.Checkpoint{}
	}
	t.states[from.Commit] = from
	return names
}

// asLeftBehind is state s with the new files that the checks left beside it.
func (t *tree) asLeftBehind(s engine.State) workspace.Checkpoint {
	if t.rest != nil {
		return *t.rest
	}
	return t.checkpoint(s)
}

// leftBehind records, in place, what the checks left: it is not taken for the
// user's later on. changes are what they did, put back but for new files.
func (t *tree) leftBehind(ctx context.Context, changes []workspace.Change) error {
	t.rest = nil
	var put []string
	created := false
	for _, c := range changes {
		if c.Op == "create" {
			created = true
		} else {
			put = append(put, c.Path)
		}
	}
	if len(put) > 0 {
		t.say("put back after the checks: %s; where that was yours, git restore --source %s brings it again",
			report.Some(put), t.strayRef())
	}
	if !created {
		return nil
	}
	t.strays++
	cp, err := t.repo.Snapshot(ctx, t.run+workspace.StrayStates, t.strays, "what the checks left")
	t.rest = &cp
	return err
}

// putBackNotice tells what is kept elsewhere, and how it comes again.
const putBackNotice = "changed by someone else meanwhile, and put back: %s; git restore --source %s brings it again"

func (t *tree) strayRef() string {
	return fmt.Sprintf("refs/booty/%s/%d", t.run+workspace.StrayStates, t.strays)
}

// keepTheirs records, before another state is brought back in place, what
// someone else has written since the last look.
func (t *tree) keepTheirs(ctx context.Context) error {
	if !t.inPlace {
		return nil
	}
	d, err := t.repo.Differs(ctx, t.run, t.asLeftBehind(t.current))
	if err == nil && len(d.Theirs) == 0 {
		return nil
	}
	t.strays++ // also where that cannot be told, as when a check has deleted objects
	_, err = t.repo.Snapshot(ctx, t.run+workspace.StrayStates, t.strays, "what someone else changed")
	if err != nil {
		return err
	}
	var names []string
	for _, c := range d.Theirs {
		names = append(names, c.Path)
	}
	if len(names) == 0 {
		return nil
	}
	t.say(putBackNotice, report.Some(names), t.strayRef())
	return nil
}

// overwritten tells changes that would take away what was written into a file
// while the reply was waited for: those that give it whole, or were made from
// what it was before.
func (t *tree) overwritten(changes []edit.Change, edits []edit.Edit) []event.Problem {
	var problems []event.Problem
	for _, c := range changes {
		if !slices.Contains(t.fresh, c.Path) && !slices.Contains(t.fresh, c.From) {
			continue
		}
		inPart := slices.ContainsFunc(edits, func(e edit.Edit) bool {
			return e.Path == c.Path && e.Op == edit.Modify
		})
		if !inPart {
			problems = append(problems, event.Problem{Path: c.Path, Kind: "changed",
				Reason: "The file was changed by someone else " +
					"while you answered. It is shown as it is now: answer anew, and keep what was done to it."})
		}
	}
	return problems
}

func allMatch(globs, paths []string) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !matchesAny(globs, p) })
}
