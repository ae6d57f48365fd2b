package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/booty-cli/booty/internal/fault"
)

// outlet is an output that remembers the first write that failed, so that
// nothing is lost in silence. A reader that has gone away ends the command as
// an interruption does: a run still puts the checkout in order.
type outlet struct {
	w    io.Writer
	gone context.CancelFunc

	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err == nil {
		return n, nil
	}
	o.mu.Lock()
	if o.err == nil {
		o.err = err
	}
	o.mu.Unlock()
	if errors.Is(err, syscall.EPIPE) {
		o.gone()
	}
	return n, err
}

func (o *outlet) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// readerGone says that nobody reads any more.
func (o *outlet) readerGone() bool { return errors.Is(o.failed(), syscall.EPIPE) }

// unwritten tells of a result that could not be written in full.
func (o *outlet) unwritten() error {
	if err := o.failed(); err != nil && !o.readerGone() {
		return fault.New(fault.Usage, "free some space, or redirect it elsewhere",
			"cannot write to standard output: %w", err)
	}
	return nil
}
