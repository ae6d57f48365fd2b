package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Where go keeps its caches by `go env -w`, commands may write to them: go
// takes a cache that it cannot write to for a broken installation.
func TestCachesThatGoItselfNames(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	built, modules, other := filepath.Join(home, "elsewhere", "built"), filepath.Join(home, "elsewhere", "modules"), filepath.Join(home, "other")
	env := map[string]string{"GOMODCACHE": other}
	p := &Plan{c: Config{Home: home, Root: home, Getenv: func(k string) string { return env[k] }, LookPath: func(string) (string, error) {
		return "", os.ErrNotExist
	}}}
	p.c.Commands = []string{"go test ./..."}
	file := filepath.Join(p.userConfig(), "go", "env")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "GOFLAGS=-mod=mod\r\nGOCACHE=" + built + "\r\nGOMODCACHE=" + modules + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	places := p.cachePlaces(&project{c: p.c})
	if !slices.Contains(places, built) {
		t.Errorf("the build cache of go's own settings is not among %q", places)
	}
	if slices.Contains(places, modules) || !slices.Contains(places, other) {
		t.Errorf("the environment does not go before go's own settings: %q", places)
	}
}
