package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// nextStep says what to type after init, in the state that the repository is in.
func (i *initializer) nextStep(ctx context.Context, tests []detect.Chosen) (string, error) {
	if !slices.ContainsFunc(tests, func(c detect.Chosen) bool {
		return c.Outcome.State != detect.Blocked && c.Outcome.State != detect.Failed
	}) {
		return "fix what keeps the tests from running, then try again: booty init --check", nil
	}
	s, err := i.session(ctx, needs{})
	if err != nil {
		return "", err
	}
	if err := s.Repo.Commits.CheckIdentity(ctx); err != nil {
		return fault.HintOf(err), nil // neither a person's commit nor a run's can be made before
	}
	_, head, err := s.Repo.Head(ctx)
	if err != nil {
		return "", err
	}
	if head == "" {
		return "git add -A && git commit -m start (a run starts from a commit)", nil
	}
	m := s.Settings.Model
	if m.Provider != provider.Agent {
		cfg := llm.Config{Provider: m.Provider, Model: m.Name, BaseURL: m.BaseURL, APIKeyEnv: m.APIKeyEnv,
			Command: m.Command, Env: i.getenv}
		if _, err := llm.New(ctx, cfg); err != nil {
			cure, _, _ := strings.Cut(fault.HintOf(err), "; or ")
			return cure + ", then: booty doctor", nil
		}
	}
	dirty, err := runner.InTheWay(ctx, s)
	switch {
	case err != nil:
		return "", err
	case len(dirty) > 0:
		return "commit first, a run starts from the last commit: " + report.Some(dirty), nil
	case slices.ContainsFunc(tests, func(c detect.Chosen) bool { return c.Outcome.State == detect.Counted && !c.Outcome.Passed }):
		return "booty refine (makes the failing tests pass)", nil
	}
	return `booty run --task "describe the change" (or --issue N)`, nil
}
