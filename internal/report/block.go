package report

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The lines between which a text is booty's own.
const (
	blockBegin = "<!-- booty:begin -->"
	blockEnd   = "<!-- booty:end -->"
)

// Shown gives a text as its readers see it, without what is hidden in it.
func Shown(body string) string {
	lines := strings.SplitAfter(body, "\n")
	return strings.Join(slices.DeleteFunc(lines,
		func(l string) bool { return strings.HasPrefix(l, "<!-- booty:") }), "")
}

// Own gives the part of a text that lies between the lines that mark it as booty's own,
// "" where there is none. Whoever quotes one of booty's hidden lines elsewhere says nothing.
func Own(body string) string {
	begin := strings.Index(body, blockBegin)
	end := strings.LastIndex(body, blockEnd)
	if begin < 0 || end < begin {
		return ""
	}
	return body[begin:end]
}

// mine reports whether a text holds what booty wrote.
func mine(body string) bool { return strings.Contains(body, "<!-- booty:") }

// Replace puts own, the text of a pull request, in the place of the one that
// booty wrote before; what people wrote around it stays. A text without such a
// place is theirs, unless it is from before there were any.
func Replace(body, own string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n") // GitHub's own form for editing has it so
	begin, end := strings.Index(body, blockBegin), strings.LastIndex(body, blockEnd)
	switch {
	case begin >= 0 && end > begin:
		return within(body[:begin], ticked(body[begin:end], own), body[end+len(blockEnd):])
	case mine(body) || strings.TrimSpace(body) == "":
		return own
	}
	return within(strings.TrimRight(body, "\n")+"\n\n", own, "")
}

// ticked carries over the boxes that people ticked, such as those of the
// repository's template.
func ticked(old, own string) string {
	done := map[string]bool{}
	for _, l := range strings.Split(old, "\n") {
		if b := box().FindStringSubmatch(l); b != nil && b[2] != " " {
			done[b[1]+b[3]] = true
		}
	}
	lines := strings.Split(own, "\n")
	for i, l := range lines {
		if b := box().FindStringSubmatch(l); b != nil && b[2] == " " && done[b[1]+b[3]] {
			lines[i] = b[1] + "[x]" + b[3]
		}
	}
	return strings.Join(lines, "\n")
}

var box = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*[-*+] )\[([ xX])\](\s.*)$`) })

// within leaves out what is too long for GitHub at the end of own, its details.
func within(before, own, after string) string {
	if room := maxBody - len(before) - len(after); len(own) > room {
		own = cutBytes(strings.TrimSuffix(strings.TrimRight(own, "\n"), blockEnd),
			max(0, room-len(blockEnd)-1)) +
			"\n" + blockEnd
	}
	return before + strings.TrimRight(own, "\n") + after
}
