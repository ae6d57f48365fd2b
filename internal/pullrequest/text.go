package pullrequest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// pullRequestText builds the text of a pull request. pub is what the engine publishes, nil
// for a run read from the journal.
func pullRequestText(d journal.Detail, pub *engine.Publication) report.PullRequest {
	p := report.PullRequest{
		Task: d.Run.Task, Run: d.Run.ID, Branch: d.Run.Branch, Attempts: d.Attempts,
		MaxRetries:  d.Run.MaxRetries,
		InputTokens: d.Run.InputTokens, OutputTokens: d.Run.OutputTokens, CostUSD: d.Run.CostUSD,
		Estimated: d.Run.Estimated,
		Outcome:   d.Run.Outcome, Message: d.Run.Message, Draft: d.Run.Outcome != event.Green,
	}
	if main := mainOf(d.Attempts); main != nil {
		p.Summary, p.Prose = main.Summary, main.Prose
	}
	if len(d.Attempts) == 0 {
		p.Checks = d.Baseline
	}
	if d.Run.Task.Kind == "issue" {
		p.Closes = d.Run.Task.Number
	}
	if pub == nil {
		return p
	}
	p.Draft, p.Outcome, p.Message = !pub.Green, pub.Outcome, pub.Message
	p.Review, p.Evidence, p.Known = pub.Review, pub.Evidence, pub.Standing.Known
	if b := pub.Memory.Baseline; b != nil {
		p.LeftOut = b.LeftOut
	}
	p.Look, p.Judge = pub.Look, pub.Judge
	p.Claims, p.Survivors, p.Challenge = pub.Claims, pub.Survivors, pub.Challenge
	if pub.Best != nil {
		p.Best, p.Summary, p.Prose, p.Behind = pub.Best.N, pub.Main.Summary, pub.Main.Prose, pub.Behind
	}
	if !pub.Green {
		p.Failure = pub.Standing.Text
	}
	return p
}

// Preview returns the pull request that a recorded run would open. attribution is the
// setting.
func Preview(
	ctx context.Context, j *journal.Journal, d journal.Detail, attribution string,
) (report.PullRequest, error) {
	text := pullRequestText(d, nil)
	text.Summary = conventional(text.Summary)
	text.Evidence, text.Known, text.LeftOut = d.Evidence, d.Known, d.LeftOut
	text.By = modelNames(attribution, d)
	events, err := j.Events(ctx, d.Run.ID, 0)
	for _, e := range events {
		var proof struct {
			Event  string        `json:"event"`
			Claims []event.Claim `json:"claims"`
		}
		if json.Unmarshal([]byte(e.JSON), &proof) == nil && proof.Event == (event.ProofFinished{}).Name() {
			text.Claims = proof.Claims
		}
		var challenge struct {
			Event string `json:"event"`
			event.ChallengeFinished
		}
		if json.Unmarshal([]byte(e.JSON), &challenge) == nil && challenge.Event == challenge.Name() {
			text.Challenge = &challenge.ChallengeFinished
		}
	}
	return text, err
}

// modelNames names the models of a run, or returns "" if the settings say so.
func modelNames(attribution string, d journal.Detail) string {
	if attribution != "pr" {
		return ""
	}
	var models []string
	for _, a := range d.Attempts {
		for _, c := range a.Calls {
			name := strings.Trim(c.Provider+" "+c.Model, " ")
			if c.Provider == provider.Replay {
				name = c.Model
			}
			if name != "" && !slices.Contains(models, name) {
				models = append(models, name)
			}
		}
	}
	return strings.Join(models, ", ")
}

// text returns the pull request's text after this run: its own part, and what is known
// about the runs it continues.
func (p *publisher) text(
	ctx context.Context, d journal.Detail, pub engine.Publication,
) (report.PullRequest, error) {
	text := pullRequestText(d, &pub)
	text.Branch = p.head
	text.Markers = []string{report.Marker("run", p.Run), p.mark}
	text.Template = p.template(ctx, pub)
	text.MaxRetries = p.Session.Settings.MaxRetries
	text.Past = p.to.past.Without(p.Run)
	if p.to.fixed != nil {
		text.TitleOverride = p.to.fixed()
	}
	if p.to.earlier > text.Past.Attempts() {
		text.Notes = append(text.Notes,
			fmt.Sprintf("Attempts of earlier runs that this one went on from: %d.", p.to.earlier))
	}
	text.Markers = append(text.Markers, report.Marker("attempts", strconv.Itoa(p.attemptsSoFar(text))))
	text.By = modelNames(p.Session.Settings.GitHub.Attribution, d)
	if p.to.past.Green || len(d.Attempts) == 0 { // this run only kept it up to date
		text.Prose = p.to.past.Prose
		text.Summary = cmp.Or(p.to.summary, text.Summary)
		if p.pull != nil && report.TitleDigest(p.pull.Title) == p.to.past.Title {
			text.Summary = p.pull.Title
		}
	}
	text.Notes = append(text.Notes, dropped(d.Attempts)...)
	if len(p.conflicts) > 0 {
		note := fmt.Sprintf("Merge conflict with %s: %s. The next run for this task lets the model "+
			"resolve it; or resolve it by hand.", p.to.base, report.Some(p.conflicts))
		text.Look = append(text.Look, note)
		p.notice("%s", note)
	}
	if !pub.Changed {
		return text, nil
	}
	since := p.changedSince(ctx, pub)
	changes, err := p.Session.Repo.Changes(ctx, since, pub.Commit)
	if err != nil {
		return text, err
	}
	quiet, err := runner.Silences(ctx, p.Session.Repo, since, pub.Commit, changes)
	text.Notes = append(text.Notes, quiet...)
	if err != nil {
		return text, err
	}
	signs, err := runner.Signs(ctx, p.Session.Repo, since, pub.Commit, changes)
	text.Look = append(text.Look, signs...)
	return text, err
}

// template reads the repository's pull request template from the base, since the change may
// have added one. If there are several named ones, none is used: a person has to choose.
func (p *publisher) template(ctx context.Context, pub engine.Publication) string {
	at := cmp.Or(p.to.baseCommit, pub.Start.BaseCommit, pub.Start.State.Commit)
	for _, is := range []func(dir, path string) bool{github.IsTemplate, github.IsNamedTemplate} {
		for _, dir := range github.TemplateDirs {
			files, err := p.Session.Repo.FilesAt(ctx, at, func(path string) bool { return is(dir, path) }, nil)
			if err == nil && len(files) == 1 && len(files[0].Data) <= github.MaxTemplate {
				return strings.ToValidUTF8(string(files[0].Data), "\uFFFD")
			}
		}
	}
	return ""
}

// dropped lists parts of replies that were rejected because of what they touch. The change
// is green without them, but its reader should know.
func dropped(attempts []journal.Attempt) []string {
	var notes []string
	seen := map[string]bool{}
	for _, a := range attempts {
		for _, x := range a.Refused {
			switch x.Kind {
			case "parse", "match", "syntax": // format errors, which were asked for again
				continue
			}
			if x.Path == "" || seen[x.Path] {
				continue
			}
			seen[x.Path] = true
			notes = append(notes,
				fmt.Sprintf("Left out, proposed by the model in attempt %d: %s. %s", a.N, x.Path,
					report.FirstLine(x.Reason)))
		}
	}
	if len(notes) > maxDropped {
		more := fmt.Sprintf("And %d more parts that were left out.", len(notes)-maxDropped)
		notes = append(notes[:maxDropped:maxDropped], more)
	}
	return notes
}

// maxDropped bounds the listed parts.
const maxDropped = 10

// attemptsSoFar counts the attempts of this run and of earlier ones.
func (p *publisher) attemptsSoFar(text report.PullRequest) int {
	return max(text.Past.Attempts(), p.to.earlier) + report.CountOf(text.Attempts)
}

// changedSince returns the start of the pull request's change: the base, or the start of
// the run if it is a refine or in conflict with the base.
func (p *publisher) changedSince(ctx context.Context, pub engine.Publication) string {
	if p.to.refine {
		return pub.Start.State.Commit
	}
	if ok, err := p.Session.Repo.Contains(ctx, pub.Commit, p.to.baseCommit); err != nil || !ok {
		return pub.Start.State.Commit
	}
	return p.to.baseCommit
}

// pastAfter returns what the next run needs to know.
func (p *publisher) pastAfter(
	d journal.Run, text report.PullRequest, pub engine.Publication, title string,
) report.Past {
	past := text.Past
	past.Title, past.Green, past.Commit, past.Judge = title, pub.Green, pub.Commit, pub.Judge
	past.Look = len(text.Look) > 0
	if run := report.RunOf(d, text.Attempts); run.Attempts > 0 || run.InputTokens > 0 {
		past.Runs = append(slices.Clone(past.Runs), run)
	}
	return past
}

// write updates title and text of the pull request. What people edited stays: the title,
// and everything around booty's own text.
func (p *publisher) write(
	ctx context.Context, d journal.Run, text report.PullRequest, pub engine.Publication,
) error {
	now, err := p.to.client.PullRequest(ctx, p.pull.Number)
	if err != nil {
		return err
	}
	title := p.title(text)
	wrote := report.TitleDigest(title)
	if p.to.fixed == nil && report.TitleDigest(now.Title) != p.wrote { // edited by a person
		title, wrote = now.Title, p.wrote
	}
	text.Markers = append(slices.Clone(text.Markers), p.pastAfter(d, text, pub, wrote).Marker())
	return p.to.client.UpdatePullRequest(ctx, p.pull.Number, title, report.Replace(now.Body, text.Body()))
}
