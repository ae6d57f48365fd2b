package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/term"
)

// person is who sits at the terminal.
type person struct {
	s      term.Streams
	screen *term.Screen
}

// person gives who may answer the model's questions; nil where nobody is there,
// or where --json has a program look on.
func (f *factory) person(screen *term.Screen) engine.Person {
	if f.json || !f.s.InTTY || !f.s.ErrTTY {
		return nil
	}
	return &person{f.s, screen}
}

// Answer implements engine.Person: a line, which may be empty.
func (p *person) Answer(_ context.Context, question string) (string, error) {
	if p.screen != nil {
		p.screen.Pause()
	}
	fmt.Fprintf(p.s.Err, "\nThe model asks:\n\n  %s\n\nYour answer (empty ends the run): ",
		strings.ReplaceAll(report.Clean(question), "\n", "\n  "))
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := p.s.In.Read(one)
		if n == 1 && one[0] == '\n' {
			break
		}
		line = append(line, one[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if fault.KindOf(err) == fault.Interrupted {
				return "", err
			}
			return "", nil // a terminal that cannot be read gives no answer
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(line), "")), nil
}
