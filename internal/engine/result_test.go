package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// hooked is a work tree whose pre-commit hook changes a file so many times.
type hooked struct {
	*fakeTree
	times int
}

func (h *hooked) Keep(ctx context.Context, s State, k Keep) (string, error) {
	if h.times == 0 {
		return h.fakeTree.Keep(ctx, s, k)
	}
	h.times--
	h.tree = "formatted"
	return "", &HookChanged{State: h.state(s.N), Paths: []string{"f"}, Said: "reformatted"}
}

func TestWhatAHookChangesIsCheckedAndKept(t *testing.T) {
	for _, c := range []struct {
		name, checks string
		times        int
		commit, err  string
	}{
		{"no hook", "", 0, "commit-A", ""},
		{"it passes", "", 1, "commit-formatted", ""},
		{"it fails", "check formatted failing=1", 1, "", "the checks fail with what the pre-commit hook made"},
		{"each commit changes it", "", 2, "", "changed f and refused the commit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := parseHistory(c.checks)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(h)
			w.tree = "A"
			p := w.parts()
			tree := &hooked{(*fakeTree)(w), c.times}
			p.Workspace = tree
			green, a := verdict(failure.Verdict{Green: true}), tree.state(1)
			r := newRun(p, h.options, &Memory{
				Origin: Origin{Baseline: &green}, Current: a, Standing: green,
				Attempts: []Attempt{{N: 1, State: a, Verdict: green, Outcome: event.Green, Files: []event.File{{Path: "f"}}}},
			})
			r.tree.at = a
			var out Outcome
			_, err = r.ending().wrapUp(t.Context(), &r.m, &out)
			if out.Commit != c.commit || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %q, %v; want %q, %q", out.Commit, err, c.commit, c.err)
			}
			if err == nil && r.m.Current.Commit != c.commit {
				t.Errorf("the memory is at %+v", r.m.Current)
			}
		})
	}
}
