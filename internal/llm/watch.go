package llm

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// watch bounds one try in time: until the answer begins, between its pieces, and in total.
// It ends the try's context with the reason as cause, which http.Client.Timeout could not
// distinguish.
type watch struct {
	ctx    context.Context
	parent context.Context
	cancel context.CancelCauseFunc
	idle   *time.Timer
	total  *time.Timer
	quiet  time.Duration
}

// timeout is the cause when one of our own bounds ends a try.
type timeout struct {
	what string
	// total is set if the whole try took too long, as the next one would.
	total bool
}

func (t *timeout) Error() string { return t.what }

func newWatch(parent context.Context, cfg Config) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watch{ctx: ctx, parent: parent, cancel: cancel, quiet: cfg.IdleTimeout}
	w.idle = time.AfterFunc(cfg.HeaderTimeout, func() {
		cancel(&timeout{what: fmt.Sprintf("no answer within %s", cfg.HeaderTimeout)})
	})
	w.total = time.AfterFunc(cfg.CallTimeout, func() {
		cancel(&timeout{fmt.Sprintf("the answer took longer than %s", cfg.CallTimeout), true})
	})
	return w
}

// answering switches from waiting for the answer to waiting for its next piece.
func (w *watch) answering() {
	w.idle.Stop()
	w.idle = time.AfterFunc(w.quiet, func() {
		w.cancel(&timeout{what: fmt.Sprintf("the answer fell silent for %s", w.quiet)})
	})
}

// pieceArrived is called for each piece.
func (w *watch) pieceArrived() { w.idle.Reset(w.quiet) }

// finishing shortens the wait: the text is complete, only the usage may follow.
func (w *watch) finishing() {
	w.quiet = min(w.quiet, 15*time.Second)
	w.pieceArrived()
}

func (w *watch) stop() {
	w.idle.Stop()
	w.total.Stop()
	w.cancel(nil)
}

// explain replaces "context canceled" with the real reason. Our own bounds are transient
// errors; the caller's context is not.
func (w *watch) explain(err error) error {
	if w.parent.Err() != nil {
		return context.Cause(w.parent)
	}
	var t *timeout
	if errors.As(context.Cause(w.ctx), &t) {
		if t.total {
			return fmt.Errorf("%w: %w", errTooLong, t)
		}
		return passing("%w", t)
	}
	return err
}
