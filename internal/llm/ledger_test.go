package llm

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// TestTheLedger bills replies with cache reads, cache writes and thinking by what the
// vendors' pages say, each worked out by hand.
func TestTheLedger(t *testing.T) {
	for _, c := range []struct {
		name, provider, model string
		d                     dialect
		u                     told
		usd, saved            float64
	}{
		{"GPT-6.2 Sol, first request: 8,000 tokens are written to the cache", "openai", "gpt-6.2-sol", chatDialect(),
			told{input: 10_000, written: 8_000, output: 3_000, thinking: 2_500}, 0.0540, -0.0040}, // 2000*2 + 8000*2.5 + 3000*10
		{"GPT-6.2 Sol, second request: they are read", "openai", "gpt-6.2-sol", chatDialect(),
			told{input: 10_000, cached: 8_000, output: 3_000, thinking: 2_500}, 0.0348, 0.0152}, // 2000*2 + 8000*0.1 + 3000*10
		{"GPT-6.2 Astra beyond 272,000 tokens", "openai", "gpt-6.2-astra", responsesDialect(),
			told{input: 300_000, cached: 100_000, written: 100_000, output: 1_000}, 3.74, 1.12}, // 100k*16 + 100k*0.8 + 100k*20 + 1k*60
		{"GPT-5.5 pro, by Responses only", "openai", "gpt-5.5-pro", responsesDialect(),
			told{input: 10_000, output: 15_000, thinking: 14_000}, 3, 0}, // 10k*30 + 15k*180
		{"Sonnet 5.5, first request", "anthropic", "claude-sonnet-5-5", messagesDialect(),
			told{input: 10_000, written: 8_000, output: 3_000}, 0.0540, -0.0040}, // 2000*2 + 8000*2.5 + 3000*10
		{"Sonnet 5.5, second request", "anthropic", "claude-sonnet-5-5", messagesDialect(),
			told{input: 10_000, cached: 8_000, output: 3_000}, 0.0348, 0.0152}, // 2000*2 + 8000*0.1 + 3000*10
		{"Haiku 5.5 beyond 100,000 tokens", "anthropic", "claude-haiku-5-5", messagesDialect(),
			told{input: 110_000, cached: 50_000, written: 50_000, output: 2_000}, 0.04375, 0.01625}, // 10k*0.5 + 50k*0.05 + 50k*0.625 + 2k*2.5
		{"Claude on Bedrock", "bedrock", "anthropic.claude-opus-5", messagesDialect(),
			told{input: 10_000, cached: 8_000, output: 3_000}, 0.0890, 0.0360}, // 2000*5 + 8000*0.5 + 3000*25
		{"Gemini 3.8 Flash", "gemini", "gemini-3.8-flash", chatDialect(),
			told{input: 10_000, cached: 4_096, output: 3_000}, 0.0159852, 0.0027648}, // 5904*0.75 + 4096*0.075 + 3000*3.75
		{"DeepSeek at its peak", "deepseek", "deepseek-flash", chatDialect(),
			told{input: 10_000, cached: 8_000, output: 3_000}, 0.004248, 0.002352}, // 2000*0.3 + 8000*0.006 + 3000*1.2
		{"Grok 4.7", "xai", "grok-4.7", chatDialect(),
			told{input: 10_000, cached: 8_000, output: 3_000}, 0.026, 0.012}, // 2000*2 + 8000*0.5 + 3000*6
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.d.reply("hello", "stop", c.u))
			client := newClient(t, Config{Provider: c.provider, Model: c.model, APIKey: "k", HTTP: elsewhere{s},
				Env: env("AWS_REGION", "us-east-1"), Now: func() time.Time { return autumn }})
			client.(interface{ setResponses(bool) }).setResponses(c.d.name == "responses")
			r, err := client.Complete(t.Context(), ask(strings.Repeat("some words of a prompt ", 14_000)))
			if err != nil {
				t.Fatal(err)
			}
			u := r.Usage
			if math.Abs(u.CostUSD-c.usd) > 1e-9 || math.Abs(u.SavedUSD-c.saved) > 1e-9 || !u.PriceKnown || u.Estimated {
				t.Errorf("got $%v, saved $%v, %+v; want $%v, saved $%v", u.CostUSD, u.SavedUSD, u, c.usd, c.saved)
			}
			if u.Input != c.u.input || u.Output != c.u.output || u.Cached != c.u.cached || u.Written != c.u.written {
				t.Errorf("counted %+v, want %+v", u, c.u)
			}
		})
	}
}

// TestCountsInTheManyWordsOfServers: thinking is output, wherever it stands.
func TestCountsInTheManyWordsOfServers(t *testing.T) {
	for name, c := range map[string]struct {
		usage string
		want  Usage
	}{
		"Gemini: thinking only in the total":    {`{"prompt_tokens":100,"completion_tokens":10,"total_tokens":300}`, Usage{Input: 100, Output: 200}},
		"xAI: thinking beside the completion":   {`{"prompt_tokens":100,"completion_tokens":10,"total_tokens":300,"completion_tokens_details":{"reasoning_tokens":190}}`, Usage{Input: 100, Output: 200}},
		"without a total":                       {`{"prompt_tokens":100,"completion_tokens":10,"completion_tokens_details":{"reasoning_tokens":190}}`, Usage{Input: 100, Output: 200}},
		"thinking within the completion":        {`{"prompt_tokens":100,"completion_tokens":200,"total_tokens":300,"completion_tokens_details":{"reasoning_tokens":190}}`, Usage{Input: 100, Output: 200}},
		"DeepSeek":                              {`{"prompt_tokens":100,"completion_tokens":20,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, Usage{Input: 100, Output: 20, Cached: 64}},
		"Moonshot":                              {`{"prompt_tokens":100,"completion_tokens":20,"cached_tokens":64}`, Usage{Input: 100, Output: 20, Cached: 64}},
		"LiteLLM":                               {`{"prompt_tokens":100,"completion_tokens":20,"cache_creation_input_tokens":30,"cache_read_input_tokens":60}`, Usage{Input: 100, Output: 20, Cached: 60, Written: 30}},
		"Qwen":                                  {`{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":0,"cache_creation_input_tokens":30}}`, Usage{Input: 100, Output: 20, Written: 30}},
		"more cached and written than there is": {`{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":70,"cache_write_tokens":70}}`, Usage{Input: 100, Output: 20, Cached: 70, Written: 30}},
		"half a token":                          {`{"prompt_tokens":100.5,"completion_tokens":20}`, Usage{Input: 100, Output: 20}},
	} {
		var got counts
		got.read(json.RawMessage(c.usage))
		if u := got.usage(); u != c.want {
			t.Errorf("%s: got %+v, want %+v", name, u, c.want)
		}
	}
}

// paid is a model elsewhere that costs $1 per million input and $25 per million output tokens.
func paid(t *testing.T, d dialect, s *server) Client {
	t.Helper()
	var n naps
	cfg := config(s, &n)
	cfg.Prices = &Price{Input: 1, Output: 25}
	return d.client(t, cfg)
}

// TestAnImplausibleCountStands: it may be on the bill. It is told, and ends the run.
func TestAnImplausibleCountStands(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for _, c := range []struct {
			u    told
			cost float64
			say  string
		}{
			{told{input: 10, output: 120_000}, 3, "120000 output tokens, where 16000 at most were asked for"},
			{told{input: 900_000, output: 5}, 0.9, "900000 input tokens for a prompt of"},
		} {
			s := serve(t, d.reply("hello", "stop", c.u))
			r, err := paid(t, d, s).Complete(t.Context(), ask("hi"))
			if fault.KindOf(err) != fault.Model || !errors.Is(err, errImplausible) || !strings.Contains(err.Error(), c.say) || fault.HintOf(err) == "" {
				t.Errorf("got %v, hint %q", err, fault.HintOf(err))
			}
			if math.Abs(r.Usage.CostUSD-c.cost) > 0.001 || r.Usage.Estimated {
				t.Errorf("counted %+v, want $%v", r.Usage, c.cost)
			}
		}
	})
}

// TestInvalidCountsAreEstimated, for at most what was reserved.
func TestInvalidCountsAreEstimated(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		whole := d.body(d.frames("hello", "stop", told{input: 10, output: 5})...)
		for _, usage := range []string{
			`{"prompt_tokens":1e30,"completion_tokens":1e300,"input_tokens":1e30,"output_tokens":1e300}`,
			`{"prompt_tokens":-5,"completion_tokens":-1,"input_tokens":-5,"output_tokens":-1}`, `"none"`, `[1,2]`, `null`,
		} {
			body := strings.NewReplacer(d.usage(told{input: 10, output: 5}), usage, d.usage(told{input: 10, output: 1}), usage).Replace(whole)
			s := serve(t, raw("text/event-stream", body))
			r, err := paid(t, d, s).Complete(t.Context(), ask("hi"))
			if err != nil || !r.Usage.Estimated || r.Usage.Input == 0 || r.Usage.Output != 2 || r.Usage.CostUSD > 0.001 {
				t.Errorf("%s: got %+v, %v", usage, r.Usage, err)
			}
		}
	})
}

// TestInterruptedCallsAreCharged: the prompt was read, and what came was written; a server
// that said no did neither.
func TestInterruptedCallsAreCharged(t *testing.T) {
	prompt := ask(strings.Repeat("y", 3000))
	each(t, func(t *testing.T, d dialect) {
		began := append(d.open(told{input: 1100}), d.thought(strings.Repeat("t", 300)), d.text(strings.Repeat("x", 600)))
		for _, c := range []struct {
			name          string
			answer        http.HandlerFunc
			input, output int
		}{
			{"in the middle", cut(d.body(began...)), 1000, 300},
			{"before the first word", cut(": ping\n\n"), 1000, 0},
			{"an empty answer", raw("text/event-stream", ""), 1000, 0},
			{"refused", status(503, "down"), 0, 0},
			{"refused with status 200", raw("application/json", `{"error":{"message":"down","code":503}}`), 0, 0},
		} {
			s := serve(t, c.answer, c.answer, c.answer, c.answer, c.answer)
			r, err := paid(t, d, s).Complete(t.Context(), prompt)
			if err == nil || r.Usage.Input < 5*c.input || r.Usage.Input > 6*c.input || r.Usage.Output != 5*c.output {
				t.Errorf("%s: got %+v (%v), want five times %d and %d", c.name, r.Usage, err, c.input, c.output)
			}
		}
	})
}

// TestEndlessThinkingCostsWhatWasReserved, and no more.
func TestEndlessThinkingCostsWhatWasReserved(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		thoughts := d.body(d.open(told{input: 10})...)
		forever := func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(thoughts))
			endless(d.body(d.thought(strings.Repeat("hm ", 1000))), 0)(w, r)
		}
		s := serve(t, forever, forever)
		c := paid(t, d, s)
		reserved := WorstCase(c.Describe(), 100, 16000) + WorstCase(c.Describe(), 100, 32000)
		r, err := c.Complete(t.Context(), ask("hi"))
		if err != nil || r.Text != "" || r.Usage.CostUSD > reserved || r.Usage.Output != 16000+32000 {
			t.Errorf("got %+v (%v), reserved $%v", r.Usage, err, reserved)
		}
	})
}

func TestTheWorstCaseHoldsRoomForTheCache(t *testing.T) {
	price := Price{Input: 2, Output: 10, Cached: 0.2, Write: 2.5}
	got := WorstCase(Info{Price: price}, 30_000, 1000)
	if least := price.cost(Usage{Input: 15_000, Written: 15_000, Output: 1000}); got < least || got > 1.1*least {
		t.Errorf("got %v, want a little more than %v", got, least)
	}
	price.long = longPrice{10_000, 2, 1.5}
	if long := WorstCase(Info{Price: price}, 30_000, 1000); long < got*1.5 {
		t.Errorf("a long prompt: %v, a short one %v", long, got)
	}
}

func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"prompt_tokens":5,"completion_tokens":1e9,"cost":0.1,"prompt_tokens_details":{"cached_tokens":9}}`))
	f.Add([]byte(`{"input_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":9,"output_tokens":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, beside := range []bool{false, true} {
			c := counts{separate: beside}
			c.read(data)
			u := c.usage()
			if u.Input < 0 || u.Output < 0 || u.Cached < 0 || u.Written < 0 || u.Cached+u.Written > u.Input {
				t.Errorf("%s: %+v", data, u)
			}
			if c.cost != nil && !(*c.cost >= 0 && !math.IsInf(*c.cost, 0)) {
				t.Errorf("%s: cost %v", data, *c.cost)
			}
		}
	})
}

// FuzzTake: whatever a frame holds, no protocol fails on it.
func FuzzTake(f *testing.F) {
	for _, d := range dialects() {
		for _, frame := range append(d.frames("hello", "stop", told{input: 9, output: 3}), d.call("t", `{"a":1}`)...) {
			f.Add([]byte(frame))
		}
		f.Add([]byte(d.whole("hello", told{input: 9, output: 3})))
		f.Add([]byte(d.failure("api_error", "x")))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, p := range []protocol{chat{}, responses{}, messages{}} {
			a := newAnswer(Request{MaxOutputTokens: 100}, nil)
			for range 2 {
				_ = p.take(a, frame) // an error is an answer too
			}
			a.close()
			if len(a.calls) > mostToolCalls || a.counts.usage().Output < 0 {
				t.Errorf("%s: %+v", p.name(), a)
			}
		}
	})
}
