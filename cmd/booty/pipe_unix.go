//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// survivePipe makes a write to a pipe that nobody reads any more an error
// instead of the end of the process. The signal is caught, not ignored: what
// is ignored would be ignored in the checks' processes too.
func survivePipe() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}
