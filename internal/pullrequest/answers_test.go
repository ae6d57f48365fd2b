package pullrequest

import (
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/google/go-cmp/cmp"
)

func TestAnswersIn(t *testing.T) {
	got := answersIn("Done.\nANSWER 4 without a colon\nANSWER 1: It was slow.\r\n> **ANSWER 2:** See above.  \n- ANSWER 12: x\n" +
		"The ANSWER 3: in a sentence\nANSWER 1: It is fast now.")
	want := map[int]string{1: "It is fast now.", 2: "See above.", 12: "x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommentOnPull(t *testing.T) {
	memory := pullMemory{Attempts: 2, CostUSD: 0.5, Runs: 1, Commit: "abc"}
	main := &engine.Attempt{Summary: "add a test\nmore"}
	failed, passed := []journal.Check{{}, {Passed: true}}, []journal.Check{{Passed: true}}
	checks := todo{checks: make([]failedCheck, 1)}
	update := checks
	update.updater = &dependencyBots()[1]
	const pushed = "**booty** pushed abc: add a test\n\nThe checks pass where booty ran; GitHub's own run on the " +
		"new commit.\n"
	tests := []struct {
		name string
		did  answered
		open todo
		want string
		foot string
	}{
		{"a pushed change", answered{pushed: "abc", pub: engine.Publication{Main: main}}, open(), pushed,
			"2 review comments"},
		{"checks that failed here too",
			answered{pushed: "abc", pub: engine.Publication{Main: main}, baseline: failed}, checks, pushed, "1 failed check"},
		{"checks that fail on GitHub only",
			answered{pushed: "abc", pub: engine.Publication{Main: main}, baseline: passed}, checks,
			pushed + "\nThe failed checks could not be reproduced there: the change is made from their logs.\n",
			"1 failed check"},
		{"a bot's update", answered{pushed: "abc", pub: engine.Publication{Main: main}, baseline: failed}, update,
			pushed + "\nRenovate no longer rebases this pull request, so that booty's commit stays; its rebase " +
				"checkbox starts over without it.\n", "1 failed check"},
		{"a conflict alone", answered{pushed: "abc", settled: []string{"a.go", "b.go"}},
			todo{conflicts: []string{"a.go", "b.go"}}, "**booty** pushed abc\n\nThe checks pass where booty ran; " +
				"GitHub's own run on the new commit.\n\nConflicts with main were settled in a.go, b.go.\n",
			"2 files in conflict"},
		{"an answer alone", answered{pub: engine.Publication{Outcome: event.NothingToDo}}, open(),
			"**booty** has answered; nothing had to be changed.\n", "2 review comments"},
		{"a failure", answered{pub: engine.Publication{Outcome: event.ModelFailed, Message: "no reply"}}, open(),
			"**booty** could not finish this (model failed) and pushed nothing. No reply.\n", "2 review comments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.did.memory = memory
			want := memory.marker() + "\n" + tt.want +
				"\n<sub>2 attempts since a person last did something, $0.50 in all. Asked for: " + tt.foot + ".</sub>\n"
			if diff := cmp.Diff(want, tt.did.comment(tt.open, "main")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPullMemoryAfterARun(t *testing.T) {
	th := thread(21, "a.go", 1, "Why?")
	items := []item{{review: &github.Review{ID: 11}}, {thread: &th}}
	before := pullMemory{Attempts: 3, CostUSD: 1, Runs: 1, Commit: "ours", Done: []string{"r11"}}
	tests := []struct {
		name         string
		from, pushed string
		answered     []item
		want         pullMemory
	}{
		{"nobody has pushed since", "ours", "new", items,
			pullMemory{Attempts: 5, CostUSD: 1.5, Runs: 2, Commit: "new", Done: []string{"r11", "t21"}}},
		{"a person has pushed since", "theirs", "new", nil,
			pullMemory{Attempts: 2, CostUSD: 1.5, Runs: 2, Commit: "new", Done: []string{"r11"}}},
		{"nothing was pushed", "ours", "", nil,
			pullMemory{Attempts: 5, CostUSD: 1.5, Runs: 2, Commit: "ours", Done: []string{"r11"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, before.after(0.5, 2, tt.from, tt.pushed, tt.answered)); diff != "" {
				t.Error(diff)
			}
			if len(before.Done) != 1 {
				t.Errorf("the memory before the run has changed: %v", before.Done)
			}
		})
	}
}
