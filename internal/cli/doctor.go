package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/term"
)

// finding is one line of the doctor's.
type finding struct {
	Name string `json:"name"`
	// State is ok, warning or problem.
	State string `json:"state"`
	Text  string `json:"text"`
	// Hint says what to do.
	Hint string `json:"hint,omitempty"`
}

func newDoctor(f *factory) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use: "doctor", Short: "Diagnose setup problems and how to fix them", Args: cobra.NoArgs,
		Example: "  booty doctor\n  booty doctor --live\n  booty doctor --json",
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			o.given = cmd.Flags()
			return doctorRun(cmd.Context(), f, o)
		}),
	}
	cmd.Flags().BoolVar(&o.live, "live", false, "ask the model for one word (costs a few tokens)")
	addSettings(cmd.Flags())
	completeWords(cmd)
	return cmd
}

// doctorOptions are what doctor is asked for: the flags that stand for settings, and
// whether the model may be asked.
type doctorOptions struct {
	given *pflag.FlagSet
	live  bool
}

// doctor looks at one thing after the other.
type doctor struct {
	*factory
	doctorOptions
}

// doctorRun looks at everything that a run needs.
func doctorRun(ctx context.Context, f *factory, o doctorOptions) error {
	found := doctor{f, o}.examine(ctx)
	for i := range found {
		found[i].Text, found[i].Hint = f.clean(found[i].Text), f.clean(found[i].Hint)
	}
	var err error
	if slices.ContainsFunc(found, func(x finding) bool { return x.State == "problem" }) {
		err = fault.New(fault.Usage, "", "fix the problems above first")
	}
	if !f.json {
		doctor{f, o}.printFindings(found)
		return err
	}
	if e := f.printJSON(map[string]any{"checks": found}); e != nil {
		return e
	}
	return asReported(err) // that is the result: no run ended here
}

func (d doctor) printFindings(found []finding) {
	st := d.outStyles()
	mark := map[string]string{"ok": st.Good.Render("✓"), "warning": st.Warn.Render("!"),
		"problem": st.Bad.Render("✗")}
	const before = 17 // columns
	width := d.outWidth()
	for _, x := range found {
		if d.quiet && x.State != "problem" {
			continue
		}
		fmt.Fprintln(d.s.Out, term.Wrap(fmt.Sprintf("%s %-14s %s", mark[x.State], x.Name, x.Text), width,
			before))
		if x.Hint != "" {
			for line := range strings.SplitSeq(term.Wrap(strings.Repeat(" ", before)+x.Hint, width, before),
				"\n") {
				fmt.Fprintln(d.s.Out, st.Dim.Render(line))
			}
		}
	}
}

func ok(name, format string, args ...any) finding {
	return finding{Name: name, State: "ok", Text: fmt.Sprintf(format, args...)}
}

func problem(name string, err error) finding {
	return finding{Name: name, State: "problem", Text: inOneLine(err.Error()), Hint: fault.HintOf(err)}
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

func warning(name, text, hint string) finding {
	return finding{Name: name, State: "warning", Text: text, Hint: hint}
}

// examine looks at one thing after the other. Settings that are missing or
// broken are told; the rest is then looked at with those that are left.
func (d doctor) examine(ctx context.Context) []finding {
	dir, err := d.workDir()
	if err != nil {
		return []finding{problem("git", err)}
	}
	repo, err := d.openRepo(ctx, dir)
	if err != nil {
		return []finding{problem("git", err)}
	}
	s := d.bare(repo)
	gitFolders := []string{repo.GitDir(), filepath.Join(repo.CommonDir(), "objects"),
		filepath.Join(repo.CommonDir(), "refs")}
	found := []finding{gitVersion(ctx), examineGitFolder(gitFolders), examineTree(ctx, s),
		examineIdentity(ctx, repo.Commits)}
	s.Settings, err = d.settingsLeft(repo.Root(), &found)
	if err != nil {
		return found
	}
	found = append(found, examineCommands(ctx, repo.Root(), s.Settings)...)
	found = append(found, d.examineModels(ctx, repo.Root(), s.Settings)...)
	found = append(found, d.examineGitHub(ctx, s), d.examineSandbox(repo.Root(), s.Settings))
	return append(found, d.examineBudget(ctx, s.Settings))
}

// settingsLeft loads the settings and tells how they are: where the project's
// are missing or broken, those of the user and the flags are left.
func (d doctor) settingsLeft(root string, found *[]finding) (*config.Loaded, error) {
	options := config.LoadOptions{Root: root, Flags: d.given, Getenv: d.getenv, Environ: os.Environ(),
		RequireProject: true}
	l, err := config.Load(options)
	if err == nil {
		*found = append(*found, ok("config", "%s is valid", l.Path))
		for _, w := range l.Warnings {
			*found = append(*found, warning("config", w, ""))
		}
		return l, nil
	}
	*found = append(*found, problem("config", err))
	options.Root, options.RequireProject = "", false
	if l, err = config.Load(options); err == nil {
		l.Root = root
	}
	return l, err
}

// examineGitFolder looks whether git can write where booty keeps its branches
// and checkpoints.
func examineGitFolder(folders []string) finding {
	for _, dir := range folders {
		probe, err := os.MkdirTemp(dir, "booty-doctor-") // git passes over an empty folder
		if err != nil {
			return problem("git folder",
				fault.New(fault.Git, "make it writable: booty creates branches there",
					"%s is not writable: %w", dir, err))
		}
		if err := os.Remove(probe); err != nil {
			return problem("git folder",
				fault.New(fault.Git, "remove it by hand", "a test folder is left behind: %w", err))
		}
	}
	return ok("git folder", "is writable")
}

// examineGitHub looks at login and rights; a repository without a remote on
// GitHub does without.
func (d doctor) examineGitHub(ctx context.Context, s *runner.Session) finding {
	remotes, err := s.Repo.Remote.List(ctx)
	if err == nil && len(remotes) == 0 && s.Settings.GitHub.Repo == "" {
		return ok("github", "no remote: issues and pull requests are not available")
	}
	g, err := pullrequest.Open(ctx, s, d.github(loopOptions{}))
	switch {
	case err != nil:
		return warning("github", inOneLine(err.Error()),
			fault.HintOf(err)+" (needed for --issue and --pr only)")
	case !g.Repository().CanPush:
		return warning("github", fmt.Sprintf("logged in, without write access to %s", g.Repository().Repo),
			"pull requests will come from a fork")
	}
	rules, err := g.Rules(ctx)
	if err != nil {
		return warning("github", inOneLine(err.Error()), fault.HintOf(err))
	}
	return ok("github", "%s", strings.Join(append([]string{fmt.Sprintf("logged in, may push to %s",
		g.Repository().Repo)}, rules...), "; "))
}

func (d doctor) examineSandbox(root string, l *config.Loaded) finding {
	plan, err := sandbox.New(sandbox.Config{Mode: sandbox.Mode(l.Sandbox.Mode), Root: root,
		Network: l.Sandbox.Network, Read: l.Sandbox.Read, Write: l.Sandbox.Write})
	if err != nil {
		return problem("sandbox", err)
	}
	defer func() { _ = plan.Close() }()
	switch {
	case l.Sandbox.Mode == string(sandbox.Off):
		return ok("sandbox", "off in the settings: checks can read and write whatever you can")
	case len(plan.Notes) > 0:
		return ok("sandbox", "%s", strings.Join(plan.Notes, "; "))
	}
	return ok("sandbox", "checks can write only to the work tree, temporary files and caches")
}

func gitVersion(ctx context.Context) finding {
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return problem("git", fault.New(fault.Git, "install git", "cannot run git: %w", err))
	}
	return ok("git", "%s", strings.TrimSpace(string(out)))
}

// examineTree goes by what run would refuse.
func examineTree(ctx context.Context, s *runner.Session) finding {
	dirty, err := runner.InTheWay(ctx, s)
	switch {
	case err != nil:
		return problem("work tree", err)
	case len(dirty) > 0:
		return ok("work tree", "booty run ignores uncommitted changes, booty refine uses them: %s",
			report.Some(dirty))
	}
	return ok("work tree", "%s is ready for a run", s.Repo.Root())
}

func examineIdentity(ctx context.Context, m *commit.Maker) finding {
	if err := m.CheckIdentity(ctx); err != nil {
		return problem("git identity", err)
	}
	return ok("git identity", "name and email are set")
}

func (d doctor) examineBudget(ctx context.Context, l *config.Loaded) finding {
	j, err := d.openJournal(ctx, nil)
	if err != nil {
		return problem("budget", err)
	}
	defer func() { _ = j.Close() }() // only read
	periods, err := j.Money.Usage(ctx, "", runner.Limits(l.Budget))
	if err != nil {
		return problem("budget", err)
	}
	var parts []string
	for _, p := range periods {
		if p.LimitUSD > 0 && p.LeftUSD <= 0 {
			return problem("budget", fault.New(fault.Budget, "wait, or raise budget."+p.Period+"_usd",
				"the limit of the %s is reached: $%.2f", p.Period, p.LimitUSD))
		}
		parts = append(parts, fmt.Sprintf("%s $%.2f of $%.2f", p.Period, p.UsedUSD, p.LimitUSD))
	}
	return ok("budget", "%s", strings.Join(parts, ", "))
}
