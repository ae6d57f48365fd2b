package work

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// reportLarge names the files that are too large to be recorded: at first all,
// then those that something has changed or made since.
func (t *tree) reportLarge() {
	first := t.large == nil
	seen := map[string]workspace.Large{}
	var names []string
	for _, l := range t.repo.LargeFiles() {
		seen[l.Path] = l
		if old, ok := t.large[l.Path]; !ok || old != l {
			names = append(names, fmt.Sprintf("%s (%s)", l.Path, sizeText(l.Size)))
		}
	}
	for path := range t.large {
		if _, ok := seen[path]; !ok {
			names = append(names, path+" (gone, or smaller now)")
		}
	}
	t.large = seen
	switch {
	case len(names) == 0:
	case first:
		t.say("larger than checkpoint.max_file (%s), not recorded and never touched: %s", t.cfg.Checkpoint.MaxFile, report.Some(names))
	default:
		t.say("the checks, or someone else, changed what is not recorded, and it stays so: %s", report.Some(names))
	}
}

func sizeText(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1e6)
}

// withoutLarge refuses changes of files that are not recorded: they could not
// be taken back.
func (t *tree) withoutLarge(ctx context.Context, changes []edit.Change, p *engine.Proposal) ([]edit.Change, error) {
	var kept []edit.Change
	for _, c := range changes {
		large := false
		for _, path := range []string{c.Path, c.From} {
			if path == "" || large {
				continue
			}
			var err error
			if large, err = t.repo.TooLarge(ctx, path); err != nil {
				return nil, err
			}
			if large {
				p.Refused = append(p.Refused, event.Problem{Path: path, Kind: "limit",
					Reason: "The file is larger than checkpoint.max_file (" + t.cfg.Checkpoint.MaxFile + ") and may not be changed."})
			}
		}
		if !large {
			kept = append(kept, c)
		}
	}
	return kept, nil
}
