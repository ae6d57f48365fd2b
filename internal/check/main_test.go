package check

import (
	"os"
	"testing"

	"github.com/booty-cli/booty/internal/proc"
)

// TestMain lets the test binary be a supervisor, as main does for booty.
func TestMain(m *testing.M) {
	if code, ok := proc.Supervise(os.Args, nil); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
