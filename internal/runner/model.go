package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/tokens"
)

// models is the engine's Model: it picks the client of a role, reserves the
// worst case of each call, and keeps prompt and reply.
type models struct {
	run     string
	journal *journal.Journal
	limits  journal.Limits
	events  event.Listener

	main, quality, escalate, reviewer llm.Client
	// challenger writes tests where that is not the reviewer.
	challenger llm.Client
	agent      *agentProvider
	wait       *Waiter

	// attempt is the attempt that retries are reported for.
	attempt atomic.Int64
	seq     atomic.Int64
	mu      sync.Mutex
	noted   map[string]bool
}

// reads reports whether a role is that of a reviewer, who edits nothing.
func reads(role engine.Role) bool { return role == engine.Review || role == engine.Challenge }

// pick returns the client that a call goes to.
func (m *models) pick(role engine.Role, escalate bool) llm.Client {
	switch {
	case role == engine.Challenge && m.challenger != nil:
		return m.challenger
	case reads(role) && m.reviewer != nil:
		return m.reviewer
	case role == engine.FixQuality && m.quality != nil:
		return m.quality
	case escalate && m.escalate != nil:
		return m.escalate
	}
	return m.main
}

// Describe implements engine.Model.
func (m *models) Describe(role engine.Role, escalate bool) (name, model string) {
	if m.agent != nil && !reads(role) {
		return provider.Agent, m.agent.name
	}
	info := m.pick(role, escalate).Describe()
	return info.Provider, info.Model
}

// Quote implements engine.Quoter.
func (m *models) Quote(role engine.Role, p engine.Prompt) float64 {
	if m.agent != nil && !reads(role) {
		return m.limits.RunUSD
	}
	info := m.pick(role, false).Describe()
	return llm.WorstCase(info, len(p.System)+len(p.User), info.MaxOutputTokens)
}

// Complete implements engine.Model.
func (m *models) Complete(ctx context.Context, c engine.Call) (engine.Reply, error) {
	m.attempt.Store(int64(c.Attempt))
	name := fmt.Sprintf("attempt-%d/call-%d", c.Attempt, m.seq.Add(1))
	prompt := c.Prompt.System + "\n\n" + c.Prompt.User
	record := journal.Call{Run: m.run, Attempt: c.Attempt, Role: string(c.Role)}
	record.Provider, record.Model = m.Describe(c.Role, c.Escalate)
	if c.SoFar == "" && m.agent == nil { // else more went in than the prompt
		record.Pieces = tokens.Pieces(prompt)
	}
	record.Prompt = m.blob(ctx, name+"-prompt.md", prompt)
	var reply engine.Reply
	var err error
	if m.agent != nil && !reads(c.Role) {
		reply, err = m.askAgentPatiently(ctx, prompt)
	} else {
		reply, err = m.ask(ctx, m.pick(c.Role, c.Escalate), c, len(prompt))
	}
	if err != nil {
		record.Error = err.Error()
	} else {
		record.Reply = m.blob(ctx, name+"-reply.md", reply.Text)
	}
	if e := m.journal.AddCall(context.WithoutCancel(ctx), record); e != nil && err == nil {
		m.note(fmt.Sprintf("the call could not be recorded: %v", e))
	}
	return reply, err
}

// perToken is how many pieces the model of a role counts as one token: according to its replies, or
// else to what is known of its vocabulary.
func (m *models) perToken(ctx context.Context, role engine.Role, escalate bool) float64 {
	if m.journal == nil {
		return 0
	}
	provider, model := m.Describe(role, escalate)
	ratio, err := m.journal.PiecesPerToken(ctx, m.run, provider, model)
	if err != nil || ratio == 0 {
		return tokens.PerToken(model)
	}
	return ratio
}

// ask makes the call within the limits.
func (m *models) ask(ctx context.Context, client llm.Client, c engine.Call, size int) (engine.Reply, error) {
	info := client.Describe()
	reserve := func(maxOutput int) (int64, error) {
		worst := llm.WorstCase(info, size+len(c.SoFar), maxOutput)
		id, warnings, err := m.journal.Money.Reserve(ctx,
			journal.Reservation{Run: m.run, WorstUSD: worst, Limits: m.limits})
		m.warn(warnings)
		return id, err
	}
	id, err := reserve(info.MaxOutputTokens)
	if err != nil {
		return engine.Reply{}, err
	}
	ids := []int64{id}
	r, err := client.Complete(ctx, llm.Request{
		Messages: messages(c), Role: string(c.Role), Attempt: c.Attempt,
		// A try that broke off is paid for too: the next one needs a
		// reservation of its own.
		Allow: func(_ llm.Usage, maxOutput int) error {
			more, err := reserve(maxOutput)
			if err == nil {
				ids = append(ids, more)
			}
			return err
		},
	})
	for _, n := range r.Notes { // what became of a call that failed is told too
		m.note(n)
	}
	done := context.WithoutCancel(ctx)
	for _, more := range ids[1:] { // the first one takes the price of all tries
		if e := m.journal.Money.Release(done, more); e != nil {
			return engine.Reply{}, errors.Join(err, e)
		}
	}
	if err != nil && r.Usage.CostUSD == 0 && r.Usage.Input+r.Usage.Output == 0 {
		if e := m.journal.Money.Release(done, id); e != nil {
			return engine.Reply{}, errors.Join(err, e)
		}
		return engine.Reply{}, m.classify(err)
	}
	warnings, e := m.journal.Money.Settle(done, id, r.Usage.CostUSD)
	m.warn(warnings)
	usage := engine.Usage{
		Input: r.Usage.Input, Output: r.Usage.Output, Cached: r.Usage.Cached, Written: r.Usage.Written,
		CostUSD: r.Usage.CostUSD, SavedUSD: r.Usage.SavedUSD, Estimated: r.Usage.Estimated, Duration: r.Duration,
	}
	if err := errors.Join(m.classify(err), e); err != nil {
		return engine.Reply{Usage: usage}, err // what broke off is paid for as well
	}
	return engine.Reply{Text: r.Text, Cut: r.Finish == llm.FinishLength, Ended: r.Ended, Usage: usage}, nil
}

func (m *models) classify(err error) error {
	if errors.Is(err, llm.ErrContextLength) {
		return fmt.Errorf("%w: %w", engine.ErrContextLength, err)
	}
	return err
}

// messages makes the chat messages of a call; a reply that was cut off is included, with the
// request to continue it.
func messages(c engine.Call) []llm.Message {
	ms := []llm.Message{
		{Role: "system", Content: c.Prompt.System}, {Role: "user", Content: c.Prompt.User, Stable: c.Prompt.Stable},
	}
	if c.SoFar != "" {
		ms = append(ms,
			llm.Message{Role: "assistant", Content: c.SoFar},
			llm.Message{Role: "user",
				Content: "Your reply was cut off by the length limit. Go on exactly where it ended, in the middle of a line if need be. Repeat nothing, add no remark and no new fence."})
	}
	return ms
}

func (m *models) blob(ctx context.Context, name, text string) string {
	ref, err := m.journal.Blobs.Save(context.WithoutCancel(ctx), m.run, name, []byte(text))
	if err != nil {
		m.note(fmt.Sprintf("%s could not be kept: %v", name, err))
	}
	return ref
}

func (m *models) warn(ws []journal.Warning) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range ws {
		m.events.Handle(w)
	}
}

// note prints a line once per run.
func (m *models) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.noted == nil {
		m.noted = map[string]bool{}
	}
	if !m.noted[text] {
		m.noted[text] = true
		m.events.Handle(event.Notice{Level: "warning", Message: text})
	}
}

// newModels makes the clients that a run may need.
func newModels(ctx context.Context, s *Session, j Job, show Show) (*models, error) {
	m := &models{run: j.ID, journal: s.Journal, wait: s.Wait, events: show.Events,
		limits: Limits(s.Settings.Config.Budget)}
	if s.Settings.Model.Provider == provider.Agent {
		agent, err := newAgent(s, j.ID)
		if err != nil {
			return nil, err
		}
		m.agent = agent
	} else {
		var err error
		if m.main, err = m.newClient(ctx, s, j.Options, "", show.Progress); err != nil {
			return nil, err
		}
	}
	if j.Options.Replay != "" { // one cassette answers all roles, in order
		return m, nil
	}
	for role, into := range map[string]*llm.Client{"quality": &m.quality, "escalate": &m.escalate,
		"review": &m.reviewer, config.RoleChallenge: &m.challenger} {
		if !s.Settings.HasRole(role) ||
			role == config.RoleChallenge && s.Settings.ModelFor(role).Provider == provider.Agent {
			continue
		}
		c, err := m.newClient(ctx, s, j.Options, role, show.Progress)
		if err != nil {
			return nil, fmt.Errorf("the model of the role %s: %w", role, err)
		}
		*into = c
	}
	if r := reviewOf(s, j); m.main == nil && m.reviewer == nil && (r.reads || r.challenges && !r.unproven) {
		return nil, fault.New(fault.Usage, "set model.roles.review in .booty.yml, or give --no-review",
			"with provider agent a review needs a model of its own")
	}
	return m, nil
}

// Limits converts the budget settings to limits of the journal.
func Limits(b config.Budget) journal.Limits {
	return journal.Limits{RunUSD: b.RunUSD, DayUSD: b.DayUSD, WeekUSD: b.WeekUSD}
}

// Prices returns the prices of the settings; nil if none are set. With atLeast, for the
// repository's file, they can only raise the known prices.
func Prices(p config.Prices, atLeast bool) *llm.Price {
	if p.Input == 0 && p.Output == 0 && p.CachedInput == 0 && p.CacheWrite == 0 {
		return nil
	}
	return &llm.Price{Input: p.Input, Output: p.Output, Cached: p.CachedInput, Write: p.CacheWrite, Known: true,
		AtLeast: atLeast}
}

// newClient makes the client of a role, "" for the main one; with --record what
// it says is kept.
func (m *models) newClient(
	ctx context.Context, s *Session, o Options, role string, progress func(string),
) (llm.Client, error) {
	c := s.Settings.ModelFor(role)
	cfg := llm.Config{
		Provider: c.Provider, Model: c.Name, BaseURL: c.BaseURL, APIKeyEnv: c.APIKeyEnv, EditFormat: c.EditFormat,
		MaxOutputTokens: c.MaxOutputTokens, Temperature: c.Temperature, ReasoningEffort: c.ReasoningEffort,
		Command: c.Command, Cassette: o.Replay, Dir: s.Repo.Root(), Env: s.Getenv, Log: s.Log, Supervise: true,
		Offline: o.DryRun,
		OnRetry: func(r llm.Retry) {
			m.events.Handle(event.ModelRetry{
				Attempt: int(m.attempt.Load()), Try: r.Try, Reason: r.Reason, WaitMS: r.Wait.Milliseconds(),
			})
		},
	}
	cfg.Patience, cfg.OnWait = s.Wait.Steps,
		func(reason string, wait time.Duration) { s.Wait.Tell("model", reason, wait) }
	if o.Replay != "" {
		cfg.Provider = provider.Replay
	}
	// A price of next to nothing would be a way round the user's budget.
	cfg.Prices = Prices(c.Prices, s.Settings.PricesFromProject(role))
	cfg.OnToken = func(n int) { progress(fmt.Sprintf("%d tokens so far", n)) }
	client, err := llm.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	for _, n := range client.Describe().Notes {
		m.note(n)
	}
	if o.Record != nil {
		client = llm.Record(client, o.Record, s.Redact.String)
	}
	return client, nil
}
