package provider

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A provider can be reached by one row: each has a name of its own, and what
// its protocol needs.
func TestRows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range All() {
		if p.Name == "" || seen[p.Name] {
			t.Errorf("the name %q is empty or stands twice", p.Name)
		}
		seen[p.Name] = true
		if p.OverHTTP() && p.BaseURL == "" && len(p.BaseEnv) == 0 {
			t.Errorf("%s has no address and no variable that names one", p.Name)
		}
		if !p.OverHTTP() && (p.BaseURL != "" || len(p.KeyEnv) > 0) {
			t.Errorf("%s is not reached over HTTP, yet has an address or a key", p.Name)
		}
		if p.AutoSelect && len(p.KeyEnv) == 0 {
			t.Errorf("%s is picked by its key and has none", p.Name)
		}
	}
	if !slices.Equal(Names()[:2], []string{Auto, "openai"}) {
		t.Errorf("auto and openai do not come first: %q", Names())
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "openai", "auto": "openai", "custom": "openai", "openai": "openai", "anthropic": "anthropic", "github": "github", "ollama": "ollama", "exec": "exec",
	} {
		if got := Family(name); got != want {
			t.Errorf("Family(%q) = %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		name, variable string
		want           bool
	}{
		{"auto", "OPENAI_API_KEY", true}, {"", "OPENAI_API_KEY", true}, {"custom", "OPENAI_API_KEY", true}, {"gemini", "GOOGLE_API_KEY", true},
		{"bedrock", "AWS_BEARER_TOKEN_BEDROCK", true}, {"anthropic", "OPENAI_API_KEY", false}, {"ollama", "OPENAI_API_KEY", false},
	} {
		if got := ReadsKey(c.name, c.variable); got != c.want {
			t.Errorf("ReadsKey(%q, %q) = %v", c.name, c.variable, got)
		}
	}
}

func TestSomeModelsOfAProviderSpeakAnotherProtocol(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		provider, model string
		want            Protocol
	}{
		{"openai", "gpt-6.2-sol", Chat}, {"anthropic", "claude-sonnet-5-5", Messages}, {"openrouter", "anthropic/claude-sonnet-5.5", Chat},
		{"bedrock", "anthropic.claude-sonnet-5", Messages}, {"bedrock", "openai.gpt-5.5", Chat},
	} {
		p, _ := Find(c.provider)
		if got := p.ProtocolOf(c.model); got != c.want {
			t.Errorf("%s, %s: got %v, want %v", c.provider, c.model, got, c.want)
		}
	}
}

// TestProvidersAreDocumented: users choose one in the table of docs/providers.md.
func TestProvidersAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range All() {
		_, row, ok := strings.Cut(string(text), "\n| `"+p.Name+"` |")
		if row, _, _ = strings.Cut(row, "\n"); !ok && p.Protocol != Chosen {
			t.Errorf("docs/providers.md has no row for %s", p.Name)
		}
		for _, shown := range append(slices.Clone(p.KeyEnv), p.Model) {
			if ok && p.Discontinued == "" && !strings.Contains(row, shown) {
				t.Errorf("the row of %s in docs/providers.md lacks %s", p.Name, shown)
			}
		}
	}
}
