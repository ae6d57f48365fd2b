package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// trial is the engine's Trial: the checks in a work tree of its own, with what
// was set aside applied.
type trial struct {
	repo     *workspace.Repo
	checksIn checksIn
}

// Try implements engine.Trial.
func (t *trial) Try(
	ctx context.Context, s engine.State, parts []engine.SetAside, known func(event.Failure) bool,
) (v engine.Verdict, err error) {
	w, cleanup, err := t.repo.AddWorktree(ctx, s.Commit)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, cleanup(context.WithoutCancel(ctx))) }()
	changes, err := fit(w.Root(), parts)
	if err != nil {
		return engine.Verdict{Text: err.Error()}, nil
	}
	if err := applyIn(w.Root(), changes, nil); err != nil {
		return v, fmt.Errorf("try what was set aside: %w", err)
	}
	c, err := t.checksIn(ctx, w)
	if err != nil {
		return v, err
	}
	c.asItIs()
	got, err := c.runner.Verify(ctx, c.suite, check.VerifyOptions{
		Full: true, Known: known,
	})
	return verdict(got), err
}

// Fit implements engine.Workspace.
func (t *tree) Fit(_ context.Context, parts []engine.SetAside) ([]edit.Change, error) {
	return fit(t.repo.Root(), parts)
}

// fit makes changes of parts that were set aside, against the files below root.
// What is there already is left out.
func fit(root string, parts []engine.SetAside) ([]edit.Change, error) {
	files := edit.DirFS(root)
	var out []edit.Change
	for _, p := range parts {
		c := p.Change
		from := c.Path
		if c.From != "" {
			from = c.From
		}
		now, err := fs.ReadFile(files, from)
		if err != nil {
			continue // gone, as the change may have wanted
		}
		old := c.Old
		c.Old = now
		if c.Op == edit.Delete {
			out = append(out, c)
			continue
		}
		if !bytes.Equal(now, old) {
			if c.New, err = onto(now, old, p); err != nil {
				return nil, err
			}
		}
		if c.Op == edit.Rename || !bytes.Equal(c.New, now) {
			out = append(out, c)
		}
	}
	return out, nil
}

// onto puts the hunks of a part into a file that has changed since it was set
// aside: each where its old lines stand now, the nearest to where they were.
func onto(now, old []byte, p engine.SetAside) ([]byte, error) {
	lines, before := split(now), split(old)
	shift := 0
	for _, h := range p.Hunks {
		gone, come := split([]byte(h.Old)), split([]byte(h.New))
		near := h.Line - 1 + shift
		at := nearest(lines, gone, near)
		switch {
		case len(gone) == 0 && h.Line > 1 && h.Line-2 < len(before): // behind the line that it stood behind
			if at = nearest(lines, before[h.Line-2:h.Line-1], near-1); at >= 0 {
				at++
			}
		case at < 0 && nearest(lines, come, near) >= 0:
			continue // it is there by now
		}
		if at < 0 {
			return nil, fault.New(fault.Exhausted, "booty status latest --show set-aside shows them",
				"the lines of %s that were set aside do not fit it any more", p.Path)
		}
		lines = append(lines[:at:at], append(come, lines[at+len(gone):]...)...)
		shift += len(come) - len(gone)
	}
	return []byte(strings.Join(lines, "")), nil
}

func split(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// nearest finds where want stands in lines, the closest to near; -1 where nowhere.
func nearest(lines, want []string, near int) int {
	best := -1
	for i := 0; i+len(want) <= len(lines) && len(want) > 0; i++ {
		same := true
		for j := range want {
			same = same && strings.TrimRight(lines[i+j], "\r\n") == strings.TrimRight(want[j], "\r\n")
		}
		if same && (best < 0 || gap(i, near) < gap(best, near)) {
			best = i
		}
	}
	return best
}

func gap(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}

// keepAside commits what was set aside, alone, behind the commit tip; it gives
// tip where there is nothing to commit.
func (t *tree) keepAside(ctx context.Context, tip string, parts []engine.SetAside) (string, error) {
	if len(parts) == 0 || t.refine && !t.drafts || tip == "" {
		return tip, nil
	}
	changes, err := fit(t.repo.Root(), parts)
	if err != nil || len(changes) == 0 {
		return tip, err
	}
	cp, err := t.repo.Plan(ctx, t.run, t.current.N+1, t.checkpoint(t.current), intended(changes),
		"with what was set aside")
	if err != nil {
		return tip, err
	}
	if err := applyIn(t.repo.Root(), changes, nil); err != nil {
		return tip, fmt.Errorf("write what was set aside: %w", err)
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
		if c.From != "" {
			paths = append(paths, c.From)
		}
	}
	t.current = stateOf(cp)
	commit, err := t.repo.Commit(ctx, workspace.CommitOptions{
		Message:  "test: change what old tests expect\n\nA person must judge this: booty does not change old tests by itself.",
		Trailers: t.trailers, Paths: paths, From: cp.Commit,
	})
	if err != nil {
		return tip, err
	}
	return commit, nil
}
