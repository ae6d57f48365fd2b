package runner

import "testing"

func TestAVerdictIsUnderstoodHoweverItIsWritten(t *testing.T) {
	const approved, suggestions, blocked = "APPROVED", "APPROVED_WITH_SUGGESTIONS", "BLOCKED"
	cases := []struct{ text, verdict, notes string }{
		{"APPROVED", approved, ""},
		{"**APPROVED_WITH_SUGGESTIONS**\n\n- say it louder", suggestions, "- say it louder"},
		{"Approved with suggestions\n- louder", suggestions, "- louder"},
		{"BLOCKED: it breaks", blocked, "it breaks"},
		{"BLOCKED - it breaks\n- a.go:1: here", blocked, "it breaks\n- a.go:1: here"},
		{"**BLOCKED** — it breaks", blocked, "it breaks"},
		{"**Verdict:** APPROVED_WITH_SUGGESTIONS", suggestions, ""},
		{"Verdict: **BLOCKED**\n\n- a.go:1: no", blocked, "- a.go:1: no"},
		{"## Verdict: `APPROVED`\r\n", approved, ""},
		{"Final verdict: BLOCKED. It loses data.", blocked, "It loses data."},
		{"I read it all.\n- a.go:1: fine\n\nVerdict: APPROVED", approved, "I read it all.\n- a.go:1: fine"},
		{"- a.go:1: loses data\n\n__BLOCKED__", blocked, "- a.go:1: loses data"},
		{"BLOCKED: is a word of the rules.\nVerdict: APPROVED\n- fine", approved, "- fine"},
		// what is no verdict
		{"I like it.", "", ""},
		{"NOT APPROVED", "", ""},
		{"Blocked: requests of others are told apart", "", ""},
		{"BLOCKED requests are handled well", "", ""},
		{"The verdict is not BLOCKED", "", ""},
		{"Verdict: APPROVED|APPROVED_WITH_SUGGESTIONS|BLOCKED", "", ""},
		{"", "", ""},
	}
	for _, c := range cases {
		got, err := verdictOf(c.text)
		if got.Verdict != c.verdict || got.Notes != c.notes || (err == nil) != (c.verdict != "") {
			t.Errorf("%q: got %q with the notes %q, %v; want %q with %q", c.text, got.Verdict, got.Notes, err, c.verdict, c.notes)
		}
	}
}

func TestAVerdictIsUnderstoodWithItsNotes(t *testing.T) {
	cases := []struct{ name, text, verdict, notes string }{
		{"the plain form", "APPROVED", "APPROVED", ""},
		{"with notes", "BLOCKED\n- a.go:1: leaks", "BLOCKED", "- a.go:1: leaks"},
		{"in bold", "**APPROVED_WITH_SUGGESTIONS**\n\n- fine", "APPROVED_WITH_SUGGESTIONS", "- fine"},
		{"with a label and blanks", "Verdict: approved with suggestions\nx", "APPROVED_WITH_SUGGESTIONS", "x"},
		{"after chatter", "Let me see.\n`BLOCKED`\nwhy", "BLOCKED", "why"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := verdictOf(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != c.verdict || got.Notes != c.notes {
				t.Errorf("got %+v, want %s with %q", got, c.verdict, c.notes)
			}
		})
	}
	for _, text := range []string{"", "I like it", "NOT APPROVED", "It is not BLOCKED by anything"} {
		if got, err := verdictOf(text); err == nil {
			t.Errorf("verdictOf(%q) = %+v, want an error", text, got)
		}
	}
}
