package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Servers let through what was never meant to be read: tokens that end a turn, heads of
// turns and channels, and drafts between tags.

// modelToken matches a token of a model's template.
var modelToken = pattern(`<\|[A-Za-z0-9_/ ]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<eos>|<(?:end|` +
	`start)_of_turn>|\[/?INST\]`)

// cutTokens removes such tokens from the end of a text.
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

// turnTokens match tokens before the text of a turn, such as the head of an assistant turn,
// but not those of calls.
var turnTokens = pattern(`^(?:(?:<\|(?:im_start|start|start_header_id)\|>|` +
	`<start_of_turn>)\s*(?:assistant|model)\b|` +
	`<\|[a-z_]*(?:end|eot|eos|begin|start|im|message|return|header|text)[a-z_]*\|>|</?s>|<eos>|` +
	`<end_of_turn>|\[/?INST\]|\s+)+`)

var userTurn = pattern(`^(?:<\|(?:im_start|start|start_header_id)\|>|<start_of_turn>|<｜)\s*(?:[Uu]ser|` +
	`human|system)\b`)

// channel matches the head of a channel of thoughts, finalChannel that of the answer.
var (
	channel      = pattern(`^\S*<\|?channel\|?>\s*\w+`)
	finalChannel = pattern(`^.*<\|?channel\|?>\s*final[^<\n]*(?:<\|message\|>)?`)
	channelEnd   = pattern(`^.*(?:<\|end\|>|<channel\|>)`)
)

// template reads a top-level line with template tokens. ok is false if there are none.
func (p *parser) template(t string, i, to int) (next int, ok bool) {
	if t[0] != '<' && t[0] != '[' && !strings.HasSuffix(t, ">") {
		return i, false
	}
	if channel().MatchString(t) {
		// What came before a final channel was a draft.
		for j := i; j < to && !p.gone("channel", to); j++ {
			for k, end := range []string{finalChannel().FindString(p.lines[j]),
				channelEnd().FindString(p.lines[j])} {
				if end == "" {
					continue
				}
				if k == 0 {
					p.forget()
				}
				p.lines[j] = strings.TrimSpace(p.lines[j][len(end):])
				return j, true
			}
		}
		p.markNotFound("channel", to)
		p.openThought(i)
		return to, true
	}
	if userTurn().MatchString(t) {
		p.problem("", "line %d of the reply is text of the conversation, a turn of somebody else: %s. "+
			"Answer with the edits alone", i+1, clip(t))
		return to, true
	}
	rest := cutTokens(t)
	rest = rest[len(turnTokens().FindString(rest)):]
	if rest == t {
		return i, false
	}
	p.lines[i] = rest
	return i, true
}

// openThought reports reasoning that never ends: the text was cut, or the reply is only a
// draft.
func (p *parser) openThought(i int) {
	p.cut("", "the reasoning that begins at line %d of the reply is not ended, so there is no answer: "+
		"close it, "+
		"and give the edits behind it", i+1)
}

const (
	thinking = `think|thinking|thoughts?|thought_process|reasoning|reasoning_content|reflection|` +
		`scratch_?pad|antthinking|inner_monologue|chain_of_thought`
	// drafting are names with other uses, too: they count in pairs.
	drafting = `analysis|plan|planning|draft|brainstorm`
)

var thoughtStart = pattern(`(?i)^(?:<(?:\w+:)?(?:` + thinking + `|(` + drafting +
	`))(?:\s[^>]*)?>|(\[)(?:` + thinking +
	`)\](?:[^(]|$)|◁(?:` + thinking + `)▷|<\|begin_of_thought\|>)`)

var thoughtEnd = pattern(`(?i)</(?:\w+:)?(?:` + thinking + `|(` + drafting + `))>|\[/(?:` + thinking +
	`)\]|◁/(?:` +
	thinking + `)▷|<\|end_of_thought\|>`)

// thought skips reasoning. Text may follow the closing tag on its line. Names with other
// uses, and brackets, count in pairs.
func (p *parser) thought(t string, i, to int) (next int, ok bool) {
	if t[0] != '<' && t[0] != '[' && !strings.HasPrefix(t, "◁") {
		return i, false
	}
	if m := thoughtEnd().FindStringSubmatch(t); m != nil && m[0] == t && m[1] == "" {
		// Reasoning without its opening tag: nothing before was the reply.
		p.forget()
		return i + 1, true
	}
	open := thoughtStart().FindStringSubmatch(t)
	if open == nil {
		return i, false
	}
	want := "thought" + strings.ToLower(open[1])
	for j := i; j < to && !p.gone(want, to); j++ {
		if !strings.ContainsAny(p.lines[j], "/|") {
			continue
		}
		for _, at := range thoughtEnd().FindAllStringSubmatchIndex(p.lines[j], -1) {
			if name := p.lines[j][max(at[2], 0):max(at[3], 0)]; strings.EqualFold(name, open[1]) {
				p.lines[j] = strings.TrimSpace(p.lines[j][at[1]:])
				return j, true
			}
		}
	}
	p.markNotFound(want, to)
	if open[1]+open[2] != "" && open[0] != t || open[1] != "" {
		return i, false
	}
	p.openThought(i)
	return to, true
}

// isTalk reports whether text after a closing fence is a sentence.
func isTalk(t string) bool {
	t = strings.TrimSpace(t)
	r, _ := utf8.DecodeRuneInString(t)
	return unicode.IsUpper(r) && strings.Count(t, " ") >= 2 && strings.ContainsAny(t[len(t)-1:], ".!:?") &&
		!strings.ContainsAny(t, "={}`")
}
