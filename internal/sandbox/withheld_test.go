package sandbox

import (
	"slices"
	"strings"
	"testing"
)

func TestVariablesThatLookSecretAreWithheld(t *testing.T) {
	t.Parallel()
	p := &Plan{c: Config{Env: []string{"LET_TOKEN"}}, tmp: "/t"}
	secret := strings.Fields(`AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NPM_TOKEN PGPASSWORD DB_PASSWORD OPENAI_API_KEY apikey
		STRIPE_SECRET GPG_PASSPHRASE GOOGLE_APPLICATION_CREDENTIALS SSH_PRIVATE_KEY RAILS_MASTER_KEY GITLAB_PAT`)
	plain := strings.Fields(`PATH HOME LET_TOKEN TOKENIZERS_PARALLELISM SECRETS_DIR KEYBOARD CACHE_KEY DATABASE_URL PATTERN
		PASSWORD_FILE AWS_REGION PIPAT`)
	var env []string
	for _, name := range slices.Concat(secret, plain) {
		env = append(env, name+"=x")
	}
	got := p.environment(append(env, "EMPTY_TOKEN="))
	for _, name := range plain {
		if !slices.Contains(got, name+"=x") {
			t.Errorf("%s is withheld", name)
		}
	}
	slices.Sort(secret)
	if !slices.Equal(p.Withheld(), secret) || !slices.Contains(got, "EMPTY_TOKEN=") {
		t.Errorf("withheld are %q, want %q", p.Withheld(), secret)
	}
	for text, want := range map[string]string{
		"KeyError: 'NPM_TOKEN'":                                   "NPM_TOKEN",
		"error: DB_PASSWORD is not set":                           "DB_PASSWORD",
		"MY_NPM_TOKEN is not set":                                 "",
		"DB_PASSWORD=x was used":                                  "",
		"npm warn: Failed to replace env in config: ${NPM_TOKEN}": "NPM_TOKEN",
	} {
		said := p.Explain(text)
		if (said == "") != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%q: %q", text, said)
		}
	}
}

// TestToolsOfTheHomeDirectoryWriteElsewhere: nyc before 15 makes a folder there for each run.
func TestToolsOfTheHomeDirectoryWriteElsewhere(t *testing.T) {
	t.Parallel()
	p := &Plan{tmp: "/t"}
	for base, want := range map[string]string{
		"TMPDIR=/home/me/tmp":             "TMPDIR=/t",
		"HOME=/home/me":                   "SPAWN_WRAP_SHIM_ROOT=/t",
		"SPAWN_WRAP_SHIM_ROOT=/home/me/x": "SPAWN_WRAP_SHIM_ROOT=/home/me/x",
	} {
		got := p.environment([]string{base})
		name, _, _ := strings.Cut(want, "=")
		got = slices.DeleteFunc(got, func(kv string) bool { return !strings.HasPrefix(kv, name+"=") })
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %s", base, got, want)
		}
	}
}
