package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
)

func loadSettings(t *testing.T, project, user string) *config.Loaded {
	t.Helper()
	root := t.TempDir()
	userFile := filepath.Join(root, "user.yml")
	for path, text := range map[string]string{filepath.Join(root, ".booty.yml"): "test_command: x\n" + project, userFile: user} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(config.LoadOptions{Root: root, UserFile: userFile, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestARepositoryCannotTakeKeys: its sandbox.env lets no key of booty's through
// unless the user's own file names it.
func TestARepositoryCannotTakeKeys(t *testing.T) {
	for _, c := range []struct{ name, project, user, refused string }{
		{"variables of its own", "sandbox: {env: [NPM_TOKEN]}\n", "", ""},
		{"the model's key", "sandbox:\n  env: [NPM_TOKEN, OPENAI_API_KEY]\n", "", "OPENAI_API_KEY"},
		{"the key in other letters", "sandbox: {env: [openai_api_key]}\n", "", "openai_api_key"},
		{"GitHub's token", "sandbox: {env: [GH_TOKEN]}\n", "", "GH_TOKEN"},
		{"the user's own key variable", "sandbox: {env: [WORK_KEY]}\n", "model: {api_key_env: WORK_KEY}\n", "WORK_KEY"},
		{"a role's key variable", "sandbox: {env: [OTHER]}\n", "model: {roles: {review: {name: x, api_key_env: OTHER}}}\n", "OTHER"},
		{"the user says so too", "sandbox: {env: [OPENAI_API_KEY]}\n", "sandbox: {env: [OPENAI_API_KEY]}\n", ""},
		{"the user alone says so", "", "sandbox: {env: [OPENAI_API_KEY]}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := RefuseKeys(loadSettings(t, c.project, c.user))
			if c.refused == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), ": sandbox.env: "+c.refused+" is a key") || !strings.HasPrefix(err.Error(), ".booty.yml:") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestScrubbedKeepsWhatTheUserLetsThrough(t *testing.T) {
	got := scrubbed(loadSettings(t, "", "model: {api_key_env: WORK_KEY}\nsandbox: {env: [GH_TOKEN]}\n"))
	if !slices.Contains(got, "WORK_KEY") || !slices.Contains(got, "OPENAI_API_KEY") || slices.Contains(got, "GH_TOKEN") {
		t.Errorf("got %v", got)
	}
}
