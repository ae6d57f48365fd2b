package runner

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// patienceSteps are the waits of --patient: an outage of half an hour does not
// end a night's work.
var patienceSteps = [...]time.Duration{time.Minute, 3 * time.Minute, 7 * time.Minute, 15 * time.Minute}

// Patience returns the waits of a run with --patient. BOOTY_PATIENCE sets others.
func Patience(getenv func(string) string) ([]time.Duration, error) {
	text := getenv("BOOTY_PATIENCE")
	if text == "" {
		return patienceSteps[:], nil
	}
	var steps []time.Duration
	for word := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(word))
		if err != nil || d < 0 {
			return nil, fault.New(fault.Usage, "for example BOOTY_PATIENCE=30s,5m",
				"BOOTY_PATIENCE: invalid duration %q", word)
		}
		steps = append(steps, d)
	}
	return steps, nil
}

// Waiter waits for outages to end, and reports each wait.
type Waiter struct {
	// Steps are the waits, one after the other; without any, it gives up at once.
	Steps []time.Duration

	mu     sync.Mutex
	listen func(event.Event)
	spent  time.Duration
}

// NewWaiter returns a Waiter that reports to listen until a run listens itself.
func NewWaiter(steps []time.Duration, listen func(event.Event)) *Waiter {
	return &Waiter{Steps: steps, listen: listen}
}

// hear reports all further waits to another listener.
func (w *Waiter) hear(listen func(event.Event)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listen = listen
}

// Tell reports that something is waited for.
func (w *Waiter) Tell(what, reason string, wait time.Duration) {
	w.mu.Lock()
	w.spent += wait
	listen := w.listen
	w.mu.Unlock()
	listen(event.Wait{What: what, Reason: reason, WaitMS: wait.Milliseconds()})
}

// For reports a wait and waits.
func (w *Waiter) For(ctx context.Context, what, reason string, wait time.Duration) error {
	w.Tell(what, reason, wait)
	return engine.Sleep(ctx, wait)
}

// Spent is the time waited so far, which counts as the run's time.
func (w *Waiter) Spent() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spent
}

// Again calls do, and once more after each wait while its error is a passing one.
func (w *Waiter) Again(ctx context.Context, what string, passing func(error) bool, do func() error) error {
	for _, step := range w.Steps {
		err := do()
		if err == nil || !passing(err) {
			return err
		}
		if err := w.For(ctx, what, err.Error(), step); err != nil {
			return err
		}
	}
	return do()
}

// Network calls do, and once more after each wait while the remote cannot be reached.
func (w *Waiter) Network(ctx context.Context, do func() error) error {
	return w.Again(ctx, "network", func(err error) bool { return errors.Is(err, git.ErrNetwork) }, do)
}
