package runner

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/pkg/edit"
)

// reportLarge names the files that are too large to be recorded.
func (t *tree) reportLarge() {
	var names []string
	for _, l := range t.repo.LargeFiles() {
		names = append(names, fmt.Sprintf("%s (%s)", l.Path, sizeText(l.Size)))
	}
	if len(names) > 0 {
		t.say("larger than checkpoint.max_file (%s), not recorded and never touched: %s", t.cfg.Checkpoint.MaxFile,
			report.Some(names))
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
		refused, err := t.refuseLarge(ctx, c.Path, c.From)
		if err != nil {
			return nil, err
		}
		if refused == nil {
			kept = append(kept, c)
		} else {
			p.Refused = append(p.Refused, *refused)
		}
	}
	return kept, nil
}

// smallEdits does the same before the files are read, which takes long.
func (t *tree) smallEdits(ctx context.Context, edits []edit.Edit) (kept []edit.Edit, refused []event.Problem, err error) {
	for _, e := range edits {
		large, err := t.refuseLarge(ctx, e.Path, e.From)
		if err != nil {
			return nil, nil, err
		}
		if large == nil {
			kept = append(kept, e)
		} else if !slices.Contains(refused, *large) {
			refused = append(refused, *large)
		}
	}
	return kept, refused, nil
}

// refuseLarge gives the refusal of the first path that is not recorded.
func (t *tree) refuseLarge(ctx context.Context, paths ...string) (*event.Problem, error) {
	for _, p := range paths {
		if p == "" {
			continue
		}
		p = path.Clean(p)
		large, err := t.repo.TooLarge(ctx, p)
		if err != nil {
			return nil, err
		}
		if large {
			return &event.Problem{Path: p, Kind: "limit",
				Reason: "The file is larger than checkpoint.max_file (" + t.cfg.Checkpoint.MaxFile +
					") and may not be changed."}, nil
		}
	}
	return nil, nil
}
