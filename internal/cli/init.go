package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/cobra"
)

type initFlags struct {
	force       bool
	workflow    bool
	check       bool
	testCommand string
}

func (a *app) initCommand() *cobra.Command {
	var o initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Look at the repository and write .booty.yml",
		Long: `Look at the repository (languages, test runners, linters, workspaces) and write
a commented .booty.yml with the commands found. An existing file is never
overwritten without --force.`,
		Example: "  booty init\n  booty init --check\n  booty init --workflow\n  booty init --test-command 'make test'",
		Args:    cobra.NoArgs,
		RunE:    a.run(func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context(), o) }),
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite .booty.yml")
	cmd.Flags().BoolVar(&o.workflow, "workflow", false, "also write a GitHub Actions workflow, "+workflowPath)
	cmd.Flags().BoolVar(&o.check, "check", false, "run the commands once and say what happened")
	cmd.Flags().StringVar(&o.testCommand, "test-command", "", "use this `COMMAND` instead of what was found")
	return cmd
}

func (a *app) init(ctx context.Context, o initFlags) (err error) {
	dir, err := a.workDir()
	if err != nil {
		return err
	}
	repo, err := workspace.OpenWith(ctx, dir, workspace.Options{Env: withoutKeys(os.Environ())})
	if err != nil {
		return err
	}
	path, exists := configFile(repo.Root())
	if o.workflow {
		defer func() {
			if err == nil {
				err = a.writeWorkflow(repo.Root(), o.force)
			}
		}()
	}
	if exists && !o.force {
		if o.workflow && !o.check {
			return nil // .booty.yml stays as it is
		}
		if !o.check {
			return fault.New(fault.Usage, "booty init --force overwrites it, booty init --check tries it", "%s is there already", filepath.Base(path))
		}
		return a.checkCommands(ctx, repo)
	}
	result := detect.Detect(os.DirFS(repo.Root()))
	if o.testCommand != "" {
		result = result.WithTestCommand(o.testCommand)
	}
	if err := result.Err(); err != nil {
		return err
	}
	text := detect.Render(result)
	if err := config.Check(filepath.Base(path), text); err != nil {
		return fmt.Errorf("the written settings would not be valid: %w", err)
	}
	if err := writeFile(path, text); err != nil {
		return err
	}
	a.tellInit(path, result)
	if o.check {
		return a.checkCommands(ctx, repo)
	}
	a.say("booty: next: booty init --check tries the commands; booty doctor looks at the rest")
	return nil
}

// configFile is where the settings lie, or would.
func configFile(root string) (string, bool) {
	for _, name := range []string{".booty.yml", ".booty.yaml"} {
		p := filepath.Join(root, name)
		if _, err := os.Lstat(p); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return p, true
		}
	}
	return filepath.Join(root, ".booty.yml"), false
}

// writeFile puts a file in place whole or not at all.
func writeFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".booty-*.tmp")
	if err != nil {
		return fault.New(fault.Usage, "see that the folder is writable", "write %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fault.New(fault.Usage, "see that the disk is not full and the folder writable", "write %s: %w", path, err)
	}
	return nil
}

func (a *app) tellInit(path string, r detect.Result) {
	if a.quiet {
		return
	}
	a.say("booty: wrote %s", filepath.Base(path))
	for _, p := range r.Projects {
		a.say("  %s: %s, %s (from %s)", p.Dir, p.Language, p.Tool, p.Why)
	}
	a.say("  test:  %s", r.TestCommand)
	if r.SetupCommand != "" {
		a.say("  setup: %s", r.SetupCommand)
	}
	for _, g := range r.Gates {
		a.say("  gate:  %s: %s", g.Name, g.Command)
	}
	for _, n := range r.Notes {
		a.say("  note:  %s", n)
	}
}

// checkCommands runs setup, gates and tests once and tells how each ended.
func (a *app) checkCommands(ctx context.Context, repo *workspace.Repo) error {
	l, err := config.Load(config.LoadOptions{Root: repo.Root(), Getenv: a.getenv, RequireProject: true})
	if err != nil {
		return err
	}
	logs, err := os.MkdirTemp("", "booty-check-")
	if err != nil {
		return fmt.Errorf("make a folder for logs: %w", err)
	}
	defer os.RemoveAll(logs)
	runner := check.New(check.Config{
		Dir: repo.Root(), LogDir: logs, Scrub: scrubbed(l), Distill: distiller(repo.Root()), Supervise: true,
	})
	s := suiteOf(l.Config)
	failed := 0
	tell := func(r check.Result) {
		a.tellCheck(r)
		if !r.Passed {
			failed++
		}
	}
	if s.Setup != nil {
		a.say("booty: setup: %s", s.Setup.Command)
		r, err := runner.Run(ctx, *s.Setup)
		if err != nil {
			return err
		}
		tell(r)
	}
	for _, g := range s.Gates {
		a.say("booty: gate %s: %s", g.Name, g.Command)
		r, err := runner.Run(ctx, g.Step)
		if err != nil {
			return err
		}
		tell(r)
	}
	a.say("booty: test: %s", s.Test.Command)
	r, err := runner.Run(ctx, s.Test)
	if err != nil {
		return err
	}
	tell(r)
	switch {
	case r.NotStarted:
		return fault.New(fault.Usage, "mend test_command in .booty.yml", "the test command cannot be started: %s", firstOf(r.Tail))
	case failed > 0:
		return fault.New(fault.Exhausted, "booty refine makes failing checks pass; commands that are wrong are mended in .booty.yml", "%d of the commands failed", failed)
	}
	a.say("booty: all commands pass")
	return nil
}

func (a *app) tellCheck(r check.Result) {
	st := a.styles()
	if r.Passed {
		counts := ""
		if r.Summary.Passed != nil {
			counts = fmt.Sprintf(", %d tests", *r.Summary.Passed)
			if *r.Summary.Passed == 1 {
				counts = ", 1 test"
			}
		}
		a.say("  %s in %s%s", st.Good.Render("passed"), r.Duration.Round(100_000_000), counts)
		return
	}
	if r.NoTests {
		a.say("  %s in %s: no tests were run", st.Bad.Render("failed"), r.Duration.Round(100_000_000))
	} else {
		a.say("  %s with exit code %d in %s", st.Bad.Render("failed"), r.ExitCode, r.Duration.Round(100_000_000))
	}
	if n := note(r); n != "" && n != "no tests were run" {
		a.say("  %s", n)
	}
	for _, line := range strings.Split(strings.TrimSpace(r.Summary.Text), "\n") {
		a.say("    %s", line)
	}
}

func firstOf(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
