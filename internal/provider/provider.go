// Package provider is the table of model providers: who they are, where they
// are reached, which variables hold their keys and what they speak. What else
// names a provider (settings, flags, completion, consent, the environment that
// children see) asks here. To add one, add a row.
//
// It knows nothing of requests, which are internal/llm's, and holds no state.
package provider

import "slices"

// Protocol is how a provider is spoken to.
type Protocol int

const (
	// Chat is the OpenAI chat protocol over HTTP.
	Chat Protocol = iota
	// Chosen is no provider itself: one is picked by the keys present.
	Chosen
	// Command is a program: the prompt on its standard input.
	Command
	// Cassette is a file of recorded replies.
	Cassette
)

// The providers that are more than a row to the code.
const (
	Auto   = "auto"
	Custom = "custom"
	Exec   = "exec"
	Agent  = "agent"
	Replay = "replay"
)

// Provider is what is known of one.
type Provider struct {
	Name     string
	Protocol Protocol
	// BaseURL is its endpoint, "" where the user names it.
	BaseURL string
	// BaseEnv are variables that may name the endpoint.
	BaseEnv []string
	// Path completes an address that is a host alone, Port one without a port.
	Path, Port string
	// KeyEnv are variables that may hold the key, in this order.
	KeyEnv []string
	// Model is the default; "": asked of the endpoint. AnyHost says that it is
	// the default behind another address, too.
	Model   string
	AnyHost bool
	// Local servers are on this machine by default and want no key.
	Local bool
	// Picked says that a key in the environment is reason enough for auto to
	// take it.
	Picked bool
	// Deployments says that models go by names of the user's own.
	Deployments bool
	// KeyHeader replaces "Authorization: Bearer".
	KeyHeader string
	// Catalogue is where models are listed, where it is not BaseURL/models.
	Catalogue string
	// Headers are sent along.
	Headers map[string]string
	// ContextHint is the setting to raise when the server cuts the prompt.
	ContextHint string
	// Pull is the command that gets a missing model.
	Pull string
	// Note is told to who uses it.
	Note string
}

// All gives the providers in the order in which auto looks for their keys. The
// default models are those that the providers named for everyday coding in
// autumn 2026; the pages read are listed in docs/providers.md.
func All() []Provider {
	return []Provider{
		{Name: Auto, Protocol: Chosen},
		{Name: "openai", BaseURL: "https://api.openai.com/v1", BaseEnv: []string{"OPENAI_BASE_URL"},
			KeyEnv: []string{"OPENAI_API_KEY"}, Model: "gpt-6.1-sol", Picked: true},
		{Name: "anthropic", BaseURL: "https://api.anthropic.com/v1",
			KeyEnv: []string{"ANTHROPIC_API_KEY"}, Model: "claude-sonnet-5-5", Picked: true},
		{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
			KeyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Model: "gemini-3.8-flash", AnyHost: true, Picked: true},
		{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1",
			KeyEnv: []string{"OPENROUTER_API_KEY"}, Model: "anthropic/claude-sonnet-5.5", Picked: true,
			Headers: map[string]string{"X-Title": "booty"}},
		// A GitHub token is nearly always there and says nothing about models.
		{Name: "github", BaseURL: "https://models.github.ai/inference",
			KeyEnv: []string{"GITHUB_MODELS_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"}, Model: "openai/gpt-5",
			Catalogue: "https://models.github.ai/catalog/models",
			Note:      "GitHub retired GitHub Models on 30 July 2026: expect this endpoint to be gone"},
		{Name: "azure", BaseEnv: []string{"AZURE_OPENAI_ENDPOINT"}, Path: "/openai/v1",
			KeyEnv: []string{"AZURE_OPENAI_API_KEY"}, KeyHeader: "api-key", Deployments: true, Picked: true},
		{Name: "ollama", BaseURL: "http://localhost:11434/v1", BaseEnv: []string{"OLLAMA_HOST"}, Local: true,
			Path: "/v1", Port: "11434",
			ContextHint: "raise its context: OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the model file",
			Pull:        "ollama pull "},
		{Name: "llamacpp", BaseURL: "http://localhost:8080/v1", Local: true,
			ContextHint: "start llama-server with a larger -c (--ctx-size)"},
		{Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Local: true,
			ContextHint: "load the model with a larger context length in LM Studio"},
		{Name: Custom, BaseEnv: []string{"OPENAI_BASE_URL"}, KeyEnv: []string{"OPENAI_API_KEY"},
			ContextHint: "raise the context length in the server's settings"},
		{Name: Exec, Protocol: Command},
		{Name: Agent, Protocol: Command},
		{Name: Replay, Protocol: Cassette},
	}
}

// Find gives the provider of that name.
func Find(name string) (Provider, bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return Provider{}, false
	}
	return all[i], true
}

// Names lists all of them.
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

// StartsProgram says whether that provider runs a command.
func StartsProgram(name string) bool {
	p, _ := Find(name)
	return p.Protocol == Command
}

// Family is the provider whose key a provider reads: one that auto may be, and
// an address of the user's own, are asked like OpenAI.
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

// ReadsKey says whether a provider reads that variable by itself.
func ReadsKey(name, variable string) bool {
	p, _ := Find(Family(name))
	return slices.Contains(p.KeyEnv, variable)
}
