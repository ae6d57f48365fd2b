package check

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/booty-cli/booty/internal/placeholder"
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

// expand fills a rerun template in, if every value can be put where it is to stand.
func expand(template string, files, tests []string) (string, bool) {
	parts, err := parse(template)
	if err != nil {
		return "", false
	}
	return fill(parts, map[string][]string{"Files": files, "Tests": tests, "Pattern": {patternOf(tests)}})
}

// ForFile fills a file into a command's {{.File}}, if it can be put where that stands.
func ForFile(template, file string) (string, bool) {
	parts, err := placeholder.Parse(template, "File")
	if err != nil {
		return "", false
	}
	return fill(parts, map[string][]string{"File": {file}})
}

func fill(parts []placeholder.Part, values map[string][]string) (string, bool) {
	var b strings.Builder
	quote := byte(0)
	for _, p := range parts {
		if p.Name == "" {
			quote = quoteAfter(quote, p.Text)
			b.WriteString(p.Text)
			continue
		}
		text, ok := place(runtime.GOOS, values[p.Name], quote)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// quoteAfter is the quote that is open at the end of s, where q was at its start.
func quoteAfter(q byte, s string) byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && q != '\'':
			i++
		case q == 0 && (c == '\'' || c == '"' || c == '`'):
			q = c
		case c == q:
			q = 0
		}
	}
	return q
}

// place makes values fit: words of their own, or text inside quotes that are
// open already. For Windows' shell ' is a character like any other.
func place(goos string, values []string, quote byte) (string, bool) {
	if len(values) == 0 || values[0] == "" {
		return "", false
	}
	placed := make([]string, len(values))
	for i, v := range values {
		var ok bool
		switch {
		case quote == 0:
			placed[i], ok = quoteFor(goos, v)
		case quote == '\'' && goos == "windows":
			placed[i], ok = v, allHarmless(v)
		case quote == '\'' || quote == '"':
			placed[i], ok = v, strings.IndexFunc(v, func(r rune) bool { return !harmless(r) && !strings.ContainsRune(" |*", r) }) < 0
		}
		if !ok {
			return "", false
		}
	}
	return strings.Join(placed, " "), true
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
