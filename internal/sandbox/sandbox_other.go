//go:build !linux && !darwin

package sandbox

import (
	"errors"
	"os/exec"
	"runtime"

	"github.com/booty-cli/booty/internal/proc"
)

func (p *Plan) probe() (missing []string) {
	missing = append(missing, "booty has no sandbox for "+runtime.GOOS+": the commands may read and write whatever you may")
	if !p.c.Network {
		missing = append(missing, "network not restricted: booty has no sandbox for "+runtime.GOOS)
	}
	return missing
}

// enclose is never called: probe found nothing.
func (p *Plan) enclose(*exec.Cmd, rules) error { return errors.ErrUnsupported }

// Enter has nothing to do here.
func Enter([]string) (exit int, handled bool) { return 0, false }

// Inside has nothing to do here.
func Inside(*proc.Program) error { return nil }

// tryMounts finds none: there are no mount namespaces here.
func (p *Plan) tryMounts() error { return errors.New("no mount namespaces on " + runtime.GOOS) }

// mayWrite is asked only where there is a sandbox.
func mayWrite(string) bool { return false }
