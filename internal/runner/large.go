package runner

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
)

// MaxUntracked is the size, in bytes, above which an untracked file is not recorded and so
// never changed.
const MaxUntracked = 50_000_000

// reportLeftOut names what of the checkout a recorded state of it does not hold.
func reportLeftOut(s *Session, cp snapshot.Checkpoint) {
	large := map[string]bool{}
	var names []string
	for _, l := range s.Repo.States.LargeFiles() {
		names = append(names, fmt.Sprintf("%s (%s)", l.Path, sizeText(l.Size)))
		large[l.Path] = true
	}
	if len(names) > 0 {
		s.Say("booty: larger than %s, never changed: %s", sizeText(MaxUntracked), report.Some(names))
	}
	names = nil
	for _, u := range cp.Unsaved {
		if !large[u.Path] {
			names = append(names, fmt.Sprintf("%s (%s)", u.Path, u.Why))
		}
	}
	if len(names) > 0 {
		s.Say("booty: left out of the work tree: %s", report.Some(names))
	}
}

func sizeText(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1e6)
}

// small separates edits or changes of files that are not recorded, which could not be undone. paths
// returns the old and new path of one.
func small[T any](ctx context.Context, t *tree, list []T,
	paths func(T) []string) (kept []T, refused []event.Problem, err error) {
	for _, x := range list {
		name, err := t.largeAmong(ctx, paths(x))
		if err != nil {
			return nil, nil, err
		}
		if name == "" {
			kept = append(kept, x)
			continue
		}
		p := event.Problem{Path: name, Kind: "limit",
			Reason: "The file is untracked and larger than " + sizeText(MaxUntracked) +
				". It may not be changed."}
		if !slices.Contains(refused, p) {
			refused = append(refused, p)
		}
	}
	return kept, refused, nil
}

// largeAmong returns the first path of a file that is not recorded.
func (t *tree) largeAmong(ctx context.Context, paths []string) (string, error) {
	for _, p := range paths {
		if p == "" {
			continue
		}
		if large, err := t.repo.States.TooLarge(ctx, path.Clean(p)); large || err != nil {
			return path.Clean(p), err
		}
	}
	return "", nil
}
