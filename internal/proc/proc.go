// Package proc starts a command so that all of it can be ended: the command,
// its children, and theirs, also those that left the process group or the
// session. It knows nothing of tests or logs.
//
// Words. The command is the process that was asked for. Its tree is whatever it
// started, directly or not. A supervisor is this program started once more
// between booty and the command; it owns the tree and ends it when it is told
// to, when the command has ended, and when booty has gone away, however that
// happened.
//
// Promises. [Process.Wait] returns only when nothing of the tree lives on, as
// far as the system lets that be seen:
//
//   - Linux with a supervisor: it is the subreaper of the tree, so every orphan
//     becomes its child, whatever group or session it fled to; it is done when
//     the kernel says that it has no child left. In namespaces that the command
//     asks for it is the first process: with it, all others end.
//   - macOS, and any Unix without a supervisor: the process group, the
//     descendants by parent, and every process that carries the mark of this
//     command in its environment.
//   - Windows: a job object that ends its members when the last handle closes.
//
// What another service starts on the command's behalf (a container engine, the
// init system) is not part of the tree.
package proc

import (
	"errors"
	"os/exec"
	"time"
)

// DefaultGrace is the time between TERM and KILL where none is given. booty itself has two
// seconds to end when it is told to.
const DefaultGrace = 1200 * time.Millisecond

// Options say how a command is started and ended.
type Options struct {
	// Supervise starts the command below a supervisor. It may be set only in a
	// program whose main calls [Supervise] before anything else.
	Supervise bool
	// Grace is how long a tree that was asked to end (TERM) may take before it
	// is made to (KILL); DefaultGrace where zero.
	Grace time.Duration
}

// Exit is how a command ended.
type Exit struct {
	// Code is the exit code; 128 and the signal's number for a command that a
	// signal ended.
	Code int
	// Signal is the name of that signal, such as "killed"; "" where there was none.
	Signal string
	// Leftovers is how many processes still lived when the command itself had
	// ended, and were ended after it; counted roughly.
	Leftovers int
}

// Program is what a supervisor starts, as exec.Cmd has it.
type Program struct {
	Path string
	Args []string // its name first
	Env  []string
	Dir  string
}

// Prepare sets up the calling thread, whose rights and limits the program inherits, and may
// change the program. The thread does nothing else afterwards. If Prepare fails, the exit
// code is 125, as with env and timeout, and the output is the error.
type Prepare func(*Program) error

// ErrSupervisor means that the supervisor ended without a word, as when it was
// killed from outside; what it looked after has been ended.
var ErrSupervisor = errors.New("the process that looked after the command was killed")

// errNested guards against a program that does not call Supervise: it would
// start itself again and again.
var errNested = errors.New("a supervisor was started in a program that cannot be one")

// Process is a started command. Its methods may be called from any goroutine.
type Process struct {
	impl
}

// Start starts cmd, whose standard output and error should be files, in a
// process group of its own and marked. It takes cmd over: Wait and Process
// belong to the Process returned.
func Start(cmd *exec.Cmd, o Options) (*Process, error) {
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	return start(cmd, o)
}
