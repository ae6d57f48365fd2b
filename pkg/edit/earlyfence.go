package edit

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A fence line at the margin inside a file, in a docstring or a template, looks
// like the end of the fence around the file; and the last fence may not be
// closed at all. Where both readings are possible nothing is applied.

// endsEarly reports whether the fence of a file that seems to end at line end
// may go on behind it: other text follows at once, or the content is left open,
// and there are further fence lines before the next file.
func (p *parser) endsEarly(f fenceLine, name string, i, end, to int) bool {
	if end+1 >= to || !f.closes(p.lines[end]) {
		return false
	}
	if isProse(name) && slices.ContainsFunc(p.lines[i+1:end], f.opensInside) && p.unpaired(f, end+1, to) {
		return true
	}
	next := p.lines[end+1]
	open := !isProse(name) && leftOpen(p.lines[i+1:end])
	if !open && (f.path == "" && p.pend == nil || strings.TrimSpace(next) == "" || isTalk(next) ||
		strings.HasSuffix(next, ":") || p.beginsOther(end+1)) {
		return false
	}
	for k := end + 1; k < to; k++ {
		if f.closes(p.lines[k]) {
			return true
		}
		if k > end+1 && p.headsFence(k, to) {
			return false
		}
	}
	return false
}

// unpaired reports whether a fence line is left over before the next file.
func (p *parser) unpaired(f fenceLine, i, to int) bool {
	open := false
	for ; i < to && !p.headsFence(i, to); i++ {
		if f.closes(p.lines[i]) {
			open = !open
		} else if f.opensInside(p.lines[i]) {
			open = true
		}
	}
	return open
}

// beginsOther reports whether a line begins something else than content.
func (p *parser) beginsOther(i int) bool {
	t := strings.TrimSpace(p.lines[i])
	if _, ok := pathLine(t); ok {
		return true
	}
	_, fence := openFence(t)
	_, said := sentencePath(t)
	return fence || said || isSearch(t) || isEnvelope(t) || strings.ContainsAny(t[:1], "<#*-") ||
		p.directives(t, 0) != nil || isSummary(t)
}

// headsFence reports whether line i is a path line with a fence in a language under it.
func (p *parser) headsFence(i, to int) bool {
	if _, ok := pathLine(p.lines[i]); !ok {
		return false
	}
	next := p.firstText(i+1, to)
	if next >= to {
		return false
	}
	f, ok := openFence(p.lines[next])
	return ok && (f.lang != "" || i > 0 && strings.TrimSpace(p.lines[i-1]) == "")
}

var hereWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<[-~]?\s*['"]?([A-Z][A-Z_]+)\b`) })

// leftOpen reports whether code ends inside a text over several lines.
func leftOpen(lines []string) bool {
	text := strings.Join(lines, "\n")
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(text, mark)%2 != 0 {
			return true
		}
	}
	for _, pair := range [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`r#"`, `"#`}} {
		if strings.Count(text, pair[0]) > strings.Count(text, pair[1]) {
			return true
		}
	}
	for _, m := range hereWord().FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimRight(strings.TrimSpace(l), ";") == m[1] }) {
			return true
		}
	}
	return false
}

// unclosed reads a fence that the reply does not close. Models forget the last
// one; but a server may also have cut the text without a word. So what it holds
// counts only where it shows that it is complete.
func (p *parser) unclosed(f fenceLine, i, to int) int {
	before, was := len(p.reply.Edits), p.reply.Truncated
	p.wholeHunk = false
	p.content(f, i, to, deepest)
	added := p.reply.Edits[before:]
	last := p.lines[p.lastText(i, to)]
	complete := p.complete
	switch {
	case len(added) == 0: // it explains something, behind the edits
		complete = complete || before > 0 || len(p.reply.Problems) > 0
	case strings.TrimSpace(last) == endPatch || p.wholeHunk:
		complete = true
	case len(added) == 1 && added[0].Op == Write:
		e := added[0]
		whole := p.looksWhole(e)
		old, _ := p.files.text(e.Path)
		switch {
		case (whole || complete) && 2*strings.Count(e.Content, "\n") < strings.Count(old, "\n"):
			p.problem(e.Path, "the fence at line %d of the reply is not closed, and its content has not half of the lines of %s: the reply seems to end in the middle of it, so it is not applied", e.Line, e.Path)
		case complete && !whole && !isProse(e.Path) && (sentence().MatchString(last) || isTalk(last)):
			p.problem(e.Path, "the fence at line %d of the reply is not closed, and text that is no content seems to follow: close the fence where the content ends", i+1)
		}
		complete = complete || whole
	}
	p.reply.Truncated = was
	if !complete {
		p.cut("", "the fence at line %d of the reply is not closed", i+1)
	}
	return to
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
	for _, pair := range [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}, {"/*", "*/"}, {"<!--", "-->"}} {
		if strings.Count(text, pair[0]) != strings.Count(text, pair[1]) {
			return false
		}
	}
	count := make(map[string]int)
	open, ended := 0, 0 // at the left margin, where "end" closes
	for _, l := range strings.Split(text, "\n") {
		words := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' })
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		for _, w := range words {
			count[w]++
		}
		switch {
		case indentOf(l) != "":
		case strings.HasSuffix(l, " do"), slices.Contains([]string{"module", "class", "def", "function"}, words[0]):
			open++
		case words[0] == "end":
			ended++
		}
	}
	return strings.Count(text, `"""`)%2 == 0 && strings.Count(text, "'''")%2 == 0 &&
		(count["end"] == 0 || open == ended) &&
		(count["then"] == 0 || count["if"] <= count["fi"]) && (count["esac"] == 0 || count["case"] <= count["esac"]) &&
		(count["done"] == 0 || count["do"] <= count["done"])
}
