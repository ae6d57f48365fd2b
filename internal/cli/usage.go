package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandLine words the error of a command line that was not understood, with
// the nearest command or flag.
func commandLine(root *cobra.Command, args []string, err error) error {
	if h := fault.HintOf(err); h != "" {
		return fault.New(fault.Usage, h, "%w", err)
	}
	cmd, rest, found := root.Find(args)
	if found != nil || cmd == nil {
		cmd, rest = root, args
	}
	near := ""
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	var flag *pflag.NotExistError
	switch clash := together(cmd); {
	case len(clash) > 0:
		err = fmt.Errorf("give only one of %s", strings.Join(clash, ", "))
	case errors.As(err, &value) && errors.As(err, &number): // what Go's parser adds is nothing for a user
		err = fmt.Errorf("invalid argument %q for %q flag", value.GetValue(), "--"+value.GetFlag().Name)
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "duration":
		err = fmt.Errorf("--%s: invalid duration %q, write 10m or 1h30m", value.GetFlag().Name, value.GetValue())
	case errors.As(err, &flag) && flag.GetSpecifiedShortnames() == "":
		near = nearestFlag(cmd, flag.GetSpecifiedName())
	case cmd.HasSubCommands():
		near = nearestCommand(cmd, rest)
	}
	hint := "see " + cmd.CommandPath() + " --help"
	if near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return fault.New(fault.Usage, hint, "%w", err)
}

// exclusive is where cobra keeps with a flag the groups of which one may be given.
const exclusive = "cobra_annotation_mutually_exclusive"

// together are the flags of the command line that exclude each other.
func together(cmd *cobra.Command) []string {
	given := map[string][]string{}
	var clash []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations[exclusive] {
			given[group] = append(given[group], "--"+f.Name)
			if len(given[group]) > 1 {
				clash = given[group]
			}
		}
	})
	return clash
}

// nearestFlag is the flag that a name may have meant, or "".
func nearestFlag(cmd *cobra.Command, name string) string {
	best, most := "", 3 // as far as two letters
	each := func(f *pflag.Flag) {
		if d := levenshtein.ComputeDistance(name, f.Name); !f.Hidden && d < most {
			best, most = "--"+f.Name, d
		}
	}
	cmd.Flags().VisitAll(each)
	cmd.InheritedFlags().VisitAll(each)
	return best
}

// nearestCommand is the command that the first word may have meant, or "".
func nearestCommand(cmd *cobra.Command, args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if i < 0 {
		return ""
	}
	cmd.SuggestionsMinimumDistance = 2
	if s := cmd.SuggestionsFor(args[i]); len(s) > 0 {
		return s[0]
	}
	return ""
}

const exitCodesTopic = "exit-codes"

// exitCodes explains what a command ends with; docs/troubleshooting.md says what to do.
const exitCodes = `0    the checks pass, the change is proven, or the command did what it was asked
1    a bug in booty
2    usage or configuration; init: no tests were found
3    the checks still fail, or a person must decide;
     prove: a verdict of evidence.fail_on
4    nothing to do; prove: no code was changed
5    a budget limit stopped the run
6    the model could not be reached, or kept failing
7    git or GitHub refused
8    refused for safety;
     recover: not one of booty's pull requests, or no attempts left
9    the checks cannot run here
130  interrupted: booty resume continues
`

// helpCommand is help, which refuses what there is no help for.
func newHelp(*factory) *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Help about any command, and about exit-codes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == exitCodesTopic {
				fmt.Fprint(cmd.OutOrStdout(), exitCodes)
				return nil
			}
			found, rest, err := cmd.Root().Find(args)
			if err != nil || found == nil || len(rest) > 0 {
				return fault.New(fault.Usage, "see booty --help", "unknown command %s",
					strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

// wrapHelp fits help to the terminal's width. A pipe gets the lines whole, and so are
// examples, which people copy.
func (f *factory) wrapHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var b bytes.Buffer
		cmd.SetOut(&b)
		help(cmd, args)
		cmd.SetOut(f.s.Out)
		width, example := f.outWidth(), false
		for line := range strings.Lines(grouped(b.String())) {
			line = strings.TrimRight(line, "\n")
			example = line == "Examples:" || example && line != ""
			if !example {
				line = term.Wrap(line, width, len(line)-len(words(line)))
			}
			fmt.Fprintln(f.s.Out, line)
		}
	})
}

// words is the text of a line of help: behind a flag or command where it begins with one.
func words(line string) string {
	text := strings.TrimLeft(line, " ")
	if name, about, is := strings.Cut(text, "   "); is && len(text) < len(line) && name != "" {
		return strings.TrimLeft(about, " ")
	}
	return text
}
