package check

import (
	"runtime"
	"strings"
)

// Names of tests come out of a program's output, so out of anybody's hands, and
// go into a shell command. Everything that does goes through this file.

// harmless are the characters that mean nothing to any shell, in or out of quotes.
func harmless(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:=@+,-", r)
}

func allHarmless(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !harmless(r) }) < 0
}

// quoteWord makes s one word of the shell. It refuses what cannot be one:
// control characters, and on Windows, whose shell has no sure quoting, anything
// that is not harmless.
func quoteWord(s string) (string, bool) { return quoteFor(runtime.GOOS, s) }

// Quote makes a text one word of the shell that steps run in; false where that
// cannot be.
func Quote(s string) (string, bool) { return quoteWord(s) }

func quoteFor(goos, s string) (string, bool) {
	if allHarmless(s) {
		return s, true
	}
	if goos == "windows" || s == "" || strings.IndexFunc(s,
		func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) >= 0 {
		return "", false
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

// words splits a command that is nothing but words of harmless characters, as
// most test commands are. Anything that the shell would read (quotes, pipes,
// variables, globs) makes it refuse.
func words(command string) ([]string, bool) {
	list := strings.Fields(command)
	for _, w := range list {
		if !allHarmless(w) {
			return nil, false
		}
	}
	return list, len(list) > 0
}
