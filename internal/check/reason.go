package check

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Reason is the line of a failed command's output in which its tool says why it failed: the
// first line that it marks as an error, or else the first that says that something could not be
// done, or else the last that is no progress, link, stack or echo.
func Reason(output string) string {
	trouble, last := "", ""
	for line := range strings.Lines(ansi.Strip(output)) {
		line = strings.Join(strings.Fields(line), " ") // pnpm sets its codes between thin spaces
		m := errorMark().FindStringSubmatch(line)
		switch {
		case line == "" || isProgress(line) || aftermath().MatchString(line):
		case m != nil && sentence().MatchString(m[1]):
			return firstLine(line)
		case m == nil:
			if last = line; trouble == "" && couldNot().MatchString(line) {
				trouble = line
			}
		}
	}
	return firstLine(cmp.Or(trouble, last))
}

// isProgress reports whether a line says how far a tool is, and not that something went wrong.
func isProgress(line string) bool {
	return progress().MatchString(line) && !troubled().MatchString(line)
}

var (
	// errorMark matches the prefix of an error: "npm error", "ERROR:", "fatal:", "ValueError:".
	errorMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\W*[\w.@/+-]*:? ?)??(?:(?i:err!|error|fatal)(?:\[\w+\])?:?(?:\s|$)|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): |ERR_\w+\s)\s*(.*)$`)
	})
	// sentence distinguishes words from a bare code: "code EUSAGE", "127", "Error 1".
	sentence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+\W+\w+\W+\w+|\w+-\w+-\w+`) })
	// progress matches lines that say how far a tool is: "Progress: resolved 12", "[2/4] Fetching",
	// bars, and what ends with a share, a size or dots.
	progress = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:progress\b|\W*\d+ ?[/%]|[-+=#.>|\\/ ]+$|(?:down|up)load(?:ing|ed)\b|fetch(?:ing|ed)\b|resolv(?:ing|ed)\b|` +
			`install(?:ing|ed)\b|collecting\b|packages: [-+])|\d%\W*$|\d ?[kmg]i?b(?:/s)?\W*$|(?:\.\.\.|…)$`)
	})
	troubled = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:fail|error|can't|cannot|could not|unable|not found|denied|refused)`)
	})
	// couldNot matches what was not possible; advice follows it.
	couldNot = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:couldn't|could not|can't|cannot|unable to|failed to|no such)\b.*\w+ \w+`)
	})
	// aftermath matches lines that follow the reason: of make, of stacks, hints
	// and links, and what npm says of the place.
	aftermath = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:g?make(?:\[\d+\])?: (?:\*\*\* \[.*\] Error \d+|(?:entering|leaving) directory)|at \S+ ?\(|(?:\w+ )?(?:hint|note|info|warn|warning)\b|file ".*", line \d|\^+$|npm (?:err!|error) (?:a complete log|(?:code|path|dest|command|errno|syscall|signal|cwd)\b)|https?://)`)
	})
)
