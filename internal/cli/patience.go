package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/workspace"
)

// patienceSteps are the waits of --patient: an outage of half an hour does not
// end a night's work.
var patienceSteps = [...]time.Duration{time.Minute, 3 * time.Minute, 7 * time.Minute, 15 * time.Minute}

// patience gives the waits of a run, none without --patient. BOOTY_PATIENCE sets
// them, for who knows an outage's length better, and for tests.
func (a *app) patience(o loopFlags) ([]time.Duration, error) {
	text := a.getenv("BOOTY_PATIENCE")
	switch {
	case !o.patient:
		return nil, nil
	case text == "":
		return patienceSteps[:], nil
	}
	var steps []time.Duration
	for word := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(word))
		if err != nil || d < 0 {
			return nil, fault.New(fault.Usage, "for example BOOTY_PATIENCE=30s,5m", "BOOTY_PATIENCE: %q is no time to wait", word)
		}
		steps = append(steps, d)
	}
	return steps, nil
}

// waiter waits for what is out of order outside, and tells it.
type waiter struct {
	steps []time.Duration
	// listen is told each wait; once the run's own listeners are there, they are.
	listen func(event.Event)
	// spent is what was waited so far: it counts as the run's time.
	spent time.Duration
}

func (w *waiter) tell(what, reason string, wait time.Duration) {
	w.spent += wait
	w.listen(event.Wait{What: what, Reason: reason, WaitMS: wait.Milliseconds()})
}

// newWaiter tells waits that come before the run begins.
func (a *app) newWaiter() *waiter {
	return &waiter{listen: func(e event.Event) {
		w, ok := e.(event.Wait)
		if !ok {
			return
		}
		w.Reason = a.clean(w.Reason)
		if line, err := event.Line(w, a.now(), ""); err == nil && a.json {
			_, _ = a.s.Out.Write(line)
			return
		}
		a.say("booty: %s: %s; waiting %s", w.What, w.Reason, time.Duration(w.WaitMS)*time.Millisecond)
	}}
}

// network does what needs the network, again after each wait where the remote was not reached.
func (w *waiter) network(ctx context.Context, do func() error) error {
	for _, step := range w.steps {
		err := do()
		if !errors.Is(err, workspace.ErrNetwork) {
			return err
		}
		w.tell("network", err.Error(), step)
		if err := pause(ctx, step); err != nil {
			return err
		}
	}
	return do()
}

// pause waits, or gives the context's cause where that ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", context.Cause(ctx))
	}
}
