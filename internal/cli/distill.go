package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/distill"
	"github.com/spf13/cobra"
)

func (a *app) distillCommand() *cobra.Command {
	budget := 0
	exit := -1
	cmd := &cobra.Command{
		Use:   "distill [FILE]",
		Short: "Read failing output and print only what a fixer needs",
		Long: `Read the output of any test runner, compiler, linter or type checker from FILE
or standard input, and print what failed, where, expected and actual, and the
frames inside this repository.`,
		Example: `  npm test 2>&1 | booty distill
  go test ./... 2>&1 | booty distill --json | jq .files`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("budget") && budget <= 0 {
				return fault.New(fault.Usage, "", "--budget: want a number of bytes above 0, got %d", budget)
			}
			in := a.s.In
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return fault.New(fault.Usage, "", "read the output: %w", err)
				}
				defer f.Close()
				if st, err := f.Stat(); err == nil && st.IsDir() {
					return fault.New(fault.Usage, "give a file, or the output itself on standard input", "%s is a folder", args[0])
				}
				in = f
			} else {
				a.awaitInput("the output")
			}
			dir, err := a.workDir()
			if err != nil {
				return err
			}
			o := distill.Options{Dir: dir, Budget: budget}
			if exit >= 0 {
				o.ExitCode = &exit
			}
			r, err := distill.Read(cmd.Context(), in, o)
			if err != nil {
				return fmt.Errorf("read the output: %w", err)
			}
			if a.json {
				return a.printJSON(r)
			}
			if r.Text == "" {
				return nil
			}
			_, err = io.WriteString(a.s.Out, endLine(r.Text))
			return err
		}),
	}
	cmd.Flags().IntVar(&budget, "budget", 0, "print at most this many `BYTES` (default 6000)")
	cmd.Flags().IntVar(&exit, "exit-code", -1, "the command ended with this `CODE`; the summary never contradicts it")
	return cmd
}

func endLine(s string) string {
	if s == "" || s[len(s)-1] == '\n' {
		return s
	}
	return s + "\n"
}
