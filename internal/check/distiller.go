package check

import (
	"context"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill"
)

func toldBy(f distill.Failure) failure.Failure {
	out := failure.Failure{
		Test: f.Test, File: f.File, Line: f.Line, Column: f.Column, Message: f.Message, Kind: f.Kind,
		Expected: f.Expected, Actual: f.Actual,
	}
	for _, frame := range f.Frames {
		out.Frames = append(out.Frames, failure.Frame(frame))
	}
	return out
}

// NewDistiller returns a distiller for checks whose files are below root and which see them at
// view. It quotes no file that is hidden from the model; hidden may be nil.
func NewDistiller(root, view string, hidden func(ctx context.Context, path string) bool) Distiller {
	return func(ctx context.Context, out Output) (Summary, error) {
		o := distill.Options{Dir: root, PrintedDir: view, ExitCode: &out.ExitCode, Before: out.Good}
		if hidden != nil {
			o.Hidden = func(path string) bool { return hidden(ctx, path) }
		}
		r, err := distill.Read(ctx, out, o)
		if err != nil {
			return Summary{}, err
		}
		s := summaryOf(r)
		for _, f := range r.Failures {
			s.Failures = append(s.Failures, toldBy(f))
		}
		return s, nil
	}
}

// summaryOf is a report but for its failures.
func summaryOf(r *distill.Report) Summary {
	return Summary{
		Counts: countsOf(r), Runner: r.Runner, AlwaysCounts: r.AlwaysCounts, Files: r.Files, Text: r.Text, Fit: r.TextWithin,
		NoTests: r.NoTests, Recognised: r.Recognised, Signature: r.Signature,
		Without: func(old []int) Summary { return summaryOf(r.Without(old...)) },
		Recount: func(c testreport.Counts) Summary { return summaryOf(r.Recount(c.Passed, c.Failed, c.Skipped)) },
	}
}

// countsOf are the counts of tests. What failed beside them, such as a fixture, is among
// the failures.
func countsOf(r *distill.Report) testreport.Counts {
	c := testreport.Counts{Passed: r.Passed, Failed: r.Failed, Skipped: r.Skipped}
	if r.Failed != nil {
		n := max(*r.Failed-r.NonTests, 0)
		c.Failed = &n
	}
	return c
}
