package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

// entry is a reply on a cassette; only Reply (or Error) is required.
type entry struct {
	Request string      `json:"request,omitempty"`
	Role    string      `json:"role,omitempty"`
	Attempt int         `json:"attempt,omitempty"`
	Model   string      `json:"model,omitempty"`
	Reply   textOrLines `json:"reply,omitempty"`
	Finish  string      `json:"finish,omitempty"`
	Usage   *entryUsage `json:"usage,omitempty"`
	Error   string      `json:"error,omitempty"`
}

type entryUsage struct {
	Input   int      `json:"input_tokens,omitempty"`
	Output  int      `json:"output_tokens,omitempty"`
	Cached  int      `json:"cached_tokens,omitempty"`
	Written int      `json:"cache_write_tokens,omitempty"`
	CostUSD *float64 `json:"cost_usd,omitempty"`
}

// textOrLines is a string, or a list of lines in hand-written cassettes.
type textOrLines string

// UnmarshalJSON implements json.Unmarshaler.
func (t *textOrLines) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err == nil {
		*t = textOrLines(s)
		return nil
	}
	var lines []string
	if err := json.Unmarshal(data, &lines); err != nil {
		return errors.New(`"reply" must be a string or a list of lines`)
	}
	*t = textOrLines(strings.Join(lines, "\n") + "\n")
	return nil
}

// replay answers from a cassette, in order.
type replay struct {
	name string

	mu      sync.Mutex
	entries []entry
	next    int
	client  *client
}

func newReplay(cfg Config) (Client, error) {
	file := firstNonEmpty(cfg.Cassette, cfg.BaseURL)
	if file == "" {
		return nil, fault.New(fault.Usage, "name it with --replay FILE", "provider replay needs a file of recorded replies")
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(cfg.Dir, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "read the recorded replies: %w", err)
	}
	return replayOf(file, data, cfg)
}

// replayOf plays the cassette in data; name is used in messages.
func replayOf(name string, data []byte, cfg Config) (Client, error) {
	cfg = cfg.withDefaults()
	entries, err := parseCassette(data)
	if err != nil {
		return nil, fault.New(fault.Usage,
			"format: https://github.com/booty-cli/booty/blob/main/docs/providers.md", "replies in %s: %w", name,
			err)
	}
	if len(entries) == 0 {
		return nil, fault.New(fault.Usage,
			"format: https://github.com/booty-cli/booty/blob/main/docs/providers.md",
			"%s has no replies", name)
	}
	r := &replay{name: name, entries: entries}
	r.client = &client{asker: r, cfg: cfg, told: map[string]bool{}, info: Info{
		Provider: provider.Replay, Model: firstNonEmpty(cfg.Model, entries[0].Model, "recorded replies"),
		BaseURL: name,
		Local:   true, EditFormat: cfg.EditFormat,
		MaxOutputTokens: cfg.MaxOutputTokens,
	}}
	return r.client, nil
}

// parseCassette reads a sequence of JSON objects. Lines that begin with # are comments (no
// line inside a JSON value can begin so).
func parseCassette(data []byte) ([]entry, error) {
	var clean bytes.Buffer
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			clean.Write(line)
		}
	}
	dec := json.NewDecoder(&clean)
	dec.DisallowUnknownFields()
	var entries []entry
	for {
		var e entry
		err := dec.Decode(&e)
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reply %d: %w", len(entries)+1, err)
		}
		if e.Reply == "" && e.Error == "" && e.Finish == "" { // with a finish reason it is an empty reply
			return nil, fmt.Errorf(`reply %d has neither "reply" nor "error"`, len(entries)+1)
		}
		entries = append(entries, e)
	}
}

func (p *replay) ask(ctx context.Context, r Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next >= len(p.entries) {
		return Reply{}, fault.New(fault.Model, "record it again, or add replies to it",
			"%s has no reply for request %d (%s)", p.name, p.next+1, describe(r.Role, r.Attempt))
	}
	e := p.entries[p.next]
	if e.Role != "" && r.Role != "" && e.Role != r.Role ||
		e.Attempt > 0 && r.Attempt > 0 && e.Attempt != r.Attempt {
		return Reply{}, fault.New(fault.Model, "record it again with --record",
			"the replies in %s do not fit: reply %d is for %s, but the request is for %s",
			p.name, p.next+1, describe(e.Role, e.Attempt), describe(r.Role, r.Attempt))
	}
	p.next++
	if e.Error != "" {
		return Reply{}, recordedError(e.Error)
	}
	reply := Reply{Text: string(e.Reply), Finish: firstNonEmpty(e.Finish, FinishStop),
		Ended: e.Finish == FinishStop, Model: e.Model}
	var cost *float64
	if u := e.Usage; u != nil {
		reply.Usage = Usage{Input: u.Input, Output: u.Output, Cached: u.Cached, Written: u.Written}
		cost = u.CostUSD
	}
	p.client.settle(r, &reply, cost)
	if p.client.cfg.OnToken != nil {
		p.client.cfg.OnToken(reply.Usage.Output)
	}
	return reply, nil
}

func describe(role string, attempt int) string {
	if role == "" {
		role = "any role"
	}
	if attempt > 0 {
		return fmt.Sprintf("%s, attempt %d", role, attempt)
	}
	return role
}

// Errors that a cassette can hold.
const (
	recordedContext = "context_length"
	recordedRefused = "refused"
)

func recordedError(kind string) error {
	switch kind {
	case recordedContext:
		return fault.New(fault.Model, "", "recorded error: %w", ErrContextLength)
	case recordedRefused:
		return fault.New(fault.Model, "", "recorded error: %w", ErrRefused)
	}
	return fault.New(fault.Model, "", "recorded error: %s", kind)
}

// recorder writes a client's replies to a cassette.
type recorder struct {
	Client
	redact func(string) string

	mu sync.Mutex
	w  io.Writer
}

// Record writes each reply of c to w as a line of a cassette. redact replaces secrets; it
// may be nil.
func Record(c Client, w io.Writer, redact func(string) string) Client {
	if redact == nil {
		redact = func(s string) string { return s }
	}
	return &recorder{Client: c, w: w, redact: redact}
}

func (p *recorder) Complete(ctx context.Context, r Request) (Reply, error) {
	reply, err := p.Client.Complete(ctx, r)
	if ctx.Err() != nil {
		return reply, err
	}
	e := entry{Request: digest(r.Messages), Role: r.Role, Attempt: r.Attempt, Model: reply.Model}
	switch {
	case errors.Is(err, ErrContextLength):
		e.Error = recordedContext
	case errors.Is(err, ErrRefused):
		e.Error = recordedRefused
	case err != nil:
		e.Error = p.redact(err.Error())
	default:
		cost := reply.Usage.CostUSD
		e.Reply, e.Finish = textOrLines(p.redact(reply.Text)), reply.Finish
		e.Usage = &entryUsage{Input: reply.Usage.Input, Output: reply.Usage.Output,
			Cached:  reply.Usage.Cached,
			Written: reply.Usage.Written, CostUSD: &cost}
	}
	line, encodeErr := json.Marshal(e)
	if encodeErr != nil {
		return reply, errors.Join(err, encodeErr)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, writeErr := p.w.Write(append(line, '\n')); writeErr != nil && err == nil {
		reply.Notes = append(reply.Notes, fmt.Sprintf("the reply was not recorded: %v", writeErr))
	}
	return reply, err
}

// digest identifies a request without keeping its text.
func digest(messages []Message) string {
	h := sha256.New()
	for _, m := range messages {
		fmt.Fprintf(h, "%s %d\n%s\n", m.Role, len(m.Content), m.Content)
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil)[:8])
}
