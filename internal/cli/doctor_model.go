package cli

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
)

// examineModels looks at the model, and at those that roles have of their own.
func (f *factory) examineModels(ctx context.Context, root string, l *config.Loaded) []finding {
	store := config.ConsentStore{Path: config.DefaultConsentFile(f.getenv)}
	if err := l.RequireConsent(store); err != nil {
		found := []finding{problem("consent", err)}
		if len(l.Model.Command) > 0 {
			if x := examineProgram(root, "the program", l.Model.Command); x.State != "ok" {
				found = append(found, x)
			}
		}
		return found
	}
	found := f.examineModel(ctx, root, "", l.Model)
	for _, role := range []string{"quality", "review", "escalate"} {
		if m := l.ModelFor(role); m.Name != l.Model.Name || m.Provider != l.Model.Provider || m.BaseURL != l.Model.BaseURL {
			found = append(found, f.examineModel(ctx, root, role, m)...)
		}
	}
	return found
}

// examineModel looks at one model; role is empty for that of all others.
func (f *factory) examineModel(ctx context.Context, root, role string, m config.Model) []finding {
	name := strings.TrimSpace("model " + role)
	if m.Provider == provider.Agent {
		return []finding{named(name, m.Name, examineProgram(root, "the agent", m.Command))}
	}
	cfg := llm.Config{
		Provider: m.Provider, Model: m.Name, BaseURL: m.BaseURL, APIKeyEnv: m.APIKeyEnv, Command: m.Command,
		Dir: root, Env: f.getenv,
	}
	c, err := llm.New(ctx, cfg)
	if err != nil {
		return []finding{named(name, "", problem(name, err))}
	}
	info := c.Describe()
	if info.BaseURL == "" && len(m.Command) > 0 {
		return []finding{named(name, m.Name, examineProgram(root, "the command", m.Command))}
	}
	found := []finding{ok(name, "%s, %s", info.Provider, info.Model)}
	for _, n := range info.Notes {
		found = append(found, warning(name, n, ""))
	}
	if info.BaseURL == "" {
		return found
	}
	names, err := llm.Models(ctx, cfg)
	return append(found, examineEndpoint(strings.TrimSpace("endpoint "+role), info, names, err))
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
			"install "+command[0]+", or set model.command to another program", "%s %s cannot be started: %w", what, strings.Join(command, ", "), err))
	}
	return ok("model", "%s %s", what, strings.Join(command, ", "))
}

// examineEndpoint looks whether the endpoint answers, and has the model.
func examineEndpoint(check string, info llm.Info, names []string, err error) finding {
	switch {
	case err != nil:
		f := problem(check, err)
		if f.Mend == "" {
			f.Mend = "see that the server at " + info.BaseURL +
				" runs and can be reached, or name another with --base-url or model.base_url"
		}
		return f
	case len(names) == 0 || deployments(info):
		return ok(check, "%s answers; whether it has %s is not told", info.BaseURL, info.Model)
	case !slices.ContainsFunc(names, func(n string) bool { return sameModel(n, info.Model) }):
		return problem(check, fault.New(fault.Usage, "choose another with --model or model.name, such as "+report.Some(names),
			"%s answers, but %s is not among its %d models", info.BaseURL, info.Model, len(names)))
	}
	return ok(check, "%s answers and has the model", info.BaseURL)
}

// deployments says whether the provider's models go by the user's own names.
func deployments(info llm.Info) bool {
	p, _ := provider.Find(info.Provider)
	return p.Deployments
}

// sameModel tells whether a listed name is the wanted one, or the dated or
// tagged one that the wanted name stands for.
func sameModel(listed, wanted string) bool {
	listed, wanted = strings.TrimPrefix(listed, "models/"), strings.TrimPrefix(wanted, "models/")
	rest, ok := strings.CutPrefix(listed, strings.TrimSuffix(wanted, "-latest"))
	return ok && (rest == "" || rest == ":latest" || rest == "-latest" || strings.HasPrefix(rest, "-20"))
}
