package fault

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

func TestExitCode(t *testing.T) {
	inner := New(Git, "run gh auth login", "push %s: %w", "main", errors.New("denied"))
	cases := []struct {
		name string
		err  error
		want int
		hint string
	}{
		{"no error is success", nil, 0, ""},
		{"an unclassified error is our bug", errors.New("boom"), 1, ""},
		{"a wrapped fault keeps its kind and hint", fmt.Errorf("publish: %w", inner), 7, "run gh auth login"},
		{"the outermost kind wins, the hint is found below", New(Refused, "", "stop: %w", inner), 8, "run gh auth login"},
		{"a cancelled context is an interruption", fmt.Errorf("wait: %w", context.Canceled), 130, ""},
		{"a full disk is not our bug", fmt.Errorf("keep it: %w", syscall.ENOSPC), 9, "free some disk space, then run the same command again"},
		{"a deadline alone is not an interruption", context.DeadlineExceeded, 1, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ExitCode(c.err); got != c.want {
				t.Errorf("got exit code %d, want %d", got, c.want)
			}
			if got := HintOf(c.err); got != c.hint {
				t.Errorf("got hint %q, want %q", got, c.hint)
			}
		})
	}
}
