package check

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/placeholder"
	"github.com/booty-cli/booty/internal/shellword"
)

// parse reads a rerun template. It may use
//
//	{{.Files}}    the files of the tests, a word each
//	{{.Tests}}    the names of the tests, a word each
//	{{.Pattern}}  one regular expression that matches the names
//
// each inside or outside of quotes; what is put there is always quoted to fit.
func parse(template string) ([]placeholder.Part, error) {
	names := []string{"Files", "Tests", "Pattern"}
	parts, err := placeholder.Parse(template, names...)
	if err != nil {
		return nil, fmt.Errorf("bad rerun command: %w", err)
	}
	if !placeholder.Uses(parts, "") {
		return nil, fmt.Errorf("a rerun command needs one of %s", placeholder.List(names...))
	}
	return parts, nil
}

// expand fills in a rerun template, if every value can be quoted in its place.
func expand(template string, files, tests []string) (string, bool) {
	parts, err := parse(template)
	if err != nil {
		return "", false
	}
	return shellword.Fill(parts,
		map[string][]string{"Files": files, "Tests": tests, "Pattern": {patternOf(tests)}})
}

// patternOf makes a regular expression that matches the names and little else.
// Of special characters, to the shell or in the expression, none remains: a run
// of them matches anything.
func patternOf(tests []string) string {
	var alternatives []string
	for _, t := range tests {
		if p := loosen(caseName(t)); p != "" && p != ".*" {
			alternatives = append(alternatives, p)
		}
	}
	if len(alternatives) < len(tests) {
		return ""
	}
	return strings.Join(alternatives, "|")
}

// caseName is the name that a runner's own filter sees: without the file that
// vitest and bun put before it, and for Go without package and subtest.
func caseName(test string) string {
	if file, rest, ok := strings.Cut(test, " > "); ok && testFileJS().MatchString(file) {
		return rest
	}
	if m := goName().FindStringSubmatch(test); m != nil {
		return m[2]
	}
	return test
}

func loosen(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			if gap && b.Len() > 0 {
				b.WriteString(".*")
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	if gap && b.Len() > 0 {
		b.WriteString(".*")
	}
	return b.String()
}
