package sandbox

import (
	"os"
	"testing"

	"github.com/booty-cli/booty/internal/proc"
)

// TestMain lets the test binary enter a sandbox and supervise, as main does.
func TestMain(m *testing.M) {
	if code, ok := Enter(os.Args); ok {
		os.Exit(code)
	}
	if code, ok := proc.Supervise(os.Args, Inside); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
