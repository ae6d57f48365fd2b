package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ErrContextLength means that the request is longer than the model can read:
// the caller may leave something out and ask once more.
var ErrContextLength = errors.New("the request is longer than the model's context")

// ErrRefused means that the model or a filter before it declined to answer.
var ErrRefused = errors.New("the model declined to answer")

// transient is a fault that may be gone at the next try.
type transient struct {
	err error
	// after is what the server asked to wait, negative where it did not say.
	after time.Duration
}

func (t *transient) Error() string { return t.err.Error() }
func (t *transient) Unwrap() error { return t.err }

func passing(format string, args ...any) error {
	return &transient{err: fmt.Errorf(format, args...), after: -1}
}

// statusError is an answer with an error status.
type statusError struct {
	status  int
	header  http.Header
	message string // the server's words, shortened
	code    string // its error code or type, where it gave one
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
