// Command booty turns a task into tested code; see README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

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
	if exit, handled := proc.Supervise(os.Args); handled {
		return exit
	}
	if exit, handled := sandbox.Enter(os.Args); handled {
		return exit
	}
	survivePipe()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	return cli.Main(ctx, os.Args[1:], term.System(), os.Getenv, cli.Build{Version: version, Commit: commit, Date: date})
}
