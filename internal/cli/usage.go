package cli

import (
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// parserWords are what Go's number parsers add to an error: nothing for a user.
var parserWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`: strconv\.\w+: parsing .*$`)
})

// exclusive is what cobra says of flags that may not stand together.
var exclusive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^if any flags in the group \[[^\]]*\] are set none of the others can be; \[([^\]]*)\] were all set$`)
})

// commandLine words the error of a command line that was not understood, with
// the nearest command or flag.
func commandLine(root *cobra.Command, args []string, err error) error {
	if h := fault.HintOf(err); h != "" {
		return fault.New(fault.Usage, h, "%w", err)
	}
	text := parserWords().ReplaceAllString(err.Error(), "")
	if m := exclusive().FindStringSubmatch(text); m != nil {
		text = "give one of " + "--" + strings.Join(strings.Fields(m[1]), ", --") + ": they exclude each other"
	}
	cmd, _, e := root.Find(args)
	if e != nil || cmd == nil {
		cmd = root
	}
	hint := "see " + cmd.CommandPath() + " --help"
	if near := nearestWord(cmd, text); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return fault.New(fault.Usage, hint, "%s", text)
}

// nearestWord is the command or flag that a line may have meant, or "".
func nearestWord(cmd *cobra.Command, text string) string {
	if rest, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		best, most := "", 3 // as far as two letters
		each := func(f *pflag.Flag) {
			if d := distance(rest, f.Name); !f.Hidden && d < most {
				best, most = "--"+f.Name, d
			}
		}
		cmd.Flags().VisitAll(each)
		cmd.InheritedFlags().VisitAll(each)
		return best
	}
	if rest, ok := strings.CutPrefix(text, `unknown command "`); ok {
		word, _, _ := strings.Cut(rest, `"`)
		cmd.SuggestionsMinimumDistance = 2
		if s := cmd.SuggestionsFor(word); len(s) > 0 {
			return s[0]
		}
	}
	return ""
}

// distance counts the letters to change, add or leave out between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// helpCommand is help, which refuses what there is no help for.
func newHelp(f *factory) *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || found == nil || len(rest) > 0 {
				return fault.New(fault.Usage, "see booty --help", "there is no command %s", strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}
