package llm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlySilenceEndsAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t.Context(), Config{CallTimeout: 2 * time.Hour}.withDefaults())
		defer w.stop()
		time.Sleep(defaultHeaderTimeout - time.Second)
		w.answering()
		for range 4 {
			time.Sleep(defaultIdleTimeout - time.Second)
			w.pieceArrived()
		}
		if w.ctx.Err() != nil {
			t.Fatalf("ended while pieces came: %v", context.Cause(w.ctx))
		}
		w.finishing()
		time.Sleep(time.Minute)
		if err := w.explain(errors.New("canceled")); err.Error() != "the answer fell silent for 15s" {
			t.Errorf("got %v", err)
		}
	})
}

func TestSleepEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
			t.Errorf("got %v after %s", err, time.Since(begun))
		}
		if err := sleep(t.Context(), time.Hour); err != nil {
			t.Errorf("got %v", err)
		}
	})
}
