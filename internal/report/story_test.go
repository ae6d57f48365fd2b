package report

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Tests of one name in two files are two, also where one of them fails on.
func TestTestsOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	fails := func(places ...string) []record.Check {
		c := record.Check{Name: "test", Kind: "test", Passed: len(places) == 0}
		for _, p := range places {
			c.Failures = append(c.Failures, failure.Failure{Test: "burns", File: p, Place: p, Kind: "test"})
		}
		return []record.Check{c}
	}
	for _, c := range []struct {
		after []record.Check
		known []string
		want  string
	}{
		{fails(), nil, "2 tests fail without the change and pass with it"},
		{fails("t/b.t"), []string{"burns (t/b.t)"}, "1 test fails without the change and passes with it"},
	} {
		var names []string
		for _, f := range fails("t/a.t", "t/b.t")[0].Failures[:2-len(c.known)] {
			names = append(names, f.ID().String())
		}
		s := story{Before: fails("t/a.t", "t/b.t"), Stands: &record.Attempt{Outcome: event.Green}}
		s.Known, s.Evidence = c.known, &event.EvidenceFinished{Verdict: event.Proven, Tests: names}
		s.compare(c.after)
		if !strings.HasPrefix(s.Claim, c.want) {
			t.Errorf("got %q, want %q", s.Claim, c.want)
		}
	}
}
