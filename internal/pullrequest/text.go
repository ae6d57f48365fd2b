package pullrequest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
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

// pullTitle is the title of a pull request. Where the repository has no drafts, it says that this one
// is not to be merged.
func pullTitle(text report.PullRequest, labels []string, noDrafts bool) string {
	text.Summary = conventional(text.Summary, labels...)
	if noDrafts {
		return "[WIP] " + text.Title()
	}
	return text.Title()
}

// pastAfter returns what the next run needs to know. title is the digest of booty's last title.
func pastAfter(r journal.Run, text report.PullRequest, pub engine.Publication, title string) report.Past {
	past := text.Past
	past.Title, past.Green, past.Commit, past.Judge = title, pub.Green, pub.Commit, pub.Judge
	past.Look = len(text.Look) > 0
	if run := report.RunOf(r, text.Attempts); run.Attempts > 0 || run.InputTokens > 0 {
		past.Runs = append(slices.Clone(past.Runs), run)
	}
	return past
}
