package term

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/charmbracelet/x/ansi"
)

func TestTheLiveLineFollowsTheWidth(t *testing.T) {
	var out bytes.Buffer
	width := 80
	s := Streams{Err: &out, Width: 80, Measure: func() int { return width }}
	c := NewScreen(s, Styles{}, false, time.Now)
	c.s.ErrTTY = true // without the ticker
	c.Handle(event.ModelRequest{Attempt: 1})
	c.Output(strings.Repeat("x", 200))
	c.mu.Lock()
	c.draw()
	out.Reset()
	width = 30
	c.draw()
	c.mu.Unlock()
	if got := out.String(); !strings.HasPrefix(got, "\x1b[2A\r\x1b[J") {
		t.Errorf("the wrapped rest is not cleared: %q", got)
	}
	if n := ansi.StringWidth(out.String()); n > 30 {
		t.Errorf("the line has %d columns in a terminal of 30", n)
	}
}
