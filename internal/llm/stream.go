package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxReplyBytes bounds the text of one reply: twenty times what the longest
// honest one needs.
const maxReplyBytes = 4 << 20

// chunk is a frame of a stream, or a whole reply of a server that does not
// stream. It is read more leniently than go-openai's type, which fails on
// fields we do not look at.
type chunk struct {
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usageFrame     `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Delta   part            `json:"delta"`
	Message part            `json:"message"`
	Finish  json.RawMessage `json:"finish_reason"`
}

type part struct {
	Content   json.RawMessage `json:"content"`
	Refusal   json.RawMessage `json:"refusal"`
	Thinking  json.RawMessage `json:"reasoning_content"`
	Reasoning json.RawMessage `json:"reasoning"`
}

// rawStream is what is used of go-openai's stream.
type rawStream interface{ RecvRaw() ([]byte, error) }

// answer gathers a reply from its frames.
type answer struct {
	reply   Reply
	text    strings.Builder
	refusal strings.Builder
	finish  string
	cost    *float64
	thought int // bytes of thinking
	// whole: the reply came in one piece, so nothing of it can be missing.
	whole   bool
	frames  int
	onToken func(int)
}

// started says whether the server has begun to work, and so to charge.
func (a *answer) started() bool { return a.text.Len() > 0 || a.thought > 0 || a.reply.Usage.Input > 0 }

// read takes the whole answer in. The text so far is in the reply even on error.
func (a *answer) read(stream rawStream, d *doer, w *watch) error {
	var end error
	for {
		frame, err := stream.RecvRaw()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				end = err
			}
			break
		}
		if err := a.take(frame, d); err != nil {
			a.close()
			return err
		}
		if a.finish != "" {
			w.finishing()
		}
	}
	a.close()
	if d.frames.repaired {
		a.reply.Notes = append(a.reply.Notes, "the reply was not valid UTF-8 and was repaired")
	}
	return a.verdict(end, d, w)
}

func (a *answer) close() {
	a.reply.Text = cutThinking(a.text.String())
	a.reply.Finish = finishReason(a.finish)
	a.reply.Ended = a.finish != "" && a.finish != "error" && a.reply.Finish == FinishStop
}

// take adds one frame.
func (a *answer) take(frame []byte, d *doer) error {
	var c chunk
	if err := json.Unmarshal(frame, &c); err != nil {
		return passing("the server sent a malformed piece: %q", shorten(string(frame), 120))
	}
	a.frames++
	if c.Model != "" {
		a.reply.Model = c.Model
	}
	if u := c.Usage; u != nil && (u.input > 0 || u.output > 0) {
		a.reply.Usage.Input, a.reply.Usage.Output, a.reply.Usage.Cached = u.input, u.output, u.cached
		if u.cost != nil {
			a.cost = u.cost
		}
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return d.frameError(frame)
	}
	if len(c.Choices) == 0 && c.Usage == nil {
		if message, _, _ := parseError(frame); message != "" {
			return d.frameError(frame) // {"detail": "…"} and its like
		}
	}
	for _, ch := range c.Choices[:min(len(c.Choices), 1)] {
		a.add(ch.Delta)
		a.add(ch.Message)
		a.whole = a.whole || content(ch.Message.Content) != ""
		if f := scalar(ch.Finish); f != "" {
			a.finish = f
		}
	}
	if a.text.Len() > maxReplyBytes {
		return fmt.Errorf("%w: more than %d MiB of text", errTooLarge, maxReplyBytes>>20)
	}
	if a.onToken != nil && len(c.Choices) > 0 {
		a.onToken((a.text.Len() + a.thought + 2) / 3)
	}
	return nil
}

func (a *answer) add(p part) {
	a.text.WriteString(content(p.Content))
	a.refusal.WriteString(content(p.Refusal))
	a.thought += len(content(p.Thinking)) + len(content(p.Reasoning))
}

// content reads a string, or the text parts of a list.
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

// frameError makes an error of one that came inside an answer with status 200.
func (d *doer) frameError(frame []byte) error {
	e := &statusError{status: 502, url: d.info.BaseURL, date: d.cfg.Now()}
	e.message, e.code, e.param = parseError(frame)
	e.message = d.withoutKey(shorten(e.message, 600))
	if n, err := strconv.Atoi(e.code); err == nil && n >= 400 && n < 600 {
		e.status = n
	}
	return e
}

// verdict says whether what has come is a whole reply.
func (a *answer) verdict(end error, d *doer, w *watch) error {
	switch {
	case errors.Is(end, errTooLarge):
		return end
	case w.parent.Err() != nil:
		return w.explain(end)
	case d.frames.html:
		return &wrongContent{url: d.info.BaseURL, kind: "HTML"}
	case a.finish == "" && !((d.frames.done || a.whole) && a.text.Len() > 0):
		return a.brokenOff(end, w)
	case a.finish == "error":
		return passing("the provider broke the reply off with an error")
	case a.reply.Finish == FinishContentFilter:
		return fmt.Errorf("%w: a content filter stopped the reply", ErrRefused)
	case strings.TrimSpace(a.reply.Text) != "":
		return nil
	case a.refusal.Len() > 0:
		return fmt.Errorf("%w: %s", ErrRefused, shorten(a.refusal.String(), 300))
	case a.reply.Finish == FinishLength:
		return errOnlyThought
	case a.finish == "":
		return passing("the reply is empty")
	}
	return nil // the model ended it by itself, and has nothing to say
}

// errOnlyThought is not worth a retry: it would cost the same again.
var errOnlyThought = errors.New("the model used all its output tokens without writing an answer")

// brokenOff says how an answer without an end ended.
func (a *answer) brokenOff(end error, w *watch) error {
	if explained := w.explain(end); end != nil {
		var t *transient
		if errors.As(explained, &t) {
			return explained
		}
		return passing("the connection broke in the middle of the reply: %w", end)
	}
	if a.frames == 0 {
		return passing("the answer is empty")
	}
	return passing("the reply ended before it was complete")
}

// finishReason maps the providers' words to ours.
func finishReason(r string) string {
	switch strings.ToLower(r) {
	case "length", "max_tokens", "max_output_tokens", "model_length":
		return FinishLength
	case "content_filter", "safety", "refusal", "prohibited_content", "recitation", "blocklist":
		return FinishContentFilter
	}
	return FinishStop
}

// cutThinking takes off the thoughts that some local models write before the
// answer: a draft in them is not the proposal.
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
