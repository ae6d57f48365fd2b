package ferry

import (
	"context"
	"fmt"
	"testing"

	"github.com/cucumber/godog"
)

type world struct {
	f    *Ferry
	away int
}

func (w *world) aFerry(n int) error { w.f = &Ferry{Max: n}; return nil }

func (w *world) board(n int) error {
	for i := 0; i < n; i++ {
		if w.f.Board(fmt.Sprint("car", i)) != nil {
			w.away++
		}
	}
	return nil
}

func (w *world) sentAway(n int) error {
	if w.away != n {
		return fmt.Errorf("%d were sent away, not %d", w.away, n)
	}
	return nil
}

func (w *world) nobody() error { return w.sentAway(0) }

func TestFeatures(t *testing.T) {
	suite := godog.TestSuite{
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			w := &world{}
			sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) { *w = world{}; return ctx, nil })
			sc.Step(`^a ferry for (\d+) cars$`, w.aFerry)
			sc.Step(`^(\d+) cars board$`, w.board)
			sc.Step(`^(\d+) cars are sent away$`, w.sentAway)
			sc.Step(`^nobody is sent away$`, w.nobody)
		},
		Options: &godog.Options{Format: "pretty", Paths: []string{"features"}, NoColors: true},
	}
	if suite.Run() != 0 {
		t.Fatal("features failed")
	}
}
