// Command selftest checks the till and logs how it went.
package main

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"example.org/till/till"
)

type probe struct {
	name      string
	got, want int
}

func main() {
	h := slog.NewTextHandler(os.Stdout, nil)
	log := slog.New(h)
	start := time.Now()
	failed := 0
	probes := []probe{
		{"total-of-two", till.Total(2, 3), 5},
		{"total-of-none", till.Total(), 0},
		{"change-back", till.Change(10, 7), 3},
	}
	for _, p := range probes {
		if p.got != p.want {
			failed++
			log.Error("probe done", "name", p.name, "result", "fail", "reason", fmt.Sprintf("got %d want %d", p.got, p.want))
			continue
		}
		log.Info("probe done", "name", p.name, "result", "pass")
	}
	log.Info("selftest finished", "probes", len(probes), "failed", failed, "took", time.Since(start))
	if failed > 0 {
		os.Exit(1)
	}
}
