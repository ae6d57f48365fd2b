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
)

// Bounds of the models list.
const (
	listTimeout = 15 * time.Second
	maxList     = 16 << 20
)

// Models lists the models that the endpoint offers, sorted by name.
func Models(ctx context.Context, cfg Config) ([]string, error) {
	c, err := connect(ctx, cfg)
	if err != nil {
		return nil, err
	}
	names, err := c.list(ctx)
	if err != nil {
		return nil, c.classify(ctx, err)
	}
	return names, nil
}

// list asks the endpoint, or the provider's catalogue.
func (c *chat) list(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	url := c.info.BaseURL + "/models"
	if c.provider.Catalogue != "" && c.info.BaseURL == c.provider.BaseURL {
		url = c.provider.Catalogue
	} else if c.provider.Catalogue != "" {
		// An own host keeps the layout: /inference beside /catalog.
		url = strings.TrimSuffix(c.info.BaseURL, "/inference") + "/catalog/models"
	}
	if c.apiVersion != "" {
		url += "?api-version=" + c.apiVersion
	}
	body, err := c.get(ctx, url)
	if err != nil {
		return nil, err
	}
	names, err := parseModels(body)
	if err != nil {
		return nil, fault.New(fault.Model, c.baseHint(), "list the models of %s: %w", host(url), err)
	}
	return names, nil
}

func (c *chat) get(ctx context.Context, url string) ([]byte, error) {
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

// parseModels reads {"data": [{"id"}]}, a bare list (GitHub's catalogue), and
// {"models": [{"name"}]} (Ollama's own).
func parseModels(body []byte) ([]string, error) {
	type model struct{ ID, Name, Model string }
	var list []model
	if err := json.Unmarshal(body, &list); err != nil {
		var outer struct{ Data, Models []model }
		if err := json.Unmarshal(body, &outer); err != nil {
			return nil, fmt.Errorf("this is no list of models: %w", err)
		}
		list = outer.Data
		if len(list) == 0 {
			list = outer.Models
		}
	}
	var names []string
	for _, m := range list {
		for _, n := range []string{m.ID, m.Model, m.Name} {
			if n != "" {
				// Gemini lists "models/gemini-…" and is asked without the prefix.
				names = append(names, strings.TrimPrefix(n, "models/"))
				break
			}
		}
	}
	sort.Strings(names)
	return names, nil
}

// notChat are parts of names of models that cannot write code.
var notChat = []string{"embed", "whisper", "tts", "dall-e", "image", "rerank", "moderation", "audio",
	"realtime", "transcribe", "bge-", "nomic-"}

// firstChat picks the model of an endpoint that has no default: one made for
// code where there is one.
func firstChat(names []string) string {
	first := ""
	for _, n := range names {
		low := strings.ToLower(n)
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

// nearest sorts names by what they share with want.
func nearest(names []string, want string) []string {
	out := append([]string(nil), names...)
	want = strings.ToLower(want)
	score := func(n string) int {
		n = strings.ToLower(n)
		s := 0
		for _, w := range strings.FieldsFunc(want, func(r rune) bool { return strings.ContainsRune("-/.:_", r) }) {
			if strings.Contains(n, w) {
				s += len(w)
			}
		}
		return s
	}
	sort.SliceStable(out, func(i, j int) bool { return score(out[i]) > score(out[j]) })
	return out
}
