package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// Witness lets old tests speak where reading what was added to them is not enough.
type Witness interface {
	// Tentative gives what the work so far, state s, adds to old tests and may have
	// been misread: the Change of each part begins at the file without it.
	Tentative(ctx context.Context, s State) ([]SetAside, error)
	// AsTheyStood checks state s with all old tests, and those that are tentative, as
	// they stood before the run. Where that leaves nothing of the work, nothing is run:
	// started is true, and the baseline tells.
	AsTheyStood(
		ctx context.Context, s State, parts []SetAside, known func(event.Failure) bool,
	) (v Verdict, started bool, err error)
}

// stood tries what a green attempt adds to old tests and nobody can judge by reading: if
// these tests pass as they stood as well, it only adds. If not, it changes what they
// ask for: it is taken back, set aside like all of the kind, and from then on nothing
// is tentative any more.
func (r *run) stood(ctx context.Context, a *Attempt) error {
	r.m.Tried = nil // that of an attempt before, which something else failed
	if r.firm() || !a.Verdict.Green {
		return nil
	}
	parts, err := r.Witness.Tentative(ctx, a.State)
	if err != nil || len(parts) == 0 {
		return err
	}
	k, err := r.knownFor(ctx, r.m.Named(a.Files...))
	if err != nil {
		return err
	}
	r.notice("info", "trying old tests as they stood: what was added to "+list(pathsOf(parts))+
		" cannot be judged by reading it")
	v, started, err := r.Witness.AsTheyStood(ctx, a.State, parts, k.has)
	if err != nil {
		return err
	}
	if started {
		v = *r.m.Baseline
	}
	if v = v.settle(k); v.Green {
		v = r.countGuard(v)
	}
	r.emit(event.AdditionsTried{Attempt: a.N, Passed: v.Green, Files: asEvents(parts)})
	if v.Green {
		r.m.Tried = asEvents(parts)
		return nil
	}
	r.m.Firm = true
	return r.takeBack(ctx, a, parts)
}

// firm says that nothing is tentative: it is set aside.
func (r *run) firm() bool { return r.Witness == nil || r.m.Firm }

// takeBack takes tentative parts out of an attempt and judges what is left.
func (r *run) takeBack(ctx context.Context, a *Attempt, parts []SetAside) error {
	p := Proposal{Summary: a.Summary}
	for _, part := range parts {
		c := part.Change
		c.Old, c.New = c.New, c.Old
		p.Changes = append(p.Changes, c)
	}
	aside := beside(r.asideNow, parts)
	r.noteAside(aside)
	a.SetAside = r.asideNow
	r.emit(event.EditsSetAside{Attempt: a.N, Files: asEvents(parts)})
	if err := r.applyAndCheck(ctx, a, p, nil); err != nil {
		return err
	}
	a.Files = without(a.Files, files(p.Changes))
	return nil
}

// beside joins parts with what was set aside before in the same files.
func beside(before, parts []SetAside) []SetAside {
	out := slices.Clone(before)
	for _, p := range parts {
		i := slices.IndexFunc(out, func(o SetAside) bool { return o.Path == p.Path })
		if i < 0 {
			out = append(out, p)
			continue
		}
		p.Change.New = out[i].Change.New
		p.Hunks = slices.Concat(out[i].Hunks, p.Hunks)
		slices.SortStableFunc(p.Hunks, func(a, b event.Hunk) int { return cmp.Compare(a.Line, b.Line) })
		out[i] = p
	}
	return out
}

// without takes lines that came and went again off what is told of files.
func without(fs, gone []event.File) []event.File {
	for _, g := range gone {
		for i, f := range fs {
			if f.Path == g.Path {
				fs[i].Added, fs[i].Removed = max(0, f.Added-g.Removed), max(0, f.Removed-g.Removed)
			}
		}
	}
	return slices.DeleteFunc(fs, func(f event.File) bool {
		return f.Op == string(edit.Modify) && f.Added+f.Removed == 0 &&
			slices.ContainsFunc(gone, func(g event.File) bool { return g.Path == f.Path })
	})
}

func pathsOf(parts []SetAside) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.Path)
	}
	return out
}
