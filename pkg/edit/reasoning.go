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

// template reads a line with template tokens.
func template(t text, i int, c context) *found {
	l := t.trimmed(i)
	if l[0] != '<' && l[0] != '[' && !strings.HasSuffix(l, ">") {
		return nil
	}
	if channel().MatchString(l) {
		return thoughtChannel(t, i, c)
	}
	f := c.keep(i)
	if userTurn().MatchString(l) {
		f.problem("", "line %d of the reply is text of the conversation, a turn of somebody else: %s. "+
			"Answer with the edits alone", t.number(i), clip(l))
		f.next = len(t.lines)
		return f
	}
	left := cutTokens(l)
	left = left[len(turnTokens().FindString(left)):]
	if left == l {
		return nil
	}
	f.rest = &rest{i, left}
	return f
}

// thoughtChannel skips a channel of thoughts, up to its end or to the head of the final
// channel. What came before a final channel was a draft.
func thoughtChannel(t text, i int, c context) *found {
	var head string
	final := false
	j := t.find("channel", i, func(j int) bool {
		if head = finalChannel().FindString(t.lines[j]); head != "" {
			final = true
			return true
		}
		head = channelEnd().FindString(t.lines[j])
		return head != ""
	})
	if j < 0 {
		return openThought(t, i, c)
	}
	f := c.keep(j)
	if final {
		f = c.drop(j)
	}
	f.rest = &rest{j, strings.TrimSpace(t.lines[j][len(head):])}
	return f
}

// openThought reports reasoning that never ends: the text was cut, or the reply is only a
// draft.
func openThought(t text, i int, c context) *found {
	f := c.keep(len(t.lines))
	f.breaksOff(c.complete, "", "the reasoning that begins at line %d of the reply is not ended, so there is no "+
		"answer: close it, and give the edits behind it", t.number(i))
	return f
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
func thought(t text, i int, c context) *found {
	l := t.trimmed(i)
	if l[0] != '<' && l[0] != '[' && !strings.HasPrefix(l, "◁") {
		return nil
	}
	if m := thoughtEnd().FindStringSubmatch(l); m != nil && m[0] == l && m[1] == "" {
		// Reasoning without its opening tag: nothing before was the reply.
		return c.drop(i + 1)
	}
	open := thoughtStart().FindStringSubmatch(l)
	if open == nil {
		return nil
	}
	var left string
	j := t.find("thought"+strings.ToLower(open[1]), i, func(j int) bool {
		l := t.lines[j]
		if !strings.ContainsAny(l, "/|") {
			return false
		}
		for _, at := range thoughtEnd().FindAllStringSubmatchIndex(l, -1) {
			if name := l[max(at[2], 0):max(at[3], 0)]; strings.EqualFold(name, open[1]) {
				left = strings.TrimSpace(l[at[1]:])
				return true
			}
		}
		return false
	})
	switch {
	case j >= 0:
		f := c.keep(j)
		f.rest = &rest{j, left}
		return f
	case open[1]+open[2] != "" && open[0] != l || open[1] != "":
		return nil
	}
	return openThought(t, i, c)
}

// isTalk reports whether text after a closing fence is a sentence.
func isTalk(t string) bool {
	t = strings.TrimSpace(t)
	r, _ := utf8.DecodeRuneInString(t)
	return unicode.IsUpper(r) && strings.Count(t, " ") >= 2 && strings.ContainsAny(t[len(t)-1:], ".!:?") &&
		!strings.ContainsAny(t, "={}`")
}
