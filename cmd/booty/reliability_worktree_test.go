//go:build unix

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// TestKillDuringWorktreeRun kills runs that work in a work tree of their own,
// in a dirty checkout, and runs with several candidates.
func TestKillDuringWorktreeRun(t *testing.T) {
	t.Parallel()
	var count tally
	t.Cleanup(func() { count.log(t, "run with --worktree or --candidates killed with -9") })
	for _, way := range [][]string{{"--worktree"}, {"--candidates", "2"}} {
		for i := 1; i < 20; i++ {
			if !all() && i%10 != 5 {
				continue
			}
			t.Run(fmt.Sprintf("%s event %d", way[0], i), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				l := newLab(t, suite, wrongThenRight)
				if way[0] == "--worktree" {
					half(l)
				}
				before, status := manifest(t, l.repo), l.git("status", "--porcelain=v2")
				h := l.strike(syscall.SIGKILL, i, 0, append(runArgs, way...)...)
				asked := l.model.count()
				r := l.booty("resume", "--json")
				if h.code != 0 && r.code != 0 {
					t.Errorf("resume after %v: %s", h.events, r)
				}
				if way[0] == "--worktree" && h.code != 0 && l.model.count() > 2+h.inFlight() {
					t.Errorf("got %d requests, %d before the kill", l.model.count(), asked)
				}
				if h.code != 0 && !strings.Contains(l.git("log", "--all", "--format=%s"), "feat: greet") {
					t.Error("nothing was committed")
				}
				if manifest(t, l.repo) != before || l.git("status", "--porcelain=v2") != status {
					t.Errorf("the checkout is not as before: %s", l.git("status", "--short"))
				}
				if err := l.sound("main"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
