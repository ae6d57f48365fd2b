package cli

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
