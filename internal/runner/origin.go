package runner

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/workspace"
)

// origin is what changes are compared with: the state at the start of the work and, for files that
// the user changed since, the state that the run was resumed from.
type origin struct {
	repo *workspace.Repo
	cfg  config.Config
	// allow are paths that may be changed though they are protected.
	allow          []string
	start, current engine.State
	// theirs are the paths that the user changed since the run began, own those that the
	// model added.
	theirs []string
	own    map[string]bool
}

// of is the state against which an edit of a path is judged: what the user wrote since the
// run began is not the model's to undo.
func (o *origin) of(path string) engine.State {
	if slices.Contains(o.theirs, path) {
		return o.current
	}
	return o.start
}

// guard is made for each proposal: what the model itself has added it may change again.
func (o *origin) guard(ctx context.Context) (*guard.Guard, error) {
	return guard.New(guard.Policy{
		TestEdits: o.cfg.TestEdits, TestPaths: o.cfg.TestPaths, Allow: o.allow,
		Protected: append(o.repo.Trusted(), o.cfg.ProtectedPaths...),
		MaxFiles:  o.cfg.Limits.MaxFilesChanged, MaxDiffLines: o.cfg.Limits.MaxDiffLines,
		Commands: judgingCommands(o.cfg), OwnFiles: o.own,
		Base: func(path string) ([]byte, bool) {
			data, existed, err := o.repo.History.ReadFile(ctx, o.of(path).Commit, path)
			return data, existed && err == nil
		},
	}, guard.DirTree(o.repo.Root()))
}

// judgingCommands are those whose exit codes decide about a proposal.
func judgingCommands(c config.Config) []string {
	commands := append(slices.Clone(c.TestCommand), c.RerunCommand)
	for _, g := range c.Gates {
		commands = append(commands, g.Command, g.FixCommand)
	}
	return commands
}
