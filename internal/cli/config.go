package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfig(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show the effective settings, one of them, or their schema", Args: cobra.NoArgs,
		Example: "  booty config show\n  booty config schema > booty.schema.json",
		RunE:    f.runE(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	show := &cobra.Command{
		Use: "show", Short: "Print every setting and where it comes from", Args: cobra.NoArgs,
		Example: "  booty config show\n  booty config show --model some-model --json",
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			return configShowRun(cmd.Context(), f, configOptions{given: cmd.Flags()})
		}),
	}
	addSettings(show.Flags())
	completeWords(show)
	schema := &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of .booty.yml", Args: cobra.NoArgs,
		Example: "  booty config schema > booty.schema.json",
		RunE: f.runE(func(*cobra.Command, []string) error {
			schema, err := config.Schema()
			if err == nil {
				_, err = f.s.Out.Write(schema)
			}
			return err
		}),
	}
	get := &cobra.Command{
		Use: "get KEY", Short: "Print the value of one setting", Args: oneKey,
		Example: "  booty config get model.name\n  booty config get test_command --json",
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			return configGetRun(cmd.Context(), f, configOptions{key: args[0], given: cmd.Flags()})
		}),
	}
	addSettings(get.Flags())
	completeWords(get)
	cmd.AddCommand(show, get, schema)
	return cmd
}

// oneKey wants the name of one setting.
func oneKey(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fault.New(fault.Usage, "for example: booty config get test_command", "config get needs one KEY")
	}
	return nil
}

// configOptions are what config is asked for: one key, and the flags that stand for
// settings.
type configOptions struct {
	key   string
	given *pflag.FlagSet
}

// configGetRun prints one value, for scripts.
func configGetRun(ctx context.Context, f *factory, o configOptions) error {
	l, err := f.settings(ctx, o.given)
	if err != nil {
		return err
	}
	for _, r := range l.Show() {
		if r.Key != o.key {
			continue
		}
		if f.json {
			return f.printJSON(r)
		}
		for _, warning := range l.Warnings {
			f.say("booty: %s", warning)
		}
		_, err := fmt.Fprintln(f.s.Out, strings.TrimSuffix(r.Value, "\n"))
		return err
	}
	return fault.New(fault.Usage, "booty config show lists all settings", "unknown setting %s%s", o.key,
		config.Nearest(o.key))
}

// settings loads what is in force here; a repository need not be there.
func (f *factory) settings(ctx context.Context, given *pflag.FlagSet) (*config.Loaded, error) {
	dir, err := f.workDir()
	if err != nil {
		return nil, err
	}
	root := dir
	if repo, err := f.openRepo(ctx, dir); err == nil {
		root = repo.Root()
	}
	return config.Load(config.LoadOptions{Root: root, Flags: given, Getenv: f.getenv, Environ: os.Environ()})
}

// oneLine shows a value of several lines, a script say, on one.
var oneLine = strings.NewReplacer("\r", "", "\n", `\n`, "\t", " ")

// configShowRun prints every setting with where it came from.
func configShowRun(ctx context.Context, f *factory, o configOptions) error {
	l, err := f.settings(ctx, o.given)
	if err != nil {
		return err
	}
	rows := l.Show()
	if f.json {
		return f.printJSON(map[string]any{"settings": rows})
	}
	var table [][]string
	for _, r := range rows {
		// The value comes last: a long one does not push the others to the next line.
		table = append(table, []string{r.Key, r.Origin, oneLine.Replace(strings.TrimSpace(r.Value))})
	}
	for _, warning := range l.Warnings {
		f.say("booty: %s", warning)
	}
	return report.Table(f.s.Out, table)
}
