// Package term is what a person sees: the three streams and whether they are
// terminals, styles, and progress with its plain fallback. It prints what it is
// told; what to say is its callers' matter.
package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are a command's input and outputs with what is known of them. The
// question "is it a terminal?" is asked once, here, and can be set by tests.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// InTTY, OutTTY and ErrTTY say which of them are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Width of the terminal behind Err, else Out, in columns; 80 where there is none.
	Width int
	// Measure gives the width as it is now, 0 where it is not known; nil for
	// Width.
	Measure func() int
	// Rows gives the height as it is now, 0 where it is not known; may be nil.
	Rows func() int
}

// System gives the process's own streams.
func System() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Width:  80,
	}
	screen := os.Stderr
	if !s.ErrTTY {
		screen = os.Stdout
	}
	if s.ErrTTY || s.OutTTY {
		s.Measure = func() int {
			w, _, err := term.GetSize(int(screen.Fd()))
			if err != nil {
				return 0
			}
			return w
		}
		if w := s.Measure(); w > 0 {
			s.Width = w
		}
		s.Rows = func() int {
			_, h, err := term.GetSize(int(screen.Fd()))
			if err != nil {
				return 0
			}
			return h
		}
	}
	return s
}
