package llm

// Providers that are not presets of the OpenAI protocol.
const (
	providerAuto   = "auto"
	providerExec   = "exec"
	providerReplay = "replay"
	providerAgent  = "agent"
)

// preset is what one provider needs to be reached by the OpenAI chat protocol.
type preset struct {
	name    string
	baseURL string
	// baseEnv are variables that may name the endpoint.
	baseEnv []string
	// keyEnv are variables that may hold the key, in this order.
	keyEnv []string
	// model is the default; empty: asked of the endpoint.
	model string
	// local servers are on this machine by default and want no key.
	local bool
	// keyHeader replaces "Authorization: Bearer".
	keyHeader string
	// catalogue is where models are listed, where it is not baseURL/models.
	catalogue string
	// headers are sent along.
	headers map[string]string
	// contextHint is the setting to raise when the server cuts the prompt.
	contextHint string
	// pull is the command that gets a missing model.
	pull string
	note string
}

// presets in the order in which `auto` looks for their keys. The default models
// are those that the providers named for everyday coding in autumn 2026; the
// pages read are listed in docs/providers.md.
var presets = []preset{
	{name: "openai", baseURL: "https://api.openai.com/v1", baseEnv: []string{"OPENAI_BASE_URL"},
		keyEnv: []string{"OPENAI_API_KEY"}, model: "gpt-6.1-sol"},
	{name: "anthropic", baseURL: "https://api.anthropic.com/v1",
		keyEnv: []string{"ANTHROPIC_API_KEY"}, model: "claude-sonnet-5-5"},
	{name: "gemini", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
		keyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, model: "gemini-3.8-flash"},
	{name: "openrouter", baseURL: "https://openrouter.ai/api/v1",
		keyEnv: []string{"OPENROUTER_API_KEY"}, model: "anthropic/claude-sonnet-5.5",
		headers: map[string]string{"X-Title": "booty"}},
	{name: "github", baseURL: "https://models.github.ai/inference",
		keyEnv: []string{"GITHUB_MODELS_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"}, model: "openai/gpt-5",
		catalogue: "https://models.github.ai/catalog/models",
		note:      "GitHub retired GitHub Models on 30 July 2026: expect this endpoint to be gone"},
	{name: "azure", baseEnv: []string{"AZURE_OPENAI_ENDPOINT"},
		keyEnv: []string{"AZURE_OPENAI_API_KEY"}, keyHeader: "api-key"},
	{name: "ollama", baseURL: "http://localhost:11434/v1", baseEnv: []string{"OLLAMA_HOST"}, local: true,
		contextHint: "raise its context: OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the model file",
		pull:        "ollama pull "},
	{name: "llamacpp", baseURL: "http://localhost:8080/v1", local: true,
		contextHint: "start llama-server with a larger -c (--ctx-size)"},
	{name: "lmstudio", baseURL: "http://localhost:1234/v1", local: true,
		contextHint: "load the model with a larger context length in LM Studio"},
	{name: "custom", baseEnv: []string{"OPENAI_BASE_URL"}, keyEnv: []string{"OPENAI_API_KEY"},
		contextHint: "raise the context length in the server's settings"},
}

func findPreset(name string) (preset, bool) {
	for _, p := range presets {
		if p.name == name {
			return p, true
		}
	}
	return preset{}, false
}
