package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/charmbracelet/x/ansi"
)

// printEnd writes the last lines of a run, under what it cost: what changed, what
// that proves, and the next command.
func (f *factory) printEnd(ctx context.Context, s *runner.Session, j runner.Job, r engine.Outcome) {
	m := r.Memory
	if !m.Prepared || r.Err != nil && (j.Refine || r.Commit == "") || r.Err == nil && r.Outcome != event.Green {
		return
	}
	files, added, removed := 0, 0, 0
	changes, err := s.Repo.Changes(ctx, m.Start.State.Commit, m.Current.Commit)
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
	if text == "" {
		return
	}
	if f.s.ErrTTY && name != "next" { // a command is to be copied
		width := f.s.Width
		if f.s.Measure != nil && f.s.Measure() > 0 {
			width = f.s.Measure()
		}
		text = wrapped(text, width, 11)
	}
	f.say("  %-8s %s", name, text)
}

// wrapped breaks a text at its blanks alone, so that names of branches stay whole;
// further lines begin where the first one does, behind so many columns.
func wrapped(text string, width, before int) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := ansi.StringWidth(word)
		switch {
		case i == 0:
		case at+1+n > max(width-before, 20):
			b.WriteString("\n" + strings.Repeat(" ", before))
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// where says where the change is to be found.
func where(r engine.Outcome) string {
	switch {
	case r.Err != nil:
		return ": the best attempt is on branch " + r.Branch
	case r.Commit != "":
		return ": commit " + r.Commit[:min(len(r.Commit), 10)] + " on " + r.Branch
	}
	return ", not committed"
}

// next is the command to go on with.
func next(r engine.Outcome, inPlace bool) string {
	switch {
	case r.Err != nil:
		return "git diff ..." + r.Branch
	case r.PullRequest != nil:
		return "gh pr view " + fmt.Sprint(r.PullRequest.Number)
	case !inPlace:
		return "git merge " + r.Branch
	case r.Commit == "":
		return "git diff, or booty undo"
	}
	return ""
}
