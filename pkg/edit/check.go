package edit

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"
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
	for _, check := range []func(c Change, old, now string, edits []Edit) string{leftMarkers, leftFence, leftTalk, leftOut} {
		if reason := check(c, old, now, edits); reason != "" {
			out = append(out, reason)
		}
	}
	if len(out) == 0 {
		if reason := syntax(c.Path, old, now, c.Op == Create); reason != "" {
			out = append(out, reason)
		}
	}
	return out
}

// leftMarkers finds lines of blocks that became content.
func leftMarkers(c Change, old, now string, _ []Edit) string {
	if isProse(c.Path) || !strings.Contains(now, "<<<<<") && !strings.Contains(now, ">>>>>") {
		return ""
	}
	for i, l := range splitLines(now) {
		if (strings.HasPrefix(l.text, "<<<<<") && isSearch(l.text) || isLeftEnd(l.text)) && !strings.Contains(old, l.text) {
			return fmt.Sprintf("line %d of the new %s is a marker of an edit block, not content: %s", i+1, c.Path, clip(l.text))
		}
	}
	return ""
}

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
	return ""
}

func firstLine(s string) string {
	s = strings.TrimLeft(s, bom+" \t\r\n")
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimRight(s, "\r")
}

// talk is what models say around code. Only whole lines count.
var talk = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(here('s| is| are) (the|your|an?|my) .*(code|file|version|content|implementation|fix|solution|changes?).*[:.]|(sure|certainly|of course)[!,.].*|i('ve| have) (updated|modified|fixed|added|made|implemented)\b.*|let me know if .*)$`)
})

var tokensOfModels = []string{"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "</think>", "[/INST]", "<|assistant|>"}

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
	if isProse(c.Path) {
		return ""
	}
	first := firstLine(now)
	last := strings.TrimRight(now, " \t\r\n")
	last = last[strings.LastIndexByte(last, '\n')+1:]
	for _, l := range []string{first, last} {
		if talk().MatchString(l) && !strings.Contains(old, l) {
			return fmt.Sprintf("the new content of %s holds text of the conversation: %s", c.Path, clip(l))
		}
	}
	return ""
}

// elision is a comment or a bare line that stands for code left out.
var elision = sync.OnceValue(func() *regexp.Regexp {
	const comment = `(?://+|#+|--|/\*+|<!--|;+|%+|\{/\*|\*|"""|'''|\(\*)`
	const what = `(?:code|files?|functions?|methods?|class(?:es)?|implementations?|modules?|contents?|logic|body|imports?|tests?|lines?|fields?|handlers?|cases?|definitions?|parts?|stuff|things|` +
		`pages?|markup|styles?|rules?|templates?|documents?|scripts?|components?|configs?|configuration|settings|properties|props|tables?|columns?|entries|routes?|` +
		`options?|elements?|items?|sections?|statements?|attributes?|variables?|constants?|types?|queries|dependencies|targets?|steps?|jobs?|keys?|values?)`
	const same = `(?:unchanged|the same|same as|as before|as is|stays?|remains?|omitted|for brevity|goes here|go here|left out|not shown|elided)`
	return regexp.MustCompile(`(?i)^\s*(?:` +
		`(?:` + comment + `\s*[\[(]?(?:\.{3,}|…)|[\[(]?(?:\.{3,}|…)\s)\s*.*\b(?:rest|remaining|remainder|existing|other|previous|unchanged|omitted|as before|original|elided|same|no changes?)\b.*` + `|` +
		comment + `\s*[\[(]?(?:the\s+|your\s+|all\s+)?(?:(?:rest|remainder)\s+of\s+\w+(?:\s+\w+)?|(?:existing|remaining|other|previous|original)\s+` + what + `)\s*(?:\w+\s*){0,2}(?:\.{3,}|…)\s*[\])]?\s*(?:\*+/|-->|\}|\*\))*` + `|` +
		comment + `\s*[\[(]?(?:the\s+)?(?:rest|remainder)\s+of\s+(?:the\s+|your\s+|this\s+)?(?:\w+\s+)?` + what + `\b.*\b` + same + `\b.*` + `|` +
		comment + `\s*[\[(]?(?:the\s+|all\s+)?(?:existing|previous|other|remaining)\s+` + what + `\s+(?:\w+\s+)?` + same + `\b(?:\s+(?:from|as|for|in|here|above|below)\b.*|\W*)` + `|` +
		comment + `\s*[\[(]?(?:the\s+|all\s+)?same\s+` + what + `\s+as\s+(?:before|above|the\s+original|in\s+the\s+original)\b.*` + `|` +
		comment + `\s*[\[(]?keep\s+(?:the\s+|all\s+|your\s+)?(?:(?:existing|remaining|other|previous|original)\s+` + what + `|rest\b.*|everything(?:\s+else)?)\s+(?:above|below|here|as\s+is|as\s+before|unchanged|the\s+same)\b.*` + `|` +
		comment + `\s*[\[(]?(?:existing|unchanged)\s+code\s*(?:here)?\s*[\])]?\s*(?:\*+/|-->|\})*` +
		`)$`)
})

// dots is a line that only says "and so on".
var dots = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?://+|#+|--|/\*+|<!--|;+)\s*(?:\.{3,}|…)\s*(?:\*+/|-->)?\s*$`)
})

// leftOut finds placeholders for code. In an old file they count where code
// goes away in the same place; what the old file says already is its own affair.
func leftOut(c Change, old, now string, edits []Edit) string {
	if !strings.Contains(now, "...") && !strings.Contains(now, "…") && !elisionWords(now) || isProse(c.Path) {
		return ""
	}
	for _, h := range c.hunks(0) {
		removed := 0
		for _, l := range h.Lines {
			if l.Kind == udiff.Delete && strings.TrimSpace(l.Content) != "" {
				removed++
			}
		}
		for _, l := range h.Lines {
			text := strings.TrimRight(l.Content, "\r\n")
			if l.Kind != udiff.Insert || len(text) > 300 {
				continue
			}
			placeholder := elision().MatchString(text) && (removed > 0 || old == "" || blockSays(edits, text))
			if !placeholder && removed >= 3 {
				placeholder = dots().MatchString(text) || strings.TrimSpace(text) == "..." && !isPython(c.Path)
			}
			if placeholder && !strings.Contains(old, strings.TrimSpace(text)) {
				return fmt.Sprintf("the new %s leaves code out with a placeholder: %q; give every line, or use search and replace blocks", c.Path, clip(strings.TrimSpace(text)))
			}
		}
	}
	return ""
}

// blockSays tells whether a placeholder stands in a block's replacement, where
// it can only be meant for lines that are in the file already.
func blockSays(edits []Edit, text string) bool {
	for _, e := range edits {
		for _, b := range e.Blocks {
			if strings.Contains(b.Replace, strings.TrimSpace(text)) {
				return true
			}
		}
	}
	return false
}

func elisionWords(s string) bool {
	s = strings.ToLower(s)
	for _, w := range []string{"unchanged", "the same", "same as", "as before", "as above", "as is", "original", "remain", "omitted", "brevity", "existing", "left out", "not shown", "go here", "goes here", "keep "} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func isPython(name string) bool {
	ext := path.Ext(name)
	return ext == ".py" || ext == ".pyi"
}
