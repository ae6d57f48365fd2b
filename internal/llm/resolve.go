package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

// probeTimeout is how long auto waits for a model server on this machine.
const probeTimeout = 300 * time.Millisecond

// New makes the client for cfg. It uses the network only to look for a model server on this
// machine (auto) and to ask an endpoint without a default model for its models.
func New(ctx context.Context, cfg Config) (Client, error) {
	cfg = cfg.withDefaults()
	switch cfg.Provider {
	case provider.Exec:
		return newExec(cfg)
	case provider.Replay:
		return newReplay(cfg)
	case provider.Agent:
		return nil, fault.New(fault.Usage, "", "provider agent answers no requests: it edits files itself")
	}
	c, err := connect(ctx, cfg)
	if errors.Is(err, errNotAsked) {
		return unasked(cfg), nil
	}
	if err != nil {
		return nil, err
	}
	if c.info.Model == "" && cfg.Offline {
		c.info.Model = askedModel // priced as the fallback, or as a local model
		return c.client, nil
	}
	if c.info.Model == "" {
		names, err := c.list(ctx)
		if err != nil {
			return nil, fault.New(fault.Model, firstNonEmpty(fault.HintOf(err), c.unreachableHint()), "%w", err)
		}
		if c.info.Model = firstChat(names); c.info.Model == "" {
			hint := "set model.name"
			if c.provider.Pull != "" {
				hint = "get one with: " + c.provider.Pull + "qwen3-coder"
			}
			return nil, fault.New(fault.Model, hint, "%s has no model", c.info.BaseURL)
		}
	}
	return c.client, nil
}

// askedModel stands for the name that an endpoint would return.
const askedModel = "(picked from the endpoint's list)"

// errNotAsked is returned if auto would have to look for a server.
var errNotAsked = errors.New("no server is looked for")

// unasked is the client for auto if only a search could find the server. It is only good
// for Describe.
func unasked(cfg Config) Client {
	c := &endpoint{http: cfg.HTTP}
	c.client = &client{asker: c, cfg: cfg, told: map[string]bool{}, info: Info{
		Provider: provider.Auto, Model: firstNonEmpty(cfg.Model, askedModel), EditFormat: cfg.EditFormat,
		MaxOutputTokens: cfg.MaxOutputTokens,
	}}
	return c.client
}

func (cfg Config) withDefaults() Config {
	if cfg.Env == nil {
		cfg.Env = os.Getenv
	}
	if cfg.HeaderTimeout <= 0 {
		cfg.HeaderTimeout = defaultHeaderTimeout
	}
	if cfg.IdleTimeout <= 0 {
		cfg.IdleTimeout = defaultIdleTimeout
	}
	if cfg.CallTimeout <= 0 {
		cfg.CallTimeout = defaultCallTimeout
	}
	if cfg.MaxOutputTokens <= 0 {
		cfg.MaxOutputTokens = defaultMaxOutputTokens
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.HTTP == nil {
		cfg.HTTP = newTransport()
	}
	return cfg
}

// newTransport has no total timeout, since a reply may take minutes. The bounds are those
// of watch.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 20 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 20 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 4,
		ForceAttemptHTTP2:   true,
	}
}

// connect resolves provider, endpoint and key without asking for a model.
func connect(ctx context.Context, cfg Config) (*endpoint, error) {
	cfg = cfg.withDefaults()
	name := firstNonEmpty(cfg.Provider, provider.Auto)
	if name == provider.Auto {
		var err error
		if name, err = chooseProvider(ctx, cfg); err != nil {
			return nil, err
		}
	}
	p, ok := provider.Find(name)
	if !ok || !p.OverHTTP() {
		return nil, fault.New(fault.Usage, "providers: "+strings.Join(provider.Names(), ", "),
			"unknown model provider %q", name)
	}
	if p.Discontinued != "" {
		return nil, fault.New(fault.Usage, "set model.provider to another one, such as openai or openrouter",
			"provider %s is gone: %s", p.Name, p.Discontinued)
	}
	p = inRegion(cfg, p)
	base, version, user, err := resolveEndpoint(cfg, p)
	if err != nil {
		return nil, err
	}
	key, source := findKey(cfg, p)
	if key == "" && len(p.KeyEnv) > 0 && base == p.BaseURL {
		return nil, fault.New(fault.Usage, "set "+p.KeyEnv[0]+", or name its variable in model.api_key_env",
			"provider %s needs a key", p.Name)
	}
	local := isLoopback(base)
	info := Info{
		Provider: p.Name, Model: firstNonEmpty(cfg.Model, p.Model), BaseURL: base, Local: local,
		EditFormat: cfg.EditFormat, MaxOutputTokens: cfg.MaxOutputTokens, KeySource: source,
	}
	if base != p.BaseURL && cfg.Model == "" && !p.AnyHost {
		info.Model = "" // another host may not have the preset's default
	}
	if _, deployment, ok := strings.Cut(base, "/deployments/"); ok && info.Model == "" {
		info.Model = deployment // an old Azure address names the model itself
	}
	if strings.HasPrefix(base, "http://") && !local {
		info.Notes = append(info.Notes, fmt.Sprintf(
			"%s is reached by plain http: the prompt and any key travel readable", host(base)))
	}
	c := &endpoint{provider: p, key: key, apiVersion: version, user: user, http: cfg.HTTP}
	c.quirks.oldMaxTokens = p.MaxTokens
	c.client = &client{asker: c, cfg: cfg, info: info, told: map[string]bool{}}
	return c, nil
}

// chooseProvider implements "auto": a configured endpoint, the keys present, then a model
// server on this machine.
func chooseProvider(ctx context.Context, cfg Config) (string, error) {
	if cfg.BaseURL != "" {
		return provider.Custom, nil
	}
	if len(cfg.Command) > 0 {
		return "", fault.New(fault.Usage, "set model.provider to exec or agent",
			"model.command is set but model.provider is auto")
	}
	for _, p := range provider.All() {
		key, _ := findKey(cfg, p)
		if p.AutoSelect && key != "" && (inRegion(cfg, p).BaseURL != "" || endpointEnv(cfg, p) != "") {
			return p.Name, nil
		}
	}
	if cfg.Env("OPENAI_BASE_URL") != "" {
		return provider.Custom, nil
	}
	if cfg.Offline {
		return "", errNotAsked
	}
	for _, p := range provider.All() {
		if p.Local && probe(ctx, cfg, p) {
			return p.Name, nil
		}
	}
	return "", fault.New(fault.Usage,
		"set "+strings.Join(autoKeys()[:4], ", ")+" or another provider's key; or start a local server such as `ollama serve`; or set model.base_url or model.command in the config",
		"no model to ask: no key in the environment and no model server on this machine")
}

// inRegion puts the region into a provider's address. Without a region there is no address.
func inRegion(cfg Config, p provider.Provider) provider.Provider {
	if len(p.RegionEnv) == 0 {
		return p
	}
	for _, name := range p.RegionEnv {
		if region := cfg.Env(name); region != "" {
			p.BaseURL = strings.ReplaceAll(p.BaseURL, "{region}", region)
			return p
		}
	}
	p.BaseURL = ""
	return p
}

// autoKeys are the variables that are enough for auto.
func autoKeys() []string {
	var names []string
	for _, p := range provider.All() {
		if p.AutoSelect && p.BaseURL != "" && len(p.RegionEnv) == 0 {
			names = append(names, p.KeyEnv[0])
		}
	}
	return names
}

// probe reports whether a model server answers on this machine.
func probe(ctx context.Context, cfg Config, p provider.Provider) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	cfg.Provider = p.Name
	c, err := connect(ctx, cfg)
	if err != nil || !c.info.Local {
		return false
	}
	names, err := c.list(ctx)
	return err == nil && firstChat(names) != ""
}

// resolveEndpoint normalizes the base URL: no slash at its end, no query but the version.
func resolveEndpoint(cfg Config, p provider.Provider) (
	base, version string, user *url.Userinfo, err error,
) {
	base = firstNonEmpty(cfg.BaseURL, endpointEnv(cfg, p), p.BaseURL)
	if base == "" {
		hint := "set model.base_url"
		for _, names := range [][]string{p.RegionEnv, p.BaseEnv} {
			if len(names) > 0 {
				hint += " or " + names[0]
			}
		}
		return "", "", nil, fault.New(fault.Usage, hint, "provider %s needs the endpoint's address", p.Name)
	}
	if !strings.Contains(base, "://") { // OLLAMA_HOST is often "127.0.0.1:11434"
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", "", nil, fault.New(fault.Usage, "it looks like https://host/v1",
			"model.base_url is not a URL")
	}
	version = u.Query().Get("api-version")
	user, u.User = u.User, nil
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimRight(u.Path, "/")
	for _, own := range []string{"/chat/completions", "/responses", messagesPath} {
		u.Path = strings.TrimSuffix(u.Path, own)
	}
	if u.Path == "" {
		u.Path, u.Host = p.Path, hostOf(u, p)
	}
	return u.String(), version, user, nil
}

// hostOf completes the host of an address without a path.
func hostOf(u *url.URL, p provider.Provider) string {
	name, port := u.Hostname(), firstNonEmpty(u.Port(), p.Port)
	if p.Local && name == "0.0.0.0" { // the address that a server listens on
		name = "127.0.0.1"
	}
	if port == "" || u.Port() == port && name == u.Hostname() {
		return u.Host
	}
	return net.JoinHostPort(name, port)
}

func endpointEnv(cfg Config, p provider.Provider) string {
	for _, name := range p.BaseEnv {
		if v := cfg.Env(name); v != "" {
			return v
		}
	}
	return ""
}

// findKey returns the key and its source. OPENAI_API_KEY, the default of api_key_env, is
// not sent to a provider that has its own variable.
func findKey(cfg Config, p provider.Provider) (key, source string) {
	if cfg.APIKey != "" {
		return cfg.APIKey, "the configuration"
	}
	names := p.KeyEnv
	if cfg.APIKeyEnv != "" && cfg.APIKeyEnv != "OPENAI_API_KEY" {
		names = []string{cfg.APIKeyEnv}
	}
	for _, n := range names {
		if v := strings.TrimSpace(cfg.Env(n)); v != "" {
			return v, n
		}
	}
	return "", ""
}

func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	name := strings.ToLower(u.Hostname())
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

func (c *endpoint) unreachableHint() string {
	if c.info.Local {
		return "is the model server running? or set model.name"
	}
	return "set model.name, and check model.base_url"
}

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
