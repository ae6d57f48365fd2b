package cli

import (
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/term"
)

// terminalBudget is how much of a summary a person can scroll through, in bytes. It differs from that
// for a model in its length alone.
const terminalBudget = 24_000

// distilledLine matches the lines of a summary that stand out: the number and name of a failure, a place
// in front of a message, a place of its own, a title.
var distilledLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?P<name>\d+\) .*)|(?P<place>[^\s:]+:\d+(?::\d+)?)(?P<rest>: .*)|(?P<at>   (?:at|from) .*)|` +
		`(?P<title>[A-Z][^:]*:))$`)
})

// colored makes a summary readable at a glance. Only lines of its own form change, tools' are left alone.
func colored(s string, st term.Styles, failed bool) string {
	head, body, _ := strings.Cut(s, "\n")
	headline := st.Good.Inherit(st.Bold)
	if failed {
		headline = st.Bad.Inherit(st.Bold)
	}
	var b strings.Builder
	b.WriteString(headline.Render(head) + "\n")
	re := distilledLine()
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		m := re.FindStringSubmatch(line)
		part := func(name string) string { return m[re.SubexpIndex(name)] }
		switch {
		case m == nil || strings.Contains(line, "\t"):
			b.WriteString(line)
		case part("name") != "":
			b.WriteString(st.Bold.Render(line))
		case part("place") != "":
			b.WriteString(st.Accent.Render(part("place")) + part("rest"))
		case part("at") != "":
			b.WriteString(st.Accent.Render(line))
		default:
			b.WriteString(st.Dim.Render(line))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
