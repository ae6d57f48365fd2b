package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Servers let through what was never meant to be read: the tokens with which a
// model ends its turn, the heads of turns and channels, and drafts between tags.

// modelToken is a token of a model's template, wherever one may stand.
var modelToken = pattern(`<\|[A-Za-z0-9_/ ]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<eos>|<(?:end|start)_of_turn>|\[/?INST\]`)

// cutTokens takes the tokens off the end of a text.
func cutTokens(t string) string {
	t = strings.TrimRight(t, " \t")
	for strings.HasSuffix(t, ">") || strings.HasSuffix(t, "]") {
		at := modelToken().FindAllStringIndex(t, -1)
		if len(at) == 0 || at[len(at)-1][1] != len(t) {
			break
		}
		t = strings.TrimRight(t[:at[len(at)-1][0]], " \t")
	}
	return t
}

// withoutToken is the content of a file without a token at its very end, where
// neither the file that it replaces nor the content itself has another: then
// it would be a template, or markup.
func withoutToken(content, old string) string {
	text := strings.TrimRight(content, "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	cut := cutTokens(last)
	if cut == strings.TrimRight(last, " \t") || strings.Contains(content, "<s>") || modelToken().MatchString(old) {
		return content
	}
	text = text[:len(text)-len(last)]
	if cut == "" {
		return text
	}
	return text + cut + "\n"
}

// turnHead is the head of a turn of the assistant, or of its final channel.
var turnHead = pattern(`^(?:(?:<\|(?:im_start|start|start_header_id)\|>|<start_of_turn>)\s*(?:assistant|model)\s*(?:<\|end_header_id\|>)?)`)

var userTurn = pattern(`^(?:<\|(?:im_start|start|start_header_id)\|>|<start_of_turn>|<｜)\s*(?:user|User|human|system)\b`)

var channel = pattern(`(?:<\|channel\|?>|<channel\|>)\s*(\w+)[^<\n]*(?:<\|message\|>)?`)

// template reads a top-level line that holds tokens of a template. ok is false
// where there is nothing of the kind.
func (p *parser) template(t string, i, to int) (next int, ok bool) {
	if !strings.ContainsAny(t, "<[") {
		return i, false
	}
	if m := channel().FindStringSubmatchIndex(t); m != nil && !strings.Contains(t[:m[0]], " ") { // not within a sentence
		return p.channel(t, m, i, to), true
	}
	if userTurn().MatchString(t) {
		p.problem("", "line %d of the reply is text of the conversation, a turn of somebody else: %s. Answer with the edits alone", i+1, clip(t))
		return to, true
	}
	rest := cutTokens(t)
	if h := turnHead().FindString(rest); h != "" {
		rest = strings.TrimSpace(rest[len(h):])
	}
	for {
		at := modelToken().FindStringIndex(rest)
		if at == nil || at[0] != 0 || strings.Contains(strings.ToLower(rest[:at[1]]), "tool") {
			break // a call may stand between tokens
		}
		rest = strings.TrimSpace(rest[at[1]:])
	}
	if rest == t {
		return i, false
	}
	p.lines[i] = rest
	if rest == "" {
		return i + 1, true
	}
	return i, true
}

// channel skips a channel of thoughts up to the final one or its end. What came
// before a final channel was a draft.
func (p *parser) channel(t string, m []int, i, to int) int {
	if strings.EqualFold(t[m[2]:m[3]], "final") {
		p.forget()
		p.lines[i] = strings.TrimSpace(t[m[1]:])
		return i
	}
	p.lines[i] = t[m[1]:]
	for j := i; j < to; j++ {
		l := p.lines[j]
		for _, c := range channel().FindAllStringSubmatchIndex(l, -1) {
			if strings.EqualFold(l[c[2]:c[3]], "final") {
				p.lines[j] = l[c[0]:]
				return j
			}
		}
		for _, end := range []string{"<|end|>", "<channel|>"} {
			if _, rest, ok := strings.Cut(l, end); ok && channel().FindString(rest) == "" {
				p.lines[j] = strings.TrimSpace(rest)
				return j
			}
		}
	}
	p.openThought(i)
	return to
}

// openThought reports reasoning that never ends: the text was cut, or the reply
// is nothing but a draft.
func (p *parser) openThought(i int) {
	p.cut("", "the reasoning that begins at line %d of the reply is not ended, so there is no answer: close it, and give the edits behind it", i+1)
}

const (
	thinking = `think|thinking|thoughts?|thought_process|reasoning|reasoning_content|reflection|scratch_?pad|antthinking|inner_monologue|chain_of_thought`
	// drafting are names that other things have, too: they count in pairs.
	drafting = `analysis|plan|planning|draft|brainstorm`
)

var thoughtStart = pattern(`(?i)^(?:<(?:\w+:)?(` + thinking + `|` + drafting + `)(?:\s[^>]*)?>|\[(` + thinking +
	`)\](?:[^(]|$)|◁(` + thinking + `)▷|<\|begin_of_(thought)\|>)`)

var thoughtEnd = pattern(`(?i)</(?:\w+:)?(` + thinking + `|` + drafting + `)>|\[/(` + thinking + `)\]|◁/(` +
	thinking + `)▷|<\|end_of_(thought)\|>`)

// tagName is the name that one of the groups of a tag has.
func tagName(m []string) string { return strings.ToLower(strings.Join(m[1:], "")) }

func isDrafting(name string) bool { return strings.Contains("|"+drafting+"|", "|"+name+"|") }

// thought skips reasoning. Text may follow the closing tag on its line. Names
// that other things have, too, and brackets count in pairs.
func (p *parser) thought(t string, i, to int) (next int, ok bool) {
	if t[0] != '<' && t[0] != '[' && !strings.HasPrefix(t, "◁") {
		return i, false
	}
	if m := thoughtEnd().FindStringSubmatch(t); m != nil && len(m[0]) == len(t) && !isDrafting(tagName(m)) {
		// Reasoning whose opening tag was left out: all before was not the reply.
		p.forget()
		return i + 1, true
	}
	open := thoughtStart().FindStringSubmatch(t)
	if open == nil {
		return i, false
	}
	name := tagName(open)
	paired := isDrafting(name)
	want := "thought"
	if paired {
		want = name
	}
	for j := i; j < to && !p.gone(want, to); j++ {
		if !strings.ContainsAny(p.lines[j], "/|") {
			continue
		}
		for _, at := range thoughtEnd().FindAllStringSubmatchIndex(p.lines[j], -1) {
			if paired && !strings.Contains(strings.ToLower(p.lines[j][at[0]:at[1]]), name) {
				continue
			}
			rest := strings.TrimSpace(p.lines[j][at[1]:])
			if rest == "" {
				return j + 1, true
			}
			p.lines[j] = rest
			return j, true
		}
	}
	p.soughtInVain(want, to)
	if paired || t[0] == '[' && len(open[0]) != len(t) {
		return i, false
	}
	p.openThought(i)
	return to, true
}

// mark is a closing mark and the line up to which it was sought in vain.
type mark struct {
	text string
	to   int
}

// gone reports whether a closing mark was already sought in vain. Each is
// sought once, and only so many, so that parsing stays linear.
func (p *parser) gone(text string, to int) bool {
	const most = 100
	return p.endless[mark{text, to}] || len(p.endless) > most
}

func (p *parser) soughtInVain(text string, to int) {
	if p.endless == nil {
		p.endless = make(map[mark]bool)
	}
	p.endless[mark{text, to}] = true
}

// isTalk reports whether text behind a closing fence is a sentence.
func isTalk(t string) bool {
	t = strings.TrimSpace(t)
	r, _ := utf8.DecodeRuneInString(t)
	return unicode.IsUpper(r) && strings.Count(t, " ") >= 2 && strings.ContainsAny(t[len(t)-1:], ".!:?") && !strings.ContainsAny(t, "={}`")
}
