package agent

import (
	"errors"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
)

// An outage and a limit that passes are distinguished from what waiting does not fix.
func TestWhatMayPass(t *testing.T) {
	for text, want := range map[string]bool{
		"API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}": true,
		"stream error: exceeded retry limit, last status: 429 Too Many Requests":                                   true,
		"litellm.APIConnectionError: Connection error.":                                                            true,
		"TypeError: fetch failed: getaddrinfo ENOTFOUND api.example.com":                                           true,
		"request timed out":                                  true,
		"503 Service Unavailable":                            true,
		"Invalid API key · Please run /login":                false,
		"Credit balance is too low":                          false,
		"429 You exceeded your current quota, check billing": false,
		"401 Unauthorized":                                   false,
		"unknown option --print":                             false,
		"it said nothing":                                    false,
		"model not found: line 500 of the list":              true, // a number alone cannot be told apart: a wait, at worst
	} {
		err := failure(preset{}, "%s", text)
		if got := errors.Is(err, ErrTransient); got != want || fault.KindOf(err) != fault.Model {
			t.Errorf("%q: got %t, want %t (%v)", text, got, want, fault.KindOf(err))
		}
	}
}
