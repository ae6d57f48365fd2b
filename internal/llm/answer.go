package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// answer collects a reply from the frames of a stream.
type answer struct {
	reply   Reply
	text    strings.Builder
	refusal strings.Builder
	calls   []toolCall
	blocks  []int // the block index of each call, in Messages
	// finish is the server's reason for the end of the reply.
	finish string
	counts counts
	// bytes counts everything received: text, refusal, thinking, calls. thought counts
	// thinking only.
	bytes, thought int
	// whole is set if the reply came in one response, so nothing can be missing.
	whole bool
	// overrun is set if the server exceeded the output limit.
	overrun bool
	// idle counts the frames since the last one with content.
	frames, idle int
	bound        int
	limit        int
	onToken      func(int)
}

// toolCall is a tool call by the model, although no tool was offered.
type toolCall struct{ name, arguments string }

// Bounds of an answer. Hardly any token has more bytes than mostPerToken, and no server
// sends that many frames without content.
const (
	mostPerToken  = 12
	slackBytes    = 64 << 10
	mostBytes     = 16 << 20
	mostIdle      = 20_000
	mostToolCalls = 100
)

func newAnswer(r Request, onToken func(int)) *answer {
	return &answer{onToken: onToken, limit: r.MaxOutputTokens,
		bound: min(mostPerToken*r.MaxOutputTokens+slackBytes, mostBytes)}
}

// started reports whether the server has begun to work, and so to charge.
func (a *answer) started() bool { return a.bytes > 0 || a.counts.input > 0 }

// read reads the whole answer. Even on error the reply has the text so far.
func (a *answer) read(frames frameReader, p protocol, x *exchange) error {
	var end error
	for {
		frame, err := frames.RecvRaw()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				end = err
			}
			break
		}
		if err := a.take(frame, p, x); err != nil {
			a.close()
			return err
		}
		if a.overrun {
			break
		}
		if a.finish != "" {
			x.watch.finishing()
		}
	}
	a.close()
	if x.frames.repaired {
		a.reply.Notes = append(a.reply.Notes, "the reply was not valid UTF-8 and was repaired")
	}
	return a.verdict(end, x)
}

// take adds one frame.
func (a *answer) take(frame []byte, p protocol, x *exchange) error {
	a.frames++
	before := a.bytes
	err := p.take(a, frame)
	var failed *streamError
	switch {
	case errors.As(err, &failed):
		return x.frameError(failed.frame)
	case err != nil:
		return passing("the server sent a malformed piece: %q", shorten(string(frame), 120))
	}
	if a.idle++; a.bytes > before {
		a.idle = 0
		if a.onToken != nil {
			a.onToken(estimateTokens(a.bytes))
		}
	}
	if a.idle > mostIdle {
		return fmt.Errorf("%w: %d pieces in a row that say nothing", errTooLarge, mostIdle)
	}
	if a.bytes > a.bound {
		a.overrun, a.finish = true, FinishLength
		a.reply.Notes = append(a.reply.Notes, fmt.Sprintf(
			"the server wrote on beyond the limit of %d output tokens: the reply was cut there", a.limit))
	}
	return nil
}

// streamError is an error sent as a frame.
type streamError struct{ frame []byte }

func (e *streamError) Error() string { return "the server sent an error" }

func (a *answer) write(s string)  { a.text.WriteString(s); a.bytes += len(s) }
func (a *answer) refuse(s string) { a.refusal.WriteString(s); a.bytes += len(s) }
func (a *answer) think(s string)  { a.thought += len(s); a.bytes += len(s) }

// call appends to a tool call.
func (a *answer) call(i int, name, arguments string) {
	if i < 0 || i >= mostToolCalls {
		return
	}
	for len(a.calls) <= i {
		a.calls = append(a.calls, toolCall{})
	}
	a.calls[i].name += name
	a.calls[i].arguments += arguments
	a.bytes += len(name) + len(arguments)
}

func (a *answer) close() {
	a.reply.Text = cutThinking(a.text.String())
	if strings.TrimSpace(a.reply.Text) == "" && len(a.calls) > 0 {
		a.reply.Text = a.callsAsText()
	}
	a.reply.Finish = finishReason(a.finish)
	a.reply.Ended = a.finish != "" && a.reply.Finish == FinishStop
}

// callsAsText writes tool calls as models without a tool protocol do. The parser of replies
// understands edits in that form.
func (a *answer) callsAsText() string {
	var b strings.Builder
	for _, c := range a.calls {
		arguments := json.RawMessage(c.arguments)
		if !json.Valid(arguments) {
			arguments, _ = json.Marshal(c.arguments) // always valid as a string
		}
		line, _ := json.Marshal(map[string]any{"name": c.name, "arguments": arguments}) // just checked
		fmt.Fprintf(&b, "<tool_call>\n%s\n</tool_call>\n", line)
	}
	a.reply.Notes = append(a.reply.Notes, fmt.Sprintf(
		"the model called a tool (%s), though none was offered: the call was read as its reply",
		shorten(a.calls[0].name, 60)))
	return b.String()
}

// verdict returns nil if a whole reply was received, or else the error.
func (a *answer) verdict(end error, x *exchange) error {
	switch {
	case errors.Is(end, errTooLarge):
		return end
	case x.watch.parent.Err() != nil:
		return x.watch.explain(end)
	case x.frames.html:
		return &wrongContent{url: x.info.BaseURL, kind: "HTML"}
	case a.finish == "" && !((x.frames.done || a.whole) && a.text.Len() > 0):
		return a.brokenOff(end, x.watch)
	case a.reply.Finish == finishFailed:
		return passing("the provider broke the reply off: %s", shorten(a.finish, 60))
	case a.reply.Finish == FinishContentFilter:
		why := firstNonEmpty(shorten(a.refusal.String(), 300), "a content filter stopped the reply")
		return fmt.Errorf("%w: %s", ErrRefused, why)
	case strings.TrimSpace(a.reply.Text) != "":
		return nil
	case a.refusal.Len() > 0:
		return fmt.Errorf("%w: %s", ErrRefused, shorten(a.refusal.String(), 300))
	case a.finish == "model_context_window_exceeded":
		return fmt.Errorf("%w: nothing was written before it was full", ErrContextLength)
	case a.reply.Finish == FinishLength:
		return errOnlyThought
	case a.finish == "":
		return passing("the reply is empty")
	}
	return nil // the model ended the reply and has nothing to say
}

// brokenOff returns the error for an answer without an end.
func (a *answer) brokenOff(end error, w *watch) error {
	if explained := w.explain(end); end != nil {
		var t *transient
		if errors.As(explained, &t) || errors.Is(explained, errTooLong) {
			return explained
		}
		return passing("the connection broke in the middle of the reply: %w", end)
	}
	if a.frames == 0 {
		return passing("the answer is empty")
	}
	return passing("the reply ended before it was complete")
}

// finishFailed stands for reasons that mean an outage of the provider.
const finishFailed = "failed"

// finishReason maps the providers' terms to ours.
func finishReason(r string) string {
	switch strings.ToLower(r) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return FinishLength
	case "content_filter", "safety", "refusal", "prohibited_content", "recitation", "blocklist", "spii",
		"sensitive":
		return FinishContentFilter
	case "error", "failed", "cancelled", "network_error", "insufficient_system_resource", "abort",
		"overloaded":
		return finishFailed
	}
	return FinishStop
}

// content returns a string, or the text parts of a list.
func content(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		if p.Type == "" || p.Type == "text" || p.Type == "output_text" {
			s += p.Text
		}
	}
	return s
}

// cutThinking removes the thinking that some local models write before the answer: a draft
// in it is not the proposal.
func cutThinking(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "<think>")
	if !ok {
		return text
	}
	_, after, ok := strings.Cut(rest, "</think>")
	if !ok {
		return ""
	}
	return strings.TrimLeft(after, "\r\n")
}
