package challenge

import "testing"

func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		old, now Outcome
		want     State
	}{
		{Fails, Passes, Proves}, {Passes, Passes, Guards}, {Unbuilt, Passes, Guards}, {Missing, Passes, Guards},
		{Passes, Fails, Regression}, {Fails, Fails, Open}, {Unbuilt, Fails, Open}, {Missing, Fails, Open},
		{Passes, Missing, Regression}, {Fails, Missing, Open}, {Passes, Unbuilt, Regression}, {Fails, Unbuilt, Open},
		{Unbuilt, Unbuilt, NotRun}, {Missing, Missing, NotRun}, {Unbuilt, Missing, NotRun}, {Missing, Unbuilt, NotRun},
	} {
		if got := Meaning(c.old, c.now); got != c.want {
			t.Errorf("%s, then %s: got %s, want %s", c.old, c.now, got, c.want)
		}
	}
	for s, want := range map[State][2]bool{
		Proves: {true, false}, Guards: {true, false}, Regression: {false, true}, Open: {false, true},
		NotRun: {}, Flaky: {}, CannotFail: {}, OldFailure: {}, Dropped: {}, Unfounded: {},
	} {
		if s.Holds() != want[0] || s.Caught() != want[1] {
			t.Errorf("%s: holds %t, caught %t", s, s.Holds(), s.Caught())
		}
	}
}

func TestASentenceMustStandInWhatWasShown(t *testing.T) {
	text := "Fix abs: it must return the\n**absolute value**.\n// Abs returns x, and\n// never a negative number.\n# Text's `end`\n"
	for quote, want := range map[string]bool{
		"it must return the absolute value":          true,
		"It must return the \"absolute value\".":     true,
		"Abs returns x, and never a negative number": true,
		"it must ... the absolute value":             true,
		"Fix abs … never a negative number":          true,
		"Texts end":                                  true,
		"never a negative ... Fix abs":               false,
		"it must return the square":                  false,
		"abs":                                        false,
		"":                                           false,
		"...":                                        false,
	} {
		if got := Founded(quote, text); got != want {
			t.Errorf("%q: got %t", quote, got)
		}
	}
}
