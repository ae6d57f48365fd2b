// Command booty turns a task into tested code; see README.md.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/booty-cli/booty/internal/cli"
	"github.com/booty-cli/booty/internal/proc"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/term"
)

// Set by the linker in releases.
var (
	version = "dev"
	commit  = ""
	date    = ""
)

func main() { os.Exit(run()) }

func run() int {
	// A hidden first argument makes this process the keeper of a check's
	// processes, or the way into a sandbox: it must do nothing else.
	if exit, handled := proc.Supervise(os.Args, sandbox.Inside); handled {
		return exit
	}
	if exit, handled := sandbox.Enter(os.Args); handled {
		return exit
	}
	if os.Getenv("GOGC") == "" {
		// A run is short and holds little: half as many collections spare it a tenth
		// of the processor's time, for up to a third more memory.
		debug.SetGCPercent(200)
	}
	private()
	survivePipe()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go heed(signals, cancel)
	return cli.Main(ctx, os.Args[1:], term.System(), os.Getenv, cli.Build{Version: version, Commit: commit, Date: date})
}

// repeatTime is how long after a signal further ones count as the same: timeout
// and other callers signal the process and its group, one right after the other.
const repeatTime = 2 * time.Second

// endTime is how long a run that was told to end may take to put things in order. A service
// manager waits no longer, and nothing is lost: what a kill leaves, booty resume continues.
const endTime = 1900 * time.Millisecond

// heed has the first signal end what is under way in good order, and a later one, or the end
// of that time, end the process at once. A person at a terminal is not hurried.
func heed(signals <-chan os.Signal, cancel context.CancelFunc) {
	sig := <-signals
	first := time.Now()
	cancel()
	var late <-chan time.Time
	if sig != os.Interrupt {
		late = time.After(endTime)
	}
	for {
		select {
		case <-late:
		case <-signals:
			if time.Since(first) <= repeatTime {
				continue
			}
		}
		fmt.Fprintln(os.Stderr, "booty: stopped before cleanup finished: booty status shows where it stands, booty resume continues")
		os.Exit(130)
	}
}
