package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// progressInterval is the interval of progress reports for a silent command. Some clients give up
	// after a minute of silence.
	progressInterval = 5 * time.Second
	// gatherTime is how long lines are collected. Lines right before the answer are part of
	// the answer, and a client may be done with a call's progress by then.
	gatherTime = 250 * time.Millisecond
	// maxAnswer bounds the text of an answer: a model has to read it.
	maxAnswer = 60_000
)

// handler answers calls of one tool.
type handler struct {
	server Server
	tool   tool
	// until ends the work in progress.
	until context.Context //nolint:containedctx // a request's context ends with the request alone
	// one is held by the long tool that is running: two would check each other's files.
	one chan struct{}
}

// call runs the tool's command. A failure is an answer that the client's model can read,
// never a protocol error.
func (h handler) call(ctx context.Context, req *sdk.CallToolRequest) (r *sdk.CallToolResult, _ error) {
	defer func() {
		if p := recover(); p != nil {
			r = failed(h.server.Redact(fmt.Sprintf("a bug in booty: %v", p)))
		}
	}()
	c, err := h.tool.command(h.server, req.Params.Arguments)
	if err != nil {
		return failed(err.Error()), nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(h.until, stop)()
	if h.tool.long {
		select {
		case h.one <- struct{}{}:
			defer func() { <-h.one }()
		case <-ctx.Done():
			return answer(Answer{Messages: "interrupted", Exit: interrupted}), nil
		}
	}
	p := h.progress(ctx, req)
	defer p.close()
	c.OnMessage, c.OnOutput = p.message, p.output
	a := h.server.Run(ctx, c)
	p.close() // nothing may follow the answer
	return answer(a), nil
}

// interrupted is the exit code of a command that was ended early, whether it had begun or
// not.
const interrupted = 130

// failed is an answer that explains why there is no result.
func failed(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// answer turns a command's output into an answer for a model. A JSON result is the last
// line if the command writes events.
func answer(a Answer) *sdk.CallToolResult {
	r := &sdk.CallToolResult{}
	switch a.Exit {
	case 0, 3, 4: // passes, fails, nothing to do: results, not errors
	default:
		r.IsError = true
	}
	text := strings.TrimRight(a.Result, "\n")
	if last := text[strings.LastIndexByte(text, '\n')+1:]; strings.HasPrefix(last, "{") &&
		json.Valid([]byte(last)) {
		text = last
		r.StructuredContent = json.RawMessage(last)
	} else {
		text = shortened(strings.Trim(strings.TrimRight(a.Messages, "\n")+"\n\n"+text, "\n"))
	}
	if r.StructuredContent == nil && (a.Exit != 0 || text == "") {
		text = strings.TrimLeft(fmt.Sprintf("%s\nexit code %d", text, a.Exit), "\n")
	}
	r.Content = []sdk.Content{&sdk.TextContent{Text: text}}
	return r
}

// shortened removes the middle of a long text.
func shortened(text string) string {
	if len(text) <= maxAnswer {
		return text
	}
	head, tail := text[:maxAnswer*2/3], text[len(text)-maxAnswer/3:]
	head = head[:strings.LastIndexByte(head, '\n')+1]
	tail = tail[strings.IndexByte(tail, '\n')+1:]
	return strings.ToValidUTF8(
		fmt.Sprintf("%s… %d bytes left out …\n%s", head, len(text)-len(head)-len(tail), tail), "")
}

// progress reports a command's progress if the client asked for it.
type progress struct {
	notify func(message string)
	redact func(string) string

	mu    sync.Mutex
	lines []string
	last  string // the newest output line
	stop  context.CancelFunc
	wait  sync.WaitGroup
}

func (h handler) progress(ctx context.Context, req *sdk.CallToolRequest) *progress {
	p := &progress{redact: h.server.Redact, stop: func() {}}
	token := req.Params.GetProgressToken()
	if token == nil {
		return p
	}
	ctx, p.stop = context.WithCancel(ctx)
	steps := 0.0
	p.notify = func(message string) {
		steps++
		// A client that does not take it will not take the answer either.
		_ = req.Session.NotifyProgress(ctx,
			&sdk.ProgressNotificationParams{ProgressToken: token, Progress: steps,
				Message: message})
	}
	p.wait.Go(func() { p.report(ctx) })
	return p
}

// message records a message.
func (p *progress) message(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line = strings.TrimSpace(line); line != "" && p.notify != nil {
		p.lines = append(p.lines, line)
	}
}

// output records an output line of the command.
func (p *progress) output(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line = strings.TrimSpace(line); line != "" {
		p.last = line
	}
}

// report passes messages on, and reports every few seconds that the command is running.
func (p *progress) report(ctx context.Context) {
	t := time.NewTicker(gatherTime)
	defer t.Stop()
	begun := time.Now()
	heard := begun
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		p.mu.Lock()
		lines, last := p.lines, p.last
		p.lines = nil
		p.mu.Unlock()
		if len(lines) == 0 && time.Since(heard) >= progressInterval {
			lines = []string{strings.TrimSuffix(
				time.Since(begun).Round(time.Second).String()+": "+p.redact(last), ": ")}
		}
		for _, line := range lines {
			p.notify(line)
			heard = time.Now()
		}
	}
}

// close ends it. It may be called twice.
func (p *progress) close() {
	p.stop()
	p.wait.Wait()
}
