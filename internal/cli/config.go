package cli

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/spf13/cobra"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show the settings in force, one of them, or the schema of .booty.yml", Args: cobra.NoArgs,
		Example: "  booty config show\n  booty config schema > booty.schema.json",
		RunE:    a.run(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	show := &cobra.Command{
		Use: "show", Short: "Print every setting with where it came from", Args: cobra.NoArgs,
		Example: "  booty config show\n  booty config show --model some-model --json",
		RunE:    a.run(func(cmd *cobra.Command, _ []string) error { return a.showConfig(cmd) }),
	}
	addSettings(show.Flags())
	completeWords(show)
	schema := &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of .booty.yml", Args: cobra.NoArgs,
		Example: "  booty config schema > booty.schema.json",
		RunE: a.run(func(*cobra.Command, []string) error {
			_, err := a.s.Out.Write(config.Schema())
			return err
		}),
	}
	get := &cobra.Command{
		Use: "get KEY", Short: "Print the value of one setting", Args: cobra.ExactArgs(1),
		Example: "  booty config get model.name\n  booty config get test_command --json",
		RunE:    a.run(func(cmd *cobra.Command, args []string) error { return a.getConfig(cmd, args[0]) }),
	}
	addSettings(get.Flags())
	completeWords(get)
	cmd.AddCommand(show, get, schema)
	return cmd
}

// getConfig prints one value, for scripts.
func (a *app) getConfig(cmd *cobra.Command, key string) error {
	l, err := a.settings(cmd)
	if err != nil {
		return err
	}
	for _, r := range l.Show() {
		if r.Key != key {
			continue
		}
		if a.json {
			return a.printJSON(r)
		}
		for _, warning := range l.Warnings {
			a.say("booty: %s", warning)
		}
		_, err := fmt.Fprintln(a.s.Out, strings.TrimSuffix(r.Value, "\n"))
		return err
	}
	return fault.New(fault.Usage, "booty config show lists them", "there is no setting %s%s", key, config.Nearest(key))
}

// settings loads what is in force here; a repository need not be there.
func (a *app) settings(cmd *cobra.Command) (*config.Loaded, error) {
	dir, err := a.workDir()
	if err != nil {
		return nil, err
	}
	root := dir
	if repo, err := a.openRepo(cmd.Context(), dir); err == nil {
		root = repo.Root()
	}
	return config.Load(config.LoadOptions{Root: root, Flags: cmd.Flags(), Getenv: a.getenv, Environ: os.Environ()})
}

// oneLine shows a value of several lines, a script say, on one.
var oneLine = strings.NewReplacer("\r", "", "\n", `\n`, "\t", " ")

func (a *app) showConfig(cmd *cobra.Command) error {
	l, err := a.settings(cmd)
	if err != nil {
		return err
	}
	rows := l.Show()
	if a.json {
		return a.printJSON(map[string]any{"settings": rows})
	}
	w := tabwriter.NewWriter(a.s.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Key, oneLine.Replace(strings.TrimSpace(r.Value)), r.Origin)
	}
	for _, warning := range l.Warnings {
		a.say("booty: %s", warning)
	}
	return w.Flush()
}
