package cli

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// examineModels looks at the model, and at those that roles have of their own.
func (d doctor) examineModels(ctx context.Context, root string, l *config.Loaded) []finding {
	store := config.ConsentStore{Path: config.DefaultConsentFile(d.getenv)}
	if err := l.RequireConsent(store); err != nil {
		found := []finding{problem("consent", err)}
		if len(l.Model.Command) > 0 {
			if x := examineProgram(root, "the program", l.Model.Command); x.State != "ok" {
				found = append(found, x)
			}
		}
		return found
	}
	e := modelExam{f: d.factory, root: root, settings: l, live: d.live}
	found := e.model(ctx, "", l.Model.RoleModel)
	for _, role := range []string{"quality", "review", config.RoleChallenge, "escalate"} {
		if role == config.RoleChallenge && !l.HasRole(role) {
			continue // that of the review
		}
		if m := l.ModelFor(role); m.Name != l.Model.Name || m.Provider != l.Model.Provider ||
			m.BaseURL != l.Model.BaseURL {
			found = append(found, e.model(ctx, role, m)...)
		}
	}
	return found
}

// modelExam looks at models.
type modelExam struct {
	f        *factory
	root     string
	settings *config.Loaded
	live     bool
}

// model looks at one model; role is empty for that of all others.
func (e modelExam) model(ctx context.Context, role string, m config.RoleModel) []finding {
	name := strings.TrimSpace("model " + role)
	if m.Provider == provider.Agent {
		return []finding{named(name, m.Name, examineProgram(e.root, "the agent", m.Command))}
	}
	cfg := llm.Config{
		Provider: m.Provider, Model: m.Name, BaseURL: m.BaseURL, APIKeyEnv: m.APIKeyEnv, Command: m.Command,
		Dir: e.root, Env: e.f.getenv, Prices: runner.Prices(m.Prices, e.settings.PricesFromProject(role)),
	}
	c, err := llm.New(ctx, cfg)
	if err != nil {
		return []finding{named(name, "", problem(name, err))}
	}
	info := c.Describe()
	if info.BaseURL == "" && len(m.Command) > 0 {
		return []finding{named(name, m.Name, examineProgram(e.root, "the command", m.Command))}
	}
	found := []finding{ok(name, "%s, %s", info.Provider, info.Model)}
	for _, n := range info.Notes {
		found = append(found, warning(name, n, ""))
	}
	if info.BaseURL == "" {
		return found
	}
	models, err := llm.Models(ctx, cfg)
	found = append(found, examineEndpoint(strings.TrimSpace("endpoint "+role), info, models, err))
	if e.live && found[len(found)-1].State == "ok" {
		found = append(found, e.ask(ctx, strings.TrimSpace("live "+role), c))
	}
	return append(found, examinePrice(strings.TrimSpace("price "+role), info))
}

// ask has the model say one word, within the limits of the budget.
func (e modelExam) ask(ctx context.Context, check string, c llm.Client) finding {
	const words, room = "Say ok.", 16 // tokens, the least that Responses takes
	j, err := e.f.openJournal(ctx, nil)
	if err != nil {
		return problem(check, err)
	}
	defer func() { _ = j.Close() }() // what was paid is settled before
	id, _, err := j.Money.Reserve(ctx, journal.Reservation{
		Run: "doctor", WorstUSD: llm.WorstCase(c.Describe(), len(words), room), Limits: runner.Limits(e.settings.Budget),
	})
	if err != nil {
		return problem(check, err)
	}
	reply, err := c.Complete(ctx, llm.Request{
		Messages: []llm.Message{{Role: "user", Content: words}}, MaxOutputTokens: room, Once: true,
	})
	u := reply.Usage
	_, settled := j.Money.Settle(context.WithoutCancel(ctx), id, u.CostUSD)
	if err != nil && !llm.Answered(err) {
		return problem(check, err)
	}
	if settled != nil {
		return problem(check, settled)
	}
	return ok(check, "answers by %s within %.1f s: %d tokens in, %d out, $%.5f", c.Describe().Protocol,
		reply.Duration.Seconds(), u.Input, u.Output, u.CostUSD)
}

// examinePrice says what the model is counted at.
func examinePrice(check string, info llm.Info) finding {
	p := info.Price
	switch {
	case !p.Known:
		return warning(check, fmt.Sprintf("unknown price of %s: counted as %g/%g USD per million tokens",
			info.Model, p.Input, p.Output),
			"set it in your own config.yml, such as model: {prices: {input: 1, output: 5}}")
	case p.Input == 0 && p.Output == 0:
		return ok(check, "nothing (%s)", p.Source)
	}
	return ok(check, "%g in, %g out, %g cached, %g to the cache, in USD per million tokens (%s)", p.Input,
		p.Output,
		p.Cached, p.Write, p.Source)
}

// named puts the check's name and, where one is set, the model's in a finding.
func named(check, model string, f finding) finding {
	f.Name = check
	if model != "" {
		f.Text += ", model " + model
	}
	return f
}

// examineProgram looks whether the program that is asked instead of a server
// can be started.
func examineProgram(root, what string, command []string) finding {
	if len(command) == 0 || command[0] == "" {
		return problem("model", fault.New(fault.Usage, "set model.command", "%s: none is set", what))
	}
	program := command[0]
	if strings.ContainsRune(program, '/') && !filepath.IsAbs(program) {
		program = filepath.Join(root, program)
	}
	if _, err := exec.LookPath(program); err != nil {
		return problem("model", fault.New(fault.Usage,
			"install "+command[0]+", or set model.command to another program", "cannot start %s %s: %w", what, strings.Join(command, ", "), err))
	}
	return ok("model", "%s %s", what, strings.Join(command, ", "))
}

// examineEndpoint looks whether the endpoint answers, and has the model.
func examineEndpoint(check string, info llm.Info, models []llm.Model, err error) finding {
	at := slices.IndexFunc(models, func(m llm.Model) bool { return sameModel(m.Name, info.Model) })
	switch {
	case err != nil:
		f := problem(check, err)
		if f.Hint == "" {
			f.Hint = "check that the server at " + info.BaseURL +
				" is running, or set another with --base-url or model.base_url"
		}
		return f
	case len(models) == 0 || deployments(info):
		return ok(check, "%s answers; it does not list models, so %s is unconfirmed", info.BaseURL,
			info.Model)
	case at < 0:
		names := make([]string, len(models))
		for i, m := range models {
			names[i] = m.Name
		}
		return problem(check, fault.New(fault.Usage,
			"choose another with --model or model.name, such as "+report.Some(names),
			"%s does not have %s (it lists %d models)", info.BaseURL, info.Model, len(models)))
	}
	length := ""
	if n := models[at].Context; n > 0 {
		length = fmt.Sprintf(", with a context of %d tokens", n)
	}
	return ok(check, "%s has the model (%s%s)", info.BaseURL, info.Protocol, length)
}

// deployments reports whether the provider's models go by the user's own names.
func deployments(info llm.Info) bool {
	p, _ := provider.Find(info.Provider)
	return p.Deployments
}

// sameModel reports whether a listed name is the wanted one, or the dated or
// tagged one that the wanted name stands for.
func sameModel(listed, wanted string) bool {
	listed, wanted = strings.TrimPrefix(listed, "models/"), strings.TrimPrefix(wanted, "models/")
	rest, ok := strings.CutPrefix(listed, strings.TrimSuffix(wanted, "-latest"))
	return ok && (rest == "" || rest == ":latest" || rest == "-latest" || strings.HasPrefix(rest, "-20"))
}
