// Package provider is the table of model providers: names, addresses, key variables and
// protocols. Everything that names a provider (settings, flags, completion, consent, the
// environment of child processes) uses it. To add a provider, add a row.
//
// It makes no requests (see internal/llm) and holds no state.
package provider

import (
	"slices"
	"strings"
)

// Protocol is the protocol of a provider.
type Protocol int

const (
	// Chat is OpenAI's Chat Completions over HTTP, and Responses for the models that need
	// it.
	Chat Protocol = iota
	// Messages is Anthropic's.
	Messages
	// Chosen is not a provider: one is picked by the keys present.
	Chosen
	// Command is a program that reads the prompt from standard input.
	Command
	// Cassette is a file of recorded replies.
	Cassette
)

// Providers with special handling in code.
const (
	Auto   = "auto"
	Custom = "custom"
	Exec   = "exec"
	Agent  = "agent"
	Replay = "replay"
)

// Provider describes one provider.
type Provider struct {
	Name     string
	Protocol Protocol
	// BaseURL is its endpoint, "" if the user names it. {region} stands for the value of
	// the first RegionEnv variable that is set.
	BaseURL   string
	RegionEnv []string
	// BaseEnv are variables that may name the endpoint.
	BaseEnv []string
	// Path completes an address that is only a host, Port one without a port.
	Path, Port string
	// MessagesModels is the prefix of models that are asked through Messages, below
	// MessagesPath of the same host.
	MessagesModels, MessagesPath string
	// KeyEnv are variables that may hold the key, in order.
	KeyEnv []string
	// Model is the default; if empty, the endpoint is asked. AnyHost reports whether the
	// default also applies to another address.
	Model   string
	AnyHost bool
	// Local servers run on this machine by default and need no key.
	Local bool
	// AutoSelect reports whether auto picks the provider if its key is in the environment.
	AutoSelect bool
	// Deployments reports whether users name the models.
	Deployments bool
	// KeyHeader replaces "Authorization: Bearer".
	KeyHeader string
	// MaxTokens reports whether Chat Completions takes max_tokens there and silently
	// ignores max_completion_tokens.
	MaxTokens bool
	// Headers are sent along.
	Headers map[string]string
	// CacheKey is the field (or, with dashes, the header) that keeps requests with the same
	// beginning on the same prompt cache. CacheMark is the field of a content block that
	// ends the cached part.
	CacheKey, CacheMark string
	// ContextHint is the setting to raise when the server cuts the prompt.
	ContextHint string
	// Pull is the command that downloads a missing model.
	Pull string
	// Discontinued explains that the provider no longer exists, and since when.
	Discontinued string
}

// The fields of prompt caches.
const (
	CacheKey      = "prompt_cache_key"
	OpenAIMark    = "prompt_cache_breakpoint"
	AnthropicMark = "cache_control"
)

// All returns the providers in the order in which auto looks for their keys. The default
// models are those that the providers recommended for everyday coding in autumn 2026;
// internal/llm/prices.csv has the sources.
func All() []Provider {
	return slices.Concat([]Provider{{Name: Auto, Protocol: Chosen}}, vendors(), servers(), []Provider{
		{Name: Exec, Protocol: Command},
		{Name: Agent, Protocol: Command},
		{Name: Replay, Protocol: Cassette},
	})
}

// vendors are paid providers with a key.
func vendors() []Provider {
	return []Provider{
		{Name: "openai", BaseURL: "https://api.openai.com/v1", BaseEnv: []string{"OPENAI_BASE_URL"},
			KeyEnv: []string{"OPENAI_API_KEY"}, Model: "gpt-6.2-sol", AutoSelect: true,
			CacheKey: CacheKey, CacheMark: OpenAIMark},
		{Name: "anthropic", Protocol: Messages, BaseURL: "https://api.anthropic.com/v1", Path: "/v1",
			KeyEnv: []string{"ANTHROPIC_API_KEY"}, KeyHeader: "x-api-key", Model: "claude-sonnet-5-5",
			AutoSelect: true,
			Headers:    map[string]string{"anthropic-version": "2023-06-01"}},
		{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
			KeyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Model: "gemini-3.8-flash", AnyHost: true,
			AutoSelect: true},
		{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1",
			KeyEnv: []string{"OPENROUTER_API_KEY"}, Model: "anthropic/claude-sonnet-5.5", AutoSelect: true,
			Headers: map[string]string{"X-Title": "booty"}, CacheMark: AnthropicMark},
		{Name: "deepseek", BaseURL: "https://api.deepseek.com", KeyEnv: []string{"DEEPSEEK_API_KEY"},
			Model: "deepseek-flash", AutoSelect: true, MaxTokens: true},
		{Name: "xai", BaseURL: "https://api.x.ai/v1", KeyEnv: []string{"XAI_API_KEY"}, Model: "grok-4.7",
			AutoSelect: true,
			CacheKey:   "x-grok-conv-id"},
		{Name: "zai", BaseURL: "https://api.z.ai/api/paas/v4", KeyEnv: []string{"ZAI_API_KEY"},
			Model:      "glm-5.3",
			AutoSelect: true, MaxTokens: true},
		{Name: "qwen", BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
			KeyEnv: []string{"DASHSCOPE_API_KEY"}, Model: "qwen4-max", AutoSelect: true, MaxTokens: true},
		{Name: "mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: []string{"MISTRAL_API_KEY"},
			Model: "mistral-medium-3-5", AutoSelect: true, MaxTokens: true},
		{Name: "moonshot", BaseURL: "https://api.moonshot.ai/v1", KeyEnv: []string{"MOONSHOT_API_KEY"},
			Model: "kimi-k3.1-pro", AutoSelect: true, MaxTokens: true, CacheKey: CacheKey},
		{Name: "bedrock", BaseURL: "https://bedrock-mantle.{region}.api.aws/v1",
			RegionEnv: []string{"AWS_REGION", "AWS_DEFAULT_REGION"}, Path: "/v1",
			MessagesModels: "anthropic.", MessagesPath: "/anthropic/v1",
			KeyEnv: []string{"AWS_BEARER_TOKEN_BEDROCK"}, Model: "anthropic.claude-sonnet-5",
			AutoSelect: true,
			Headers:    map[string]string{"anthropic-version": "2023-06-01"}},
		{Name: "azure", BaseEnv: []string{"AZURE_OPENAI_ENDPOINT"}, Path: "/openai/v1",
			KeyEnv: []string{"AZURE_OPENAI_API_KEY"}, KeyHeader: "api-key", Deployments: true,
			AutoSelect: true,
			CacheKey:   CacheKey, CacheMark: OpenAIMark},
		{Name: "github", BaseURL: "https://models.github.ai/inference", KeyEnv: []string{"GITHUB_MODELS_TOKEN"},
			Discontinued: "GitHub closed GitHub Models on 30 July 2026"},
	}
}

// servers are run by the user.
func servers() []Provider {
	return []Provider{
		{Name: "ollama", BaseURL: "http://localhost:11434/v1", BaseEnv: []string{"OLLAMA_HOST"}, Local: true,
			Path: "/v1", Port: "11434", MaxTokens: true,
			ContextHint: "raise its context: OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the " +
				"model file",
			Pull: "ollama pull "},
		{Name: "llamacpp", BaseURL: "http://localhost:8080/v1", Local: true,
			ContextHint: "start llama-server with a larger -c (--ctx-size)"},
		{Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Local: true, MaxTokens: true,
			ContextHint: "load the model with a larger context length in LM Studio"},
		{Name: Custom, BaseEnv: []string{"OPENAI_BASE_URL"}, KeyEnv: []string{"OPENAI_API_KEY"},
			ContextHint: "raise the context length in the server's settings"},
	}
}

// OverHTTP reports whether requests to a provider go over HTTP.
func (p Provider) OverHTTP() bool { return p.Protocol == Chat || p.Protocol == Messages }

// ProtocolOf returns the protocol for a model of the provider.
func (p Provider) ProtocolOf(model string) Protocol {
	if p.MessagesModels != "" && strings.HasPrefix(model, p.MessagesModels) {
		return Messages
	}
	return p.Protocol
}

// Find returns the provider of that name.
func Find(name string) (Provider, bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return Provider{}, false
	}
	return all[i], true
}

// Names returns all names.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// KeyVariables lists the variables that hold a provider's key.
func KeyVariables() []string {
	var names []string
	for _, p := range All() {
		for _, n := range p.KeyEnv {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// StartsProgram reports whether that provider runs a command.
func StartsProgram(name string) bool {
	p, _ := Find(name)
	return p.Protocol == Command
}

// Family returns the provider whose key a provider uses. Auto and custom addresses are
// asked like OpenAI.
func Family(name string) string {
	if name == "" || name == Auto {
		name = Custom
	}
	p, _ := Find(name)
	if len(p.KeyEnv) == 0 {
		return name
	}
	for _, first := range All() {
		if len(first.KeyEnv) > 0 && first.KeyEnv[0] == p.KeyEnv[0] {
			return first.Name
		}
	}
	return name
}

// ReadsKey reports whether a provider reads a variable by itself.
func ReadsKey(name, variable string) bool {
	p, _ := Find(Family(name))
	return slices.Contains(p.KeyEnv, variable)
}
