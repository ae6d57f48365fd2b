package check

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShuffled(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":                     "go test -shuffle=on ./...",
		"GOFLAGS=-mod=mod go test ./...":    "GOFLAGS=-mod=mod go test -shuffle=on ./...",
		"go test -shuffle=off ./...":        "go test -shuffle=off ./...",
		"bundle exec rspec spec/models":     "bundle exec rspec --order random spec/models",
		"npx vitest run":                    "npx vitest run --sequence.shuffle",
		"prove -l t":                        "prove --shuffle -l t",
		"pytest -q":                         "pytest --nf -q",
		"pytest --lf":                       "pytest --lf",
		"npx jest":                          "npx jest",
		"go vet ./... && go test ./...":     "go vet ./... && go test ./...",
		"make test":                         "make test",
		"vendor/bin/phpunit --order-by=dup": "vendor/bin/phpunit --order-by=dup",
	} {
		if got := shuffled(t.TempDir(), command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

// TestShuffledWhereTheRunnerCan: flags that a runner does not know would fail the run.
func TestShuffledWhereTheRunnerCan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, command, want string }{
		{"node_modules/jest/package.json", `{"version": "29.5.0"}`, "npx jest src", "npx jest --randomize src"},
		{"node_modules/jest/package.json", `{"version": "30.1.2"}`, "jest", "jest --randomize"},
		{"node_modules/jest/package.json", `{"version": "29.4.3"}`, "jest", "jest"},
		{"pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-p no:cacheprovider'\n", "pytest", "pytest"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := shuffled(dir, c.command); got != c.want {
			t.Errorf("%q with %s: got %q, want %q", c.command, c.text, got, c.want)
		}
	}
}
