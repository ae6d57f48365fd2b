package runner

import (
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/failure"
)

// gatesLeftOut are the gates that cannot run here, as the baseline found. No tree of the run has
// them run: one that cannot run after a change only is a failure.
type gatesLeftOut struct {
	mu    sync.Mutex // candidates are checked side by side
	gates []failure.LeftOut
}

func (l *gatesLeftOut) set(gates []failure.LeftOut) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gates = gates
}

// without returns the gates that can run.
func (l *gatesLeftOut) without(gates []check.Gate) []check.Gate {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(gates), func(g check.Gate) bool {
		return slices.ContainsFunc(l.gates, func(o failure.LeftOut) bool { return o.Gate == g.Name })
	})
}
