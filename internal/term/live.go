package term

import (
	"fmt"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/charmbracelet/x/ansi"
)

// frames of the spinner; Braille dots are in every terminal font in use.
var frames = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

const frameTime = 120 * time.Millisecond

// tick redraws the live line until Close.
func (c *Screen) tick() {
	defer c.done.Done()
	t := time.NewTicker(frameTime)
	defer t.Stop()
	for {
		select {
		case <-c.stop:
			return
		case <-t.C:
			c.mu.Lock()
			c.frame++
			c.draw()
			c.mu.Unlock()
		}
	}
}

// tailLines is how much of a running command's output is seen.
const tailLines = 3

// draw writes the live lines: the step under way, and below it the newest output
// of what runs. One write, and nothing taken away before it, so that it does not
// flicker.
func (c *Screen) draw() {
	if !c.s.ErrTTY || c.step == "" {
		return
	}
	room := max(c.width()-1, 10) // the last column stays free: some terminals wrap there
	head := ansi.Truncate(strings.Join(c.state(), " · "), room-4, "…")
	lines := []string{"  " + c.st.Accent.Render(frames[c.frame%len(frames)]) + " " + c.st.Dim.Render(head)}
	for _, l := range c.tail[max(len(c.tail)-c.tailRoom(), 0):] {
		lines = append(lines, c.st.Dim.Render(ansi.Truncate("    │ "+l, room, "…")))
	}
	var b strings.Builder
	b.WriteString(c.home())
	c.drawn = c.drawn[:0]
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(Escape(l) + "\x1b[K")
		c.drawn = append(c.drawn, ansi.StringWidth(l))
	}
	b.WriteString("\x1b[J")
	fmt.Fprint(Raw(c.s.Err), b.String())
}

// state is what the step line tells, the most telling first: a narrow terminal
// cuts it.
func (c *Screen) state() []string {
	parts := []string{c.step + " " + c.now().Sub(c.stepFrom).Truncate(time.Second).String()}
	if c.attempt > 0 {
		parts = append([]string{fmt.Sprintf("attempt %d of %d", c.attempt, c.max)}, parts...)
	}
	if c.failing > 0 {
		parts = append(parts, strings.TrimSpace(c.spark()+" "+plural(c.failing, "test")+" failing"))
	}
	if all := c.now().Sub(c.started).Truncate(time.Second); all > c.now().Sub(c.stepFrom)+time.Second {
		parts = append(parts, all.String()+" total")
	}
	if c.in+c.out > 0 {
		parts = append(parts, thousands(c.in+c.out)+" tokens", usd(c.cost))
	}
	return parts
}

// spark draws the failing tests over the attempts, one sign each; "" where there
// is nothing to compare yet.
func (c *Screen) spark() string {
	if len(c.course) < 2 {
		return ""
	}
	most := 0
	for _, n := range c.course {
		most = max(most, n)
	}
	signs := []rune("▁▂▃▄▅▆▇█")
	text := ""
	for _, n := range c.course {
		switch {
		case n < 0:
			text += "?"
		case n == 0:
			text += "_"
		default:
			text += string(signs[(n*len(signs)-1)/most])
		}
	}
	return text
}

// tailRoom is how many lines of output fit; a low terminal shows the step alone.
func (c *Screen) tailRoom() int {
	if c.s.Rows == nil {
		return tailLines
	}
	return min(max(c.s.Rows()-6, 0), tailLines)
}

// width is that of the terminal now.
func (c *Screen) width() int {
	if c.s.Measure != nil {
		if w := c.s.Measure(); w > 0 {
			return w
		}
	}
	return max(c.s.Width, 1)
}

// home brings the cursor to the beginning of the live lines. A terminal that
// became narrower has wrapped them.
func (c *Screen) home() string {
	rows := 0
	for _, w := range c.drawn {
		rows += 1 + max(w-1, 0)/c.width()
	}
	if rows > 1 {
		return fmt.Sprintf("\x1b[%dA\r", rows-1)
	}
	return "\r"
}

// clear takes the live lines away.
func (c *Screen) clear() {
	if len(c.drawn) > 0 {
		fmt.Fprint(Raw(c.s.Err), c.home()+"\x1b[J")
		c.drawn = c.drawn[:0]
	}
}

// clean makes foreign text one line, without colours and the like.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return ' '
		case obeyed(r):
			return -1
		}
		return r
	}, ansi.Strip(strings.ToValidUTF8(s, "?")))
}

func checkText(e event.CheckFinished) string {
	var parts []string
	if counts := e.Counts.Words(); counts != "" {
		parts = append(parts, counts)
		if n := failure.Beside(e.Failures); n > 0 {
			parts = append(parts, plural(n, "failure")+" outside tests")
		}
	}
	switch {
	case e.TimedOut:
		parts = append(parts, "timed out")
	case !e.Passed && len(parts) == 0 && failure.CountTests(e.Failures) > 0:
		parts = append(parts, fmt.Sprintf("%d failed", failure.CountTests(e.Failures)))
	case !e.Passed && len(parts) == 0 && len(e.Failures) > 1:
		parts = append(parts, plural(len(e.Failures), "problem"))
	case !e.Passed && len(parts) == 0:
		parts = append(parts, fmt.Sprintf("exit code %d", e.ExitCode))
	}
	if e.Note != "" {
		parts = append(parts, e.Note)
	}
	text := strings.Join(parts, ", ")
	if !e.Passed && len(e.Failures) > 0 {
		text += ": " + failureText(e.Failures[0])
		more := len(e.Failures)
		if n := failure.CountTests(e.Failures); n > 0 {
			more = n
		}
		if more--; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	return text
}

func failureText(f event.Failure) string {
	name := f.Test
	if name == "" && f.File != "" {
		name = f.File
		if f.Line > 0 {
			name = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
	msg, _, _ := strings.Cut(f.Says(), "\n")
	msg = ansi.Truncate(strings.TrimSpace(msg), 80, "…")
	switch {
	case name == "":
		return msg
	case msg == "":
		return name
	}
	return name + ": " + msg
}

func editsText(e event.EditsApplied) string {
	var parts []string
	for i, f := range e.Files {
		if i == 4 && len(e.Files) > 5 {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Files)-i))
			break
		}
		s := f.Path
		switch f.Op {
		case "create":
			s += " (new)"
		case "delete":
			s += " (deleted)"
		case "rename":
			s = f.From + " -> " + s
		}
		parts = append(parts, fmt.Sprintf("%s +%d -%d", s, f.Added, f.Removed))
	}
	return strings.Join(parts, ", ")
}

func evidenceText(e event.EvidenceFinished) string {
	switch len(e.Tests) {
	case 0:
		return clean(e.Note)
	case 1:
		return "1 test fails without the change and passes with it"
	}
	return fmt.Sprintf("%d tests fail without the change and pass with it", len(e.Tests))
}

func prText(p event.PullRequest) string {
	kind := "ready"
	if p.Draft {
		kind = "draft"
	}
	return fmt.Sprintf("#%d %s %s", p.Number, kind, p.URL)
}

func ms(n int64) time.Duration {
	d := time.Duration(n) * time.Millisecond
	if d >= 10*time.Second {
		return d.Round(time.Second)
	}
	return d.Round(100 * time.Millisecond)
}

// usd gives an amount with as many digits as it takes to tell something.
func usd(v float64) string {
	switch {
	case v == 0:
		return "$0"
	case v < 0.01:
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
