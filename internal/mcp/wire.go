package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the longest message that is taken: a log handed to distill, with room.
const maxLine = 64 << 20

// wire is JSON-RPC, one message a line. What is no message is answered as such and
// the session goes on: the SDK's own transport ends it. What was asked is answered
// after the client has closed its end, too: printf … | booty mcp works.
type wire struct {
	in  io.Reader
	out io.Writer
	// gone is called when the client has closed its end.
	gone func()

	lines  chan line
	closed chan struct{}
	close  sync.Once
	queue  []json.RawMessage

	mu sync.Mutex
	// open are the requests without an answer by their ids; true for one that was
	// cancelled, whose answer nobody wants.
	open map[any]bool
	// ended reports whether the input has ended; idle is closed once all is answered then.
	ended bool
	idle  chan struct{}
	once  sync.Once
}

type line struct {
	text []byte
	err  error
}

// errTooLong is a line beyond maxLine; the next one may be good.
var errTooLong = errors.New("the message is longer than 64 MB")

// Connect implements the SDK's Transport.
func (w *wire) Connect(context.Context) (sdk.Connection, error) {
	w.lines, w.closed = make(chan line), make(chan struct{})
	w.open, w.idle = map[any]bool{}, make(chan struct{})
	go w.read()
	return w, nil
}

// read reads lines until the input ends. It is left behind where the session ends
// first: a read cannot be called off.
func (w *wire) read() {
	r := bufio.NewReaderSize(w.in, 64<<10)
	for {
		text, err := readLine(r)
		select {
		case w.lines <- line{text, err}:
		case <-w.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// readLine reads a line of any length, and keeps no more of it than is allowed.
func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > maxLine; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && !errors.Is(err, io.EOF), err != nil && len(text) == 0 && !long:
			return nil, err
		case long:
			return nil, errTooLong
		default:
			return text, nil // the last one may lack its end
		}
	}
}

// Read implements the SDK's Connection: the next message that is one.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		for len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			if m := w.message(next); m != nil {
				return m, nil
			}
		}
		select {
		case l := <-w.lines:
			switch {
			case errors.Is(l.err, errTooLong):
				w.refuse(nil, jsonrpc.CodeInvalidRequest, errTooLong.Error())
			case l.err != nil:
				return nil, w.end(ctx, l.err)
			default:
				w.take(bytes.TrimSpace(l.text))
			}
		case <-w.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take queues what a line holds. Several messages in an array, as one older version
// of the protocol has them, are answered one by one.
func (w *wire) take(text []byte) {
	if len(text) == 0 {
		return
	}
	if !json.Valid(text) {
		w.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON: a message is one JSON object on one line")
		return
	}
	if text[0] != '[' {
		w.queue = append(w.queue, text)
		return
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(text, &batch); err != nil || len(batch) == 0 {
		w.refuse(nil, jsonrpc.CodeInvalidRequest, "an array without a message")
		return
	}
	w.queue = append(w.queue, batch...)
}

// message is a message that may be passed on; nil for one that was answered here.
func (w *wire) message(text []byte) jsonrpc.Message {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		w.refuse(idOf(text), jsonrpc.CodeInvalidRequest, err.Error())
		return nil
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		if m.Result == nil && m.Error == nil {
			w.refuse(m.ID.Raw(), jsonrpc.CodeInvalidRequest, "the message has no method")
			return nil
		}
	case *jsonrpc.Request:
		if m.Method == "notifications/cancelled" {
			w.cancelled(m.Params)
		}
		if m.IsCall() && !w.opened(m.ID.Raw()) {
			w.refuse(m.ID.Raw(), jsonrpc.CodeInvalidRequest, "a request with this id is not answered yet")
			return nil
		}
	}
	return m
}

// idOf is the id of what is no message, nil if it has none.
func idOf(text []byte) any {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	switch m.ID.(type) {
	case string, float64:
		return m.ID
	}
	return nil
}

// opened notes a request; false if one of its id is open.
func (w *wire) opened(id any) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.open[id]; there {
		return false
	}
	w.open[id] = false
	return true
}

// cancelled notes that the answer to a request is not wanted any more.
func (w *wire) cancelled(params json.RawMessage) {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.open[id.Raw()]; there {
		w.open[id.Raw()] = true
	}
}

// end holds the end of the input back until all is answered that was asked.
func (w *wire) end(ctx context.Context, err error) error {
	w.gone()
	w.mu.Lock()
	w.ended = true
	w.settled()
	w.mu.Unlock()
	select {
	case <-w.idle:
	case <-w.closed:
	case <-ctx.Done():
	}
	return err
}

// settled says so once nothing is open after the end of the input; w.mu is held.
func (w *wire) settled() {
	if w.ended && len(w.open) == 0 {
		w.once.Do(func() { close(w.idle) })
	}
}

// Write implements the SDK's Connection.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r, ok := m.(*jsonrpc.Response); ok {
		unwanted := w.open[r.ID.Raw()]
		delete(w.open, r.ID.Raw())
		defer w.settled()
		if unwanted {
			return nil
		}
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(text, '\n'))
	return err
}

// refuse answers what is no message, or none that may be passed on.
func (w *wire) refuse(id any, code int, text string) {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text},
	})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(answer, '\n')) // who cannot be written to is found out by the next answer
}

// Close implements the SDK's Connection.
func (w *wire) Close() error {
	w.close.Do(func() { close(w.closed) })
	return nil
}

// SessionID implements the SDK's Connection: there is one session a process.
func (w *wire) SessionID() string { return "" }
