package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/llm"
)

// greedy is a server of all three protocols that always counts as much as it may: every
// output token that it was given, and all of the prompt written to the cache.
func greedy(w http.ResponseWriter, r *http.Request) {
	var asked map[string]any
	_ = json.NewDecoder(r.Body).Decode(&asked)
	const input = 400
	send := func(frames ...string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, f := range frames {
			fmt.Fprintf(w, "data: %s\n\n", f)
		}
	}
	room := func(field string) int { n, _ := asked[field].(float64); return int(n) }
	switch {
	case strings.HasSuffix(r.URL.Path, "/messages"):
		send(fmt.Sprintf(`{"type":"message_start","message":{"model":"m","usage":{"input_tokens":0,"cache_creation_input_tokens":%d,"output_tokens":1}}}`, input),
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`,
			fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":%d}}`, room("max_tokens")))
	case strings.HasSuffix(r.URL.Path, "/responses"):
		send(`{"type":"response.output_text.delta","delta":"ok"}`,
			fmt.Sprintf(`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":%d,"input_tokens_details":{"cache_write_tokens":%d},"output_tokens":%d}}}`,
				input, input, room("max_output_tokens")))
	case asked["model"] == "pro":
		http.Error(w, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions."}}`, http.StatusNotFound)
	default:
		send(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`,
			fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cache_write_tokens":%d}}}`,
				input, room("max_completion_tokens"), input))
	}
}

// TestNoProtocolPassesALimit: eight at once spend until they are stopped, by the worst
// that each call may cost.
func TestNoProtocolPassesALimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, provider, model string }{
		{"chat", "custom", "m"}, {"responses", "custom", "pro"}, {"messages", "anthropic", "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(greedy))
			defer s.Close()
			dir, limit := t.TempDir(), 0.5
			var all sync.WaitGroup
			var mu sync.Mutex
			made, spent := 0, 0.0
			for i := range 8 {
				j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = j.Close() }()
				client, err := llm.New(t.Context(), llm.Config{Provider: c.provider, Model: c.model, BaseURL: s.URL + "/v1", APIKey: "k",
					MaxOutputTokens: 1000, Prices: &llm.Price{Input: 10, Output: 30}, Env: func(string) string { return "" }})
				if err != nil {
					t.Fatal(err)
				}
				m := &models{run: fmt.Sprint("run", i), journal: j, limits: journal.Limits{DayUSD: limit}, main: client,
					events: event.Func(func(event.Event) {})}
				all.Go(func() {
					for {
						reply, err := m.Complete(t.Context(), engine.Call{Role: engine.Implement, Attempt: 1,
							Prompt: engine.Prompt{System: "rules", User: strings.Repeat("a task ", 110)}})
						var stopped *journal.LimitError
						if errors.As(err, &stopped) {
							return
						}
						if err != nil || reply.Text != "ok" {
							t.Errorf("got %q, %v", reply.Text, err)
							return
						}
						mu.Lock()
						made, spent = made+1, spent+reply.Usage.CostUSD
						mu.Unlock()
					}
				})
			}
			all.Wait()
			if one := (400*12.5 + 1000*30) / 1e6; made == 0 || spent > limit || spent < limit-2*one || spent < float64(made)*one*0.999 {
				t.Errorf("%d calls for $%.4f, the limit is $%.2f, one costs $%.4f", made, spent, limit, one)
			}
		})
	}
}
