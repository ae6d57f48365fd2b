package term

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/charmbracelet/x/ansi"
)

// glass is a terminal, as far as the live lines need one.
type glass struct {
	width    int
	lines    []string
	row, col int
}

func (g *glass) Write(p []byte) (int, error) {
	text := []rune(string(p))
	for i := 0; i < len(text); i++ {
		switch r := text[i]; {
		case r == '\r':
			g.col = 0
		case r == '\n':
			g.row, g.col = g.row+1, 0
		case r == 0x1b:
			end := i + 2
			for text[end] >= '0' && text[end] <= '9' || text[end] == ';' {
				end++
			}
			g.escape(string(text[i+2:end]), text[end])
			i = end
		default:
			g.put(r)
		}
	}
	return len(p), nil
}

func (g *glass) escape(n string, kind rune) {
	g.grow()
	switch kind {
	case 'A':
		up, _ := strconv.Atoi(n)
		g.row -= up
	case 'K':
		g.cut()
	case 'J':
		g.cut()
		g.lines = g.lines[:g.row+1]
	}
}

func (g *glass) grow() {
	for len(g.lines) <= g.row {
		g.lines = append(g.lines, "")
	}
}

func (g *glass) cut() {
	if l := []rune(g.lines[g.row]); len(l) > g.col {
		g.lines[g.row] = string(l[:g.col])
	}
}

func (g *glass) put(r rune) {
	if g.col == g.width {
		g.row, g.col = g.row+1, 0
	}
	g.grow()
	l := []rune(g.lines[g.row])
	for len(l) <= g.col {
		l = append(l, ' ')
	}
	l[g.col] = r
	g.lines[g.row] = string(l)
	g.col++
}

func liveScreen(out io.Writer, width, rows *int) *Screen {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := Streams{Err: out, Width: 80, Measure: func() int { return *width }, Rows: func() int { return *rows }}
	c := NewScreen(s, Styles{}, false, func() time.Time { at = at.Add(700 * time.Millisecond); return at })
	c.s.ErrTTY = true // without the ticker
	return c
}

func TestTheLiveLinesShowStepCourseAndOutput(t *testing.T) {
	width, rows := 60, 24
	g := &glass{width: width}
	c := liveScreen(g, &width, &rows)
	for _, e := range []event.Event{
		event.RunStarted{Task: event.Task{Title: "add two"}, MaxRetries: 3},
		event.BaselineFinished{Failing: 8},
		event.ContextSelected{Attempt: 1}, event.AttemptFinished{Attempt: 1, Outcome: "failing", Failing: 5},
		event.ContextSelected{Attempt: 2}, event.AttemptFinished{Attempt: 2, Outcome: "failing", Failing: 2},
		event.ContextSelected{Attempt: 3}, event.ModelRequest{Attempt: 3},
		event.EditsApplied{Attempt: 3, Files: []event.File{{Path: "a.go", Op: "modify"}}},
	} {
		c.Handle(e)
	}
	for i := range 9 {
		c.Output(fmt.Sprintf("ok %d %s", i, strings.Repeat("x", 80)))
	}
	c.Output("  ")
	c.mu.Lock()
	c.draw()
	c.draw()
	c.mu.Unlock()
	last := g.lines[len(g.lines)-4:]
	if want := "attempt 3 of 3 · checks "; !strings.Contains(last[0], want) || !strings.Contains(last[0], "█▅▂ 2 tests failing") {
		t.Errorf("the step line is %q", last[0])
	}
	for i, l := range last[1:] {
		if !strings.HasPrefix(l, fmt.Sprintf("    │ ok %d xxx", i+6)) || len([]rune(l)) > width {
			t.Errorf("the output line is %q", l)
		}
	}
	if all := strings.Join(g.lines, "\n"); strings.Count(all, "⠋") != 1 || strings.Contains(all, "ok 5") {
		t.Errorf("something is left:\n%s", all)
	}
	rows = 7 // a low terminal: one line of output
	c.mu.Lock()
	c.draw()
	c.mu.Unlock()
	if n := strings.Count(strings.Join(g.lines, "\n"), "│"); n != 1 {
		t.Errorf("%d lines of output in a low terminal:\n%s", n, strings.Join(g.lines, "\n"))
	}
	c.Close()
	if l := g.lines[len(g.lines)-1]; l != "" {
		t.Errorf("a live line stays: %q", l)
	}
}

func TestTheLiveLinesFollowTheWidth(t *testing.T) {
	var out bytes.Buffer
	width, rows := 80, 24
	c := liveScreen(&out, &width, &rows)
	c.Handle(event.ModelRequest{Attempt: 1})
	c.Output(strings.Repeat("x", 200))
	c.mu.Lock()
	c.draw()
	out.Reset()
	width = 30
	c.draw()
	c.mu.Unlock()
	// The step line fits, the output of 79 columns was wrapped into three rows.
	if got := out.String(); !strings.HasPrefix(got, "\x1b[3A\r") || !strings.HasSuffix(got, "\x1b[J") {
		t.Errorf("the wrapped rest is not cleared: %q", got)
	}
	for l := range strings.SplitSeq(out.String(), "\n") {
		if n := ansi.StringWidth(l); n > 30 {
			t.Errorf("a line has %d columns in a terminal of 30", n)
		}
	}
}

func TestVerboseListsTwentyFailures(t *testing.T) {
	var out bytes.Buffer
	c := NewScreen(Streams{Err: &out}, Styles{}, true, time.Now)
	var failures []event.Failure
	for i := range 57 {
		failures = append(failures, event.Failure{Test: fmt.Sprintf("Test%d", i), Message: "no"})
	}
	c.Handle(event.CheckFinished{Check: "test", Kind: "test", Failures: failures})
	if n := strings.Count(out.String(), "\n    Test"); n != 20 || !strings.Contains(out.String(), "and 37 more\n") {
		t.Errorf("%d failures are listed:\n%s", n, out.String())
	}
}
