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

// maxLine bounds a message: it has room for a log handed to distill.
const maxLine = 64 << 20

// wire is JSON-RPC with one message per line. A malformed message gets an error answer and
// the session continues, where the SDK's own transport would end it. Open requests are
// answered even after the client has closed its end, so that printf … | booty mcp works.
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
	// open holds the IDs of requests without an answer; the value is true for a cancelled
	// one, whose answer is dropped.
	open map[any]bool
	// ended is set when the input has ended; idle is closed once everything is answered
	// after that.
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

// read reads lines until the input ends. It outlives a session that ends first, since a
// read cannot be cancelled.
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

// readLine reads a line of any length but keeps at most maxLine bytes.
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
			return text, nil // the last line may lack its end
		}
	}
}

// Read implements the SDK's Connection: it returns the next valid message.
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

// take queues the messages of a line. An array of messages, as in an older version of the
// protocol, is answered one by one.
func (w *wire) take(text []byte) {
	if len(text) == 0 {
		return
	}
	if !json.Valid(text) {
		w.refuse(nil, jsonrpc.CodeParseError,
			"the line is not JSON: a message is one JSON object on one line")
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

// message returns a message to pass on, or nil for one that was answered here.
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
		if m.IsCall() && !w.addOpen(m.ID.Raw()) {
			w.refuse(m.ID.Raw(), jsonrpc.CodeInvalidRequest, "a request with this id is not answered yet")
			return nil
		}
	}
	return m
}

// idOf returns the ID of a malformed message, or nil.
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

// addOpen records a request. It returns false if its ID is already open.
func (w *wire) addOpen(id any) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.open[id]; there {
		return false
	}
	w.open[id] = false
	return true
}

// cancelled records that a request was cancelled.
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

// end holds the end of the input back until every request is answered.
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

// settled closes idle once nothing is open after the end of the input. w.mu must be held.
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

// refuse answers a message that cannot be passed on.
func (w *wire) refuse(id any, code int, text string) {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text},
	})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(answer, '\n')) // a broken connection shows at the next answer
}

// Close implements the SDK's Connection.
func (w *wire) Close() error {
	w.close.Do(func() { close(w.closed) })
	return nil
}

// SessionID implements the SDK's Connection: there is one session per process.
func (w *wire) SessionID() string { return "" }
