package runner

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/snapshot"
)

// reviewer is the engine's Reviewer: a model reads the diff.
type reviewer struct {
	states  *snapshot.Comparer
	prompts *prompts
	// old is the commit before the work, where that is not what the run began at.
	old      string
	blocking bool
}

// Blocking implements engine.Reviewer.
func (r *reviewer) Blocking() bool { return r.blocking }

// Review implements engine.Reviewer.
func (r *reviewer) Review(ctx context.Context, from, to engine.State, failed string,
	ask engine.Ask) (event.ReviewFinished, error) {
	if r.old != "" {
		from.Commit = r.old
	}
	diff, err := r.states.Diff(ctx, from.Commit, to.Commit)
	if err != nil {
		return event.ReviewFinished{}, err
	}
	p, err := prompt.Assemble(prompt.Input{
		Role: string(engine.Review), Repo: r.prompts.repo, Nonce: r.prompts.nonce, Task: r.prompts.task,
		Diff: r.prompts.redact(diff), Was: r.prompts.redact(failed), Conventions: r.prompts.conventions(),
		MaxTokens: r.prompts.cfg.Context.MaxTokens,
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

// verdictForms are how a line says a verdict, the surest first: the word alone
// or after "Verdict", then the word in capitals with its reason behind it.
var verdictForms = sync.OnceValue(func() []*regexp.Regexp {
	const words, reason = `(APPROVED[_ -]WITH[_ -]SUGGESTIONS|APPROVED|BLOCKED)`,
		`\s*(?:$|[.:!,;(–—-]+\s*(.*)$)`
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:` + words +
			`[.!:]?()$|(?:(?:my|the|final|overall) )*verdict(?: is|:| -| –| —|)\s+` + words + reason + `)`),
		regexp.MustCompile(`^` + words + reason),
	}
})

// verdictOf reads a review: the verdict on its line, whatever marks are around it. The notes are
// what follows it or, if nothing follows, what precedes it.
func verdictOf(text string) (event.ReviewFinished, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, form := range verdictForms() {
		for i, line := range lines {
			found := form.FindStringSubmatch(plainLine(line))
			if found == nil {
				continue
			}
			said := strings.Join(found[1:], "\n")
			word, reason, _ := strings.Cut(strings.TrimSpace(said), "\n")
			notes := strings.TrimSpace(strings.TrimSpace(reason) + "\n" + strings.Join(lines[i+1:], "\n"))
			if notes == "" {
				notes = strings.TrimSpace(strings.Join(lines[:i], "\n"))
			}
			word = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToUpper(word))
			return event.ReviewFinished{Verdict: word, Notes: notes}, nil
		}
	}
	return event.ReviewFinished{},
		fmt.Errorf("its answer holds no verdict: none of APPROVED, APPROVED_WITH_SUGGESTIONS, BLOCKED")
}

// plainLine is a line without the marks of Markdown.
func plainLine(line string) string {
	line = strings.NewReplacer("*", "", "`", "").Replace(line)
	return strings.Trim(line, " \t\r#>_")
}
