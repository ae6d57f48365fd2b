// Package cli is the command line: one file a command. Flags become options here,
// results become lines and errors exit codes; what a command does lies in the
// other rooms, and nothing is decided here.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/term"
)

// Build says which build this is.
type Build struct{ Version, Commit, Date string }

// factory is what every command needs: the console, the flags that all commands have, and
// how to open the rest. A command gets it, and its own options.
type factory struct {
	console
	build   Build
	dir     string
	verbose bool

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
	f := &factory{console: console{s: s, getenv: getenv, now: time.Now}, build: b, outputs: outputs}
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

// pullOf is the pull request that an error before the run began is about.
func pullOf(err error) *event.PullRequest {
	var about *pullrequest.Error
	if errors.As(err, &about) {
		return &about.Pull
	}
	return nil
}
