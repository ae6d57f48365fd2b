package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
)

// providers can replace each other: each answers "hello", then "again", and
// then fails for good. The OpenAI protocol, a command and a cassette pass the same suite.
func providers(t *testing.T) map[string]func(*testing.T, *Config) Client {
	t.Helper()
	all := map[string]func(*testing.T, *Config) Client{
		"openai-compatible": func(t *testing.T, cfg *Config) Client {
			s := serve(t, good("hello"), good("again"), status(401, `{}`))
			cfg.Provider, cfg.BaseURL, cfg.Model = "custom", s.URL+"/v1", "test-model"
			return newClient(t, *cfg)
		},
		"a server that does not stream": func(t *testing.T, cfg *Config) Client {
			reply := func(text string) string {
				return fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}}`, text)
			}
			s := serve(t, raw("application/json", reply("hello")), raw("application/json", reply("again")), status(401, `{}`))
			cfg.Provider, cfg.BaseURL, cfg.Model = "custom", s.URL+"/v1", "test-model"
			return newClient(t, *cfg)
		},
		"replay": func(t *testing.T, cfg *Config) Client {
			file := filepath.Join(t.TempDir(), "c.jsonl")
			if err := os.WriteFile(file, []byte("{\"reply\": \"hello\"}\n{\"reply\": \"again\"}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			cfg.Provider, cfg.Cassette = "replay", file
			return newClient(t, *cfg)
		},
		"a recording": func(t *testing.T, cfg *Config) Client {
			s := serve(t, good("hello"), good("again"), status(401, `{}`))
			cfg.Provider, cfg.BaseURL, cfg.Model = "custom", s.URL+"/v1", "test-model"
			return Record(newClient(t, *cfg), &bytes.Buffer{}, nil)
		},
	}
	if runtime.GOOS != "windows" {
		all["exec"] = func(t *testing.T, cfg *Config) Client {
			dir := t.TempDir()
			cfg.Provider, cfg.Dir = "exec", dir
			cfg.Command = []string{"sh", "-c", `cat > prompt
n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n
case $n in 1) printf hello;; 2) printf again;; *) echo broken >&2; exit 1;; esac`}
			return newClient(t, *cfg)
		}
	}
	return all
}

func TestContract(t *testing.T) {
	for name, open := range providers(t) {
		t.Run(name, func(t *testing.T) {
			var n naps
			tokens := 0
			cfg := Config{Env: func(string) string { return "" }, Sleep: n.sleep, OnToken: func(n int) { tokens = n }}
			c := open(t, &cfg)
			info := c.Describe()
			if info.Provider == "" || info.MaxOutputTokens == 0 {
				t.Errorf("describes itself as %+v", info)
			}
			request := Request{Messages: []Message{{Role: "system", Content: "rules"}, {Role: "user", Content: "task"}}, Role: "implement", Attempt: 1}
			for _, want := range []string{"hello", "again"} {
				r, err := c.Complete(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				if r.Text != want || r.Finish != FinishStop || r.Provider != info.Provider || r.Duration < 0 {
					t.Errorf("got %+v, want %q", r, want)
				}
				if r.Usage.Input <= 0 || r.Usage.Output <= 0 || r.Usage.CostUSD != 0 || !r.Usage.PriceKnown {
					t.Errorf("got usage %+v of a local model", r.Usage)
				}
				if tokens <= 0 {
					t.Error("no tokens were told")
				}
			}
			_, err := c.Complete(t.Context(), request)
			if fault.KindOf(err) != fault.Model || fault.HintOf(err) == "" {
				t.Errorf("got %v of kind %v, hint %q", err, fault.KindOf(err), fault.HintOf(err))
			}
			if len(n.list) > 0 {
				t.Errorf("waited %v", n.list)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := c.Complete(ctx, request); !errors.Is(err, context.Canceled) || fault.KindOf(err) != fault.Interrupted {
				t.Errorf("after the context ended: %v", err)
			}
		})
	}
}

func TestContractPrices(t *testing.T) {
	for name, open := range providers(t) {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Env: func(string) string { return "" }, Prices: &Price{Input: 1000, Output: 2000}}
			c := open(t, &cfg)
			r, err := c.Complete(t.Context(), ask("task"))
			if err != nil {
				t.Fatal(err)
			}
			want := float64(r.Usage.Input)*1000/1e6 + float64(r.Usage.Output)*2000/1e6
			if diff := r.Usage.CostUSD - want; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("explicit prices: got %v, want %v", r.Usage.CostUSD, want)
			}
			if w := WorstCase(c.Describe(), 1000, 100); w < want {
				t.Errorf("the worst case %v is less than what it was, %v", w, want)
			}
		})
	}
}

func TestARecordingReplays(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	s := serve(t, good("one "+secret), status(400, `{"error":{"code":"context_length_exceeded","message":"long"}}`), stream(delta("cut"), finish("length"), usage(7, 3)))
	var n naps
	var tape bytes.Buffer
	c := Record(newClient(t, config(s, &n)), &tape, func(s string) string { return strings.ReplaceAll(s, secret, "[REDACTED:x]") })
	for attempt := range 3 {
		r := ask("hi")
		r.Role, r.Attempt = "implement", attempt+1
		_, _ = c.Complete(t.Context(), r)
	}
	if strings.Contains(tape.String(), secret) || strings.Count(tape.String(), "\n") != 3 || !strings.Contains(tape.String(), `"request":"sha256:`) {
		t.Errorf("the tape: %s", tape.String())
	}
	p, err := replayOf("tape", tape.Bytes(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Complete(t.Context(), ask("other words"))
	if err != nil || r.Text != "one [REDACTED:x]" || r.Usage.Input != 10 || r.Usage.Output != 5 || r.Model != "test-model" {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err = p.Complete(t.Context(), ask("x")); !errors.Is(err, ErrContextLength) {
		t.Errorf("got %v", err)
	}
	if r, err = p.Complete(t.Context(), ask("x")); err != nil || r.Finish != FinishLength {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestCassettesWrittenByHand(t *testing.T) {
	data := `# a comment
{"reply": "first"}

{
  "role": "fix-tests",
  "reply": [
    "path/to/file.go",
    "# not a comment",
    "end"
  ],
  "usage": {"input_tokens": 1200, "output_tokens": 30, "cost_usd": 0.5}
}
{"reply": "part", "finish": "length"} {"error": "overloaded"}
`
	p, err := replayOf("c", []byte(data), Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Complete(t.Context(), ask("x"))
	if err != nil || r.Text != "first" || !r.Usage.Estimated {
		t.Errorf("got %+v, %v", r, err)
	}
	r, err = p.Complete(t.Context(), Request{Role: "fix-tests"})
	if err != nil || r.Text != "path/to/file.go\n# not a comment\nend\n" || r.Usage.CostUSD != 0.5 || r.Usage.Estimated {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, _ = p.Complete(t.Context(), ask("x")); r.Finish != FinishLength {
		t.Errorf("got %+v", r)
	}
	if _, err = p.Complete(t.Context(), ask("x")); fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "overloaded") {
		t.Errorf("got %v", err)
	}
	_, err = p.Complete(t.Context(), Request{Role: "review", Attempt: 2})
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "has no reply for request 5 (review, attempt 2)") {
		t.Errorf("got %v", err)
	}
}

func TestACassetteThatDoesNotFit(t *testing.T) {
	p, err := replayOf("c", []byte(`{"role":"review","reply":"x"}`), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Complete(t.Context(), Request{Role: "implement"}); !strings.Contains(err.Error(), "reply 1 is for review, but the request is for implement") {
		t.Errorf("got %v", err)
	}
	// The reply is still there for the right request.
	if r, err := p.Complete(t.Context(), Request{Role: "review"}); err != nil || r.Text != "x" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestABadCassetteIsAUsageError(t *testing.T) {
	cases := []struct{ name, data, say string }{
		{"nothing", "", "has no replies"},
		{"comments alone", "# x\n", "has no replies"},
		{"no JSON", "hello", "reply 1"},
		{"an unknown field", `{"reply":"x"}` + "\n" + `{"replay":"x"}`, "reply 2"},
		{"neither reply nor error", `{"role":"implement"}`, "neither"},
		{"a number as reply", `{"reply":1}`, "list of lines"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := replayOf("c", []byte(c.data), Config{})
			if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := New(t.Context(), Config{Provider: "replay"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("without a file: %v", err)
	}
	if _, err := New(t.Context(), Config{Provider: "replay", Cassette: "none", Dir: t.TempDir()}); fault.KindOf(err) != fault.Usage {
		t.Errorf("with a missing file: %v", err)
	}
}

func FuzzParseCassette(f *testing.F) {
	f.Add([]byte("# x\n{\"reply\":[\"a\"]}\n{\"error\":\"x\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseCassette(data)
		for _, e := range entries {
			if err == nil && e.Reply == "" && e.Error == "" {
				t.Error("an empty entry was accepted")
			}
		}
	})
}
