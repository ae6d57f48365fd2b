package llm

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestAWholeReplyComesBackWithItsUsage(t *testing.T) {
	s := serve(t, stream(delta("hel"), delta("lo"), finish("stop"), usage(1000, 2)))
	var n naps
	c := newClient(t, config(s, &n))
	r, err := c.Complete(t.Context(), ask("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Text != "hello" || r.Finish != FinishStop || r.Usage.Input != 1000 || r.Usage.Output != 2 || r.Usage.Estimated {
		t.Errorf("got %+v", r)
	}
	if r.Usage.CostUSD != 0 || !r.Usage.PriceKnown {
		t.Errorf("a model on this machine costs nothing, got %+v", r.Usage)
	}
	if r.Provider != "custom" || r.Model != "test-model" {
		t.Errorf("got %s %s", r.Provider, r.Model)
	}
	body := s.bodies[0]
	if body["stream"] != true || body["model"] != "test-model" || body["max_completion_tokens"] != 16000.0 || body["temperature"] != nil {
		t.Errorf("sent %v", body)
	}
	if got := s.headers[0].Get("Authorization"); got != "Bearer sk-test" {
		t.Errorf("sent the key as %q", got)
	}
}

// A reply that the model ended by itself is a reply, also where it is empty:
// asking on is for who knows what was asked.
func TestAnEmptyReplyThatIsWholeIsNoFault(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"nothing":     stream(delta(""), finish("stop"), usage(100, 1)),
		"blanks":      stream(delta(" \n"), finish("stop"), usage(100, 1)),
		"no stream":   raw("application/json", `{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":1}}`),
		"all thought": stream(delta("<think>hm</think>"), finish("stop"), usage(100, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, answer, good("hello"))
			var n naps
			r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(r.Text) != "" || r.Usage.Input != 100 || len(s.bodies) != 1 {
				t.Errorf("got %q, %+v after %d requests, want nothing, 100 tokens, one", r.Text, r.Usage, len(s.bodies))
			}
		})
	}
}

// A try that failed is paid for as far as it went: its usage is not lost with it.
func TestAFailedTryIsPaidFor(t *testing.T) {
	broken := stream(delta("half"), usage(100, 1), finish("error"))
	s := serve(t, broken, stream(delta("hello"), finish("stop"), usage(100, 2)))
	var n naps
	r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Usage.Input != 200 || r.Usage.Output != 3 {
		t.Errorf("got %+v, want the tokens of both replies", r.Usage)
	}
}

func TestManyShapesOfAnAnswerAreRead(t *testing.T) {
	whole := `{"id":"x","model":"m","choices":[{"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`
	cases := []struct {
		name    string
		answer  http.HandlerFunc
		text    string
		finish  string
		is      bool // estimated
		hasNote string
	}{
		{"a server that does not stream", raw("application/json", whole), "hello", FinishStop, false, ""},
		{"one that prints its JSON over many lines", raw("application/json", "{\n \"choices\": [\n  {\"message\": {\"content\": \"hello\"},\n   \"finish_reason\": \"stop\"\n  }\n ]\n}\n"), "hello", FinishStop, true, ""},
		{"one that does not stream and gives no finish reason", raw("application/json", `{"choices":[{"message":{"content":"hello"}}]}`), "hello", FinishStop, true, ""},
		{"no blank after data:", raw("text/event-stream", "data:"+delta("hello")+"\n\ndata:"+finish("stop")+"\n\n"), "hello", FinishStop, true, ""},
		{"carriage returns and no blank lines", raw("text/event-stream", "data: "+delta("hello")+"\r\ndata: "+finish("stop")+"\r\ndata: [DONE]\r\n"), "hello", FinishStop, true, ""},
		{"a frame over two data lines", raw("text/event-stream", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"hello\"}}]}\n\n"+frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"a thousand comments", raw("text/event-stream", strings.Repeat(": OPENROUTER PROCESSING\n\n", 1000)+frame(delta("hello"))+frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"event names and ids", raw("text/event-stream", "event: message\nid: 1\nretry: 5\n"+frame(delta("hello"))+frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"[DONE] without a finish reason", stream(delta("hello")), "hello", FinishStop, true, ""},
		{"a finish reason without [DONE]", raw("text/event-stream", frame(delta("hello"))+frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"a reset after the finish reason", cut(frame(delta("hello")) + frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"no content type", raw("", "data: "+delta("hello")+"\n\ndata: "+finish("stop")+"\n\n"), "hello", FinishStop, true, ""},
		{"a byte order mark", raw("text/event-stream", "\xef\xbb\xbf"+frame(delta("hello"))+frame(finish("stop"))), "hello", FinishStop, true, ""},
		{"the length limit", stream(delta("hel"), finish("length"), usage(9, 3)), "hel", FinishLength, false, ""},
		{"the length limit in Gemini's words", stream(delta("hel"), finish("MAX_TOKENS"), usage(9, 3)), "hel", FinishLength, false, ""},
		{"a list of parts", stream(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"hello"}]}}]}`, finish("stop"), usage(9, 3)), "hello", FinishStop, false, ""},
		{"null everywhere", stream(`{"choices":[{"delta":{"content":null,"refusal":null},"finish_reason":null}],"usage":null,"error":null}`, delta("hello"), finish("stop"), usage(9, 3)), "hello", FinishStop, false, ""},
		{"thoughts in the text", stream(delta("<think>a plan\n```go\nbad\n```"), delta("</think>\n\nhello"), finish("stop"), usage(9, 3)), "hello", FinishStop, false, ""},
		{"thoughts beside the text", stream(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, delta("hello"), finish("stop"), usage(9, 3)), "hello", FinishStop, false, ""},
		{"text that is not UTF-8", raw("text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":\"h\xff\xfei\"}}]}\n\n"+frame(finish("stop"))), "h\uFFFDi", FinishStop, true, "not valid UTF-8"},
		{"escaped and plain Unicode", stream(`{"choices":[{"delta":{"content":"\u00e9\ud83d\ude00 é"}}]}`, finish("stop"), usage(9, 3)), "é😀 é", FinishStop, false, ""},
		{"a second choice is not mixed in", stream(`{"choices":[{"index":0,"delta":{"content":"hello"}},{"index":1,"delta":{"content":"other"}}]}`, finish("stop"), usage(9, 3)), "hello", FinishStop, false, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.answer)
			var n naps
			r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != c.text || r.Finish != c.finish || r.Usage.Estimated != c.is {
				t.Errorf("got %q, %s, %+v", r.Text, r.Finish, r.Usage)
			}
			if r.Usage.Input == 0 || r.Usage.Output == 0 {
				t.Errorf("nothing is counted: %+v", r.Usage)
			}
			if !strings.Contains(strings.Join(r.Notes, "\n"), c.hasNote) {
				t.Errorf("notes %q, want %q", r.Notes, c.hasNote)
			}
		})
	}
}

func TestSettingsThatAServerRefusesAreLeftOut(t *testing.T) {
	no := func(message string) http.HandlerFunc { return status(400, `{"error":{"message":"`+message+`"}}`) }
	temp := 0.0
	cases := []struct {
		name    string
		refusal string
		gone    string
		there   map[string]any
		note    string
	}{
		{"the newer name of the output limit", "Unrecognized request argument supplied: max_completion_tokens", "max_completion_tokens", map[string]any{"max_tokens": 16000.0}, ""},
		{"a limit that is too high", "max_tokens is too large: 16000. This model supports at most 8192 completion tokens, whereas you provided 16000.", "", map[string]any{"max_completion_tokens": 8192.0}, "at most 8192"},
		{"a temperature", "Unsupported value: 'temperature' does not support 0 with this model.", "temperature", nil, "temperature"},
		{"a reasoning effort", "Unsupported parameter: 'reasoning_effort'", "reasoning_effort", nil, "reasoning_effort"},
		{"stream options", "stream_options: Extra inputs are not permitted", "stream_options", nil, "stream_options"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, no(c.refusal), good("one"), good("two"))
			var n naps
			cfg := config(s, &n)
			cfg.Temperature, cfg.ReasoningEffort = &temp, "high"
			client := newClient(t, cfg)
			r, err := client.Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(r.Notes, "\n"), c.note) {
				t.Errorf("notes %q, want %q", r.Notes, c.note)
			}
			if r, err = client.Complete(t.Context(), ask("again")); err != nil || len(r.Notes) > 0 {
				t.Errorf("the second call: %v, notes %q", err, r.Notes)
			}
			if s.bodies[0]["temperature"] != 0.0 || s.bodies[0]["reasoning_effort"] != "high" {
				t.Errorf("sent first %v", s.bodies[0])
			}
			for _, body := range s.bodies[1:] {
				if _, ok := body[c.gone]; ok {
					t.Errorf("sent %s again: %v", c.gone, body)
				}
				for k, v := range c.there {
					if body[k] != v {
						t.Errorf("sent %s %v, want %v", k, body[k], v)
					}
				}
			}
			if len(n.list) > 0 {
				t.Errorf("waited %v", n.list)
			}
			s.unused()
		})
	}
}

func TestASystemMessageIsMergedWhereItIsRefused(t *testing.T) {
	s := serve(t, status(400, `{"error":{"message":"System role not supported"}}`), good("ok"))
	var n naps
	if _, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi")); err != nil {
		t.Fatal(err)
	}
	messages := s.bodies[1]["messages"].([]any)
	first := messages[0].(map[string]any)
	if len(messages) != 1 || first["role"] != "user" || first["content"] != "be brief\n\nhi" {
		t.Errorf("sent %v", messages)
	}
}

func TestNamesThatGoOpenAIKnowsAreNotRefusedByIt(t *testing.T) {
	temp := 0.7
	for _, model := range []string{"gpt-6.1-sol", "gpt-6-astra", "gpt-5-mini", "o3", "o1-preview"} {
		s := serve(t, status(400, `{"error":{"message":"unknown field max_completion_tokens"}}`), good("ok"))
		var n naps
		cfg := config(s, &n)
		cfg.Model, cfg.Temperature, cfg.ReasoningEffort = model, &temp, "minimal"
		if _, err := newClient(t, cfg).Complete(t.Context(), ask("hi")); err != nil {
			t.Errorf("%s: %v", model, err)
		}
		if s.bodies[1]["max_tokens"] != 16000.0 || s.bodies[1]["temperature"] != 0.7 {
			t.Errorf("%s: sent %v", model, s.bodies[1])
		}
	}
}

func TestReportsATruncatedPrompt(t *testing.T) {
	long := strings.Repeat("some code here\n", 2000) // 30,000 bytes
	for provider, hint := range map[string]string{"ollama": "OLLAMA_CONTEXT_LENGTH", "llamacpp": "-c"} {
		s := serve(t, stream(delta("ok"), finish("stop"), usage(4096, 5)), stream(delta("ok"), finish("stop"), usage(9000, 5)))
		var n naps
		cfg := config(s, &n)
		cfg.Provider = provider
		c := newClient(t, cfg)
		r, err := c.Complete(t.Context(), ask(long))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "cut it") || !strings.Contains(notes, hint) {
			t.Errorf("%s: notes %q", provider, r.Notes)
		}
		if r, err = c.Complete(t.Context(), ask(long)); err != nil || len(r.Notes) > 0 {
			t.Errorf("%s: %v, a whole prompt gave notes %q", provider, err, r.Notes)
		}
	}
}

func TestFailedTriesAreCharged(t *testing.T) {
	s := serve(t,
		cut(frame(delta(strings.Repeat("x", 300)))),
		stream(delta("ok"), finish("stop"), usage(100, 10)))
	var n naps
	cfg := config(s, &n)
	cfg.Prices = &Price{Input: 1, Output: 10}
	r, err := newClient(t, cfg).Complete(t.Context(), ask(strings.Repeat("y", 3000)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Usage.Output != 110 || !r.Usage.Estimated || r.Usage.Input < 1000 {
		t.Errorf("got %+v", r.Usage)
	}
	want := (float64(r.Usage.Input) + 10*110) / 1e6
	if diff := r.Usage.CostUSD - want; diff > 1e-12 || diff < -1e-12 {
		t.Errorf("got cost %v, want %v", r.Usage.CostUSD, want)
	}
}

func TestStreamReportsTokens(t *testing.T) {
	s := serve(t, stream(delta("abc"), delta("def"), finish("stop")))
	var n naps
	cfg := config(s, &n)
	var told []int
	cfg.OnToken = func(n int) { told = append(told, n) }
	if _, err := newClient(t, cfg).Complete(t.Context(), ask("hi")); err != nil {
		t.Fatal(err)
	}
	if len(told) < 2 || told[0] != 1 || told[1] != 2 {
		t.Errorf("got %v", told)
	}
}

func TestAFurtherTryIsMadeOnlyWhereTheMoneyAllows(t *testing.T) {
	broken := cut(frame(delta(strings.Repeat("x", 300))))
	s := serve(t, status(429, "{}"), broken, broken)
	var n naps
	cfg := config(s, &n)
	cfg.Prices = &Price{Input: 1, Output: 10}
	stop := errors.New("the limit is reached")
	var asked []Usage
	r := ask("hi")
	r.Allow = func(spent Usage, _ int) error {
		asked = append(asked, spent)
		if len(asked) == 2 {
			return stop
		}
		return nil
	}
	reply, err := newClient(t, cfg).Complete(t.Context(), r)
	if !errors.Is(err, stop) || len(asked) != 2 {
		t.Fatalf("got %v after %d questions", err, len(asked))
	}
	if asked[1].Output != 200 || reply.Usage.Output != 200 || reply.Usage.CostUSD != asked[1].CostUSD {
		t.Errorf("asked with %+v, got %+v", asked, reply.Usage)
	}
	s.unused()
}
