package llm

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// web answers for hosts on this machine and elsewhere without a network.
type web map[string]string // URL to body

func (w web) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := w[r.URL.String()]
	if !ok {
		return nil, fmt.Errorf("dial %s: connection refused", r.URL.Host)
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func TestAutoFindsAModel(t *testing.T) {
	models := `{"data":[{"id":"nomic-embed-text"},{"id":"qwen3-coder:30b"}]}`
	cases := []struct {
		name     string
		cfg      Config
		web      web
		provider string
		model    string
		base     string
	}{
		{"by the key of OpenAI", Config{Env: env("OPENAI_API_KEY", "k", "ANTHROPIC_API_KEY", "k")}, nil, "openai", "gpt-6.2-sol", "https://api.openai.com/v1"},
		{"by the key of Anthropic", Config{Env: env("ANTHROPIC_API_KEY", "k")}, nil, "anthropic", "claude-sonnet-5-5", "https://api.anthropic.com/v1"},
		{"by the key of Gemini", Config{Env: env("GEMINI_API_KEY", "k")}, nil, "gemini", "gemini-3.8-flash", "https://generativelanguage.googleapis.com/v1beta/openai"},
		{"by the key of OpenRouter", Config{Env: env("OPENROUTER_API_KEY", "k")}, nil, "openrouter", "anthropic/claude-sonnet-5.5", "https://openrouter.ai/api/v1"},
		{"a wanted model wins over the default", Config{Model: "gpt-6-luna", Env: env("OPENAI_API_KEY", "k")}, nil, "openai", "gpt-6-luna", "https://api.openai.com/v1"},
		{"an Azure key alone is not enough", Config{Env: env("AZURE_OPENAI_API_KEY", "k")}, web{"http://localhost:11434/v1/models": models}, "ollama", "qwen3-coder:30b", "http://localhost:11434/v1"},
		{"a server of Ollama, its first model that writes", Config{}, web{"http://localhost:11434/v1/models": models}, "ollama", "qwen3-coder:30b", "http://localhost:11434/v1"},
		{"a server of llama.cpp", Config{}, web{"http://localhost:8080/v1/models": models}, "llamacpp", "qwen3-coder:30b", "http://localhost:8080/v1"},
		{"LM Studio", Config{}, web{"http://localhost:1234/v1/models": models}, "lmstudio", "qwen3-coder:30b", "http://localhost:1234/v1"},
		{"another program on the port is not taken", Config{}, web{"http://localhost:8080/v1/models": "<html>", "http://localhost:1234/v1/models": models}, "lmstudio", "qwen3-coder:30b", "http://localhost:1234/v1"},
		{"OLLAMA_HOST names the server", Config{Env: env("OLLAMA_HOST", "127.0.0.1:9999")}, web{"http://127.0.0.1:9999/v1/models": models}, "ollama", "qwen3-coder:30b", "http://127.0.0.1:9999/v1"},
		{"a base URL is a custom endpoint, asked for its models", Config{BaseURL: "https://llm.example/v1/", Env: env("OPENAI_API_KEY", "k")}, web{"https://llm.example/v1/models": models}, "custom", "qwen3-coder:30b", "https://llm.example/v1"},
		{"OPENAI_BASE_URL too", Config{Env: env("OPENAI_BASE_URL", "https://llm.example/v1")}, web{"https://llm.example/v1/models": models}, "custom", "qwen3-coder:30b", "https://llm.example/v1"},
		{"OPENAI_BASE_URL moves OpenAI's preset", Config{Provider: "openai", Env: env("OPENAI_BASE_URL", "https://llm.example/v1", "OPENAI_API_KEY", "k")}, web{"https://llm.example/v1/models": models}, "openai", "qwen3-coder:30b", "https://llm.example/v1"},
		{"Azure's endpoint gets its path", Config{Provider: "azure", Model: "my-deployment", Env: env("AZURE_OPENAI_ENDPOINT", "https://x.openai.azure.com/", "AZURE_OPENAI_API_KEY", "k")}, nil, "azure", "my-deployment", "https://x.openai.azure.com/openai/v1"},
		{"an old address of Azure names the deployment", Config{Provider: "azure", APIKey: "k", BaseURL: "https://x.openai.azure.com/openai/deployments/dep/chat/completions?api-version=2024-10-21"}, nil, "azure", "dep", "https://x.openai.azure.com/openai/deployments/dep"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.cfg.Env == nil {
				c.cfg.Env = env()
			}
			c.cfg.HTTP = c.web
			client, err := New(t.Context(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			if i := client.Describe(); i.Provider != c.provider || i.Model != c.model || i.BaseURL != c.base {
				t.Errorf("got %s %s at %s", i.Provider, i.Model, i.BaseURL)
			}
		})
	}
}

func TestUnresolvableSettingsAreUsageErrors(t *testing.T) {
	cases := []struct {
		name string
		cfg  Config
		hint string
	}{
		{"nothing at all names the ways out", Config{}, "OPENAI_API_KEY"},
		{"a GitHub token is not taken for a model's key", Config{Env: env("GITHUB_TOKEN", "k")}, "ollama serve"},
		{"an unknown provider", Config{Provider: "skynet"}, "openrouter"},
		{"no key", Config{Provider: "anthropic"}, "ANTHROPIC_API_KEY"},
		{"the key of OpenAI is not sent to another provider", Config{Provider: "anthropic", APIKeyEnv: "OPENAI_API_KEY", Env: env("OPENAI_API_KEY", "k")}, "ANTHROPIC_API_KEY"},
		{"custom without an address", Config{Provider: "custom"}, "base_url"},
		{"an address that is none", Config{Provider: "custom", BaseURL: "ftp://x"}, "https://"},
		{"a command without its provider", Config{Command: []string{"x"}}, "exec"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.cfg.Env == nil {
				c.cfg.Env = env()
			}
			c.cfg.HTTP = web{}
			_, err := New(t.Context(), c.cfg)
			if fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), c.hint) {
				t.Errorf("got %v of kind %v, hint %q", err, fault.KindOf(err), fault.HintOf(err))
			}
		})
	}
}

func TestModelsAreListedWhereTheyAre(t *testing.T) {
	cases := []struct {
		name string
		cfg  Config
		web  web
		want string
	}{
		{"OpenAI", Config{Provider: "openai", APIKey: "k"}, web{"https://api.openai.com/v1/models": `{"data":[{"id":"b"},{"id":"a"}]}`}, "a b"},
		{"Anthropic", Config{Provider: "anthropic", APIKey: "k"}, web{"https://api.anthropic.com/v1/models?limit=1000": `{"data":[{"id":"a","max_input_tokens":1000000}]}`}, "a=1000000"},
		{"vLLM", Config{Provider: "custom", BaseURL: "http://h/v1"}, web{"http://h/v1/models": `{"data":[{"id":"a","max_model_len":8192}]}`}, "a=8192"},
		{"llama.cpp", Config{Provider: "custom", BaseURL: "http://h/v1"}, web{"http://h/v1/models": `{"data":[{"id":"a","meta":{"n_ctx":4096,"n_params":7}}]}`}, "a=4096"},
		{"Gemini's prefix is taken off", Config{Provider: "gemini", APIKey: "k"}, web{"https://generativelanguage.googleapis.com/v1beta/openai/models": `{"data":[{"id":"models/gemini-3.8-flash"}]}`}, "gemini-3.8-flash"},
		{"Azure with a version", Config{Provider: "azure", APIKey: "k", BaseURL: "https://x.openai.azure.com/openai?api-version=2026-01-01"}, web{"https://x.openai.azure.com/openai/models?api-version=2026-01-01": `{"data":[{"id":"d"}]}`}, "d"},
		{"Ollama's own form", Config{Provider: "ollama"}, web{"http://localhost:11434/v1/models": `{"models":[{"name":"q","model":"q:1"}]}`}, "q:1"},
		{"a whole chat address", Config{Provider: "custom", BaseURL: "http://h/v1/chat/completions"}, web{"http://h/v1/models": `{"data":[{"id":"z"}]}`}, "z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Env, c.cfg.HTTP = env(), c.web
			models, err := Models(t.Context(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, m := range models {
				name := m.Name
				if m.Context > 0 {
					name = fmt.Sprintf("%s=%d", name, m.Context)
				}
				names = append(names, name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	_, err := Models(t.Context(), Config{Provider: "custom", BaseURL: "http://h/v1", Env: env(), HTTP: web{"http://h/v1/models": "<html>"}})
	if fault.KindOf(err) != fault.Model || !strings.Contains(fault.HintOf(err), "base_url") {
		t.Errorf("a web page for a list: %v, hint %q", err, fault.HintOf(err))
	}
}

func TestWarnsOnceOfPlainHTTP(t *testing.T) {
	c, err := New(t.Context(), Config{Provider: "custom", BaseURL: "http://models.lan/v1", Model: "m", Env: env(), HTTP: web{}})
	if err != nil {
		t.Fatal(err)
	}
	if notes := c.Describe().Notes; len(notes) != 1 || !strings.Contains(notes[0], "plain http") {
		t.Errorf("got notes %q", notes)
	}
	c, err = New(t.Context(), Config{Provider: "custom", BaseURL: "http://127.0.0.1:9/v1", Model: "m", Env: env(), HTTP: web{}})
	if err != nil {
		t.Fatal(err)
	}
	if notes := c.Describe().Notes; len(notes) != 0 {
		t.Errorf("this machine: got notes %q", notes)
	}
}

func TestTheServersCostIsUsed(t *testing.T) {
	frames := stream(delta("ok"), finish("stop"), `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.0123,"prompt_tokens_details":{"cached_tokens":4}}}`)
	s := serve(t, frames, frames)
	var n naps
	r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("x"))
	if err != nil || r.Usage.CostUSD != 0.0123 || !r.Usage.PriceKnown || r.Usage.Cached != 4 {
		t.Errorf("got %+v, %v", r.Usage, err)
	}
	cfg := config(s, &n)
	cfg.Prices = &Price{Input: 1e6, Output: 1e6, Cached: 0.5e6}
	r, err = newClient(t, cfg).Complete(t.Context(), ask("x"))
	if err != nil || r.Usage.CostUSD != 6+2+5 {
		t.Errorf("explicit prices: got %+v, %v", r.Usage, err)
	}
}

// elsewhere sends requests for any host to a test server, so that a client can
// believe that it talks to a model far away.
type elsewhere struct{ s *server }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", e.s.Listener.Addr().String()
	return http.DefaultTransport.RoundTrip(r)
}

func TestUnknownPriceUsesTheFallback(t *testing.T) {
	s := serve(t, good("ok"), good("ok"))
	c := newClient(t, Config{Provider: "custom", BaseURL: "https://far.example/v1", Model: "mystery", APIKey: "k", Env: env(), HTTP: elsewhere{s}})
	r, err := c.Complete(t.Context(), ask("x"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Usage.PriceKnown || r.Usage.CostUSD != (10*15+5*75)/1e6 || !strings.Contains(strings.Join(r.Notes, ""), "price of mystery is not known") {
		t.Errorf("got %+v, notes %q", r.Usage, r.Notes)
	}
	if r, _ = c.Complete(t.Context(), ask("x")); len(r.Notes) > 0 {
		t.Errorf("told again: %q", r.Notes)
	}
}

func TestAzureGetsItsKeyInItsOwnHeader(t *testing.T) {
	s := serve(t, good("ok"))
	c := newClient(t, Config{Provider: "azure", BaseURL: "https://x.openai.azure.com", Model: "d", APIKey: "k", Env: env(), HTTP: elsewhere{s}})
	if _, err := c.Complete(t.Context(), ask("x")); err != nil {
		t.Fatal(err)
	}
	if h := s.headers[0]; h.Get("Api-Key") != "k" || h.Get("Authorization") != "" {
		t.Errorf("sent %v", h)
	}
}

func TestConnectSendsNoRequest(t *testing.T) {
	// A named model of a named provider needs no request to be made.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, Config{Provider: "openai", APIKey: "k", Env: env(), HTTP: web{}}); err != nil {
		t.Error(err)
	}
}

func FuzzParseModels(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"a"}]}`))
	f.Add([]byte(`[{"id":"a"}]`))
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = parseModels(data) })
}
