package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/term"
)

// console is what a command speaks with: the streams, and the flags that say how.
type console struct {
	s      term.Streams
	getenv func(string) string
	now    func() time.Time

	json    bool
	quiet   bool
	noColor bool
	yes     bool
}

// say tells the user something on standard error, unless -q was given.
func (c *console) say(format string, args ...any) {
	if !c.quiet {
		fmt.Fprintln(c.s.Err, c.fitted(fmt.Sprintf(format, args...)))
	}
}

// fitted breaks lines that are wider than the terminal. A pipe gets them whole, and so are hints, whose
// commands people copy.
func (c *console) fitted(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = term.Wrap(l, c.errWidth(), len(l)-len(strings.TrimLeft(l, " "))+2)
	}
	return strings.Join(lines, "\n")
}

// printError tells an error in two lines, or as the last event.
func (c *console) printError(err error) {
	text, hint := c.clean(err.Error()), c.clean(fault.HintOf(err))
	if c.json && !isA[*alreadyReported](err) {
		line, e := event.Line(event.RunFinished{
			Outcome: engine.OutcomeOf(err), ExitCode: fault.ExitCode(err), Message: text, Hint: hint, PullRequest: pullOf(err),
		}, c.now(), "")
		if e == nil {
			_, _ = c.s.Out.Write(line)
		}
	}
	if fault.KindOf(err) == fault.NothingToDo && (c.quiet || isA[*alreadyReported](err) && !c.json) {
		return // not wanted, or on the screen already
	}
	st := c.styles()
	label := st.Bad.Render("booty: error:")
	if fault.KindOf(err) == fault.NothingToDo {
		label = "booty:"
	}
	fmt.Fprintln(c.s.Err, c.fitted(label+" "+strings.TrimSpace(text)))
	if hint != "" {
		fmt.Fprintln(c.s.Err, st.Dim.Render("booty: hint:"), hint)
	}
}

// clean takes secrets out of what is told: servers repeat the keys they refuse.
func (c *console) clean(s string) string {
	if s == "" {
		return ""
	}
	return redact.New(redact.Options{Environ: os.Environ()}).String(s)
}

// printJSON writes one value as a line.
func (c *console) printJSON(v any) error {
	enc := json.NewEncoder(c.s.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// confirm asks a yes-or-no question; without a terminal the answer is --yes.
func (c *console) confirm(question string) (bool, error) {
	if c.yes {
		return true, nil
	}
	if !c.s.InTTY || !c.s.ErrTTY {
		return false, nil
	}
	fmt.Fprintf(c.s.Err, "%s [y/N] ", question)
	var answer string
	if _, err := fmt.Fscanln(c.s.In, &answer); err != nil && answer == "" {
		if fault.KindOf(err) == fault.Interrupted {
			return false, err
		}
		return false, nil // an empty line or the end of input means no
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", nil
}

func (c *console) styles() term.Styles {
	return term.NewStyles(c.s.Err, c.s.ErrTTY, c.noColor, c.getenv)
}

func (c *console) outStyles() term.Styles {
	return term.NewStyles(c.s.Out, c.s.OutTTY, c.noColor, c.getenv)
}

// outWidth is the width of the terminal behind standard output as it is now; a pipe has
// none. errWidth is that of standard error.
func (c *console) outWidth() int { return c.width(c.s.OutTTY) }

func (c *console) errWidth() int { return c.width(c.s.ErrTTY) }

func (c *console) width(terminal bool) int {
	switch {
	case !terminal:
		return 0
	case c.s.Measure != nil && c.s.Measure() > 0:
		return c.s.Measure()
	}
	return c.s.Width
}

// outHeight is the height of the terminal as it is now, 0 where it is not known.
func (c *console) outHeight() int {
	if c.s.Rows == nil {
		return 0
	}
	return c.s.Rows()
}

// renderer is nil where the output is no terminal: then reports are plain.
func (c *console) renderer() *lipgloss.Renderer {
	if !c.s.OutTTY {
		return nil
	}
	return c.outStyles().Renderer
}
