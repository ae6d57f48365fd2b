package report

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
)

// TestDismissals reads the numbers from one comment and has them dismissed in others.
func TestDismissals(t *testing.T) {
	one := event.Survivor{File: "a.go", Line: 3, Was: "if n > 1 {", Now: "if n >= 1 {", What: "comparison changed"}
	two := event.Survivor{File: "a.go", Line: 9, Was: "x.touch()", What: "statement removed"}
	body := Proven{ProofFinished: event.ProofFinished{Survivors: []event.Survivor{one, two}}, Numbers: Numbered{}.With(one, two)}.Markdown()
	if !strings.Contains(body, "@@ 2. line 9  statement removed") || !strings.Contains(body, "`/booty dismiss 1`") {
		t.Errorf("got %s", body)
	}
	numbers := NumberedIn(body)
	for comment, want := range map[string][2]bool{
		"/booty dismiss 2": {false, true},
		"It is equivalent.\r\n/booty dismiss #1, 2\r\n": {true, true},
		"> /booty dismiss 2":                            {},
		"/booty dismiss 22":                             {},
		"never /booty dismiss 2":                        {},
	} {
		out := numbers.Dismissed([]string{comment})
		moved := two
		moved.Line = 12
		if got := [2]bool{out[SurvivorKey(one)], out[SurvivorKey(moved)]}; got != want {
			t.Errorf("%q: got %v", comment, got)
		}
		edited := two
		edited.Was = "y.touch()"
		if out[SurvivorKey(edited)] {
			t.Errorf("%q: it is dismissed though its line changed", comment)
		}
	}
	// One that is new gets a new number, and the old ones keep theirs.
	three := event.Survivor{File: "b.go", Line: 1, Was: "return 1", Now: "return 2", What: "constant changed"}
	if later := numbers.With(three, two); later[SurvivorKey(two)] != 2 || later[SurvivorKey(three)] != 3 {
		t.Errorf("got %v", later)
	}
}
