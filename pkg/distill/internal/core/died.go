package core

import (
	"slices"
	"strings"
)

// deathWords are what a process prints, or what is printed of it, when it does
// not end by itself.
var deathWords = []string{"segmentation fault", "core dumped", "bus error", "aborted", "killed",
	"out of memory", "panic:", "fatal error:", "fatal python error",
	"stack overflow", "signal:", "sigsegv", "sigabrt", "sigkill", "signal 11", "signal 6", "signal 9",
	"access violation", "error 124", "error 137", "error 139", "error 134",
	"exit status 2", "exit code 139", "exit code 134", "exit code 137", "exit code 124", "timed out",
	"timeout", "uncaught", "unhandled exception", "panicked at", "terminate called", "deadlock",
	"goroutine 1 ["}

// deathAt gives the line in which the stream tells that its process died.
func (g *generic) deathAt(from int) int {
	for i := from; i < len(g.d.Lines); i++ {
		s := g.d.Lines[i].S
		if s == "" || len(s) > 500 {
			continue
		}
		if dies(s) {
			return i
		}
	}
	return -1
}

// dies tells whether a line tells that a process died.
func dies(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc(deathWords, func(w string) bool { return strings.Contains(low, w) })
}

// died finds the test that was running when everything ended: its name was
// announced, it has no result, and the stream ends badly. What follows the
// name is its text.
func (g *generic) died() (Failure, bool) {
	open := g.ledger.open()
	if len(open) == 0 || g.known {
		return Failure{}, false
	}
	x := open[len(open)-1]
	at := 0
	for i := range x.events {
		at = max(at, x.events[i].at)
	}
	dead := g.deathAt(at)
	if dead < 0 && !g.counted && len(open) == 1 { // the last thing that was told is an error
		for i := at; i < len(g.d.Lines); i++ {
			if ErrorLike(g.d.Lines[i].S) > 3 {
				dead = i
			}
		}
	}
	known := g.f.exit != nil && *g.f.exit != 0 && !g.counted
	if dead < 0 && !known || !g.announces(x) {
		return Failure{}, false
	}
	y := Failure{Test: x.name(), Kind: KindCrash, Runner: g.f.runner()}
	var block []string
	for i := at + 1; i < len(g.d.Lines) && len(block) < 200; i++ {
		if g.d.Lines[i].Used && !g.d.Lines[i].Guessed {
			break
		}
		block = append(block, g.d.Lines[i].S)
		g.all.Lines[i].Used, g.all.Lines[i].Guessed = true, true
	}
	Explain(&y, block)
	if dead >= 0 {
		y.Message = strings.TrimSpace(g.d.Lines[dead].S)
		if low := strings.ToLower(y.Message); strings.Contains(low, "time") ||
			strings.Contains(low, "124") || strings.Contains(low, "deadlock") {
			y.Kind = KindTimeout
		}
	}
	return y, true
}

// announces tells whether the line that began a test is of a kind that begins
// tests: others of its kind have results, or its mark is one that logs lack.
func (g *generic) announces(x *entry) bool {
	mark := ""
	for i := range x.events {
		if x.events[i].said == begun {
			mark = x.events[i].mark
		}
	}
	if strings.HasPrefix(mark, "=") || strings.HasPrefix(mark, "[") {
		return true
	}
	return slices.ContainsFunc(g.ledger.entries, func(y *entry) bool {
		return y.last() != nil &&
			slices.ContainsFunc(y.events, func(e event) bool { return e.said == begun && e.mark == mark })
	})
}
