package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// withOwn restores bytes of a file that a reply cannot show: its line ends, and invalid
// UTF-8, of which each run is shown as U+FFFD. Unchanged lines get them back by position,
// changed ones from the line that they replace. If that fails, the edit is refused.
func withOwn(name, old, now string) (string, error) {
	was, is := splitLines(old), splitLines(now)
	ops := align(bare(was), bare(is))
	if !utf8.ValidString(old) {
		ops = align(keys(was), keys(is))
	}
	i, j := 0, 0
	gone := 0 // the first dropped line that no new line has replaced
	for _, op := range ops {
		switch op {
		case keep:
			is[j].text = was[i].text
			if was[i].end != "" && is[j].end != "" {
				is[j].end = was[i].end
			}
			i, j = i+1, j+1
			gone = i
		case drop:
			i++
		case add:
			text := is[j].text
			if gone < i {
				text = refilled(text, was[gone].text)
				gone++
			}
			if utf8.ValidString(old) {
				text = is[j].text
			} else if strings.ContainsRune(text, utf8.RuneError) && utf8.ValidString(text) || hasRune(text) &&
				!hasRune(old) {
				return "", fmt.Errorf(
					"%s is not in UTF-8, so that the new text cannot be put into it: %s. Leave "+
						"lines with characters that are not ASCII as they are, and write the new ones in "+
						"ASCII",
					name,
					clip(strings.TrimSpace(text)))
			}
			is[j].text = text
			j++
		}
	}
	return joinLines(is), nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// hasRune reports whether a text has a valid non-ASCII character.
func hasRune(s string) bool {
	for i, r := range s {
		if r >= utf8.RuneSelf && r != utf8.RuneError && utf8.ValidString(s[i:i+utf8.RuneLen(r)]) {
			return true
		}
	}
	return false
}

// keys returns the lines with one sign for each run of non-ASCII characters.
func keys(ls []line) []string {
	out := make([]string, len(ls))
	for i, l := range ls {
		out[i] = l.text
		if !isASCII(l.text) {
			parts, _ := runs(l.text)
			out[i] = strings.Join(parts, "\x00")
		}
	}
	return out
}

// runs splits a text into its ASCII parts and the runs between them.
func runs(s string) (parts, between []string) {
	for {
		i := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
		if i < 0 {
			return append(parts, s), between
		}
		n := i
		for n < len(s) && s[n] >= utf8.RuneSelf {
			n++
		}
		parts, between, s = append(parts, s[:i]), append(between, s[i:n]), s[n:]
	}
}

// refilled returns a changed line with the bytes of the line that it replaces, if both have
// equally many runs.
func refilled(now, was string) string {
	parts, marks := runs(now)
	_, bytes := runs(was)
	if len(marks) != len(bytes) || utf8.ValidString(was) {
		return now
	}
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(p)
		if i < len(marks) {
			if marks[i] == string(utf8.RuneError) {
				b.WriteString(bytes[i])
			} else {
				b.WriteString(marks[i])
			}
		}
	}
	return b.String()
}
