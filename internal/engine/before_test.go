package engine

import (
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

func TestWhatIsKnownToFail(t *testing.T) {
	red := failing(Verdict{}, "TestOld", "TestNamed")
	lint := event.Failure{File: "a.go", Check: "lint", Message: "ugly"}
	red.Failures, red.Findings = append(red.Failures, lint), []event.Failure{lint}
	green := verdict(failure.Verdict{Green: true})
	named := func(f event.Failure) bool { return f.Test == "TestNamed" }
	old, asked, also := event.Failure{Test: "TestOld"}, event.Failure{Test: "TestNamed"}, event.Failure{Test: "TestAlso"}
	for _, c := range []struct {
		name   string
		before before
		known  []event.Failure
		not    []event.Failure
	}{
		{"what failed at the baseline, and is not named by the task",
			before{Origin: &Origin{Baseline: &red}, named: named}, []event.Failure{old, lint}, []event.Failure{asked, also}},
		{"what was later seen to fail without the work",
			before{Origin: &Origin{Baseline: &green, AlsoBefore: []event.Failure{also}}}, []event.Failure{also}, []event.Failure{old, lint}},
		{"earlier work is continued: what failed before that",
			before{Origin: &Origin{Baseline: &red, Old: &green}, oldCommit: "old"}, nil, []event.Failure{old, asked, lint}},
		{"everything must pass",
			before{Origin: &Origin{Baseline: &red, AlsoBefore: []event.Failure{also}}, mustPass: true}, nil, []event.Failure{old, also, lint}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := c.before.known()
			for _, f := range c.known {
				if !k.has(f) {
					t.Errorf("%+v is not known", f)
				}
			}
			for _, f := range c.not {
				if k.has(f) {
					t.Errorf("%+v is known", f)
				}
			}
		})
	}
}
