package edit

import "testing"

// A joiner belongs to what it joins; among plain letters it is what a reply should not hold.
func TestJoinersInMarkup(t *testing.T) {
	for text, kept := range map[string]bool{
		"title: 👨\u200d👶 of two":       true,
		"title: می\u200cخواهم":         true,
		"title: of\u200d two":          false,
		"title: \u200dof two":          false,
		"title: 👨\u200d of one":        false,
		"title: 👨\u200b👶 of two":       false,
		"title: a no-break\u00a0blank": false,
	} {
		if why := leftMarkup(Change{Path: "a.yml"}, "", text+"\n"); (why == "") != kept {
			t.Errorf("%q: %q", text, why)
		}
	}
}
