package cli

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
)

// flagWords are the flags whose value is one of a few words.
func flagWords() map[string][]string {
	return map[string][]string{
		"pr":       {"auto\tready when green, else a draft", "draft", "none"},
		"provider": provider.Names(),
		"hook":     hookNames(),
		"workflow": {runWorkflow, proveWorkflow},
		"format":   {"text", "md", "sarif", "github", "junit"},
		"show":     {"diff", "output", "prompt", "reply", "context", "pr"},
	}
}

// completeWords lets the shell complete the words of a command's flags.
func completeWords(cmd *cobra.Command) {
	for name, words := range flagWords() {
		if cmd.Flags().Lookup(name) != nil {
			// It fails only where the flag has completions already.
			_ = cmd.RegisterFlagCompletionFunc(name,
				cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}

// completeRun completes the RUN of a command: those of this checkout, newest
// first.
func (f *factory) completeRun(cmd *cobra.Command, args []string,
	_ string) ([]string, cobra.ShellCompDirective) {
	const most, plain = 30, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if len(args) > 0 {
		return nil, plain
	}
	quietly := *f
	quietly.quiet = true
	f = &quietly
	j, err := f.openJournal(cmd.Context(), nil)
	if err != nil {
		return nil, plain
	}
	defer func() { _ = j.Close() }() // only read
	root, _ := f.here(cmd.Context())
	runs, err := j.Runs(cmd.Context(), journal.Filter{Repo: root, Limit: most})
	if err != nil || len(runs) == 0 {
		return nil, plain
	}
	out := []string{journal.Latest}
	for _, r := range runs {
		out = append(out, fmt.Sprintf("%s\t%s", r.ID,
			strings.Join(strings.Fields(r.Outcome+" "+runner.Title(r.Task.Title)), " ")))
	}
	return out, plain
}

// addCompletion adds cobra's own command, which takes a shell that it does not
// know for a wish to see its help.
func (f *factory) addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Short = "Print a completion script for your shell"
		cmd.Example = "  booty completion bash > /etc/bash_completion.d/booty\n  booty completion zsh > \"${fpath[1]}/_booty\""
		cmd.Args = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fault.New(fault.Usage, "one of: booty completion bash, zsh, fish, powershell",
					"unknown shell %q", args[0])
			}
			return nil
		}
		cmd.RunE = f.runE(func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	}
}
