package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// server stands for a model server: each request is answered by the next
// of its handlers; one request more than there are handlers fails the test.
type server struct {
	*httptest.Server
	t        *testing.T
	mu       sync.Mutex
	handlers []http.HandlerFunc
	bodies   []map[string]any
	paths    []string
	headers  []http.Header
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{t: t, handlers: handlers}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if r.Method != http.MethodPost {
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"data":[{"id":"other-model"},{"id":"test-model-2"},{"id":"text-embed"}]}`)
		return
	}
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		s.t.Errorf("the request is no JSON: %v", err)
	}
	s.bodies = append(s.bodies, body)
	s.headers = append(s.headers, r.Header.Clone())
	s.paths = append(s.paths, r.URL.Path)
	if len(s.handlers) == 0 {
		s.mu.Unlock()
		s.t.Errorf("unexpected request %d", len(s.bodies))
		http.Error(w, "unexpected", http.StatusTeapot)
		return
	}
	h := s.handlers[0]
	s.handlers = s.handlers[1:]
	s.mu.Unlock()
	h(w, r)
}

// unused fails the test when some handler was never asked.
func (s *server) unused() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.handlers) > 0 {
		s.t.Errorf("%d expected requests were not made", len(s.handlers))
	}
}

// naps records waits without waiting.
type naps struct {
	mu   sync.Mutex
	list []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, d)
	return ctx.Err()
}

// stream answers with frames, one a data line, and [DONE].
func stream(frames ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, f := range frames {
			fmt.Fprintf(w, "data: %s\n\n", f)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// raw answers with exactly this body.
func raw(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		fmt.Fprint(w, body)
	}
}

// status answers with an error.
func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// delta is a frame with text; finish one with a reason; usage one with counts.
func delta(text string) string {
	b, _ := json.Marshal(text)
	return fmt.Sprintf(`{"model":"test-model","choices":[{"index":0,"delta":{"content":%s}}]}`, b)
}

func finish(reason string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

func usage(in, out int) string {
	return fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, in, out)
}

// good is a whole reply.
func good(text string) http.HandlerFunc {
	return stream(delta(text), finish("stop"), usage(10, 5))
}

// config reaches s with everything that would take time replaced.
func config(s *server, n *naps) Config {
	return Config{
		Provider: "custom", BaseURL: s.URL + "/v1", Model: "test-model", APIKey: "sk-test",
		Env: func(string) string { return "" }, Sleep: n.sleep,
	}
}

func newClient(t *testing.T, cfg Config) Client {
	t.Helper()
	c, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(text string) Request {
	return Request{Messages: []Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: text}}}
}
