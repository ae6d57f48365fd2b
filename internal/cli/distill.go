package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/ciformat"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/distill"
	"github.com/spf13/cobra"
)

type distillOptions struct {
	budget, exit   int
	format, before string
}

func newDistill(f *factory) *cobra.Command {
	var o distillOptions
	cmd := &cobra.Command{
		Use:   "distill [FILE] | distill -- COMMAND [ARG]...",
		Short: "Summarize failing output",
		Long: `Read the output of any test runner, compiler, linter or type checker from FILE
or standard input, and print what failed, where, expected and actual, and the
frames inside this repository.

With -- COMMAND, run that command (no shell, no sandbox), summarize its
output, and exit with its exit code: 128+n after signal n, 127 if it is not
found. On a terminal its output is also shown on standard error.

With --before FILE, the output of a run that passed, lines that are in both are
left out. For a tool that booty does not know, it shows what is new or missing.`,
		Example: `  npm test 2>&1 | booty distill
  booty distill -- npm test
  booty distill --before good.log bad.log
  booty distill --format github -- go test ./...
  go test ./... 2>&1 | booty distill --json | jq .files`,
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			command := cmd.ArgsLenAtDash() >= 0
			if err := o.check(cmd, args, command, f.json); err != nil {
				return err
			}
			dir, err := f.workDir()
			if err != nil {
				return err
			}
			if command {
				return f.distillRun(cmd.Context(), args, dir, o)
			}
			return f.distillFile(cmd.Context(), args, dir, o)
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&o.budget, "budget", 0,
		"print at most this many `BYTES` (default 6000, on a terminal 24000)")
	flags.StringVar(&o.before, "before", "", "compare with `FILE`, the output of a run that passed")
	flags.IntVar(&o.exit, "exit-code", -1, "exit `CODE` of the command that wrote the output")
	flags.StringVar(&o.format, "format", "text", "output `FORMAT`: text, github (workflow commands), sarif or junit")
	return cmd
}

// check refuses what does not fit together.
func (o *distillOptions) check(cmd *cobra.Command, args []string, command, asJSON bool) error {
	switch {
	case cmd.Flags().Changed("budget") && o.budget <= 0:
		return fault.New(fault.Usage, "", "--budget: want a number of bytes above 0, got %d", o.budget)
	case o.format != "text" && !slices.Contains(ciformat.Formats, o.format):
		return fault.New(fault.Usage, "", "--format: want text, %s, got %q",
			strings.Join(ciformat.Formats, ", "), o.format)
	case o.format != "text" && asJSON:
		return fault.New(fault.Usage, "leave one of them out", "--format %s and --json cannot be combined",
			o.format)
	case command && cmd.ArgsLenAtDash() > 0:
		return fault.New(fault.Usage, "give a file, or a command after --",
			"a file and a command cannot be combined")
	case command && len(args) == 0:
		return fault.New(fault.Usage, "for example: booty distill -- npm test", "no command after --")
	case !command && len(args) > 1:
		return fault.New(fault.Usage, "to run a command: booty distill -- "+strings.Join(args, " "),
			"accepts at most 1 file, got %d", len(args))
	}
	return nil
}

// distillFile reads a file or standard input.
func (f *factory) distillFile(ctx context.Context, args []string, dir string, o distillOptions) error {
	in := f.s.In
	if len(args) == 1 && args[0] != "-" {
		f, err := openOutput(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	} else {
		f.awaitInput("the output")
	}
	do := distill.Options{Dir: dir, Budget: f.textBudget(o)}
	if o.exit >= 0 {
		do.ExitCode = &o.exit
	}
	var err error
	if do.Before, err = o.readBefore(ctx); err != nil {
		return err
	}
	r, err := distill.Read(ctx, in, do)
	if err != nil {
		return fmt.Errorf("read the output: %w", err)
	}
	return f.printReport(r, o)
}

// readBefore reads the output of the last good run, if one was named.
func (o *distillOptions) readBefore(ctx context.Context) (*distill.Good, error) {
	if o.before == "" {
		return nil, nil
	}
	f, err := openOutput(o.before)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return distill.ReadGood(ctx, f)
}

func openOutput(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "read the output: %w", err)
	}
	if st, err := f.Stat(); err == nil && st.IsDir() {
		_ = f.Close() // it was only looked at
		return nil, fault.New(fault.Usage, "give a file, or the output itself on standard input",
			"%s is a folder", name)
	}
	return f, nil
}

// textBudget is how long the text may be: a person on a terminal can scroll.
func (f *factory) textBudget(o distillOptions) int {
	if o.budget == 0 && f.s.OutTTY {
		return terminalBudget
	}
	return o.budget
}

// printReport writes the result in the form that was asked for.
func (f *factory) printReport(r *distill.Report, o distillOptions) error {
	switch {
	case o.format != "text":
		return ciformat.Write(f.s.Out, o.format, "booty distill", r)
	case f.json:
		return f.printJSON(r)
	}
	text := endLine(r.Text)
	if f.s.OutTTY {
		failed := len(r.Failures) > 0 || r.Failed == nil || *r.Failed > 0
		text = colored(text, f.outStyles(), failed)
	}
	_, err := io.WriteString(f.s.Out, text)
	return err
}

func endLine(s string) string {
	if s == "" || s[len(s)-1] == '\n' {
		return s
	}
	return s + "\n"
}
