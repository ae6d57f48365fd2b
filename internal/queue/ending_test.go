package queue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
)

func TestEnd(t *testing.T) {
	cases := []struct {
		name string
		run  Run
		want string
	}{
		{"green is ready and merged", Run{Outcome: "green"},
			"ready ready merge -tdd:manual-intervention -tdd:budget-exceeded -tdd:spec-review-needed"},
		{"green, but in conflict, is continued", Run{Outcome: "green", Conflicts: true},
			"active +tdd:had-conflict"},
		{"green after a conflict waits for a person", Run{Outcome: "green", Settled: true},
			"conflict ready +tdd:had-conflict -tdd:manual-intervention -tdd:budget-exceeded -tdd:spec-review-needed"},
		{"used up", Run{Outcome: "exhausted", Used: 5, Of: 5}, "manual +tdd:manual-intervention"},
		{"no progress", Run{Outcome: "stuck"}, "review +tdd:spec-review-needed"},
		{"old tests would have to change", Run{Outcome: "needs_review"}, "review +tdd:spec-review-needed"},
		{"a question", Run{Outcome: "question"}, "review +tdd:spec-review-needed"},
		{"all refused", Run{Outcome: "refused"}, "review +tdd:spec-review-needed"},
		{"nothing is to be changed", Run{Outcome: "nothing_to_do", ExitCode: 4}, "review +tdd:spec-review-needed"},
		{"the time for one run is over", Run{Outcome: "budget", TimedOut: true}, "review +tdd:spec-review-needed"},
		{"a limit of spending", Run{Outcome: "budget"}, "budget +tdd:budget-exceeded"},
		{"the model is not there", Run{Outcome: "model_failed", ExitCode: 6}, "active"},
		{"the model refuses", Run{Outcome: "model_failed", ExitCode: 6, Permanent: true},
			"manual +tdd:manual-intervention"},
		{"the environment is broken", Run{Outcome: "environment", ExitCode: 9}, "active"},
		{"GitHub refused", Run{Outcome: "error", ExitCode: 7}, "active faults=1"},
		{"and again", Run{Outcome: "error", ExitCode: 7, Faults: 1}, "active faults=2"},
		{"an unknown error", Run{Outcome: "error", ExitCode: 1}, "active faults=1"},
		{"an unknown error for the second time", Run{Outcome: "error", ExitCode: 1, Faults: 1},
			"manual faults=2 +tdd:manual-intervention"},
		{"interrupted", Run{Outcome: "interrupted", ExitCode: 130}, "active"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := label.End(c.run)
			got := string(e.State)
			for word, is := range map[string]bool{"ready": e.Ready} {
				if is {
					got += " " + word
				}
			}
			if e.Merge {
				got += " merge"
			}
			if e.Faults > 0 {
				got += fmt.Sprintf(" faults=%d", e.Faults)
			}
			for _, l := range e.Add {
				got += " +" + l
			}
			for _, l := range e.Remove {
				got += " -" + l
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if e.State != Ready && e.Why == "" {
				t.Error("it is not said why")
			}
		})
	}
}

// What holds one spec is that spec's: --all continues others. A limit of spending ends
// the night once the next turn finds it reached.
func TestNightEnds(t *testing.T) {
	worked := Turn{Result: &runner.Result{}}
	for _, c := range []struct {
		name   string
		turn   Turn
		ending Ending
		kind   fault.Kind
		code   int
		goesOn bool
	}{
		{"a content filter", worked, Ending{State: ForPerson}, fault.Model, 3, true},
		{"all proposals refused", worked, Ending{State: ForReview}, fault.Refused, 3, true},
		{"the time for one run", worked, Ending{State: ForReview}, fault.Budget, 3, true},
		{"attempts used up", worked, Ending{State: ForPerson}, fault.Exhausted, 3, true},
		{"a limit within a run", worked, Ending{State: OverBudget}, fault.Budget, 5, true},
		{"a limit before a run", Turn{}, Ending{State: OverBudget}, fault.Budget, 5, false},
		{"a bug, for the first time", worked, Ending{State: Active}, fault.Bug, 1, true},
		{"no model", worked, Ending{State: Active}, fault.Model, 6, false},
		{"no GitHub", worked, Ending{State: Active}, fault.Git, 7, false},
	} {
		err := c.ending.asError(fault.New(c.kind, "the hint", "it ended"))
		if fault.ExitCode(err) != c.code || fault.HintOf(err) != "the hint" {
			t.Errorf("%s: exit code %d", c.name, fault.ExitCode(err))
		}
		if got := c.turn.affectsOneSpec(fault.KindOf(err)); got != c.goesOn {
			t.Errorf("%s: goes on: %v", c.name, got)
		}
	}
}

// A title that told of an attempt which was cut short does not go back.
func TestTitlesNeverCountBackwards(t *testing.T) {
	for _, c := range []struct {
		title    string
		used, of int
		want     string
	}{
		{"[TDD] Implement A-1 | Attempt 1/5", 0, 5, "1/5"},
		{"[TDD] Implement A-1 | Attempt 2/5", 2, 5, "2/5"},
		{"[TDD] Implement A-1 | Attempt 3/5", 2, 5, "3/5"},
		{"[TDD] Implement A-1 | Attempt 1/5", 2, 5, "2/5"}, // it could not be told
		{"changed by a person", 2, 5, "2/5"},
	} {
		ps := pullState{note: Note{Spec: "A-1", Used: c.used, Of: c.of}}
		ps.pull.Title = c.title
		if got := ps.finalTitle().String(); got != "[TDD] Implement A-1 | Attempt "+c.want {
			t.Errorf("%s, %d used: got %s", c.title, c.used, got)
		}
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct {
		title      string
		told, want int
	}{
		{"[TDD] Implement A-1 | Attempt 1/5", 0, 0},
		{"[TDD] Implement A-1 | Attempt 3/5", 2, 2},
		{"[TDD] Implement A-1 | Attempt 5/5", 5, 5},
		{"[TDD] Implement A-1 | Attempt 5/5", 4, 4},
		{"[TDD] Implement A-1 | Attempt 1/5", 5, 0}, // a person has set it back
		{"[TDD] Implement A-1 | Attempt 4/5", 1, 3}, // or forth
		{"[WIP] [TDD] Implement A-1 | Attempt 2/5", 1, 1},
		{"something else", 3, 3},
	} {
		if got := Used(c.title, c.told); got != c.want {
			t.Errorf("%s, told %d: got %d, want %d", c.title, c.told, got, c.want)
		}
	}
	want := Title{"api-create-a-table", 2, 3}
	if got, ok := parseTitle(want.String()); !ok || got != want {
		t.Errorf("got %+v, %v", got, ok)
	}
}

func TestNotes(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	n := Note{Spec: "A-1 --> <b>", Used: 2, Of: 5, Machine: "m1", LastSeen: now.Add(-10 * time.Minute)}
	n.Spend(Spending{Run: "r1", At: now.Add(-25 * time.Hour), USD: 2})
	n.Spend(Spending{Run: "r2", At: now.Add(-time.Hour), USD: 1.5})
	n.Spend(Spending{Run: "r2", At: now, USD: 1, Outcome: "green"})
	if n.cost() != 3.5 || len(n.Spent) != 2 || n.Spent[1].Outcome != "green" {
		t.Errorf("a run is not noted once, at the highest figure: %+v", n.Spent)
	}
	text := "before\n" + n.Hidden() + "\nafter"
	if strings.Count(text, "-->") != 1 {
		t.Errorf("the hidden line closes itself: %s", text)
	}
	got, ok := readNote(text)
	if !ok || fmt.Sprint(got) != fmt.Sprint(n) {
		t.Errorf("got %+v, %v", got, ok)
	}
	if got.Busy("m1", now) || !got.Busy("m2", now) || got.Busy("m2", now.Add(10*time.Minute)) {
		t.Error("who is at work is not told right")
	}
	for _, broken := range []string{"", "<!-- booty:queue {", "<!-- booty:queue {\"used\":\"x\"} -->",
		"<!-- booty:queue [] -->"} {
		if _, ok := readNote(broken); ok {
			t.Errorf("%q was read", broken)
		}
	}
}

func FuzzNote(f *testing.F) {
	f.Add(Note{Spec: "A-1", Used: 1}.Hidden())
	f.Add("<!-- booty:queue {\"spent\":[{\"usd\":1e308},{\"usd\":-1}]} -->")
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := readNote(text)
		if !ok {
			return
		}
		again, ok := readNote(n.Hidden())
		if !ok || again.Used != n.Used || again.Spec != n.Spec {
			t.Fatalf("%q reads as %+v, then as %+v", text, n, again)
		}
	})
}
