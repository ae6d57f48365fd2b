// Package cli is the command line: one file a command. Flags become options here,
// results become lines and errors exit codes; what a command does lies in the
// other rooms, and nothing is decided here.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/term"
	"github.com/spf13/cobra"
)

// Build says which build this is.
type Build struct{ Version, Commit, Date string }

// factory is what every command needs: streams, environment, the flags that all
// have, and how to open the rest. A command gets it, and its own options.
type factory struct {
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

	// stateDir replaces the place of the records, for the demo.
	stateDir string
	// noResult keeps a run's result off standard output, for the demo.
	noResult bool
	// outputs are the files that standard output and error go to.
	outputs []fs.FileInfo
	// watching is a program that runs the command and looks on, for mcp: it is given
	// each line of what the checks print, and the screen's lines beside --json too.
	watching func(line string)
}

// afterParse is an error of a command whose line was understood: what fails before
// its RunE begins is the command line's fault.
type afterParse struct{ error }

func (e *afterParse) Unwrap() error { return e.error }

// alreadyReported is an error behind a result that was written already: the last event has
// told it.
type alreadyReported struct{ error }

func (e *alreadyReported) Unwrap() error { return e.error }

// asReported keeps nil what is nil.
func asReported(err error) error {
	if err == nil {
		return nil
	}
	return &alreadyReported{err}
}

func isA[T error](err error) bool {
	var t T
	return errors.As(err, &t)
}

// Main runs booty and gives its exit code.
func Main(ctx context.Context, args []string, s term.Streams, getenv func(string) string, b Build) int {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	outputs := files(s.Out, s.Err)
	if s.OutTTY {
		s.Out = term.Escaped(s.Out)
	}
	out := &outlet{w: s.Out, gone: gone}
	if !s.OutTTY {
		s.Out = out
	}
	if s.ErrTTY {
		s.Err = term.Escaped(s.Err)
	} else {
		s.Err = &outlet{w: s.Err, gone: gone}
	}
	s.In = &interruptible{ctx: ctx, in: s.In}
	f := &factory{s: s, getenv: getenv, build: b, now: time.Now, outputs: outputs}
	return f.execute(ctx, args, out)
}

// files are those of the writers that are files.
func files(writers ...io.Writer) (list []fs.FileInfo) {
	for _, w := range writers {
		f, ok := w.(*os.File)
		if !ok {
			continue
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			list = append(list, info)
		}
	}
	return list
}

// execute runs a command line, whose result goes to out, and gives its exit code.
func (f *factory) execute(ctx context.Context, args []string, out *outlet) int {
	root := f.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if lost := out.unwritten(); lost != nil {
		if err != nil && fault.KindOf(err) != fault.Bug {
			f.printError(err) // what became of the run itself
		}
		err = &afterParse{&alreadyReported{lost}}
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	if err == nil || !isA[*alreadyReported](err) && out.readerGone() && fault.KindOf(err) == fault.Bug {
		return 0 // who closes the pipe has read enough
	}
	if !isA[*afterParse](err) {
		err = commandLine(root, args, err)
	}
	if ctx.Err() != nil && cutShort(err) {
		err = fault.New(fault.Interrupted, "", "interrupted")
	}
	f.printError(err)
	return fault.ExitCode(err)
}

// cutShort reports whether an error says only that a step was cut short, and not what
// became of the run.
func cutShort(err error) bool {
	var known *fault.Error
	if errors.As(err, &known) && known.Kind == fault.Interrupted {
		return false
	}
	return errors.Is(err, context.Canceled) || fault.KindOf(err) == fault.Bug
}

// Commands gives all commands of a build, for who writes down what they are.
func Commands(b Build) *cobra.Command { return (&factory{build: b}).root() }

func (f *factory) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "booty",
		Short: "Turn a task into tested code",
		Long: `booty turns a task (a GitHub issue, a sentence) into tested code: it asks a
model for edits, applies them in a separate work tree, runs the repository's
own checks, reads what failed, and asks again, until everything passes or the
attempts are used up. booty help exit-codes lists the exit codes.`,
		Example: `  booty demo                      # watch the whole loop, offline
  booty init                      # write .booty.yml
  booty run --task "Add a --json flag to the list command"
  booty run --issue 42
  booty refine                    # make the failing checks pass`,
		SilenceErrors: true, SilenceUsage: true,
		Version: f.version(),
		Args:    cobra.NoArgs,
		RunE:    f.runE(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	root.SetIn(f.s.In)
	root.SetOut(f.s.Out)
	root.SetErr(f.s.Err)
	flags := root.PersistentFlags()
	flags.StringVarP(&f.dir, "dir", "C", "", "work in `DIR` instead of the current directory")
	flags.BoolVar(&f.json, "json", false, "write JSON to standard output, one object per line")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show errors only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false,
		"show more: files the model sees, every failure, diagnostics")
	flags.BoolVar(&f.noColor, "no-color", false, "disable color")
	flags.BoolVar(&f.yes, "yes", false, "answer yes to every question")
	root.SetHelpCommand(newHelp(f))
	root.AddCommand(
		newRun(f), newRefine(f), newInit(f), newStatus(f), newUndo(f), newResume(f), newRecover(f),
		newClean(f),
		newDistill(f), newCheck(f), newProve(f), newDemo(f), newDoctor(f), newConfig(f), newMCP(f),
		newVersion(f),
	)
	f.addCompletion(root)
	f.wrapHelp(root)
	return root
}

func (f *factory) version() string {
	v := f.build.Version
	if f.build.Commit != "" {
		v += " (" + f.build.Commit[:min(len(f.build.Commit), 12)]
		if f.build.Date != "" {
			v += ", " + f.build.Date
		}
		v += ")"
	}
	return v
}

// runE marks that the command line was understood, and calls do.
func (f *factory) runE(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command,
	[]string) error {
	return func(cmd *cobra.Command, args []string) error {
		if f.dir != "" {
			if st, err := os.Stat(f.dir); err != nil || !st.IsDir() {
				return &afterParse{fault.New(fault.Usage, "", "-C %s: no such folder", f.dir)}
			}
		}
		if err := do(cmd, args); err != nil {
			return &afterParse{err}
		}
		return nil
	}
}

// workDir is where the command works.
func (f *factory) workDir() (string, error) {
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return "", fmt.Errorf("find the current directory: %w", err)
	}
	return dir, nil
}

// printError tells an error in two lines, or as the last event.
func (f *factory) printError(err error) {
	text, hint := f.clean(err.Error()), f.clean(fault.HintOf(err))
	if f.json && !isA[*alreadyReported](err) {
		line, e := event.Line(event.RunFinished{
			Outcome: engine.OutcomeOf(err), ExitCode: fault.ExitCode(err), Message: text, Hint: hint, PullRequest: pullOf(err),
		}, f.now(), "")
		if e == nil {
			_, _ = f.s.Out.Write(line)
		}
	}
	if fault.KindOf(err) == fault.NothingToDo && (f.quiet || isA[*alreadyReported](err) && !f.json) {
		return // not wanted, or on the screen already
	}
	st := f.styles()
	label := st.Bad.Render("booty: error:")
	if fault.KindOf(err) == fault.NothingToDo {
		label = "booty:"
	}
	fmt.Fprintln(f.s.Err, f.fitted(label+" "+strings.TrimSpace(text)))
	if hint != "" {
		fmt.Fprintln(f.s.Err, st.Dim.Render("booty: hint:"), hint)
	}
}

// pullOf is the pull request that an error before the run began is about.
func pullOf(err error) *event.PullRequest {
	var about *pullrequest.Error
	if errors.As(err, &about) {
		return &about.Pull
	}
	return nil
}

// clean takes secrets out of what is told: servers repeat the keys they refuse.
func (f *factory) clean(s string) string {
	if s == "" {
		return ""
	}
	return redact.New(redact.Options{Environ: os.Environ()}).String(s)
}

func (f *factory) styles() term.Styles {
	return term.NewStyles(f.s.Err, f.s.ErrTTY, f.noColor, f.colourEnv)
}

// colourEnv is the environment with what the user's file says of colour.
func (f *factory) colourEnv(name string) string {
	if name == "CLICOLOR_FORCE" && f.colour == "always" {
		return "1"
	}
	return f.getenv(name)
}

func (f *factory) outStyles() term.Styles {
	return term.NewStyles(f.s.Out, f.s.OutTTY, f.noColor, f.colourEnv)
}

// say tells the user something on standard error, unless -q was given.
func (f *factory) say(format string, args ...any) {
	if !f.quiet {
		fmt.Fprintln(f.s.Err, f.fitted(fmt.Sprintf(format, args...)))
	}
}

// fitted breaks lines that are wider than the terminal. A pipe gets them whole, and so are hints, whose
// commands people copy.
func (f *factory) fitted(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = term.Wrap(l, f.errWidth(), len(l)-len(strings.TrimLeft(l, " "))+2)
	}
	return strings.Join(lines, "\n")
}

// printJSON writes one value as a line.
func (f *factory) printJSON(v any) error {
	enc := json.NewEncoder(f.s.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// confirm asks a yes-or-no question; without a terminal the answer is --yes.
func (f *factory) confirm(question string) (bool, error) {
	if f.yes {
		return true, nil
	}
	if !f.s.InTTY || !f.s.ErrTTY {
		return false, nil
	}
	fmt.Fprintf(f.s.Err, "%s [y/N] ", question)
	var answer string
	if _, err := fmt.Fscanln(f.s.In, &answer); err != nil && answer == "" {
		if fault.KindOf(err) == fault.Interrupted {
			return false, err
		}
		return false, nil // an empty line or the end of input means no
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", nil
}
