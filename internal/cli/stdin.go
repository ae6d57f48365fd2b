package cli

import (
	"context"
	"io"

	"github.com/booty-cli/booty/internal/fault"
)

// interruptible is an input whose reading ends with a context: a read from a
// terminal or a silent pipe would hold Ctrl-C off for ever.
type interruptible struct {
	ctx context.Context //nolint:containedctx // io.Reader has no room for it
	in  io.Reader
	got chan readResult
	buf []byte
}

type readResult struct {
	n   int
	err error
}

// Read implements io.Reader.
func (r *interruptible) Read(p []byte) (int, error) {
	if r.got == nil {
		r.got = make(chan readResult, 1)
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	buf := r.buf[:len(p)]
	go func() { // left behind where the context ends first; then nobody reads again
		n, err := r.in.Read(buf)
		r.got <- readResult{n, err}
	}()
	select {
	case g := <-r.got:
		return copy(p, buf[:g.n]), g.err
	case <-r.ctx.Done():
		return 0, fault.New(fault.Interrupted, "", "interrupted")
	}
}

// awaitInput says that standard input is waited for, where that is a person.
func (f *factory) awaitInput(what string) {
	if f.s.InTTY {
		f.say("booty: reading %s from the terminal; end it with Ctrl-D", what)
	}
}
