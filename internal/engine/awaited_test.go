package engine

import (
	"context"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// oldCode opens trees in which the checks give one verdict.
type oldCode struct {
	Tree
	v Verdict
}

func (o oldCode) Prepare(context.Context, string) {}

func (o oldCode) Open(context.Context, string, TreeOptions) (Tree, error) { return o, nil }

func (o oldCode) Verify(context.Context) (Verdict, error) { return o.v, nil }

func (o oldCode) Close() error { return nil }

// counted is a verdict with so many tests that ran and were skipped; below 0 is not told.
func counted(ran, skipped int) (v Verdict) {
	v.Green = true
	if ran >= 0 {
		v.Counts.Passed = &ran
	}
	if skipped >= 0 {
		v.Counts.Skipped = &skipped
	}
	return v
}

func naming(v Verdict, names ...string) Verdict { v.Ran = names; return v }

func failing(v Verdict, names ...string) Verdict {
	v.Green, v.TestsFailed = false, true
	for _, n := range names {
		v.Failures = append(v.Failures, failure.Failure{Test: n})
	}
	return v
}

func TestAnAwaitedTestIsSeenToRun(t *testing.T) {
	same := counted(3, 1)
	for _, c := range []struct {
		name      string
		base, old Verdict
		passing   []string
		want      bool
	}{
		{"named as passed", naming(same, "js > signs in", "js > adds"), same, nil, true},
		{"named as failed", failing(same, "a.test.js::signs in"), same, nil, true},
		{"named once the work is green", failing(counted(-1, -1)), failing(counted(-1, -1)), []string{"signs in"}, true},
		{"nowhere named, and as many run as before", naming(same, "js > adds"), same, nil, false},
		{"two tests have the name, and as many run as before", naming(same, "a > signs in", "b > signs in"), same, nil, false},
		{"two have the name, and one more runs", naming(counted(4, 0), "a > signs in", "b > signs in"), same, nil, true},
		{"one runs more, one is skipped less", counted(4, 0), same, nil, true},
		{"one runs more, and as many are skipped", counted(4, 1), same, nil, false},
		{"one runs more, and what is skipped is not told", counted(4, -1), counted(3, -1), nil, true},
		{"the first test of all", counted(1, 0), Verdict{Verdict: failure.Verdict{NoTests: true}}, nil, true},
		{"no counts", counted(-1, -1), counted(-1, -1), nil, false},
		{"no counts, and it fails once active", failing(counted(-1, -1)), counted(-1, -1), nil, true},
		{"no counts, and it failed before as well", failing(counted(-1, -1)), failing(counted(-1, -1)), nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verifier{trees: oldCode{v: c.old}, last: checked{ran: proof.Result{Passing: c.passing}},
				before: before{Origin: &Origin{Baseline: &c.base}, oldCommit: "old"}}
			if got, err := v.ran(t.Context(), &Awaited{Name: "signs in"}, c.base, State{}); got != c.want || err != nil {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
