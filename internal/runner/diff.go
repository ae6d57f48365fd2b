package runner

import (
	"context"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
)

// WholeDiff returns what a run changed: in its commit or else, for the files that attempts changed,
// in its last attempt that was kept. The user may have changed other files in the same tree.
func WholeDiff(ctx context.Context, repo *workspace.Repo, d journal.Detail) (string, error) {
	from, err := repo.Records.Checkpoint(ctx, d.Run.ID, 0)
	if err != nil {
		return "", err
	}
	to := d.Run.Commit
	var own []string
	for _, at := range d.Attempts {
		if d.Run.Commit == "" && at.Outcome != event.RolledBack && at.Checkpoint != "" {
			to = at.Checkpoint
			for _, f := range at.Files {
				own = append(own, f.Path)
				if f.From != "" {
					own = append(own, f.From)
				}
			}
		}
	}
	if to == "" {
		return "", fault.New(fault.Usage, "booty status "+d.Run.ID+" shows what it did",
			"run %s changed nothing", d.Run.ID)
	}
	text, err := repo.Compare.Diff(ctx, from.Commit, to, own...)
	if err != nil {
		return "", fault.New(fault.Usage,
			"its attempts are on record: booty status "+d.Run.ID+" --attempt 1 --show diff",
			"the states of run %s are gone: %w", d.Run.ID, err)
	}
	return text, nil
}
