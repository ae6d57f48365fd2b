package report

import (
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// paint writes for a terminal through a renderer, or plainly where there is
// none. Only the 16 colours of the terminal's own palette are used: they are
// readable on light and dark without asking which it is.
type paint struct {
	w   io.Writer
	r   *lipgloss.Renderer
	err error
	// width is where words are wrapped, 0 for nowhere.
	width int
}

const (
	red    = lipgloss.Color("1")
	green  = lipgloss.Color("2")
	yellow = lipgloss.Color("3")
	cyan   = lipgloss.Color("6")
	gray   = lipgloss.Color("8")
)

func (p *paint) line(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, strings.TrimRight(s, " ")+"\n")
	}
}

// wrapped writes words behind what stands before them, and further lines below
// where the words begin.
func (p *paint) wrapped(before, words string) {
	at := lipgloss.Width(before)
	if room := p.width - at; p.width > 0 && room >= 20 {
		words = ansi.Wrap(words, room, "/")
	}
	for i, l := range strings.Split(words, "\n") {
		if i > 0 {
			before = strings.Repeat(" ", at)
		}
		p.line(before + strings.TrimLeft(l, " "))
	}
}

func (p *paint) bold(s string) string {
	if p.r == nil {
		return s
	}
	return p.r.NewStyle().Bold(true).Render(s)
}

func (p *paint) color(c lipgloss.Color, s string) string {
	if p.r == nil || s == "" {
		return s
	}
	return styled(p.r.NewStyle(), c).Render(s)
}

// styled gives s the color. Gray is faint text: the terminal's own gray is its background in some themes, and
// internal/term lets no such color pass.
func styled(s lipgloss.Style, c lipgloss.Color) lipgloss.Style {
	if c == gray {
		return s.Faint(true)
	}
	return s.Foreground(c)
}

func (p *paint) dim(s string) string { return p.color(gray, s) }

// word colours an outcome or a state by what it means.
func (p *paint) word(s string) string { return p.color(meaning(s), s) }

func meaning(s string) lipgloss.Color {
	switch s {
	case event.Words(event.Stuck), event.Words(event.NothingToDo):
		return yellow
	}
	first, _, _ := strings.Cut(s, " ")
	switch strings.TrimSuffix(first, ",") {
	case event.Green, "passed", "available", "ready":
		return green
	case record.Running, event.Interrupted, "warning", event.Stuck, event.NothingToDo, event.Quality, "draft", "pending",
		"active":
		return yellow
	}
	return red
}
