package runner

import (
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
)

// TestCargoTargetsThatAreNotTested: switching a target's tests off is seen in
// either way to write an array of tables.
func TestCargoTargetsThatAreNotTested(t *testing.T) {
	r := &Rules{Files: &checkout.Files{Tree: checkout.DirTree(t.TempDir())}}
	for name, text := range map[string]string{
		"tables":        "[[bin]]\nname = \"a\"\ntest = false\n[[bin]]\nname = \"b\"\n",
		"inline tables": "bin = [{name = \"a\", test = false}, {name = \"b\"}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := cargoTOML(r, "Cargo.toml", text, "[package]\n").(object)
			if _, seen := got["bina"]; !seen || len(got) != 1 {
				t.Errorf("got %v, want the target a alone", got)
			}
		})
	}
}
