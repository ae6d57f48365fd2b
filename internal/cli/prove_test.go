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
	p := report.Proven{ProofFinished: event.ProofFinished{Verdict: event.VerdictPartly, Reason: "1 of 2 were noticed",
		Survivors: []event.Survivor{{File: "a b.go", Line: 3, Was: "x.y(1)", What: "statement removed"}}}}
	var b strings.Builder
	if err := ciformat.Write(&b, "github", "booty prove", findings(p)); err != nil {
		t.Fatal(err)
	}
	const want = "::error::Partly proven: 1 of 2 were noticed\n" +
		"::warning file=a b.go,line=3::no test notices statement removed: x.y(1) changed to nothing\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
	b.Reset()
	if err := ciformat.Write(&b, "sarif", "booty prove", findings(p)); err != nil {
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
	if r := log.Runs[0].Results[1]; r.RuleID != "survivor" || r.Level != "warning" || r.Locations[0].PhysicalLocation.Region.StartLine != 3 {
		t.Errorf("got %+v", r)
	}
	if p.ProofFinished.Verdict = event.VerdictProven; len(findings(p).Failures) != 1 {
		t.Error("what is proven is no finding")
	}
}

func TestExitCodesOfProve(t *testing.T) {
	for verdict, want := range map[string]int{
		event.VerdictProven: 0, event.VerdictPartly: 3, event.VerdictNotShown: 3, event.VerdictWeakened: 3,
		event.VerdictFailing: 3, event.VerdictNothing: 4, event.VerdictUntried: 9,
	} {
		got := 0
		if err := proofExit(event.ProofFinished{Verdict: verdict}); err != nil {
			got = int(err.(exitStatus)) //nolint:errorlint // it is never wrapped
		}
		if got != want || want == 3 && got != fault.ExitCode(fault.New(fault.Exhausted, "", "x")) {
			t.Errorf("%s: got %d, want %d", verdict, got, want)
		}
	}
}
