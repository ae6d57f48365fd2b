package agent

import (
	"os"
	"testing"

	"github.com/booty-cli/booty/internal/proc"
)

// TestMain lets agents run below a supervisor, as they do in booty.
func TestMain(m *testing.M) {
	if code, ok := proc.Supervise(os.Args, nil); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
