package report

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
)

func TestAChallengeInMarkdown(t *testing.T) {
	c := &event.ChallengeFinished{File: "a/more_test.go", Head: "package a\n\n", Tests: []event.ChallengeTest{
		{Name: "TestA", Quote: "Use <b>#12</b>", Old: "passes", New: "fails", State: "regression", Message: "```\n@somebody", Code: "func TestA() {\n```\n}\n"},
		{Name: "TestB", Old: "unbuilt", New: "passes", State: "guards", Code: "func TestB() {}\n", Notices: []string{"a/a.go:3"}},
		{Name: "TestC", Quote: "return x", OfCode: true, Old: "passes", New: "missing", State: "regression"},
		{Name: "TestD", Old: "unbuilt", New: "fails", State: "open"},
		{Name: "TestE", State: "flaky"},
	}}
	got := ChallengeMarkdown(c)
	for _, want := range []string{
		"- `TestA` passes without the change and fails with it. It rests on: “Use &lt;b&gt;#\u200b12&lt;/b&gt;”\n",
		"- `TestC` does not run with the change, and ran without it. It rests on the old code: `return x`\n", "- `TestD` fails with the change; does not build without it\n",
		"````\npackage a\n\nfunc TestA() {\n```\n}\n", "<summary>2 other tests</summary>", "- `TestB` passes with the change; does not build without it\n",
		"- `TestB` is worth keeping: it notices what no other test does, a small change to a/a.go:3\n",
		"<summary>The code of what is worth keeping</summary>", "package a\n\nfunc TestB() {}\n",
		"- `TestE` does not end the same way each time; not counted",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "<details>") != 3 || ChallengeMarkdown(nil) != "" || ChallengeMarkdown(&event.ChallengeFinished{}) != "" {
		t.Errorf("got\n%s", got)
	}
}
