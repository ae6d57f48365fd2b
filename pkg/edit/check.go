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
	for _, check := range []func(c Change, old, now string, edits []Edit) string{leftMarkers, leftFence,
		leftTalk, leftOut} {
		if reason := check(c, old, now, edits); reason != "" {
			out = append(out, reason)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, check := range []func(c Change, old, now string, edits []Edit) string{leftNumbers, leftTypography,
		leftRest, leftBroken} {
		if reason := check(c, old, now, edits); reason != "" {
			return []string{reason} // one of these makes the others likely
		}
	}
	return nil
}

func leftBroken(c Change, old, now string, _ []Edit) string {
	return syntax(c.Path, old, now, c.Op == Create)
}

// leftMarkers finds lines of blocks that became content.
func leftMarkers(c Change, old, now string, _ []Edit) string {
	if strings.Contains(now, "_line:") {
		for i, l := range splitLines(now) {
			if lineMark().MatchString(l.text) && !strings.Contains(old, l.text) {
				return fmt.Sprintf("line %d of the new %s says where a block stands, which is no content: %s", i+1,
					c.Path, clip(l.text))
			}
		}
	}
	if isProse(c.Path) || isPatchFile(c.Path) {
		return ""
	}
	if strings.Contains(now, "*** ") {
		for i, l := range splitLines(now) {
			if (l.text == beginPatch || l.text == endPatch || isEnvelopeFile(l.text)) && !strings.Contains(old, l.text) {
				return fmt.Sprintf("line %d of the new %s is a line of a patch, not content: %s; begin the fence with %s",
					i+1, c.Path, clip(l.text), beginPatch)
			}
		}
	}
	if !strings.Contains(now, "<<<<<") && !strings.Contains(now, ">>>>>") {
		return ""
	}
	for i, l := range splitLines(now) {
		if (strings.HasPrefix(l.text, "<<<<<") && isSearch(l.text) || isLeftEnd(l.text)) && !strings.Contains(old, l.text) {
			return fmt.Sprintf("line %d of the new %s is a marker of an edit block, not content: %s", i+1, c.Path, clip(l.text))
		}
	}
	return ""
}

var lineMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^:(?:start|end)_line:\s*\d+$`) })

func isLeftEnd(t string) bool {
	rest, ok := marker(t, '>')
	return ok && (rest == "REPLACE" || rest == "UPDATED" || rest == "HEAD")
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
	n := 0
	for _, l := range splitLines(now) {
		if strings.HasPrefix(l.text, "```") {
			n++
		}
	}
	if n%2 != 0 && isCode(c.Path) && strings.Count("\n"+old, "\n```")%2 == 0 {
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

// talk is what models say around code. Only whole lines count.
var talk = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(here('s| is| are) (the|your|an?|my) .*(code|file|version|content|implementation|fix|solution|changes?).*[:.]|(sure|certainly|of course)[!,.].*|i('ve| have) (updated|modified|fixed|added|made|implemented)\b.*|let me know if .*)$`)
})

var tokensOfModels = []string{"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>",
	"</think>", "[/INST]", "<|assistant|>"}

// leftTalk finds text of the conversation in a file.
func leftTalk(c Change, old, now string, _ []Edit) string {
	for _, tok := range tokensOfModels {
		if !strings.Contains(now, tok) || strings.Contains(old, tok) {
			continue
		}
		for i, l := range splitLines(now) {
			if t := strings.TrimSpace(l.text); t == tok || strings.HasPrefix(t, tok) {
				return fmt.Sprintf("line %d of the new %s is text of the conversation, not content: %s", i+1, c.Path, clip(l.text))
			}
		}
	}
	if l := lastLine(now); cutTokens(l) != l && !strings.Contains(now, "<s>") && !strings.Contains(old, l) {
		return fmt.Sprintf("the new content of %s ends with a token of the conversation: %s", c.Path, clip(l))
	}
	if isProse(c.Path) {
		return ""
	}
	first := firstLine(now)
	for _, l := range []string{first, lastLine(now)} {
		if talk().MatchString(l) && !strings.Contains(old, l) {
			return fmt.Sprintf("the new content of %s holds text of the conversation: %s", c.Path, clip(l))
		}
	}
	return ""
}
