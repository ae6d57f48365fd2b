package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

// Bounds of the list of models.
const (
	listTimeout = 15 * time.Second
	maxList     = 16 << 20
)

// Model is a model that an endpoint lists.
type Model struct {
	Name string
	// Context is its context length in tokens, 0 if the endpoint does not say.
	Context int
}

// Models lists the models that the endpoint offers, sorted by name.
func Models(ctx context.Context, cfg Config) ([]Model, error) {
	c, err := connect(ctx, cfg)
	if err != nil {
		return nil, err
	}
	models, err := c.list(ctx)
	if err != nil {
		return nil, c.classify(ctx, err)
	}
	return models, nil
}

func (c *endpoint) list(ctx context.Context) ([]Model, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	url := c.address("/models")
	if c.provider.Protocol == provider.Messages {
		url += "?limit=1000" // the default is 20
	}
	body, err := c.get(ctx, url)
	if err != nil {
		return nil, err
	}
	models, err := parseModels(body)
	if err != nil {
		return nil, fault.New(fault.Model, c.baseHint(), "list the models of %s: %w", host(url), err)
	}
	return models, nil
}

func (c *endpoint) get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fault.New(fault.Usage, "check model.base_url", "list the models: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	c.authorize(req)
	res, err := c.http.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", host(url), err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		e := c.readError(req, res)
		hint := c.baseHint()
		if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden {
			hint = c.keyHint(res.StatusCode)
		}
		return nil, fault.New(fault.Model, hint, "list the models: %w", e)
	}
	return io.ReadAll(io.LimitReader(res.Body, maxList))
}

// listedModel is a model as servers list it, with their various names for the context
// length: OpenRouter and Moonshot, vLLM, Groq, Mistral, Anthropic, llama.cpp.
type listedModel struct {
	ID, Name, Model string
	ContextLength   json.RawMessage `json:"context_length"`
	MaxModelLen     json.RawMessage `json:"max_model_len"`
	ContextWindow   json.RawMessage `json:"context_window"`
	MaxContext      json.RawMessage `json:"max_context_length"`
	MaxInput        json.RawMessage `json:"max_input_tokens"`
	Meta            struct {
		Context json.RawMessage `json:"n_ctx"`
	} `json:"meta"`
}

// context returns the first of them that is a number.
func (m listedModel) context() int {
	for _, raw := range []json.RawMessage{
		m.ContextLength, m.MaxModelLen, m.ContextWindow, m.MaxContext, m.MaxInput, m.Meta.Context,
	} {
		if n := count(raw); n > 0 {
			return n
		}
	}
	return 0
}

// parseModels reads {"data": [{"id"}]}, a bare list, and {"models": [{"name"}]} (Ollama's
// own).
func parseModels(body []byte) ([]Model, error) {
	var list []listedModel
	if err := json.Unmarshal(body, &list); err != nil {
		var outer struct{ Data, Models []listedModel }
		if err := json.Unmarshal(body, &outer); err != nil {
			return nil, fmt.Errorf("this is no list of models: %w", err)
		}
		list = outer.Data
		if len(list) == 0 {
			list = outer.Models
		}
	}
	var models []Model
	for _, m := range list {
		if n := firstNonEmpty(m.ID, m.Model, m.Name); n != "" {
			// Gemini lists "models/gemini-…" but is asked without the prefix.
			models = append(models, Model{strings.TrimPrefix(n, "models/"), m.context()})
		}
	}
	sort.Slice(models, func(i, j int) bool { return models[i].Name < models[j].Name })
	return models, nil
}

// notChat are parts of the names of models that cannot write code.
var notChat = []string{"embed", "whisper", "tts", "dall-e", "image", "rerank", "moderation", "audio",
	"realtime", "transcribe", "bge-", "nomic-"}

// firstChat picks the model for an endpoint without a default, preferably one made for
// code.
func firstChat(models []Model) string {
	first := ""
	for _, m := range models {
		n, low := m.Name, strings.ToLower(m.Name)
		switch {
		case containsAny(low, notChat):
		case containsAny(low, []string{"code", "devstral"}):
			return n
		case first == "":
			first = n
		}
	}
	return first
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// nearest sorts names by similarity to want.
func nearest(names []string, want string) []string {
	out := append([]string(nil), names...)
	want = strings.ToLower(want)
	score := func(n string) int {
		n = strings.ToLower(n)
		s := 0
		for _, w := range strings.FieldsFunc(want,
			func(r rune) bool { return strings.ContainsRune("-/.:_", r) }) {
			if strings.Contains(n, w) {
				s += len(w)
			}
		}
		return s
	}
	sort.SliceStable(out, func(i, j int) bool { return score(out[i]) > score(out[j]) })
	return out
}
