package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
)

// TestModelsThatNeedResponsesGetThem: in the words that OpenAI and gateways use, once
// per model and endpoint.
func TestModelsThatNeedResponsesGetThem(t *testing.T) {
	d := responsesDialect()
	for _, refusal := range []http.HandlerFunc{
		status(404, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}`),
		status(404, `{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?","type":"invalid_request_error","param":"model","code":null}}`),
		status(400, `{"error":{"type":"invalid_request_error","message":"Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses."}}`),
	} {
		s := serve(t, refusal, d.good("one"), d.good("two"))
		var n naps
		c := newClient(t, config(s, &n))
		if got := c.Describe().Protocol; got != chatName {
			t.Errorf("at first by %s", got)
		}
		for _, want := range []string{"one", "two"} {
			r, err := c.Complete(t.Context(), ask("hi"))
			if err != nil || r.Text != want {
				t.Fatalf("got %q, %v", r.Text, err)
			}
		}
		if got := strings.Join(s.paths, " "); got != "/v1/chat/completions /v1/responses /v1/responses" || len(n.list) > 0 {
			t.Errorf("asked %s, waited %v", got, n.list)
		}
		if got := c.Describe().Protocol; got != responsesName {
			t.Errorf("then by %s", got)
		}
	}
}

func TestRequestOfEachProtocol(t *testing.T) {
	long := "rules\nthe task\n"
	r := Request{Messages: []Message{
		{Role: "system", Content: "be brief"}, {Role: "user", Content: long + "the files", Stable: []int{len(long)}},
	}, ReasoningEffort: "high"}
	id := cacheID(r)
	if id == "" || id != cacheID(Request{Messages: []Message{r.Messages[0], {Role: "user", Content: long + "others", Stable: []int{len(long)}}}}) {
		t.Fatalf("the key %q is not that of the stable part", id)
	}
	for _, c := range []struct {
		name, provider, model string
		responses             bool
		path, body            string
		header                [2]string
	}{
		{"OpenAI's chat", "openai", "gpt-6.2-sol", false, "/v1/chat/completions",
			`{"model":"gpt-6.2-sol","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":16000,"reasoning_effort":"high",
			"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[
			{"type":"text","text":"rules\nthe task\n","prompt_cache_breakpoint":{"mode":"explicit"}},{"type":"text","text":"the files"}]}],
			"prompt_cache_key":"` + id + `","prompt_cache_options":{"mode":"explicit"}}`, [2]string{"Authorization", "Bearer k"}},
		{"OpenAI's responses", "openai", "gpt-5.5-pro", true, "/v1/responses",
			`{"model":"gpt-5.5-pro","stream":true,"store":false,"max_output_tokens":16000,"reasoning":{"effort":"high"},
			"input":[{"role":"system","content":"be brief"},{"role":"user","content":[
			{"type":"input_text","text":"rules\nthe task\n","prompt_cache_breakpoint":{"mode":"explicit"}},{"type":"input_text","text":"the files"}]}],
			"prompt_cache_key":"` + id + `","prompt_cache_options":{"mode":"explicit"}}`, [2]string{"Authorization", "Bearer k"}},
		{"Anthropic's messages", "anthropic", "claude-sonnet-5-5", false, "/v1/messages",
			`{"model":"claude-sonnet-5-5","stream":true,"max_tokens":16000,"output_config":{"effort":"high"},
			"system":[{"type":"text","text":"be brief"}],"messages":[{"role":"user","content":[
			{"type":"text","text":"rules\nthe task\n","cache_control":{"type":"ephemeral"}},{"type":"text","text":"the files"}]}]}`, [2]string{"X-Api-Key", "k"}},
		{"Claude on Bedrock", "bedrock", "anthropic.claude-sonnet-5", false, "/anthropic/v1/messages",
			`{"model":"anthropic.claude-sonnet-5","stream":true,"max_tokens":16000,"output_config":{"effort":"high"},
			"system":[{"type":"text","text":"be brief"}],"messages":[{"role":"user","content":[
			{"type":"text","text":"rules\nthe task\n","cache_control":{"type":"ephemeral"}},{"type":"text","text":"the files"}]}]}`, [2]string{"Anthropic-Version", "2023-06-01"}},
		{"Claude behind OpenRouter", "openrouter", "anthropic/claude-sonnet-5.5", false, "/api/v1/chat/completions",
			`{"model":"anthropic/claude-sonnet-5.5","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":16000,"reasoning_effort":"high",
			"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[
			{"type":"text","text":"rules\nthe task\n","cache_control":{"type":"ephemeral"}},{"type":"text","text":"the files"}]}]}`, [2]string{"X-Title", "booty"}},
		{"Grok", "xai", "grok-4.7", false, "/v1/chat/completions",
			`{"model":"grok-4.7","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":16000,"reasoning_effort":"high",
			"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"rules\nthe task\nthe files"}]}`, [2]string{"X-Grok-Conv-Id", id}},
		{"DeepSeek", "deepseek", "deepseek-flash", false, "/chat/completions",
			`{"model":"deepseek-flash","stream":true,"stream_options":{"include_usage":true},"max_tokens":16000,"reasoning_effort":"high",
			"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"rules\nthe task\nthe files"}]}`, [2]string{"Authorization", "Bearer k"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := chatDialect()
			if c.responses {
				d = responsesDialect()
			} else if strings.HasSuffix(c.path, "/messages") {
				d = messagesDialect()
			}
			s := serve(t, d.good("ok"))
			client := newClient(t, Config{Provider: c.provider, Model: c.model, APIKey: "k", Env: env("AWS_REGION", "us-east-1"), HTTP: elsewhere{s}})
			client.(interface{ setResponses(bool) }).setResponses(c.responses)
			if _, err := client.Complete(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if err := json.Unmarshal([]byte(c.body), &want); err != nil {
				t.Fatal(err)
			}
			got, wanted := fmt.Sprint(s.bodies[0]), fmt.Sprint(want)
			if s.paths[0] != c.path || got != wanted {
				t.Errorf("sent to %s\n%s, want to %s\n%s", s.paths[0], got, c.path, wanted)
			}
			if h := s.headers[0].Get(c.header[0]); h != c.header[1] {
				t.Errorf("sent %s %q, want %q", c.header[0], h, c.header[1])
			}
		})
	}
}

// TestMarksOfTheCacheThatAreRefused are left out from then on.
func TestMarksOfTheCacheThatAreRefused(t *testing.T) {
	d := chatDialect()
	s := serve(t, status(400, `{"error":{"message":"Unknown parameter: 'prompt_cache_options'.","param":"prompt_cache_options"}}`),
		status(400, `{"error":{"message":"Unknown parameter: 'prompt_cache_key'."}}`), d.good("one"), d.good("two"))
	c := newClient(t, Config{Provider: "openai", Model: "old", APIKey: "k", Env: env(), HTTP: elsewhere{s}, Prices: &Price{Input: 1, Output: 1}})
	r := Request{Messages: []Message{{Role: "user", Content: "the same", Stable: []int{8}}}}
	for range 2 {
		if _, err := c.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"text", "the same", "the same", "the same"} {
		if got := fmt.Sprint(s.bodies[i]["messages"]); !strings.Contains(got, want) {
			t.Errorf("request %d: %s", i, got)
		}
	}
	if last := s.bodies[3]; last["prompt_cache_options"] != nil || last["prompt_cache_key"] != nil {
		t.Errorf("sent again: %v", last)
	}
}

// setResponses is for tests: as if Chat Completions had been refused.
func (c *client) setResponses(on bool) { c.asker.(*endpoint).quirks.responses = on }

// TestThoughtsWithoutAnAnswer are asked for once more, with more room, and are then a
// reply that leads to nothing.
func TestThoughtsWithoutAnAnswer(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		only := d.sse(append(append(d.open(told{input: 9}), d.thought("hmm")), d.stop(d.ends["length"], told{input: 9, output: 16000})...)...)
		t.Run("helped by more room", func(t *testing.T) {
			s := serve(t, only, d.good("hello"))
			var n naps
			r, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if err != nil || r.Text != "hello" || r.Usage.Output != 16005 {
				t.Fatalf("got %q, %+v, %v", r.Text, r.Usage, err)
			}
			if room := s.room(1); room != 32000 || !strings.Contains(strings.Join(r.Notes, "\n"), "asked once more with room for 32000 tokens") {
				t.Errorf("room %v, notes %q", room, r.Notes)
			}
		})
		t.Run("not helped", func(t *testing.T) {
			s := serve(t, only, only)
			var n naps
			r, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if err != nil || r.Text != "" || r.Finish != FinishStop || r.Ended || r.Usage.Output != 32000 || len(n.list) > 0 {
				t.Errorf("got %q, %+v, %v", r.Text, r.Usage, err)
			}
			s.unused()
		})
		t.Run("where the server allows no more", func(t *testing.T) {
			s := serve(t, status(400, `{"error":{"message":"max_tokens is too large: 16000. This model supports at most 8000 completion tokens"}}`), only, d.good("hello"))
			var n naps
			r, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if err != nil || r.Text != "hello" || s.room(2) != 8000 || !strings.Contains(strings.Join(r.Notes, "\n"), "low effort") {
				t.Errorf("got %q, room %v, notes %q, %v", r.Text, s.room(2), r.Notes, err)
			}
		})
		t.Run("in the last of five tries, and then an outage", func(t *testing.T) {
			bad := status(503, `{"error":{"message":"down"}}`)
			s := serve(t, bad, bad, bad, bad, only, bad)
			var n naps
			if _, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi")); err == nil || !strings.Contains(err.Error(), "gave up after 5 tries") {
				t.Errorf("got %v", err)
			}
			s.unused()
		})
		t.Run("only where the money allows", func(t *testing.T) {
			s := serve(t, only)
			var n naps
			cfg := config(s, &n)
			cfg.Prices = &Price{Input: 1, Output: 10}
			stop, room := errors.New("the limit is reached"), 0
			r := ask("hi")
			r.Allow = func(_ Usage, maxOutput int) error { room = maxOutput; return stop }
			if _, err := d.client(t, cfg).Complete(t.Context(), r); !errors.Is(err, stop) || room != 32000 {
				t.Errorf("got %v, asked for %d", err, room)
			}
		})
	})
}

// room is what the i-th request lets the model write.
func (s *server) room(i int) any {
	for _, name := range []string{"max_completion_tokens", "max_output_tokens", "max_tokens"} {
		if n, ok := s.bodies[i][name]; ok {
			return int(n.(float64))
		}
	}
	return nil
}

// TestCallsOfToolsAreReadAsText: none is offered, but some models call them.
func TestCallsOfToolsAreReadAsText(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		s := serve(t, d.sse(append(d.open(told{input: 9}), d.call("write_file", `{"path":"a.txt","content":"hi"}`)...)...))
		var n naps
		r, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
		want := "<tool_call>\n{\"arguments\":{\"path\":\"a.txt\",\"content\":\"hi\"},\"name\":\"write_file\"}\n</tool_call>\n"
		if err != nil || r.Text != want || !strings.Contains(strings.Join(r.Notes, "\n"), "called a tool (write_file)") {
			t.Errorf("got %q, notes %q, %v", r.Text, r.Notes, err)
		}
	})
}

// TestEffortsThatAreRefused: the nearest that is accepted, a budget, or none.
func TestEffortsThatAreRefused(t *testing.T) {
	chat, msgs := chatDialect(), messagesDialect()
	for _, c := range []struct {
		name, asked string
		d           dialect
		refusals    []string
		key, want   string
		note        string
	}{
		{"OpenAI", "minimal", chat, []string{`Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.`}, "reasoning_effort", "low", `asked with "low"`},
		{"a gateway", "xhigh", chat, []string{`reasoning_effort must be one of [low, medium, high]`}, "reasoning_effort", "high", `asked with "high"`},
		{"one without thoughts", "high", chat, []string{`Unrecognized request argument supplied: reasoning_effort`}, "reasoning_effort", "<nil>", "left out"},
		{"Anthropic", "minimal", msgs, []string{`output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'`}, "output_config", "map[effort:low]", `asked with "low"`},
		{"Anthropic, before efforts", "medium", msgs, []string{`output_config: Extra inputs are not permitted`}, "thinking", "map[budget_tokens:8192 type:enabled]", ""},
		{"Anthropic, before thoughts", "high", msgs, []string{`output_config: Extra inputs are not permitted`, `thinking: this model does not support thinking`}, "thinking", "<nil>", "left out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var hs []http.HandlerFunc
			for _, text := range c.refusals {
				hs = append(hs, status(400, `{"error":{"type":"invalid_request_error","message":`+quote(text)+`}}`))
			}
			s := serve(t, append(hs, c.d.good("ok"))...)
			var n naps
			cfg := config(s, &n)
			cfg.ReasoningEffort = c.asked
			r, err := c.d.client(t, cfg).Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(s.bodies[len(c.refusals)][c.key]); got != c.want || !strings.Contains(strings.Join(r.Notes, "\n"), c.note) {
				t.Errorf("sent %s, notes %q", got, r.Notes)
			}
		})
	}
}

// TestNumbersFromErrors: only a limit that is named as one is taken.
func TestNumbersFromErrors(t *testing.T) {
	for _, c := range []struct {
		body string
		want any // of max_completion_tokens; 0: the field was renamed
	}{
		{`max_tokens is too large: 16000. This model supports at most 8192 completion tokens, whereas you provided 16000.`, 8192},
		{`max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022`, 8192},
		{`Invalid max_tokens value, the valid range of max_tokens is [1, 8192]`, 8192},
		{`<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]`, 8192},
		{"`max_completion_tokens` must be less than or equal to `8192`, the maximum value", 8192},
		{`Unable to submit request because it has a maxOutputTokens value of 16000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.`, 8192},
		{`Error code: 400 - {'error': {'message': "Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead."}}`, 0},
		{`litellm.BadRequestError: OpenAIException - Error code: 400 - unsupported 'max_completion_tokens' for gpt-5-2025-08-07`, 0},
		{`model gpt-4o-2024-11-20: unknown field max_completion_tokens (request 4711)`, 0},
	} {
		s := serve(t, status(400, `{"error":{"message":`+quote(c.body)+`}}`), good("ok"))
		var n naps
		if _, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi")); err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		want := map[string]any{"max_completion_tokens": c.want}
		if c.want == 0 {
			want = map[string]any{"max_tokens": 16000}
		}
		for k, v := range want {
			if got := s.bodies[1][k]; fmt.Sprint(got) != fmt.Sprint(v) {
				t.Errorf("%s: sent %s %v, want %v", c.body, k, got, v)
			}
		}
	}
}

func TestOutputLimitFitsTheContext(t *testing.T) {
	for _, body := range []string{
		`'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 16384 tokens and your request has 5000 input tokens (16000 > 16384 - 5000).`,
		`This model's maximum context length is 16384 tokens. However, you requested 21000 tokens (5000 in the messages, 16000 in the completion). Please reduce the length of the messages or completion.`,
		"input length and `max_tokens` exceed context limit: 5000 + 16000 > 16384, decrease input length or `max_tokens` and try again",
	} {
		s := serve(t, status(400, `{"error":{"message":`+quote(body)+`}}`), good("ok"), good("ok"))
		var n naps
		c := newClient(t, config(s, &n))
		for range 2 {
			if _, err := c.Complete(t.Context(), ask("hi")); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
		}
		if s.room(1) != 16384-5000-16 || s.room(2) != 16000 {
			t.Errorf("%s: sent %v, then %v", body, s.room(1), s.room(2))
		}
	}
}

// TestOverflow: how servers say that a request is too long, word for word.
func TestOverflow(t *testing.T) {
	for _, c := range []struct {
		server string
		status int
		body   string
		hint   string
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, "context.max_tokens"},
		{"OpenAI, Responses", 400, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","code":"context_length_exceeded"}}`, "context.max_tokens"},
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, ""},
		{"Anthropic, in bytes", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, ""},
		{"Gemini", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, ""},
		{"Ollama, which cuts the user's message off", 500, `{"error":{"message":"no user query found in messages","type":"api_error","param":null,"code":null}}`, "OLLAMA_CONTEXT_LENGTH"},
		{"Ollama", 400, `{"error":{"message":"prompt too long; exceeded max context length by 812 tokens","type":"invalid_request_error"}}`, "OLLAMA_CONTEXT_LENGTH"},
		{"llama.cpp", 400, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, "--ctx-size"},
		{"vLLM", 400, `{"error":{"message":"You passed 16385 input tokens and requested 16000 output tokens. However, the model's context length is only 16384 tokens, resulting in a maximum input length of 384 tokens. Please reduce the length of the input prompt.","type":"BadRequestError","param":"input_tokens","code":400}}`, ""},
		{"LM Studio", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}`, "LM Studio"},
		{"LiteLLM", 400, `{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - too long","type":null,"param":null,"code":"400"}}`, ""},
		{"OpenRouter", 400, `{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (184000 of text input, 16000 in the output). Please reduce the length of either one.","code":400}}`, ""},
		{"xAI", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, ""},
		{"Mistral", 400, `{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}`, ""},
		{"Moonshot", 400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072","type":"invalid_request_error"}}`, ""},
		{"Z.ai", 400, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`, ""},
		{"Qwen", 400, `{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]","code":"invalid_parameter_error"}}`, ""},
		{"Bedrock", 400, `{"error":{"message":"Input is too long for requested model.","code":"validation_error"}}`, ""},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := serve(t, status(c.status, c.body))
			var n naps
			_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if !errors.Is(err, ErrContextLength) || len(n.list) > 0 || !strings.Contains(fault.HintOf(err), "context.max_tokens") || !strings.Contains(fault.HintOf(err), c.hint) {
				t.Errorf("got %v, hint %q, waited %v", err, fault.HintOf(err), n.list)
			}
		})
	}
	t.Run("a limit of tokens a minute is none", func(t *testing.T) {
		s := serve(t, status(429, `{"error":{"message":"Rate limit reached: too many tokens per minute, please reduce the length of the prompt or try again in 2s","type":"tokens"}}`), good("ok"))
		var n naps
		if _, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi")); err != nil || len(n.list) != 1 {
			t.Errorf("got %v, waited %v", err, n.list)
		}
	})
	t.Run("Messages, in the middle of the reply", func(t *testing.T) {
		d := messagesDialect()
		s := serve(t, d.sse(append(d.open(told{input: 9}), d.stop("model_context_window_exceeded", told{input: 9, output: 3})...)...))
		var n naps
		if _, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi")); !errors.Is(err, ErrContextLength) {
			t.Errorf("got %v", err)
		}
	})
}

// TestTheCureFits: a wrong model's name is not told as a wrong address, and the other
// way round.
func TestTheCureFits(t *testing.T) {
	const name, address = "model.name", "model.base_url"
	for _, c := range []struct {
		server string
		status int
		body   string
		hint   string
	}{
		{"OpenAI", 404, `{"error":{"message":"The model 'gpt-7' does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, name},
		{"Anthropic", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-7"}}`, name},
		{"Gemini", 404, `[{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1main, or is not supported for generateContent.","status":"NOT_FOUND"}}]`, name},
		{"OpenRouter", 400, `{"error":{"message":"vendor/none is not a valid model ID","code":400}}`, name},
		{"OpenRouter, no endpoint", 404, `{"error":{"message":"No endpoints found for vendor/none.","code":404}}`, name},
		{"LiteLLM", 400, `{"error":{"message":"/chat/completions: Invalid model name passed in model=none. Call /v1/models to view available models for your key.","code":"400"}}`, name},
		{"DeepSeek", 400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","code":"invalid_request_error"}}`, name},
		{"Mistral", 400, `{"object":"error","message":"Invalid model: none","type":"invalid_model","code":"1500"}`, name},
		{"xAI", 404, `{"code":"Some requested entity was not found","error":"The model none does not exist or your team does not have access to it."}`, name},
		{"Z.ai", 400, `{"error":{"code":"1211","message":"Unknown Model, please check the model code."}}`, name},
		{"Moonshot", 404, `{"error":{"message":"Not found the model none or Permission denied","type":"resource_not_found_error"}}`, name},
		{"vLLM", 404, `{"error":{"message":"The model none does not exist.","type":"NotFoundError","param":"model","code":404}}`, name},
		{"Azure", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, name},
		{"FastAPI without that path", 404, `{"detail":"Not Found"}`, address},
		{"nginx", 404, page, address},
		{"Go", 404, "404 page not found\n", address},
		{"Cloudflare, whose address is wrong", 404, `{"success":false,"errors":[{"code":7000,"message":"No route for that URI"}]}`, address},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := serve(t, status(c.status, c.body))
			var n naps
			_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			hint := fault.HintOf(err)
			other := name
			if c.hint == name {
				other = address
			}
			if fault.KindOf(err) != fault.Model || !strings.Contains(hint, c.hint) || strings.Contains(hint, other) || len(n.list) > 0 {
				t.Errorf("got %v, hint %q, waited %v", err, hint, n.list)
			}
		})
	}
}

func TestGitHubModelsAreGone(t *testing.T) {
	_, err := New(t.Context(), Config{Provider: "github", APIKey: "k", Env: env(), HTTP: web{}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "30 July 2026") || !strings.Contains(fault.HintOf(err), "model.provider") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
}

func TestBedrockNeedsItsRegion(t *testing.T) {
	key := []string{"AWS_BEARER_TOKEN_BEDROCK", "k"}
	_, err := New(t.Context(), Config{Provider: "bedrock", Env: env(key...), HTTP: web{}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "AWS_REGION") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	c, err := New(t.Context(), Config{Env: env(append(key, "AWS_DEFAULT_REGION", "eu-west-1")...), HTTP: web{}})
	if err != nil {
		t.Fatal(err)
	}
	if i := c.Describe(); i.Provider != "bedrock" || i.BaseURL != "https://bedrock-mantle.eu-west-1.api.aws/v1" || i.Protocol != messagesName {
		t.Errorf("got %+v", i)
	}
}

// TestAnOutageBehindARouter: it says so in the word of the provider behind it only.
func TestAnOutageBehindARouter(t *testing.T) {
	s := serve(t, stream(`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop","native_finish_reason":"network_error"}]}`), good("hello"))
	var n naps
	r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
	if err != nil || r.Text != "hello" || len(n.list) != 1 {
		t.Errorf("got %q, waited %v, %v", r.Text, n.list, err)
	}
}
