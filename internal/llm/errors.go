package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ErrContextLength means that the request exceeds the model's context. The caller may
// shorten it and retry.
var ErrContextLength = errors.New("the request is longer than the model's context")

// ErrRefused means that the model, or a filter before it, declined to answer.
var ErrRefused = errors.New("the model declined to answer")

var (
	// errOnlyThought is worth one more try with more room, or less effort.
	errOnlyThought = errors.New("the model used all its output tokens without writing an answer")
	// errImplausible is an impossible count.
	errImplausible = errors.New("the server counts more tokens than can be")
	// errTooLarge and errTooLong are answers beyond all bounds.
	errTooLarge = errors.New("the answer is too large")
	errTooLong  = errors.New("the answer takes too long")
)

// transient is an error that may be gone at the next try.
type transient struct {
	err error
	// after is the wait that the server asked for, negative if none.
	after time.Duration
}

func (t *transient) Error() string { return t.err.Error() }
func (t *transient) Unwrap() error { return t.err }

func passing(format string, args ...any) error {
	return &transient{err: fmt.Errorf(format, args...), after: -1}
}

// statusError is a response with an error status.
type statusError struct {
	status  int
	header  http.Header
	message string // the server's message, shortened
	code    string // its error code or type, if any
	param   string
	url     string
	date    time.Time // when it was received
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered %d", host(e.url), e.status)
	if t := http.StatusText(e.status); t != "" {
		text += " " + t
	}
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// Answered reports whether the model gave an answer, even if only thinking, despite the
// error.
func Answered(err error) bool { return err == nil || errors.Is(err, errOnlyThought) }

// isRefused reports whether the server refused before it did any work.
func isRefused(err error) bool {
	var status *statusError
	var page *wrongContent
	return errors.As(err, &status) || errors.As(err, &page)
}
