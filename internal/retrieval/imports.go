package retrieval

import "strings"

// maxImports bounds the lines from the first import of a file to the last.
const maxImports = 60

// importsOf returns the lines, counted from zero, to exclusive, in which a file names what it uses
// of others: code that is added to it needs them. from and to are equal where there are none at its
// beginning, or too many.
func importsOf(l lang, lines []string) (from, to int) {
	if !l.code() {
		return 0, 0
	}
	from = -1
	open := 0 // parentheses and braces of an import that goes on
	for i, raw := range lines {
		line := strings.TrimRight(raw, "\r\n")
		switch {
		case open > 0:
			open += opened(line)
			to = i + 1
		case importing(l, line):
			if from < 0 {
				from = i
			}
			open, to = opened(line), i+1
		default:
			if d, ok := define(l, line); ok && !d.value && d.name != "" { // what comes later is not at its beginning
				return withinImports(from, to)
			}
		}
		if from >= 0 && i-from > 2*maxImports {
			break
		}
	}
	return withinImports(from, to)
}

func withinImports(from, to int) (int, int) {
	if from < 0 || to-from > maxImports {
		return 0, 0
	}
	return from, to
}

func opened(line string) int {
	return strings.Count(line, "(") +
		strings.Count(line, "{") - strings.Count(line, ")") - strings.Count(line, "}")
}

// importing reports whether a line at the top level begins an import, in any usual language.
func importing(l lang, line string) bool {
	for _, word := range []string{"import ", "from ", "use ", "using ", "require ", "require_relative ",
		"#include ", "package "} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	if l != script {
		return false
	}
	for _, word := range []string{"const ", "let ", "var "} {
		if strings.HasPrefix(line, word) && (strings.Contains(line, "require(") || line[len(word):] == "{") {
			return true
		}
	}
	return false
}
