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
	pr      string
	inPlace bool
	// refine is the command, not a flag: the checkout is worked on as it is.
	refine       bool
	dryRun       bool
	record       string
	replay       string
	verifyCommit bool
	commit       bool
	restart      bool
	fork         bool
	patient      bool
	anyway       bool
	setup        bool
	// allow are globs of files that may be touched in this run.
	allow globList
	// hint is a word on the way, files are globs of what is to be in view.
	hint  string
	files globList
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
	f.String("model", "", "ask this `NAME`d model")
	f.String("provider", "", "ask the provider that the `WORD` names: "+strings.Join(provider.Names(), ", "))
	f.String("base-url", "", "ask the OpenAI-compatible endpoint at `URL`")
	f.Int("max-retries", 0, "make at most `N` attempts in all (1 to 10)")
	f.String("timeout", "", "end a test run after this `TIME`, such as 90s or 5m")
	f.Float64("budget", 0, "spend at most this many `USD` on the run")
	f.Int("candidates", 1, "ask for `N` proposals at once, the first green one wins")
	f.String("test-edits", "", "allowed changes of tests: judge (the tests as they stood before must pass, too), deny or allow (`WORD`)")
	f.Bool("review", false, "let a reviewer model read the green diff")
	f.Bool("no-review", false, "do without the reviewer")
}

// declare declares the flags of the loop.
func (o *loopOptions) declare(f *pflag.FlagSet, defaultPR string) {
	addSettings(f)
	usage := "open a pull request as the `WORD` says: auto (ready when green, else draft), draft, none"
	if !o.refine {
		usage += "; a number: work on that pull request"
	}
	f.StringVar(&o.pr, "pr", defaultPR, usage)
	f.BoolVar(&o.patient, "patient", false, "wait for the model, GitHub, the network and a broken environment (1, 3, 7 and 15 minutes) before giving up")
	f.Var(&o.allow, "allow", "let this run touch what fits the `GLOB`: protected files and old tests (may be given several times)")
	f.StringVar(&o.hint, "hint", "", "give the model this `TEXT` on the way")
	f.Var(&o.files, "file", "show the model what fits the `GLOB` (may be given several times)")
	f.BoolVar(&o.setup, "setup", false, "run setup_command though nothing that it depends on has changed")
	f.BoolVar(&o.anyway, "anyway", false, "ask the model though the environment of the checks is found broken")
	f.BoolVar(&o.verifyCommit, "verify-commit", false,
		"run the checks once more on the commit itself, in a clean work tree")
	f.BoolVar(&o.dryRun, "dry-run", false, "show the prompt and what it would cost; no model is called, and but for refine no check is run")
	f.StringVar(&o.record, "record", "", "keep the model's replies in `FILE`")
	f.StringVar(&o.replay, "replay", "", "take the model's replies from `FILE`")
}

// finishFlags says of the loop's flags what exclude each other, and lets the shell
// complete their words.
func finishFlags(cmd *cobra.Command) {
	cmd.MarkFlagsMutuallyExclusive("record", "replay")
	if cmd.Flags().Lookup("no-review") != nil {
		cmd.MarkFlagsMutuallyExclusive("review", "no-review")
	}
	completeWords(cmd)
}

// options are the flags as package work knows them; cassettes are opened apart.
func (o *loopOptions) options() runner.Options {
	return runner.Options{
		DryRun: o.dryRun, InPlace: o.inPlace, Commit: o.commit, VerifyCommit: o.verifyCommit, Anyway: o.anyway,
		Setup: o.setup,
		Allow: o.allow, Files: o.files, Hint: o.hint,
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
