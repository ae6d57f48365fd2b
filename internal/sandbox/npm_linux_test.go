package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestNPXInstallsWhereTheUserRunsNothing: npx of a package that is not installed works, with
// the user's downloads, and what it installs is not what the user's npx finds.
func TestNPXInstallsWhereTheUserRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not here")
	}
	t.Setenv("npm_config_cache", "")
	eitherWay(t, func(t *testing.T, noMounts bool) {
		home, root := place(t)
		testkit.Write(t, root, map[string]string{"package.json": "{}"})
		testkit.Write(t, home, map[string]string{".npm/_cacache/download": "plain", ".npm/_npx/tool": "theirs"})
		p := plan(t, Config{Root: root, Home: home, Network: true, noMounts: noMounts})
		script := `npm config get cache && cat "$npm_config_cache/_cacache/download" && echo x >"$npm_config_cache/_cacache/new" &&
			mkdir -p "$npm_config_cache/_npx/0" && echo y >"$npm_config_cache/_npx/0/y" && ! mkdir "$HOME/.npm/_npx/0"`
		if out, err := inBox(t, p, script); err != nil {
			t.Errorf("%v %s", err, out)
		}
		if _, err := os.Stat(filepath.Join(home, ".npm/_cacache/new")); err != nil {
			t.Errorf("downloads should be shared: %v", err)
		}
		if _, err := os.Stat(filepath.Join(home, ".npm/_npx/0")); err == nil {
			t.Error("npx wrote where the user runs it from")
		}
	})
}
