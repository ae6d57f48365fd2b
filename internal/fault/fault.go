// Package fault holds the kinds of failure that booty tells apart and the one
// table that maps each kind to an exit code. A part classifies its own errors
// at the edge where the cause is known; nothing above it reads message texts.
// It is not a place for the messages themselves.
package fault

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Kind is what went wrong, as far as a script needs to tell it apart.
type Kind int

const (
	// Bug is anything unclassified: a defect in booty itself.
	Bug Kind = iota
	// Usage is a wrong flag, argument or configuration.
	Usage
	// Exhausted means that the attempts are used up, or no progress was made.
	Exhausted
	// NothingToDo means that there is no work: empty queue, tests already green.
	NothingToDo
	// Budget means that a spending limit stopped the work.
	Budget
	// Model means that the model could not be reached or kept failing.
	Model
	// Git means that git or GitHub refused.
	Git
	// Refused means that booty declined for safety.
	Refused
	// Environment means that the checks cannot run here: a toolchain, the network,
	// the disk, a port or a tool is at fault, not the code.
	Environment
	// Interrupted means that a signal or the user stopped the work.
	Interrupted
)

// exitCodes is the contract with scripts; README.md lists it, and
// docs/troubleshooting.md explains them.
var exitCodes = map[Kind]int{
	Bug: 1, Usage: 2, Exhausted: 3, NothingToDo: 4, Budget: 5,
	Model: 6, Git: 7, Refused: 8, Environment: 9, Interrupted: 130,
}

// Error is an error with its kind and with advice for the user.
type Error struct {
	Kind Kind
	// Hint says what to do next, in one line; empty where there is nothing to say.
	Hint string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// New makes an error of a kind with a hint; format and args work as in
// fmt.Errorf, %w included.
func New(kind Kind, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// diskHint is for a disk that is full, wherever that is met.
const diskHint = "free some disk space, then run the same command again"

// KindOf finds the kind of err: that of the outermost Error in its chain, else
// Interrupted for a cancelled context, Environment for a full disk, else Bug.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.Is(err, syscall.ENOSPC):
		return Environment
	}
	return Bug
}

// HintOf gives the hint of the outermost Error in err's chain that has one.
func HintOf(err error) string {
	full := errors.Is(err, syscall.ENOSPC)
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			break
		}
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	if full {
		return diskHint
	}
	return ""
}

// ExitCode gives the exit code for err: 0 for nil.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	return exitCodes[KindOf(err)]
}
