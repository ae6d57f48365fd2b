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
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/cobra"
)

// finding is one line of the doctor's.
type finding struct {
	Name string `json:"name"`
	// State is ok, warning or problem.
	State string `json:"state"`
	Text  string `json:"text"`
	// Mend says what to do.
	Mend string `json:"mend,omitempty"`
}

func (a *app) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check everything a run needs, and say how to mend what is missing", Args: cobra.NoArgs,
		Example: "  booty doctor\n  booty doctor --json",
		RunE: a.run(func(cmd *cobra.Command, _ []string) error {
			found := a.examine(cmd.Context(), cmd)
			for i := range found {
				found[i].Text, found[i].Mend = a.clean(found[i].Text), a.clean(found[i].Mend)
			}
			if a.json {
				if err := a.printJSON(map[string]any{"checks": found}); err != nil {
					return err
				}
				a.finished = true // that is the result: no run ended here
			} else {
				a.printFindings(found)
			}
			for _, f := range found {
				if f.State == "problem" {
					return fault.New(fault.Usage, "", "a run would not work yet: see above")
				}
			}
			return nil
		}),
	}
	addSettings(cmd.Flags())
	completeWords(cmd)
	return cmd
}

func (a *app) printFindings(found []finding) {
	st := a.outStyles()
	mark := map[string]string{"ok": st.Good.Render("✓"), "warning": st.Warn.Render("!"), "problem": st.Bad.Render("✗")}
	for _, f := range found {
		fmt.Fprintf(a.s.Out, "%s %-14s %s\n", mark[f.State], f.Name, f.Text)
		if f.Mend != "" {
			fmt.Fprintf(a.s.Out, "  %-14s %s\n", "", st.Dim.Render(f.Mend))
		}
	}
}

func ok(name, format string, args ...any) finding {
	return finding{Name: name, State: "ok", Text: fmt.Sprintf(format, args...)}
}

func problem(name string, err error) finding {
	return finding{Name: name, State: "problem", Text: inOneLine(err.Error()), Mend: fault.HintOf(err)}
}

// inOneLine joins the lines of a message as one sentence would.
func inOneLine(s string) string {
	out := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case out == "":
			out = line
		case strings.HasSuffix(out, ":"):
			out += " " + line
		default:
			out += "; " + line
		}
	}
	return out
}

func warning(name, text, mend string) finding {
	return finding{Name: name, State: "warning", Text: text, Mend: mend}
}

// examine looks at one thing after the other; what needs an earlier thing that
// is missing is left out.
func (a *app) examine(ctx context.Context, cmd *cobra.Command) []finding {
	dir, err := a.workDir()
	if err != nil {
		return []finding{problem("git", err)}
	}
	repo, err := a.openRepo(ctx, dir)
	if err != nil {
		return []finding{problem("git", err)}
	}
	found := []finding{gitVersion(ctx)}
	found = append(found, a.examineTree(ctx, repo), examineIdentity(ctx, repo))
	l, err := config.Load(config.LoadOptions{Root: repo.Root(), Flags: cmd.Flags(), Getenv: a.getenv, RequireProject: true})
	if err != nil {
		return append(found, problem("config", err))
	}
	found = append(found, ok("config", "%s is valid", l.Path))
	found = append(found, examineCommands(ctx, repo.Root(), l)...)
	found = append(found, a.examineModel(ctx, repo.Root(), l)...)
	found = append(found, a.examineGitHub(ctx, cmd), a.examineSandbox(repo.Root(), l))
	return append(found, a.examineBudget(ctx, l))
}

// examineGitHub looks at login and rights; a repository without a remote on
// GitHub does without.
func (a *app) examineGitHub(ctx context.Context, cmd *cobra.Command) finding {
	h, err := a.open(ctx, cmd.Flags(), true)
	if err != nil {
		return problem("github", err)
	}
	defer func() { _ = h.Close() }()
	remotes, err := h.repo.Remotes(ctx)
	if err == nil && len(remotes) == 0 && h.cfg.GitHub.Repo == "" {
		return ok("github", "no remote: issues and pull requests are not in use")
	}
	g, err := a.openHub(ctx, h, false)
	switch {
	case err != nil:
		return warning("github", inOneLine(err.Error()), fault.HintOf(err)+" (needed for --issue and --pr only)")
	case !g.repo.CanPush:
		return warning("github", fmt.Sprintf("logged in, without write access to %s", g.repo.Repo), "pull requests will come from a fork")
	}
	return ok("github", "logged in, may push to %s", g.repo.Repo)
}

func (a *app) examineSandbox(root string, l *config.Loaded) finding {
	plan, err := sandbox.New(sandbox.Config{Mode: sandbox.Mode(l.Sandbox.Mode), Root: root, Network: l.Sandbox.Network, Write: l.Sandbox.Write})
	if err != nil {
		return problem("sandbox", err)
	}
	defer func() { _ = plan.Close() }()
	switch {
	case l.Sandbox.Mode == string(sandbox.Off):
		return warning("sandbox", "is off: the checks may read and write all that you may", "set sandbox.mode to auto")
	case len(plan.Notes) > 0:
		return warning("sandbox", strings.Join(plan.Notes, "; "), "")
	}
	return ok("sandbox", "the checks are held to the work tree, temporary files and caches")
}

func gitVersion(ctx context.Context) finding {
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return problem("git", fault.New(fault.Git, "install git", "git cannot be run: %w", err))
	}
	return ok("git", "%s", strings.TrimSpace(string(out)))
}

func (a *app) examineTree(ctx context.Context, repo *workspace.Repo) finding {
	st, err := repo.Interrupted(ctx)
	if err == nil && st != nil {
		return warning("work tree", "run "+st.Run+" was interrupted here", "booty resume "+st.Run+", or booty undo "+st.Run)
	}
	clean, err := repo.Clean(ctx)
	switch {
	case err != nil:
		return problem("work tree", err)
	case !clean:
		return warning("work tree", "has changes: booty run needs a clean one (booty refine does not)", "commit or stash them, or use --worktree")
	}
	return ok("work tree", "%s is clean", repo.Root())
}

func examineIdentity(ctx context.Context, repo *workspace.Repo) finding {
	if err := repo.CheckIdentity(ctx); err != nil {
		return problem("git identity", err)
	}
	return ok("git identity", "git knows the name and address for commits")
}

// examineCommands looks whether setup, gates and tests can be started. What
// setup may bring is only warned of.
func examineCommands(ctx context.Context, root string, l *config.Loaded) []finding {
	var found []finding
	for i, command := range l.TestCommand {
		found = append(found, examineCommand(ctx, root, numberedWord("test command", i), "test_command", command))
	}
	if l.SetupCommand != "" {
		found = append(found, examineCommand(ctx, root, "setup command", "setup_command", l.SetupCommand))
	}
	for _, g := range l.Gates {
		found = append(found, examineCommand(ctx, root, "gate "+g.Name, "the gate "+g.Name, g.Command))
	}
	for i := range found {
		if l.SetupCommand != "" && found[i].Name != "setup command" && found[i].State == "problem" {
			found[i].State = "warning"
			found[i].Mend = "unless setup_command brings it: " + found[i].Mend
		}
	}
	return found
}

// examineCommand looks whether the first word of a command can be started.
func examineCommand(ctx context.Context, root, name, setting, command string) finding {
	word := command
	if f := strings.Fields(command); len(f) > 0 {
		word = f[0]
	}
	c := exec.CommandContext(ctx, "sh", "-c", `command -v -- "$0" >/dev/null 2>&1`, word)
	c.Dir = root
	if strings.ContainsAny(word, "(){};&|$`=\"'<>") || c.Run() == nil {
		return ok(name, "%s", command)
	}
	return problem(name, fault.New(fault.Usage, "install it, or mend "+setting+" in .booty.yml; booty init --check runs it", "%s: %s cannot be found", command, word))
}

func (a *app) examineModel(ctx context.Context, root string, l *config.Loaded) []finding {
	store := config.ConsentStore{Path: config.DefaultConsentFile(a.getenv)}
	if err := l.RequireConsent(store); err != nil {
		found := []finding{problem("consent", err)}
		if len(l.Model.Command) > 0 {
			if f := examineProgram(root, "the program", l.Model.Command); f.State != "ok" {
				found = append(found, f)
			}
		}
		return found
	}
	if l.Model.Provider == provider.Agent {
		return []finding{examineProgram(root, "the agent", l.Model.Command)}
	}
	cfg := llm.Config{
		Provider: l.Model.Provider, Model: l.Model.Name, BaseURL: l.Model.BaseURL, APIKeyEnv: l.Model.APIKeyEnv,
		Command: l.Model.Command, Dir: root, Env: a.getenv,
	}
	c, err := llm.New(ctx, cfg)
	if err != nil {
		return []finding{problem("model", err)}
	}
	info := c.Describe()
	if info.BaseURL == "" && len(l.Model.Command) > 0 {
		return []finding{examineProgram(root, "the command", l.Model.Command)}
	}
	found := []finding{ok("model", "%s, %s", info.Provider, info.Model)}
	for _, n := range info.Notes {
		found = append(found, warning("model", n, ""))
	}
	if info.BaseURL == "" {
		return found
	}
	names, err := llm.Models(ctx, cfg)
	return append(found, examineEndpoint(info, names, err))
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
		return problem("model", fault.New(fault.Usage, "install "+command[0]+", or set model.command to another program", "%s %s cannot be started: %w", what, join(command), err))
	}
	return ok("model", "%s %s", what, join(command))
}

// examineEndpoint looks whether the endpoint answers, and has the model.
func examineEndpoint(info llm.Info, names []string, err error) finding {
	switch {
	case err != nil:
		f := problem("endpoint", err)
		if f.Mend == "" {
			f.Mend = "see that the server at " + info.BaseURL + " runs and can be reached, or name another with --base-url or model.base_url"
		}
		return f
	case len(names) == 0 || deployments(info):
		return warning("endpoint", fmt.Sprintf("%s answers, but does not tell whether it has %s", info.BaseURL, info.Model), "")
	case !slices.ContainsFunc(names, func(n string) bool { return sameModel(n, info.Model) }):
		return problem("endpoint", fault.New(fault.Usage, "choose another with --model or model.name, such as "+someOf(names),
			"%s answers, but %s is not among its %d models", info.BaseURL, info.Model, len(names)))
	}
	return ok("endpoint", "%s answers and has the model", info.BaseURL)
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

func (a *app) examineBudget(ctx context.Context, l *config.Loaded) finding {
	j, err := a.openJournal(ctx, nil)
	if err != nil {
		return problem("budget", err)
	}
	defer func() { _ = j.Close() }() // only read
	periods, err := j.Usage(ctx, "", limitsOf(l.Budget))
	if err != nil {
		return problem("budget", err)
	}
	var parts []string
	for _, p := range periods {
		if p.LimitUSD > 0 && p.LeftUSD <= 0 {
			return problem("budget", fault.New(fault.Budget, "wait, or raise budget."+p.Period+"_usd", "the limit of the %s is reached: $%.2f", p.Period, p.LimitUSD))
		}
		parts = append(parts, fmt.Sprintf("%s $%.2f of $%.2f", p.Period, p.UsedUSD, p.LimitUSD))
	}
	return ok("budget", "%s", strings.Join(parts, ", "))
}
