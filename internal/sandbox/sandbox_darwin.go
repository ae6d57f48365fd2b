package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/booty-cli/booty/internal/proc"
)

// launcher comes with the system; it is deprecated and all the same what there is.
const launcher = "/usr/bin/sandbox-exec"

func (p *Plan) probe() (missing []string) {
	if _, err := os.Stat(launcher); err != nil {
		missing = append(missing,
			"there is no sandbox-exec: the commands may read and write whatever you may")
		if !p.c.Network {
			missing = append(missing, "network not restricted: there is no sandbox-exec")
		}
		return missing
	}
	p.Active, p.canFix = true, true
	p.offline = !p.c.Network
	return nil
}

// enclose starts cmd through sandbox-exec.
func (p *Plan) enclose(cmd *exec.Cmd, r rules) error {
	if cmd.Err != nil {
		return cmd.Err
	}
	args := append([]string{launcher, "-p", profile(r), cmd.Path}, cmd.Args[1:]...)
	cmd.Path, cmd.Args = launcher, args
	return nil
}

// Enter has nothing to do here.
func Enter([]string) (exit int, handled bool) { return 0, false }

// Inside has nothing to do here.
func Inside(*proc.Program) error { return nil }

// tryMounts finds none: there are no mount namespaces here.
func (p *Plan) tryMounts() error { return errors.New("no mount namespaces on " + runtime.GOOS) }

// mayWrite reports whether the user may write to path, or make it.
func mayWrite(path string) bool { return unix.Access(nearest(path), unix.W_OK) == nil }
