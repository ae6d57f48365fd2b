package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/workspace"
)

type initOptions struct {
	force       bool
	workflow    string
	queue       bool
	check       bool
	noRun       bool
	budget      time.Duration
	testCommand string
	hooks       []string
}

func newInit(f *factory) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Find and try this repository's commands, and write .booty.yml",
		Long: `Look for the commands that prepare, test and check this repository (in CI,
task runners, scripts and manifests), try them in a separate work tree, and
write .booty.yml: the command that runs the most tests, and the gates that
pass. An existing file is overwritten only with --force; --check tries its
commands.`,
		Example: "  booty init\n  booty init --no-run\n  booty init --check\n  booty init --workflow\n  booty init --workflow prove\n  booty init --hook pre-push\n  booty init --test-command 'make test'",
		Args:    o.workflowArg,
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			return initRun(cmd.Context(), f, o)
		}),
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite .booty.yml")
	cmd.Flags().StringVar(&o.workflow, "workflow", "",
		"also write the GitHub Actions workflow `NAME`: run (for issues and pull requests) or prove (proves each pull request)")
	cmd.Flags().Lookup("workflow").NoOptDefVal = runWorkflow
	cmd.Flags().BoolVar(&o.queue, "queue", false,
		"with --workflow: also run it every hour, for the queue of pending tests")
	cmd.Flags().StringSliceVar(&o.hooks, "hook", nil,
		"also write the git hook `NAME` (pre-commit or pre-push), which runs booty check")
	cmd.Flags().BoolVar(&o.check, "check", false, "try the commands of .booty.yml and report the results")
	cmd.Flags().BoolVar(&o.noRun, "no-run", false, "write the best candidates without trying them")
	cmd.Flags().DurationVar(&o.budget, "time", 15*time.Minute, "stop trying after this `DURATION`, all commands together")
	cmd.Flags().StringVar(&o.testCommand, "test-command", "", "use this `COMMAND` instead of what was found")
	return cmd
}

// initializer finds, tries and writes the commands of a repository.
type initializer struct {
	*factory
	o      initOptions
	report *initReport
}

// initRun writes the settings, and tells what was found.
func initRun(ctx context.Context, f *factory, o initOptions) error {
	i := &initializer{f, o, newInitReport()}
	r, err := i.report, i.run(ctx)
	if !f.json || err != nil && r.File == "" {
		return err
	}
	err = errors.Join(err, f.printJSON(r))
	if len(r.Checks) > 0 {
		return asReported(err) // the report is the result: no run ended here
	}
	return err
}

func (i *initializer) run(ctx context.Context) (err error) {
	dir, err := i.workDir()
	if err != nil {
		return err
	}
	repo, err := i.openRepo(ctx, dir)
	if err != nil {
		return err
	}
	path, exists := configFile(repo.Root())
	i.report.File = filepath.Base(path)
	if err := i.o.checkWorkflow(); err != nil {
		return err
	}
	if err := checkHooks(i.o.hooks); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			err = i.initBeside(repo)
		}
	}()
	if i.o.workflow == proveWorkflow {
		return nil // prove finds the commands where there are no settings
	}
	if exists && !i.o.force {
		if (i.o.workflow != "" || len(i.o.hooks) > 0) && !i.o.check {
			return nil // .booty.yml stays as it is
		}
		if !i.o.check {
			return fault.New(fault.Usage, "booty init --force overwrites it, booty init --check tries it",
				"%s is there already", filepath.Base(path))
		}
		return i.checkCommands(ctx)
	}
	found := detect.Look(regular.DirFS(repo.Root()))
	if i.o.testCommand != "" {
		found = found.WithTestCommand(i.o.testCommand)
	}
	result := found.Choose(nil)
	var cut error // the trial was interrupted after it had found tests
	if !i.o.noRun {
		result, err = i.tryOut(ctx, found)
		if cut = err; err != nil &&
			!(fault.KindOf(err) == fault.Interrupted &&
				slices.ContainsFunc(result.Tests, detect.Chosen.Ran)) {
			return notTried(err)
		}
	}
	if err := result.Err(); err != nil {
		i.printLeft(result)
		return err
	}
	if err := writeSettings(path, result); err != nil {
		return err
	}
	i.report.wrote(result)
	i.printInit(path, result)
	if cut != nil {
		return fault.New(fault.Interrupted, "try all of them with: booty init --force",
			"%w before all commands were tried", cut)
	}
	if i.o.check {
		return judgeTried(slices.Concat(result.Gates, result.Idle, result.Tests))
	}
	next, err := i.nextStep(ctx, result.Tests)
	if err != nil {
		return err
	}
	i.say("booty: next: %s", next)
	if len(i.o.hooks) == 0 {
		i.say("booty: also: booty init --hook pre-push checks before each push; booty completion %s prints shell completions", shellName(i.getenv))
	}
	return nil
}

// notTried says of an interrupt that came before any tests were known what is there.
func notTried(err error) error {
	if fault.KindOf(err) != fault.Interrupted {
		return err
	}
	return fault.New(fault.Interrupted, "booty init --no-run writes the best candidates without trying them",
		"%w before any tests had run; nothing was written", err)
}

// writeSettings writes .booty.yml.
func writeSettings(path string, result detect.Result) error {
	text, err := detect.Render(result)
	if err != nil {
		return err
	}
	if err := config.Check(filepath.Base(path), text); err != nil {
		return fmt.Errorf("the written settings would not be valid: %w", err)
	}
	return writeFile(path, text)
}

// initBeside writes what init writes beside .booty.yml.
func (i *initializer) initBeside(repo *workspace.Repo) (err error) {
	switch i.o.workflow {
	case runWorkflow:
		if err := i.writeWorkflow(repo.Root(), i.o.force, i.o.queue); err != nil {
			return err
		}
		i.report.Workflow = workflowPath
	case proveWorkflow:
		if err := i.writeProveWorkflow(repo.Root(), i.o.force); err != nil {
			return err
		}
		i.report.Workflow = provePath
	}
	i.report.Hooks, err = i.writeHooks(repo.Hooks, i.o.hooks)
	return err
}

// shellName is the user's shell, where completions for it can be had.
func shellName(getenv func(string) string) string {
	name := filepath.Base(getenv("SHELL"))
	if name == "zsh" || name == "fish" {
		return name
	}
	return "bash"
}

// machine says what can be started here.
type machine struct{ ctx context.Context }

func (machine) Program(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// Module asks python3 itself, without the modules of the folder at hand.
func (m machine) Module(name string) bool {
	const ask = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
	return exec.CommandContext(m.ctx, "python3", "-I", "-c", ask, name).Run() == nil
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
	if err := atomicfile.Write(path, data, 0o644); err != nil {
		return fault.New(fault.Usage, "see that the disk is not full and the folder writable", "write %s: %w",
			path, err)
	}
	return nil
}
