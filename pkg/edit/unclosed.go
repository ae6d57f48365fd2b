package edit

import (
	"regexp"
	"strings"
	"sync"
)

// unclosed reads a fence that the reply does not close. Models forget the last
// one; but a server may also have cut the text without a word. So what it holds
// counts only where it shows that it is complete.
func (p *parser) unclosed(f fenceLine, i, to int) int {
	before, was := len(p.reply.Edits), p.reply.Truncated
	p.wholeHunk = false
	p.content(f, i, to, deepest)
	added := p.reply.Edits[before:]
	complete := p.complete
	switch {
	case len(added) == 0: // it explains something, behind the edits
		complete = complete || before > 0 || len(p.reply.Problems) > 0
	case strings.TrimSpace(p.lines[p.lastText(i, to)]) == endPatch || p.wholeHunk:
		complete = true
	case len(added) == 1 && added[0].Kind == Whole:
		whole := p.looksWhole(added[0])
		added[0].open = whole || complete
		if last := p.lines[p.lastText(i, to)]; complete && !whole && !isProse(added[0].Path) &&
			(sentence().MatchString(last) || isTalk(last)) {
			p.problem(added[0].Path, "the fence at line %d of the reply is not closed, and text that is no content seems to follow: close the fence where the content ends", i+1)
		}
		complete = complete || whole
	}
	p.reply.Truncated = was
	if !complete {
		p.cut("", "the fence at line %d of the reply is not closed", i+1)
	}
	return to
}

// lastText is the last line with text before to, or i.
func (p *parser) lastText(i, to int) int {
	k := to - 1
	for k > i && strings.TrimSpace(p.lines[k]) == "" {
		k--
	}
	return k
}

// looksWhole judges content whose end nothing marks: it parses, where the
// language is one that can be, or its brackets are balanced and it ends with a
// line that can be the last. Prose has nothing to judge by.
func (p *parser) looksWhole(e Edit) bool {
	text := strings.TrimRight(e.Content, " \t\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" || isProse(e.Path) || sentence().MatchString(last) {
		return false
	}
	if !p.endsLine && strings.Trim(last, " \t)]};,") != "" {
		return false // the line itself may be cut
	}
	if parse := parserFor(e.Path); parse != nil {
		return parse(e.Content) == nil
	}
	return !goesOnAfter().MatchString(last) && balanced(text)
}

// sentence is a line of talk or of a list.
var sentence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:[A-Z][\\w'’`]*(?: [\\w'’`./-]+,?){3,}[.!:]|(?:[-*]|\\d+[.)]) +.* .* .*|\\*\\*.*\\*\\*:?.*)$")
})

// goesOnAfter is a line that cannot be a file's last.
var goesOnAfter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:[:,(\[{=+\\&|.]|->|\b(?:then|do|else|and|or|not|return|import|from|def|class|function))\s*$`)
})

// balanced compares what opens in a text with what closes, roughly: a text in
// which brackets stand in strings one by one is taken to be cut.
func balanced(text string) bool {
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			return false
		}
	}
	for _, mark := range []string{`"""`, "'''"} {
		if strings.Count(text, mark)%2 != 0 {
			return false
		}
	}
	return strings.Count(text, "/*") == strings.Count(text, "*/") &&
		strings.Count(text, "<!--") == strings.Count(text, "-->") && endsMatch(text)
}

// closers are words that open something which another word closes.
var closers = map[string]string{
	"if": "fi", "case": "esac", "do": "done", // shell
}

// endsMatch compares such words, where a text uses the closing ones at all, and
// for those that "end" closes what stands at the left margin.
func endsMatch(text string) bool {
	count := make(map[string]int)
	open, ended := 0, 0
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "#") {
			continue
		}
		words := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' })
		for _, w := range words {
			count[w]++
		}
		if len(words) == 0 || l[0] == ' ' || l[0] == '\t' {
			continue
		}
		if strings.HasSuffix(l, " do") {
			open++
		} else if words[0] == "module" || words[0] == "class" || words[0] == "def" || words[0] == "function" {
			open++
		} else if words[0] == "end" {
			ended++
		}
	}
	if ended > 0 || count["end"] > 0 {
		return open == ended
	}
	if count["then"] == 0 && count["done"] == 0 && count["esac"] == 0 {
		return true
	}
	for start, end := range closers {
		if count[start] > 0 && count[end] < count[start] && (start != "do" || count["done"] > 0) {
			return false
		}
	}
	return true
}
