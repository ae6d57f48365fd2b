package workspace

import (
	"os"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
