package distill

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/suspect"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// analyse turns what was kept of an output into a report.
func analyse(k *stream.Kept, o Options, rows []core.Format) *Report {
	var before *stream.Seen
	if o.Before != nil {
		before = o.Before.seen
		o.Before = nil
	}
	streams := stream.Normalise(k, before)
	root := newTree(o)
	defer root.Close()
	res := core.Recognise(streams, root, k.Tally, o.ExitCode, rows)
	res.Merge()
	if o.ExitCode != nil && *o.ExitCode == 0 {
		res.Failures = nil // the counts must not seem to contradict the failures
	}
	rep := &Report{
		Runner:       res.Runner(),
		AlwaysCounts: slices.ContainsFunc(res.Seen, format.Counts),
		Failures:     append([]Failure{}, publish(res.Failures)...),
		Retried:      publish(res.Retried),
		NonTests:     res.NonTests,
		NoTests:      res.NoTests && len(res.Failures) == 0,
		Recognised:   res.Recognised(),
		Lines:        k.Total,
		Bytes:        k.Bytes,
	}
	rep.Passed, rep.Failed, rep.Skipped = res.Counts()
	switch {
	case rep.Failed == nil:
	case o.ExitCode != nil && *o.ExitCode == 0:
		rep.Failed = new(int)
	case *rep.Failed == 0 && res.Red(): // what failed was not a test
		rep.Failed = nil
	}
	rep.Signature = signature(rep, streams, cmp.Or(o.PrintedDir, o.Dir))
	rep.found, rep.streams, rep.options = res.Failures, streams, o
	rep.red, rep.green = res.Red() || o.ExitCode == nil && !rep.NoTests && res.ReadsLikeFailure(), res.Green()
	rep.cut = res.Cut()
	if rep.compared = before != nil; rep.compared && rep.red {
		rep.missing = before.Missing(k.Seen)
	}
	if o.ExitCode == nil && !rep.red {
		rep.suspicious, rep.moreSuspicious = res.ErrorLines(maxSuspicious)
	}
	rep.finish(root)
	return rep
}

// finish sets what is derived from the failures: the suspects and the text.
func (r *Report) finish(root *tree.Tree) {
	r.Files = append([]string{},
		suspect.Suspects(r.found, r.streams, root, r.red || !r.green && !r.NoTests)...)
	r.Text = render(r, r.found, r.streams, root, r.options)
}

func publish(all []core.Failure) []Failure {
	if all == nil {
		return nil
	}
	out := make([]Failure, len(all))
	for i := range all {
		out[i] = public(&all[i])
	}
	return out
}

// public converts a failure for the caller. Its texts are copies: what they were parts of holds the
// whole output.
func public(x *core.Failure) Failure {
	y := Failure{
		Test: strings.Clone(x.Test), File: strings.Clone(x.File), Line: x.Line, Column: x.Column, Kind: x.Kind,
		Message: strings.Clone(x.Message), Expected: strings.Clone(x.Expected), Actual: strings.Clone(x.Actual),
		FoundBy: x.By,
	}
	for _, fr := range x.Frames {
		fr.File, fr.Func = strings.Clone(fr.File), strings.Clone(fr.Func)
		y.Frames = append(y.Frames, Frame(fr))
	}
	return y
}

// newTree makes the tree of the options.
func newTree(o Options) *tree.Tree {
	t := tree.NewTree(o.Dir)
	t.Hidden = o.Hidden
	if o.PrintedDir != "" {
		t.Dir = filepath.ToSlash(o.PrintedDir)
	}
	return t
}
