package term

import (
	"io"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Styles are the few ways in which a line can stand out. Without colour they
// change nothing. Only the 16 ANSI colours are used, so that the terminal's own
// theme decides, and the terminal is never asked for its background.
type Styles struct {
	Renderer *lipgloss.Renderer

	Bold, Dim, Good, Bad, Warn, Accent lipgloss.Style
}

// NewStyles gives the styles for a stream. Colour is used on terminals only,
// and not with noColor, NO_COLOR or TERM=dumb; CLICOLOR_FORCE forces it.
func NewStyles(w io.Writer, tty, noColor bool, getenv func(string) string) Styles {
	r := lipgloss.NewRenderer(w, termenv.WithTTY(tty))
	r.SetColorProfile(profile(tty, noColor, getenv))
	r.SetHasDarkBackground(true) // set so that it is never asked
	colour := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return Styles{
		Renderer: r,
		Bold:     r.NewStyle().Bold(true),
		Dim:      r.NewStyle().Faint(true),
		Good:     colour("2"), Bad: colour("1"), Warn: colour("3"), Accent: colour("6"),
	}
}

func profile(tty, noColor bool, getenv func(string) string) termenv.Profile {
	if getenv == nil {
		getenv = os.Getenv
	}
	force := getenv("CLICOLOR_FORCE")
	switch {
	case noColor || getenv("NO_COLOR") != "":
		return termenv.Ascii
	case force != "" && force != "0":
		return termenv.ANSI
	case !tty || getenv("TERM") == "dumb" || getenv("CI") == "true":
		return termenv.Ascii
	}
	return termenv.ANSI
}
