package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/term"
)

// printEnd writes the last lines of a run, under what it cost: what changed, what
// that proves, and the next command.
func (f *factory) printEnd(ctx context.Context, s *runner.Session, j runner.Job, r engine.Outcome) {
	m := r.Memory
	if m.Stage == engine.Begun || r.Err != nil && (j.Refine || r.Commit == "") ||
		r.Err == nil && r.Outcome != event.Green {
		return
	}
	files, added, removed := 0, 0, 0
	changes, err := s.Repo.Compare.Changes(ctx, m.Start.State.Commit, m.Current.Commit)
	named := m.Named()
	for _, c := range changes {
		if slices.Contains(named, c.Path) {
			files, added, removed = files+1, added+c.Added, removed+c.Removed
		}
	}
	if err != nil || files == 0 {
		return
	}
	size := fmt.Sprintf("%d files, +%d -%d", files, added, removed)
	if files == 1 {
		size = fmt.Sprintf("1 file, +%d -%d", added, removed)
	}
	f.endLine("changed", size+where(r))
	if s.Journal != nil && r.Err == nil {
		if d, err := s.Journal.Detail(ctx, j.ID, ""); err == nil {
			f.endLine("proves", report.Claim(d))
		}
	}
	if !f.noResult {
		f.endLine("next", next(r, j.Refine))
	}
}

func (f *factory) endLine(name, text string) {
	switch line := fmt.Sprintf("  %-8s %s", name, text); {
	case text == "" || f.quiet:
	case name == "next": // a command is to be copied
		fmt.Fprintln(f.s.Err, line)
	default:
		fmt.Fprintln(f.s.Err, term.Wrap(line, f.errWidth(), 11))
	}
}

// where says where the change is to be found.
func where(r engine.Outcome) string {
	switch {
	case r.Err != nil:
		return ": the best attempt is on branch " + r.Branch
	case r.Commit != "" && r.Branch == "":
		return ": commit " + r.Commit[:min(len(r.Commit), 10)] + ", on no branch: HEAD is detached"
	case r.Commit != "":
		return ": commit " + r.Commit[:min(len(r.Commit), 10)] + " on " + r.Branch
	}
	return ", not committed"
}

// next is the command to go on with.
func next(r engine.Outcome, refine bool) string {
	switch {
	case r.Err != nil:
		return "git diff ..." + r.Branch
	case r.PullRequest != nil:
		return "gh pr view " + fmt.Sprint(r.PullRequest.Number)
	case !refine:
		return "git merge " + r.Branch
	case r.Commit == "":
		return "git diff, or booty undo"
	}
	return ""
}
