package edit

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// inspect looks at a resolved change for what a model should not have written.
func inspect(c Change, edits []Edit) []string {
	if c.Op == Delete || string(c.Old) == string(c.New) {
		return nil
	}
	old, now := string(c.Old), string(c.New)
	if strings.TrimSpace(now) == "" {
		if strings.TrimSpace(old) != "" {
			return []string{fmt.Sprintf("the edit would leave %s empty; to remove the file write DELETE %s", c.Path, c.Path)}
		}
		return nil
	}
	var out []string
	for i, check := range []func(c Change, old, now string, edits []Edit) string{leftOver, leftFence, leftOut, leftNumbers, leftTypography, leftRest, leftBroken} {
		if i == 3 && len(out) > 0 {
			break
		}
		if reason := check(c, old, now, edits); reason != "" {
			if out = append(out, reason); i >= 3 {
				break // one of these makes the others likely
			}
		}
	}
	return out
}

func leftBroken(c Change, old, now string, _ []Edit) string {
	return syntax(c.Path, old, now, c.Op == Create)
}

// leftover is a line of a reply's form, or of the conversation, that became content.
var leftover = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"a note where a block stands": regexp.MustCompile(`^:(?:start|end)_line:\s*\d+$`),
		"a line of a patch":           regexp.MustCompile(`^\*\*\* (?:Begin Patch$|End Patch$|(?:Add|Update|Delete) File:)`),
		"a marker of an edit block":   regexp.MustCompile(`^(?:<{5,9}\s*(?:SEARCH|ORIGINAL|HEAD|OLD|FIND|BEFORE)\b|>{5,9}\s*(?:REPLACE|UPDATED|HEAD)$)`),
		"text of the conversation":    regexp.MustCompile(`^\s*(?:<\|(?:im_start|im_end|endoftext|eot_id|end_of_text|assistant)\|>|</think>|\[/INST\])`),
	}
})

// talk is what models say around code. Only whole lines count.
var talk = pattern(`(?i)^(here('s| is| are) (the|your|an?|my) .*(code|file|version|content|implementation|fix|solution|changes?).*[:.]|(sure|certainly|of course)[!,.].*|i('ve| have) (updated|modified|fixed|added|made|implemented)\b.*|let me know if .*)$`)

// leftOver finds such lines.
func leftOver(c Change, old, now string, _ []Edit) string {
	first, last := firstLine(now), lastLine(now)
	ends := cutTokens(last) != last && !strings.Contains(now, "<s>")
	for i, l := range splitLines(now) {
		t := l.text
		edge := t == first || t == last
		trimmed := strings.TrimLeft(t, " \t")
		if trimmed == "" || !edge && strings.IndexByte("<>*:[", trimmed[0]) < 0 {
			continue
		}
		for what, is := range leftover() {
			if is.MatchString(t) && !strings.Contains(old, t) && !(what[0] == 'a' && what != "a note where a block stands" && (isProse(c.Path) || isPatchFile(c.Path))) {
				return fmt.Sprintf("line %d of the new %s is %s, not content: %s", i+1, c.Path, what, clip(t))
			}
		}
		if edge && (ends && t == last || !isProse(c.Path) && talk().MatchString(t)) && !strings.Contains(old, t) {
			return fmt.Sprintf("line %d of the new %s is text of the conversation, not content: %s", i+1, c.Path, clip(t))
		}
	}
	return ""
}

// leftFence finds fence lines around the content of a file that is not prose.
func leftFence(c Change, old, now string, _ []Edit) string {
	if isProse(c.Path) {
		return ""
	}
	first := firstLine(now)
	if _, ok := openFence(first); ok && !strings.HasPrefix(strings.TrimSpace(old), strings.TrimSpace(first)) {
		return fmt.Sprintf("the new content of %s begins with a fence line: %s", c.Path, clip(first))
	}
	if isCode(c.Path) && strings.Count("\n"+now, "\n```")%2 != 0 && strings.Count("\n"+old, "\n```")%2 == 0 {
		return fmt.Sprintf("the new content of %s holds a fence line that belongs to no other: close each fence before the next path, and put a longer fence around content that holds fences", c.Path)
	}
	return ""
}

func firstLine(s string) string {
	s = strings.TrimLeft(s, bom+" \t\r\n")
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimRight(s, "\r")
}

func lastLine(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}
