package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/workspace"
)

// reviewer is the engine's Reviewer: a model reads the diff.
type reviewer struct {
	repo     *workspace.Repo
	prompts  *prompts
	blocking bool
}

// Blocking implements engine.Reviewer.
func (r *reviewer) Blocking() bool { return r.blocking }

// Review implements engine.Reviewer.
func (r *reviewer) Review(ctx context.Context, from, to engine.State, ask engine.Ask) (event.ReviewFinished, error) {
	diff, err := r.repo.Diff(ctx, from.Commit, to.Commit)
	if err != nil {
		return event.ReviewFinished{}, err
	}
	p, err := prompt.Assemble(prompt.Input{
		Role: string(engine.Review), Repo: r.prompts.repo, Nonce: r.prompts.nonce, Task: r.prompts.task,
		Diff: r.prompts.redact(diff), Conventions: r.prompts.conventions(), MaxTokens: r.prompts.cfg.Context.MaxTokens,
	})
	if err != nil {
		return event.ReviewFinished{}, err
	}
	reply, err := ask(ctx, engine.Review, fromPrompt(p))
	if err != nil {
		return event.ReviewFinished{}, err
	}
	return verdictOf(r.prompts.redact(reply.Text))
}

// verdictOf reads a review: the verdict stands on the first line that is one
// of the three words, whatever marks are around it.
func verdictOf(text string) (event.ReviewFinished, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		word := strings.Trim(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(line)), "VERDICT:"), " *_`#.:\r")
		word = strings.ReplaceAll(word, " ", "_")
		switch word {
		case "APPROVED", "APPROVED_WITH_SUGGESTIONS", "BLOCKED":
			return event.ReviewFinished{Verdict: word, Notes: strings.TrimSpace(strings.Join(lines[i+1:], "\n"))}, nil
		}
	}
	return event.ReviewFinished{}, fmt.Errorf("its answer holds none of APPROVED, APPROVED_WITH_SUGGESTIONS, BLOCKED")
}
