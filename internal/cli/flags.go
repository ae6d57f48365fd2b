package cli

import (
	"encoding/json"
	"strings"

	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// loopOptions are the flags that run, refine and resume share beside the
// settings, which the config room reads by name.
type loopOptions struct {
	pr string
	// refine is the command, not a flag: the checkout is worked on as it is.
	refine bool
	dryRun bool
	// challenge has tests written against green work.
	challenge bool
	record    string
	replay    string
	commit    bool
	restart   bool
	patient   bool
	setup     bool
	// allow are globs of files that may be touched in this run.
	allow globList
	// hint is an extra instruction, files are globs of what is to be in view.
	hint string
	// message is that of the commit, for resume.
	message string
	files   globList
	// given are the flags as they were given: some stand for settings.
	given *pflag.FlagSet
}

// globList is a flag that may be given several times; its text gives it back.
type globList []string

func (l *globList) String() string { return strings.Join(*l, "\n") }
func (l *globList) Type() string   { return "GLOB" }

func (l *globList) Set(text string) error {
	*l = append(*l, strings.Split(text, "\n")...)
	return nil
}

// addSettings declares the flags that stand for settings of .booty.yml.
func addSettings(f *pflag.FlagSet) {
	f.String("model", "", "`NAME` of the model to use")
	f.String("provider", "", "model `PROVIDER`: "+strings.Join(provider.Names(), ", "))
	f.String("base-url", "", "`URL` of an OpenAI-compatible endpoint")
	f.Int("max-retries", 0, "maximum `NUMBER` of attempts, 1 to 10")
	f.String("timeout", "", "`TIME` limit of a test run, such as 90s or 5m")
	f.Float64("budget", 0, "spending limit of the run in `USD`")
	f.Int("candidates", 1, "`NUMBER` of proposals to ask for at once; the first green one wins")
	f.String("test-edits", "",
		"`POLICY` for changed tests: judge (the old tests must pass too), allow or deny")
	f.Bool("review", false, "have a reviewer model read the change once it is green")
	f.Bool("no-review", false, "skip the review")
}

// prModeUsage is the help of --pr where it names no pull request to work on.
const prModeUsage = "`MODE` of the pull request: auto (ready if green, else draft), draft or none"

// declare declares the flags of the loop.
func (o *loopOptions) declare(f *pflag.FlagSet, defaultPR string) {
	addSettings(f)
	usage := prModeUsage
	noPR, dryRun := "open no pull request, as without --pr", "runs the checks, but calls no model"
	if !o.refine { // the modes work there, too
		usage = "continue pull request `N`: failed checks, review comments, conflicts (number or URL)"
		noPR, dryRun = "open no pull request: the work is on a branch", "calls no model and runs no checks"
	}
	f.StringVar(&o.pr, "pr", defaultPR, usage)
	f.BoolFunc("draft", "open the pull request as a draft",
		func(string) error { return f.Set("pr", "draft") })
	f.BoolFunc("no-pr", noPR, func(string) error { return f.Set("pr", "none") })
	f.BoolVar(&o.challenge, "challenge", false,
		"have a reviewer model write tests against the change once it is green")
	f.BoolVar(&o.patient, "patient", false,
		"wait out failures of the model, GitHub, the network and the environment (1, 3, 7 and 15 minutes)")
	f.Var(&o.allow, "allow", "allow edits to protected files and old tests that match `GLOB` (repeatable)")
	f.StringVar(&o.hint, "hint", "", "extra instruction `TEXT` for the model")
	f.Var(&o.files, "file", "always show the model files that match `GLOB` (repeatable)")
	f.BoolVar(&o.setup, "setup", false, "run setup_command even if its inputs did not change")
	f.BoolVar(&o.dryRun, "dry-run", false,
		"print size and cost of the first request (-v: the prompt); "+dryRun)
	f.StringVar(&o.record, "record", "", "save the model's replies to `FILE`")
	f.StringVar(&o.replay, "replay", "", "use the replies saved in `FILE` instead of a model")
}

// finishFlags says of the loop's flags what exclude each other, and lets the shell
// complete their words.
func finishFlags(cmd *cobra.Command) {
	cmd.MarkFlagsMutuallyExclusive("record", "replay")
	if cmd.Flags().Lookup("draft") != nil {
		cmd.MarkFlagsMutuallyExclusive("draft", "no-pr")
	}
	if cmd.Flags().Lookup("no-review") != nil {
		cmd.MarkFlagsMutuallyExclusive("review", "no-review")
	}
	if cmd.Flags().Lookup("challenge") != nil {
		cmd.MarkFlagsMutuallyExclusive("challenge", "no-review")
	}
	completeWords(cmd)
}

// options are the flags as package work knows them; cassettes are opened apart.
func (o *loopOptions) options() runner.Options {
	return runner.Options{
		Challenge: o.challenge, DryRun: o.dryRun, Commit: o.commit, Setup: o.setup,
		Allow: o.allow, Files: o.files, Hint: o.hint, Message: o.message,
	}
}

// changedFlags are the flags that were given, for resume.
func changedFlags(f *pflag.FlagSet) json.RawMessage {
	m := map[string]string{}
	f.Visit(func(fl *pflag.Flag) {
		switch fl.Name {
		case "record", "json", "quiet", "verbose", "no-color", "yes", "dir", "dry-run":
		default:
			m[fl.Name] = fl.Value.String()
		}
	})
	b, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return b
}
