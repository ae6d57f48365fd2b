package cli

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/booty-cli/booty/internal/config"
	"github.com/spf13/cobra"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show the settings in force, or the schema of .booty.yml", Args: cobra.NoArgs,
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
	cmd.AddCommand(show, schema)
	return cmd
}

func (a *app) showConfig(cmd *cobra.Command) error {
	dir, err := a.workDir()
	if err != nil {
		return err
	}
	root := dir
	if repo, err := a.openRepo(cmd.Context(), dir); err == nil {
		root = repo.Root()
	}
	l, err := config.Load(config.LoadOptions{Root: root, Flags: cmd.Flags(), Getenv: a.getenv, Environ: os.Environ()})
	if err != nil {
		return err
	}
	rows := l.Show()
	if a.json {
		return a.printJSON(map[string]any{"settings": rows})
	}
	w := tabwriter.NewWriter(a.s.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Key, r.Value, r.Origin)
	}
	for _, warning := range l.Warnings {
		a.say("booty: %s", warning)
	}
	return w.Flush()
}
