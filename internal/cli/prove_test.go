package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/ciformat"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
)

func TestProofBesideTheCode(t *testing.T) {
	failOn := []string{event.VerdictWeakened}
	p := report.Proven{ProofFinished: event.ProofFinished{Verdict: event.VerdictPartly, Reason: "1 of 2 were noticed", At: event.Place{File: "c.go", Line: 7},
		Survivors: []event.Survivor{{File: "a b.go", Line: 3, Was: "x.y(1)", What: "statement removed"}}}}
	var b strings.Builder
	if err := ciformat.Write(&b, "github", "booty prove", findings(p, failOn)); err != nil {
		t.Fatal(err)
	}
	const want = "::notice file=c.go,line=7::Partly proven: 1 of 2 were noticed\n" +
		"::notice file=a b.go,line=3::no test notices statement removed: x.y(1) changed to nothing\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
	b.Reset()
	if err := ciformat.Write(&b, "sarif", "booty prove", findings(p, failOn)); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Level     string
				Locations []struct {
					PhysicalLocation struct{ Region struct{ StartLine int } }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if r := log.Runs[0].Results[1]; r.RuleID != "survivor" || r.Level != "note" || r.Locations[0].PhysicalLocation.Region.StartLine != 3 {
		t.Errorf("got %+v", r)
	}
	if r := log.Runs[0].Results[0]; len(r.Locations) != 1 || r.Locations[0].PhysicalLocation.Region.StartLine != 7 {
		t.Errorf("the verdict has no place: %+v", r)
	}
	for verdict, want := range map[string]string{event.VerdictChanged: "::warning ", event.VerdictWeakened: "::error ", event.VerdictUntried: "::error "} {
		p.ProofFinished.Verdict = verdict
		b.Reset()
		if err := ciformat.Write(&b, "github", "booty prove", findings(p, failOn)); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: got %q, %v", verdict, b.String(), err)
		}
	}
	if p.ProofFinished.Verdict = event.VerdictProven; len(findings(p, failOn).Failures) != 1 {
		t.Error("what is proven is no finding")
	}
}

func TestExitCodesOfProve(t *testing.T) {
	for verdict, want := range map[string]int{
		event.VerdictProven: 0, event.VerdictKept: 0, event.VerdictPartly: 0, event.VerdictChanged: 0, event.VerdictNotShown: 3, event.VerdictWeakened: 3,
		event.VerdictFailing: 3, event.VerdictNothing: 4, event.VerdictUntried: 9,
	} {
		got := 0
		if err := proofExit(event.ProofFinished{Verdict: verdict}, []string{"weakened", "failing", "not_shown"}); err != nil {
			got = int(err.(exitStatus)) //nolint:errorlint // it is never wrapped
		}
		if got != want || want == 3 && got != fault.ExitCode(fault.New(fault.Exhausted, "", "x")) {
			t.Errorf("%s: got %d, want %d", verdict, got, want)
		}
	}
}
