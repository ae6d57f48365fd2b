package runner

import "testing"

func TestProseIn(t *testing.T) {
	const edit = "a.go\n```go\npackage a\n```\n"
	cases := []struct{ name, reply, want, said string }{
		{"none", "Summary: fix: a\n\n" + edit, "", ""},
		{"right after the summary", "Summary: fix: a\nThe list was nil.\n\n" + edit, "The list was nil.", "The list was nil."},
		{"several paragraphs", "**Summary:** fix: a\r\n\r\nThe list was nil.\nNow it is not.\r\n\r\nSee a.go for more.\r\n\r\n" + edit, "The list was nil.\nNow it is not.\n\nSee a.go for more.", "The list was nil.\nNow it is not.\n\nSee a.go for more."},
		{"what announces an edit is none", "Summary: fix: a\n\nIt was nil.\n\nHere is the file:\n\n" + edit, "It was nil.", "It was nil."},
		{"a path is none", "Summary: fix: a\n\na.go\n\n```go\npackage a\n```\n", "", ""},
		{"nothing after the first edit", "Summary: fix: a\n\n" + edit + "\nI hope that this helps you.\n", "", ""},
		{"a removal is an edit", "Summary: fix: a\n\nDELETE old.go now\n", "", ""},
		{"before the summary", "I think so.\n\nSummary: fix: a\n\n" + edit, "", "I think so."},
		{"without a summary", "I think so.\n\n" + edit, "", "I think so."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ProseIn(c.reply); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := saidIn(c.reply); got != c.said {
				t.Errorf("said %q, want %q", got, c.said)
			}
		})
	}
}
