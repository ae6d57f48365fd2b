package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// specRun is a run on a spec that began so many minutes after noon and took five.
func specRun(spec, outcome string, attempts, minutes int, usd float64) record.Run {
	at := noon.Add(time.Duration(minutes) * time.Minute)
	return record.Run{
		Repo: "/r", Task: event.Task{Kind: "spec", Spec: spec}, Outcome: outcome, AttemptsTotal: attempts, CostUSD: usd,
		Started: at, Finished: at.Add(5 * time.Minute),
	}
}

func TestStats(t *testing.T) {
	runs := []record.Run{
		specRun("A", "green", 0, 0, 0),            // passed at once
		specRun("B", "green", 1, 10, 0.5),         // at the first attempt
		specRun("C", "green", 3, 40, 1),           // by a retry, in the second run
		specRun("C", "model_failed", 1, 20, 0.25), // given newest first and last
		specRun("D", "exhausted", 5, 60, 2),
		specRun("E", "stuck", 1, 70, 0.25),
		specRun("F", "interrupted", 1, 80, 0), // under way
		{Task: event.Task{Kind: "issue", Number: 3}, Outcome: "green", CostUSD: 99, Started: noon},
	}
	s := StatsOf(runs, noon.Add(-30*24*time.Hour), noon.Add(48*time.Hour))
	if s.Specs != 5 || s.Done != 3 || s.Person != 2 || s.First != 2 || s.Retried != 3 || s.RetrySolved != 1 {
		t.Errorf("got %+v", s)
	}
	if s.AttemptsPerSpec != 2 || s.PersonPercent != 40 || s.RecoverySeconds != 25*60 || s.SpecsPerDay != 1.5 || s.USDPerDay != 2 {
		t.Errorf("got %+v", s)
	}
	var text, data bytes.Buffer
	if err := s.Write(&text, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "stats.txt", text.String())
	if err := s.JSON(&data); err != nil || !strings.Contains(data.String(), `"targets":{"retry_success_percent":80`) {
		t.Errorf("got %s, %v", data.String(), err)
	}
	text.Reset()
	if err := StatsOf(nil, noon, noon).Write(&text, nil); err != nil || !strings.Contains(text.String(), "No spec of the queue") {
		t.Errorf("got %s, %v", text.String(), err)
	}
}
