package check

import (
	"regexp"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Reason is the line of a failed command's output in which its tool says why it failed: the
// first line that it marks as an error, or else the last that is no link, stack or echo.
func Reason(output string) string {
	last := ""
	for line := range strings.Lines(ansi.Strip(output)) {
		line = strings.TrimSpace(line)
		m := errorMark().FindStringSubmatch(line)
		switch {
		case line == "" || aftermath().MatchString(line):
		case m != nil && sentence().MatchString(m[1]):
			return firstLine(line)
		case m == nil:
			last = line
		}
	}
	return firstLine(last)
}

var (
	// errorMark matches what stands before the words of an error: "npm error", "ERROR:",
	// "fatal:", "ValueError:".
	errorMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\W*[\w.@/+-]*:? ?)??(?:(?i:err!|error|fatal)(?:\[\w+\])?:?(?:\s|$)|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): |ERR_\w+\s)\s*(.*)$`)
	})
	// sentence tells words from a bare code: "code EUSAGE", "127", "Error 1".
	sentence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+\W+\w+\W+\w+|\w+-\w+-\w+`) })
	// aftermath matches lines that follow the reason: of make, of stacks, hints and links.
	aftermath = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:g?make(?:\[\d+\])?: (?:\*\*\* \[.*\] Error \d+|(?:entering|leaving) directory)|at \S+ ?\(|(?:\w+ )?(?:hint|note|info|warn|warning)\b|file ".*", line \d|\^+$|npm (?:err!|error) a complete log|https?://)`)
	})
)
