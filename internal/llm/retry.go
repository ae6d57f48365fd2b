package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 5
	// maxWait bounds our own waits, maxRetryAfter those that a server asks for.
	maxWait       = time.Minute
	maxRetryAfter = 5 * time.Minute
)

func newBackOff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = time.Second
	b.Multiplier = 2
	b.RandomizationFactor = 0.25
	b.MaxInterval = maxWait
	b.Reset()
	return b
}

// retry makes rounds of up to maxTries tries: one round, and another after each wait of the
// configured patience.
func (c *client) retry(ctx context.Context, r Request) (Reply, error) {
	waits := newBackOff()
	var spent Usage
	var notes []string
	rounds, widened := 0, false
	for try := 1; ; try++ {
		reply, err := c.ask(ctx, r)
		reply.Usage.add(spent)
		reply.Notes = append(notes, reply.Notes...)
		if err == nil || ctx.Err() != nil || r.Once {
			return reply, err
		}
		if errors.Is(err, errOnlyThought) {
			if widened { // an empty reply is an answer too, but useless
				reply.Finish = FinishStop // there is nothing to continue
				return reply, nil
			}
			if r, err = c.widenOnce(r, &reply); err != nil {
				return reply, err
			}
			spent, notes, widened = reply.Usage, reply.Notes, true
			try-- // not a transient error
			continue
		}
		var t *transient
		if !errors.As(err, &t) {
			return reply, err
		}
		if try == maxTries && rounds == len(c.cfg.Patience) {
			return reply, c.gaveUpError(err, (rounds+1)*maxTries)
		}
		spent = reply.Usage
		if err := r.allowed(spent); err != nil {
			return reply, err
		}
		if try == maxTries {
			if err := c.waitLong(ctx, err, c.cfg.Patience[rounds]); err != nil {
				return reply, err
			}
			rounds, try, waits, notes = rounds+1, 0, newBackOff(), reply.Notes
			continue
		}
		if err := c.pause(ctx, waits, t, Retry{Try: try, Reason: err.Error()}, &reply); err != nil {
			return reply, err
		}
		notes = reply.Notes
	}
}

// pause waits before the next try, for as long as the server asks or else with backoff.
func (c *client) pause(
	ctx context.Context, waits *backoff.ExponentialBackOff, t *transient, told Retry, reply *Reply,
) error {
	told.Wait = min(waits.NextBackOff(), maxWait)
	if t.after >= 0 {
		told.Wait = t.after
	}
	if told.Wait > maxRetryAfter {
		reply.Notes = append(reply.Notes, fmt.Sprintf(
			"the server asked to wait %s; waiting %s", told.Wait.Round(time.Second), maxRetryAfter))
		told.Wait = maxRetryAfter
	}
	c.cfg.Log.Debug("model retry", "try", told.Try, "reason", told.Reason, "wait", told.Wait)
	if c.cfg.OnRetry != nil {
		c.cfg.OnRetry(told)
	}
	if err := c.cfg.Sleep(ctx, told.Wait); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// allowed reports whether a further try may be made.
func (r Request) allowed(spent Usage) error {
	if r.Allow == nil || spent.CostUSD == 0 {
		return nil
	}
	return r.Allow(spent, r.MaxOutputTokens)
}

// widenOnce returns a request meant to bring more than thinking.
func (c *client) widenOnce(r Request, reply *Reply) (Request, error) {
	w, ok := c.asker.(widener)
	if !ok {
		return r, nil
	}
	r, note := w.widen(r)
	reply.Notes = append(reply.Notes, note)
	return r, r.allowed(reply.Usage)
}

// waitLong waits for an outage to end.
func (c *client) waitLong(ctx context.Context, reason error, wait time.Duration) error {
	if c.cfg.OnWait != nil {
		c.cfg.OnWait(reason.Error(), wait)
	}
	if err := c.cfg.Sleep(ctx, wait); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// retryAfter returns how long a server asks to wait, negative if it does not say. A date is
// compared with the server's own Date, so that a wrong local clock does not matter.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms >= 0 {
		return seconds(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return -1
	}
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		if s < 0 {
			return -1
		}
		return seconds(s)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return -1
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	}
	return max(at.Sub(now), 0)
}

// seconds converts without overflow.
func seconds(s float64) time.Duration {
	const year = 365 * 24 * 3600
	if !(s < year) {
		s = year
	}
	return time.Duration(s * float64(time.Second))
}
