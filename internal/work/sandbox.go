package work

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/workspace"
)

// newSandbox plans what the checks may touch, and tells what the system cannot
// defend. Booty's own records and settings are among the secrets.
func newSandbox(ctx context.Context, s *Session, repo *workspace.Repo, events event.Listener) (*sandbox.Plan, error) {
	c, root := s.Settings.Sandbox, repo.Root()
	obeyed, err := repo.Obeyed(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := sandbox.New(sandbox.Config{
		Mode: sandbox.Mode(c.Mode), Root: root, Network: c.Network,
		Write: slices.Concat(c.Write, linkedCaches(s.Repo.Root(), root)), Env: c.Env,
		ReadOnly: obeyed,
		Commands: append(judgingCommands(s.Settings.Config), s.Settings.SetupCommand),
		Secrets: []string{
			s.Journal.Dir(), filepath.Dir(config.DefaultUserFile(s.Getenv)), filepath.Dir(config.DefaultConsentFile(s.Getenv)),
		},
	})
	if err != nil {
		return nil, err
	}
	level := "info"
	if c.Mode == string(sandbox.Off) {
		level = "warning"
		events.Handle(event.Notice{Level: level,
			Message: "the sandbox is off: the checks may read and write all that you may"})
	}
	for _, n := range plan.Notes {
		events.Handle(event.Notice{Level: level, Message: "sandbox: " + n})
	}
	return plan, nil
}

// linkedCaches are the folders that test runners write to inside of linked
// dependencies: another work tree's node_modules is a link to that of the
// repository, which lies outside of what its checks may write. The checks of the
// repository itself may write there anyway. Only true folders count: through a
// link a check could have pointed at any place of the user's.
func linkedCaches(repo, root string) []string {
	if repo == root {
		return nil
	}
	real, err := filepath.EvalSymlinks(repo)
	if err != nil {
		return nil
	}
	modules := filepath.Join(real, "node_modules")
	if info, err := os.Lstat(modules); err != nil || !info.IsDir() {
		return nil
	}
	var out []string
	for _, name := range []string{".cache", ".vite"} {
		dir := filepath.Join(modules, name)
		// A runner would make it and cannot. Where it is there already the error
		// does not matter, nor where it cannot be made: then it is left out.
		_ = os.Mkdir(dir, 0o755)
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			out = append(out, dir)
		}
	}
	return out
}
