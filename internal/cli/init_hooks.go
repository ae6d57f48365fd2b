package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/githook"
)

//go:embed hooks
var hookTexts embed.FS

// hookNames are the hooks that init can write.
func hookNames() []string { return []string{"pre-commit", "pre-push"} }

// checkHooks refuses names that are none, before anything is written.
func checkHooks(names []string) error {
	for _, n := range names {
		if !slices.Contains(hookNames(), n) {
			return fault.New(fault.Usage, "see booty init --help", "--hook: want pre-commit or pre-push, got %q", n)
		}
	}
	return nil
}

// writeHooks lets git run booty check. A hook that is there is the user's, and
// stays, whatever --force says of .booty.yml.
func (i *initializer) writeHooks(hooks *githook.Hooks, names []string) ([]string, error) {
	var written []string
	dir, shared := hooks.Place()
	if len(names) > 0 && shared {
		return nil, fault.New(fault.Usage, "call booty check from the hooks there yourself",
			"git looks for hooks in %s, which other repositories share (core.hooksPath)", dir)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		text, err := hookTexts.ReadFile("hooks/" + name)
		if err != nil {
			return written, err
		}
		if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
			continue // written before
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return written, fault.New(fault.Usage, "call booty check from it yourself",
				"there is a %s hook already: %s", name, path)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return written, fault.New(fault.Usage, "see that the folder is writable", "write the %s hook: %w",
				name, err)
		}
		if err := os.WriteFile(path, text, 0o755); err != nil {
			return written, fault.New(fault.Usage, "see that the folder is writable", "write the %s hook: %w",
				name, err)
		}
		written = append(written, name)
		i.say("booty: wrote %s", fmt.Sprintf("the %s hook, %s", name, path))
	}
	return written, nil
}
