package pullrequest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/work"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// pullRequestText puts together what a pull request says of a run; pub is
// what the engine publishes, nil for a run that is read from the journal.
func pullRequestText(d journal.Detail, pub *engine.Publication) report.PullRequest {
	p := report.PullRequest{
		Task: d.Run.Task, Run: d.Run.ID, Branch: d.Run.Branch, Attempts: d.Attempts, MaxRetries: d.Run.MaxRetries,
		InputTokens: d.Run.InputTokens, OutputTokens: d.Run.OutputTokens, CostUSD: d.Run.CostUSD, Estimated: d.Run.Estimated,
		Outcome: d.Run.Outcome, Message: d.Run.Message, Draft: d.Run.Outcome != event.Green,
	}
	if main := mainOf(d.Attempts); main != nil {
		p.Summary = main.Summary
	}
	if len(d.Attempts) == 0 {
		p.Checks = d.Baseline
	}
	if d.Run.Task.Kind == "issue" {
		p.Closes = d.Run.Task.Number
	}
	if pub == nil {
		p.Notes = tidied(d.Refactor)
		return p
	}
	p.Draft, p.Outcome, p.Message = !pub.Green, pub.Outcome, pub.Message
	p.Review, p.Evidence, p.Known = pub.Review, pub.Evidence, pub.Known
	p.Look, p.Judge, p.Notes = pub.Look, pub.Judge, tidied(pub.Refactor)
	p.Claims, p.Survivors = pub.Claims, pub.Survivors
	if pub.Best != nil {
		p.Best, p.Summary = pub.Best.N, pub.Main.Summary
	}
	if !pub.Green {
		p.Failure = pub.Verdict.Text
	}
	return p
}

// tidied tells what became of tidying the green work, as a note; a reader has
// nothing of a proposal that was never made.
func tidied(e *event.RefactorFinished) []string {
	if e == nil || e.Outcome == event.RefactorNothing {
		return nil
	}
	return []string{report.Inline(e.Words())}
}

// Preview is the pull request that a run on record would open.
func Preview(ctx context.Context, s *work.Session, run string) (report.PullRequest, error) {
	d, err := s.Journal.Detail(ctx, run, "")
	if err != nil {
		return report.PullRequest{}, err
	}
	text := pullRequestText(d, nil)
	if m, err := work.MemoryOf(ctx, s, d.Run); err == nil && m != nil {
		text.Evidence = m.Evidence
	}
	if main := mainOf(d.Attempts); main != nil {
		text.Prose = proseOf(ctx, s, *main)
	}
	changes, err := s.Repo.Changes(ctx, d.Run.StartCommit, d.Run.Commit)
	text.Files = filesOf(changes)
	return text, err
}

// text is what the pull request says after this run: its own part, and what is
// known of the runs that it went on from.
func (p *publisher) text(ctx context.Context, d journal.Detail, pub engine.Publication) (report.PullRequest, error) {
	text := pullRequestText(d, &pub)
	text.Branch = p.head
	text.Markers = []string{report.Marker("run", p.run), p.mark}
	text.Template = github.Template(os.DirFS(p.s.Repo.Root()))
	text.MaxRetries = p.s.Settings.MaxRetries
	text.Past = p.past.Without(p.run)
	if p.fixed != nil {
		text.TitleOverride = p.fixed()
	}
	if p.earlier > text.Past.Attempts() {
		text.Notes = append(text.Notes, fmt.Sprintf("Attempts of earlier runs that this one went on from: %d.", p.earlier))
	}
	text.Markers = append(text.Markers, report.Marker("attempts", strconv.Itoa(p.attemptsSoFar(text))))
	switch {
	case text.Past.Summary != "":
		text.Summary, text.Prose = text.Past.Summary, text.Past.Prose
	case pub.Main != nil:
		for _, a := range d.Attempts {
			if a.N == pub.Main.N {
				text.Prose = proseOf(ctx, p.s, a)
			}
		}
	}
	if text.Evidence == nil && pub.Green {
		text.Evidence = text.Past.Evidence
	}
	text.Notes = append(text.Notes, dropped(d.Attempts)...)
	if len(p.conflicts) > 0 {
		note := fmt.Sprintf("In conflict with %s: %s. The next run for the task has the model settle it; or settle it by hand.", p.base, report.Some(p.conflicts))
		text.Notes = append(text.Notes, note)
		p.notice("%s", note)
	}
	if !pub.Changed {
		return text, nil
	}
	since := p.changedSince(ctx, pub)
	changes, err := p.s.Repo.Changes(ctx, since, pub.Commit)
	if err != nil {
		return text, err
	}
	text.Files = filesOf(changes)
	quiet, err := work.Silences(ctx, p.s.Repo, since, pub.Commit, changes)
	text.Notes = append(text.Notes, quiet...)
	if err != nil {
		return text, err
	}
	signs, err := work.Signs(ctx, p.s.Repo, since, pub.Commit, changes)
	text.Look = append(text.Look, signs...)
	return text, err
}

// dropped lists the parts of replies that were left out for what they touch: the
// change is ready where it is green without them, and its reader should know.
func dropped(attempts []journal.Attempt) []string {
	var notes []string
	seen := map[string]bool{}
	for _, a := range attempts {
		for _, x := range a.Refused {
			switch x.Kind {
			case "parse", "match", "syntax": // of the reply's form, and asked for again
				continue
			}
			if x.Path == "" || seen[x.Path] {
				continue
			}
			seen[x.Path] = true
			notes = append(notes, fmt.Sprintf("Left out, proposed by the model in attempt %d: %s. %s", a.N, x.Path,
				report.FirstLine(x.Reason)))
		}
	}
	if len(notes) > maxDropped {
		more := fmt.Sprintf("And %d more parts that were left out.", len(notes)-maxDropped)
		notes = append(notes[:maxDropped:maxDropped], more)
	}
	return notes
}

// maxDropped is how many parts that were left out are named.
const maxDropped = 10

// attemptsSoFar counts the attempts of this run and of those before.
func (p *publisher) attemptsSoFar(text report.PullRequest) int {
	return max(text.Past.Attempts(), p.earlier) + report.CountOf(text.Attempts)
}

// changedSince is what the pull request's change begins at: the base, or, for
// work in place and work in conflict with the base, what the run began at.
func (p *publisher) changedSince(ctx context.Context, pub engine.Publication) string {
	if p.inPlace {
		return pub.Start.State.Commit
	}
	if ok, err := p.s.Repo.Contains(ctx, pub.Commit, p.baseCommit); err != nil || !ok {
		return pub.Start.State.Commit
	}
	return p.baseCommit
}

func filesOf(changes []workspace.Change) []event.File {
	files := make([]event.File, 0, len(changes))
	for _, c := range changes {
		files = append(files, event.File{Path: c.Path, From: c.From, Op: c.Op, Added: c.Added, Removed: c.Removed})
	}
	return files
}

// pastAfter is what the next run is to know.
func (p *publisher) pastAfter(d journal.Run, text report.PullRequest, pub engine.Publication, title string) report.Past {
	past := text.Past
	past.Title, past.Summary, past.Prose, past.Evidence = title, text.Summary, text.Prose, text.Evidence
	past.Green, past.Commit, past.Judge = pub.Green, pub.Commit, pub.Judge
	past.Look = len(text.Look) > 0
	if run := report.RunOf(d, text.Attempts); len(run.Attempts) > 0 || run.InputTokens > 0 {
		past.Runs = append(slices.Clone(past.Runs), run)
	}
	return past
}

// write brings title and text of the pull request up to date. What people
// changed stays: the title, and all that stands around booty's own text.
func (p *publisher) write(ctx context.Context, d journal.Run, text report.PullRequest, pub engine.Publication) error {
	now, err := p.client.PullRequest(ctx, p.pull.Number)
	if err != nil {
		return err
	}
	title := p.title(text)
	wrote := title
	if p.fixed == nil && now.Title != p.wrote { // not as booty left it
		title, wrote = now.Title, p.wrote
	}
	text.Markers = append(slices.Clone(text.Markers), p.pastAfter(d, text, pub, wrote).Marker(p.s.Redact.String))
	return p.client.UpdatePullRequest(ctx, p.pull.Number, title, report.Replace(now.Body, text.Body()))
}

// proseOf gives the model's own words on what an attempt does and why: those
// that follow the summary in its reply.
func proseOf(ctx context.Context, s *work.Session, a journal.Attempt) string {
	for _, c := range a.Calls {
		if c.Reply == "" {
			continue
		}
		data, err := s.Journal.ReadBlob(ctx, c.Reply)
		if err != nil {
			continue // told where records are shown
		}
		if reply := string(data); sameWords(edit.Parse(nil, reply).Summary, a.Summary) {
			return s.Redact.String(work.ProseIn(reply))
		}
	}
	return ""
}

func sameWords(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
