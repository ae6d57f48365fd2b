package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// meddling judges what commands write to the files that the checks are made of:
// green must mean that the tests as they stood ran on the code as it is recorded.
type meddling struct {
	watch *workspace.Watch // nil where nothing is watched
	usual *usual
	// isTest tells tests, their data and what configures their runner.
	isTest func(path string) bool
	// allowed tells what the user lets be changed in this run.
	allowed func(path string) bool
	// stays says that new files are left: in refine they may be the user's.
	stays bool
	// begun says that the tree is being watched.
	begun bool
	// fixed is what fix commands wrote since the last settle.
	fixed []workspace.Touch
}

// begin takes the tree as it is.
func (m *meddling) begin(ctx context.Context) error {
	if m.watch == nil {
		return nil
	}
	m.begun, m.fixed = true, nil
	return m.watch.Begin(ctx)
}

// after looks at what a step wrote. first says that it is setup or the baseline:
// what that does, a later one may do.
func (m *meddling) after(ctx context.Context, step check.Step, first bool) (check.Aftermath, error) {
	if !m.begun {
		return check.Aftermath{}, nil
	}
	touches, err := m.watch.Look(ctx)
	if err != nil {
		return check.Aftermath{}, err
	}
	if step.Kind == check.Fix {
		m.fixed = append(m.fixed, touches...)
		return check.Aftermath{}, nil
	}
	var odd []workspace.Touch
	for _, t := range touches {
		what := "wrote\x00" + baseStep(step) + "\x00" + t.Path
		if first {
			m.usual.add(what)
		} else if !m.usual.has(what) && m.counts(t, step) {
			odd = append(odd, t)
		}
	}
	if len(odd) == 0 {
		return check.Aftermath{}, nil
	}
	ref, err := m.putBack(ctx, odd)
	note := "it wrote to " + report.Some(paths(odd)) + " while it ran; put back as it was"
	if ref != "" {
		note += ", what was written is kept in " + ref
	}
	a := check.Aftermath{Notes: []string{note}}
	if step.Kind != check.Setup {
		a.Disturbed = fmt.Sprintf("The command wrote to files of the repository while it ran (%s), which it did not do before the change. "+
			"They were put back, and the run does not count: the tests, their data and the code must stay as they are while checks run.",
			report.Some(paths(odd)))
	}
	return a, err
}

// counts says whether what was written matters to the result of a step.
func (m *meddling) counts(t workspace.Touch, step check.Step) bool {
	switch {
	case m.allowed != nil && m.allowed(t.Path), manifest.IsLock(t.Path):
		return false
	case t.Same || t.Made || step.Kind == check.Setup:
		return m.isTest(t.Path)
	}
	return true
}

// settle puts back what fix commands made of files that the change does not name.
func (m *meddling) settle(ctx context.Context, named []string) error {
	others := slices.DeleteFunc(m.fixed, func(t workspace.Touch) bool { return t.Made || slices.Contains(named, t.Path) })
	m.fixed = nil
	if !m.begun {
		return nil
	}
	if _, err := m.putBack(ctx, others); err != nil {
		return err
	}
	return m.watch.Begin(ctx) // what the change names is part of it now
}

func (m *meddling) putBack(ctx context.Context, touches []workspace.Touch) (string, error) {
	if m.stays {
		touches = slices.DeleteFunc(slices.Clone(touches), func(t workspace.Touch) bool { return t.Made })
	}
	return m.watch.PutBack(ctx, touches)
}

// baseStep names what a step and its reruns have in common.
func baseStep(s check.Step) string { return strings.TrimSuffix(s.Name, " again") }

func paths(touches []workspace.Touch) []string {
	var list []string
	for _, t := range touches {
		list = append(list, t.Path)
	}
	return list
}
