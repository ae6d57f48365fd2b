package pullrequest

import (
	"errors"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
)

func TestMayBeOpen(t *testing.T) {
	tests := []struct {
		name string
		pull github.PullRequest
		kind fault.Kind
		want string
	}{
		{"open", github.PullRequest{State: "open", HeadRepo: "kim/sums"}, 0, ""},
		{"merged", github.PullRequest{State: "closed", Merged: true, HeadRepo: "kim/sums"}, fault.NothingToDo,
			"pull request #57 is merged"},
		{"closed", github.PullRequest{State: "closed", HeadRepo: "kim/sums"}, fault.NothingToDo,
			"pull request #57 is closed"},
		{"its fork is deleted", github.PullRequest{State: "open"}, fault.Git, "comes from is gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.pull.Number = 57
			wantFault(t, checkOpen(tt.pull), tt.kind, tt.want)
		})
	}
}

func TestAttemptsOnOpenPull(t *testing.T) {
	answered := open()
	answered.items[0].review.ID = 11
	tests := []struct {
		name    string
		memory  pullMemory
		todo    todo
		restart bool
		want    attempts
		err     string
	}{
		{name: "the first run", want: attempts{}},
		{name: "nobody has done anything since", memory: pullMemory{Attempts: 2, Commit: "abc"},
			want: attempts{used: 2, left: 1}},
		{name: "none is left", memory: pullMemory{Attempts: 3, Commit: "abc"}, err: "pull request #57"},
		{name: "none is left, but it starts over", memory: pullMemory{Attempts: 3, Commit: "abc"}, restart: true},
		{name: "a person has pushed", memory: pullMemory{Attempts: 3, Commit: "old"}},
		{name: "a person has asked", memory: pullMemory{Attempts: 3, Commit: "abc"}, todo: todo{asked: "more"}},
		{name: "a person has commented", memory: pullMemory{Attempts: 3, Commit: "abc", Done: []string{"r11"}},
			todo: open()},
		{name: "each comment was dealt with",
			memory: pullMemory{Attempts: 3, Commit: "abc", Done: []string{"r11", "t21"}}, todo: answered,
			err: "pull request #57"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := openPull{pull: github.PullRequest{Number: 57, URL: "https://x/57", Commit: "abc"}, memory: tt.memory,
				todo: tt.todo}
			got, err := o.attempts(3, tt.restart)
			wantFault(t, err, fault.Exhausted, tt.err)
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			var about *Error
			if err != nil && (!errors.As(err, &about) || about.Pull.URL != "https://x/57") {
				t.Errorf("the error does not name the pull request: %#v", err)
			}
		})
	}
}

func TestWorkOnPullStartsFrom(t *testing.T) {
	o := openPull{base: base{"main", "new"}, common: "old", pull: github.PullRequest{Head: "sums", Commit: "abc"}}
	if got, want := o.from(), (base{"main", "old"}); got != want {
		t.Errorf("without a conflict it starts from %+v, want %+v", got, want)
	}
	o.todo.conflicts = []string{"sum.go"}
	if got := o.from(); got != o.base {
		t.Errorf("with a conflict it starts from %+v, want %+v", got, o.base)
	}
	want := branch{name: "booty/pr-57", head: "sums", from: "abc", continued: true}
	if got := o.branch("booty/pr-57"); got != want {
		t.Errorf("the branch is %+v, want %+v", got, want)
	}
}

func TestUpdaterOf(t *testing.T) {
	tests := []struct {
		name, author, head, want string
	}{
		{"Dependabot's login", "dependabot[bot]", "any", "Dependabot"},
		{"Renovate run by oneself", "acme-bot", "renovate/go-1.x", "Renovate"},
		{"a person", "kim", "sums", ""},
		{"a person's branch with its name", "kim", "fix-renovate/x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if b := updaterOf(github.PullRequest{Author: tt.author, Head: tt.head}); b != nil {
				got = b.name
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
