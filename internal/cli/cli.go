// Package cli is the command line: one file a command. Flags become options here,
// results become lines and errors exit codes; what a command does lies in the
// other rooms, and nothing is decided here.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pulls"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/term"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
)

// Build says which build this is.
type Build struct{ Version, Commit, Date string }

// app is what every command shares.
type app struct {
	s      term.Streams
	getenv func(string) string
	build  Build
	now    func() time.Time

	dir     string
	json    bool
	quiet   bool
	verbose bool
	noColor bool
	yes     bool
	// colour is ui.color of the user's file, once that was read.
	colour string

	// began says that a command's RunE was reached: what fails before that is
	// the command line's fault.
	began bool
	// stateDir replaces the place of the records, for the demo.
	stateDir string
	// noResult keeps a run's result off standard output, for the demo.
	noResult bool
	// finished says that run.finished was written already.
	finished bool
}

// Main runs booty and gives its exit code.
func Main(ctx context.Context, args []string, s term.Streams, getenv func(string) string, b Build) int {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	out := &outlet{w: s.Out, gone: gone}
	if !s.OutTTY {
		s.Out = out
	}
	if !s.ErrTTY {
		s.Err = &outlet{w: s.Err, gone: gone}
	}
	s.In = &interruptible{ctx: ctx, in: s.In}
	a := &app{s: s, getenv: getenv, build: b, now: time.Now}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if lost := out.unwritten(); lost != nil {
		if err != nil && fault.KindOf(err) != fault.Bug {
			a.printError(err) // what became of the run itself
		}
		a.finished = true
		err = lost
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	if err == nil || !a.finished && out.readerGone() && fault.KindOf(err) == fault.Bug {
		return 0 // who closes the pipe has read enough
	}
	if !a.began {
		err = commandLine(root, args, err)
	}
	if ctx.Err() != nil && fault.KindOf(err) == fault.Bug {
		err = fault.New(fault.Interrupted, "", "interrupted")
	}
	a.printError(err)
	return fault.ExitCode(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "booty",
		Short: "Turn a task into tested code",
		Long: `booty turns a task (a GitHub issue, a sentence) into tested code: it asks a
model for code, applies it to the checkout, runs the repository's own checks,
reads what failed, and asks again, until everything passes or the attempts are
used up.`,
		Example: `  booty demo                      # see the whole loop, offline
  booty init                      # write .booty.yml
  booty run --task "Add a --json flag to the list command"
  booty run --issue 42
  booty refine                    # make the failing checks pass, in place`,
		SilenceErrors: true, SilenceUsage: true,
		Version: a.version(),
		Args:    cobra.NoArgs,
		RunE:    a.run(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	root.SetIn(a.s.In)
	root.SetOut(a.s.Out)
	root.SetErr(a.s.Err)
	f := root.PersistentFlags()
	f.StringVarP(&a.dir, "dir", "C", "", "work in `DIR` instead of the current directory")
	f.BoolVar(&a.json, "json", false, "write JSON to standard output, one object a line")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "show errors only")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "show more: files shown to the model, every failure, diagnostics")
	f.BoolVar(&a.noColor, "no-color", false, "use no colour")
	f.BoolVar(&a.yes, "yes", false, "answer yes to every question")
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(
		a.runCommand(), a.refineCommand(), a.initCommand(), a.statusCommand(), a.undoCommand(), a.resumeCommand(),
		a.distillCommand(), a.checkCommand(), a.demoCommand(), a.doctorCommand(), a.configCommand(), a.versionCommand(),
	)
	a.addCompletion(root)
	return root
}

func (a *app) version() string {
	v := a.build.Version
	if a.build.Commit != "" {
		v += " (" + a.build.Commit[:min(len(a.build.Commit), 12)]
		if a.build.Date != "" {
			v += ", " + a.build.Date
		}
		v += ")"
	}
	return v
}

// run marks that the command line was understood and calls f.
func (a *app) run(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.began = true
		if a.dir != "" {
			if st, err := os.Stat(a.dir); err != nil || !st.IsDir() {
				return fault.New(fault.Usage, "", "-C %s: there is no such folder", a.dir)
			}
		}
		return f(cmd, args)
	}
}

// workDir is where the command works.
func (a *app) workDir() (string, error) {
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return "", fmt.Errorf("find the current directory: %w", err)
	}
	return dir, nil
}

// printError tells an error in two lines, or as the last event.
func (a *app) printError(err error) {
	text, hint := a.clean(err.Error()), a.clean(fault.HintOf(err))
	if a.json && !a.finished {
		line, e := event.Line(event.RunFinished{
			Outcome: work.OutcomeOf(err), ExitCode: fault.ExitCode(err), Message: text, Hint: hint, PullRequest: pullOf(err),
		}, a.now(), "")
		if e == nil {
			_, _ = a.s.Out.Write(line)
		}
	}
	if fault.KindOf(err) == fault.NothingToDo && (a.quiet || a.finished && !a.json) {
		return // not wanted, or on the screen already
	}
	st := a.styles()
	label := st.Bad.Render("booty: error:")
	if fault.KindOf(err) == fault.NothingToDo {
		label = "booty:"
	}
	fmt.Fprintln(a.s.Err, label, strings.TrimSpace(text))
	if hint != "" {
		fmt.Fprintln(a.s.Err, st.Dim.Render("booty: hint:"), hint)
	}
}

// pullOf is the pull request that an error before the run began is about.
func pullOf(err error) *event.PullRequest {
	var about *pulls.Error
	if errors.As(err, &about) {
		return &about.Pull
	}
	return nil
}

// clean takes secrets out of what is told: servers repeat the keys they refuse.
func (a *app) clean(s string) string {
	if s == "" {
		return ""
	}
	return redact.New(redact.Options{Environ: os.Environ()}).String(s)
}

func (a *app) styles() term.Styles {
	return term.NewStyles(a.s.Err, a.s.ErrTTY, a.noColor, a.colourEnv)
}

// colourEnv is the environment with what the user's file says of colour.
func (a *app) colourEnv(name string) string {
	if name == "CLICOLOR_FORCE" && a.colour == "always" {
		return "1"
	}
	return a.getenv(name)
}

func (a *app) outStyles() term.Styles {
	return term.NewStyles(a.s.Out, a.s.OutTTY, a.noColor, a.colourEnv)
}

// say tells the user something on standard error, unless -q was given.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.s.Err, format+"\n", args...)
	}
}

// printJSON writes one value as a line.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.s.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// confirm asks a yes-or-no question; without a terminal the answer is --yes.
func (a *app) confirm(question string) (bool, error) {
	if a.yes {
		return true, nil
	}
	if !a.s.InTTY || !a.s.ErrTTY {
		return false, nil
	}
	fmt.Fprintf(a.s.Err, "%s [y/N] ", question)
	var answer string
	if _, err := fmt.Fscanln(a.s.In, &answer); err != nil && answer == "" {
		if fault.KindOf(err) == fault.Interrupted {
			return false, err
		}
		return false, nil // an empty line or the end of input means no
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", nil
}
