package runner

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
)

// forgeTokens are variables with tokens of GitHub's.
var forgeTokens = []string{
	"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
	"ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_RUNTIME_TOKEN",
}

// modelKeys are variables with keys to models; the last is one that other
// programs read for the same account.
func modelKeys() []string { return append(provider.KeyVariables(), "AZURE_API_KEY") }

// ownKeys are the variables that hold what is booty's own: children of the
// checks never see them, unless sandbox.env says so.
func ownKeys(c *config.Loaded) []string {
	names := append(modelKeys(), forgeTokens...)
	if c == nil {
		return names
	}
	for _, role := range []string{"", "quality", "review", "escalate"} {
		if n := c.ModelFor(role).APIKeyEnv; n != "" {
			names = append(names, n)
		}
	}
	return names
}

// scrubbed are the variables to keep from children.
func scrubbed(c *config.Loaded) []string {
	var out []string
	for _, n := range ownKeys(c) {
		if c == nil || !slices.Contains(c.Sandbox.Env, n) {
			out = append(out, n)
		}
	}
	return out
}

// RefuseKeys returns an error if a repository's file passes booty's own keys to its commands: only
// the user may do that.
func RefuseKeys(c *config.Loaded) error {
	names, at := c.OnlyProjectEnv()
	for _, n := range names {
		for _, own := range ownKeys(c) {
			if strings.EqualFold(n, own) {
				return fault.New(fault.Usage,
					"remove it, or also name it in sandbox.env of your own config.yml",
					"%s:%d: sandbox.env: %s is a key of booty's; a repository cannot let it through to its commands", at.File, at.Line, n)
			}
		}
	}
	return nil
}

// WithoutKeys removes booty's keys from the environment of git's children: hooks are the
// repository's code. GitHub's token variables are returned separately, since credential helpers for
// a remote may need them.
func WithoutKeys(env []string) (rest, tokens []string) {
	keys := modelKeys()
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case slices.Contains(forgeTokens, name):
			tokens = append(tokens, kv)
		case !slices.Contains(keys, name):
			rest = append(rest, kv)
		}
	}
	return rest, tokens
}
