package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/fault"
)

// layers is one set of settings for Load.
type layers struct {
	project, user string // texts of the files; empty: no file
	env           map[string]string
	args          []string
	optional      bool // the project file may be missing
}

func (in layers) load(t testing.TB) (*Loaded, error) {
	t.Helper()
	root := t.TempDir()
	if in.project != "" {
		write(t, filepath.Join(root, ".booty.yml"), in.project)
	}
	user := filepath.Join(root, "user.yml")
	if in.user != "" {
		write(t, user, in.user)
	}
	flags := flagSet()
	if err := flags.Parse(in.args); err != nil {
		t.Fatal(err)
	}
	return Load(LoadOptions{
		Root: root, UserFile: user, Flags: flags, RequireProject: !in.optional,
		Getenv: func(name string) string { return in.env[name] },
	})
}

func (in layers) mustLoad(t testing.TB) *Loaded {
	t.Helper()
	l, err := in.load(t)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// flagSet has the flags of the contract, with types as a command gives them.
func flagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet("booty", pflag.ContinueOnError)
	f.String("model", "", "")
	f.String("provider", "", "")
	f.String("base-url", "", "")
	f.Int("max-retries", 3, "")
	f.Duration("timeout", 0, "")
	f.Float64("budget", 0, "")
	f.String("base", "", "")
	f.String("branch", "", "")
	f.Int("candidates", 1, "")
	f.Bool("review", false, "")
	f.String("test-edits", "", "")
	f.Bool("no-review", false, "")
	f.Bool("no-color", false, "")
	f.Bool("worktree", false, "") // no setting: left alone
	return f
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, kind fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind {
		t.Fatalf("got error %v of kind %v, want kind %v", err, fault.KindOf(err), kind)
	}
}
