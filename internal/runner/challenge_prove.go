package runner

import (
	"context"
	"errors"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/provider"
)

// ErrDryRun ends a challenge whose request is only shown.
var ErrDryRun = errors.New("dry run: no model was called")

// challenge has a model write tests against the change that is proven.
func (t *proving) challenge(ctx context.Context, p *proof.Prover, o ProveOptions, show Show) error {
	task, err := t.task(ctx, o)
	if err != nil {
		return err
	}
	m, err := challengeModel(ctx, t.s, o.Challenge.Model, show)
	if err != nil {
		return err
	}
	ch := &changes{origin: &origin{repo: t.old.repo, cfg: t.s.Settings.Config,
		start: engine.State{Commit: t.from}}}
	t.challenger = &challenger{
		past: t.s.Repo.History, from: t.from, subject: func() proof.Subject { return p.Subject }, guard: ch.guard, redact: t.s.Redact.String,
		describe: func() (string, string) { return m.Describe(engine.Challenge, false) },
		request: prompt.Challenge{
			Repo: t.s.repoName(ctx), Nonce: newNonce(), Task: t.s.Redact.String(task),
			Command: strings.Join(t.s.Settings.TestCommand, " && "), PerToken: m.perToken(ctx, engine.Challenge, false),
		},
	}
	t.challenger.ask = m.askAlone(show, o.Challenge.Model.DryRun)
	p.Challenger = t.challenger
	return nil
}

// askAlone makes calls outside of a run; dry only reports them.
func (m *models) askAlone(show Show, dry bool) engine.Ask {
	return func(ctx context.Context, role engine.Role, p engine.Prompt) (engine.Reply, error) {
		name, model := m.Describe(role, false)
		e := event.ModelRequest{Role: string(role), Provider: name, Model: model, InputTokens: p.Tokens}
		if dry {
			usd := m.Quote(role, p)
			e.Prompt, e.CostUSD = p.System+"\n\n"+p.User, &usd
			show.Events.Handle(e)
			return engine.Reply{}, ErrDryRun
		}
		show.Events.Handle(e)
		r, err := m.ask(ctx, m.pick(role, false), engine.Call{Role: role, Prompt: p},
			len(p.System)+len(p.User))
		if u := r.Usage; err == nil || u.CostUSD > 0 {
			show.Events.Handle(event.ModelReply{Role: string(role), InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.Cached,
				CacheWriteTokens: u.Written, CostUSD: u.CostUSD, SavedUSD: u.SavedUSD, Estimated: u.Estimated,
				DurationMS: u.Duration.Milliseconds()})
		}
		return r, err
	}
}

// task is what the change is for, as it was given, or as its commits say.
func (t *proving) task(ctx context.Context, o ProveOptions) (string, error) {
	if o.Challenge.Task != "" {
		return o.Challenge.Task, nil
	}
	tip := o.Range.Shown
	if tip == "" { // the commit of uncommitted changes is booty's own
		var err error
		if _, tip, err = t.s.Repo.Head(ctx); err != nil {
			return "", err
		}
	}
	messages, err := t.s.Repo.History.Messages(ctx, t.from, tip)
	if err == nil && len(messages) == 0 {
		err = fault.New(fault.Usage, "booty prove --challenge --task \"what the change should do\"",
			"nothing says what the change is for: there is no commit message, and no --task")
	}
	return strings.Join(messages, "\n\n"), err
}

// challengeModel makes the client that tests are asked of: that of the challenge or the reviewer,
// where one is set and no flag names another.
func challengeModel(ctx context.Context, s *Session, o Options, show Show) (*models, error) {
	m := &models{run: "prove-" + journal.NewRunID(), journal: s.Journal, wait: s.Wait, events: show.Events,
		limits: Limits(s.Settings.Config.Budget)}
	role := ""
	flag := func(key string) bool { return s.Settings.Origins[key].Source == config.FromFlag }
	named := flag("model.name") || flag("model.provider") || flag("model.base_url")
	if (s.Settings.HasRole("review") || s.Settings.HasRole(config.RoleChallenge)) && o.Replay == "" &&
		!named {
		role = config.RoleChallenge
	}
	if o.Replay == "" && s.Settings.ModelFor(role).Provider == provider.Agent {
		return nil, fault.New(fault.Usage, "set model.roles.review, or give --provider and --model",
			"with provider agent a challenge needs a model of its own")
	}
	var err error
	m.main, err = m.newClient(ctx, s, o, role, show.Progress)
	return m, err
}
