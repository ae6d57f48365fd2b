package diff

import "strings"

// Split gives the lines with their ends; the last one is given an end, so
// that adding after a file without a final newline changes no line.
func Split(s string) []string {
	if s == "" {
		return nil
	}
	if !strings.HasSuffix(s, "\n") {
		if strings.Contains(s, "\r\n") {
			s += "\r"
		}
		s += "\n"
	}
	return strings.SplitAfter(s, "\n")[:strings.Count(s, "\n")]
}

// Count tells how many lines a change adds and removes. The library behind it gives up on what has
// a hundred differences, and takes most of a lock file for changed: so lines that occur once part it first.
func Count(before, after []byte) (added, removed int) {
	for _, e := range Edits(Split(string(before)), Split(string(after))) {
		removed += e.To - e.From
		added += len(e.New)
	}
	return added, removed
}

// Shorten makes a line fit for a message.
func Shorten(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > 80 {
		line = strings.ToValidUTF8(line[:80], "") + "…"
	}
	return line
}
