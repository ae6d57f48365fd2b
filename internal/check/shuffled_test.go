package check

import (
	"os"
	"path/filepath"
	"runtime"
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
		"cargo test":                        "cargo test -- --test-threads=1",
		"cargo test --workspace -- --quiet": "cargo test --workspace -- --quiet --test-threads=1",
		"cargo test -- --test-threads=4":    "cargo test -- --test-threads=4",
		"cargo nextest run":                 "cargo nextest run",
		"pytest -q":                         "pytest --nf -q",
		"pytest --lf":                       "pytest --lf",
		"npx jest":                          "npx jest",
		"go vet ./... && go test ./...":     "go vet ./... && go test ./...",
		"make test":                         "make test",
		"vendor/bin/phpunit --order-by=dup": "vendor/bin/phpunit --order-by=dup",
	} {
		if got := shuffled(t.Context(), t.TempDir(), command); got != want {
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
		{"Cargo.toml", "[[bench]]\nname = 'b'\nharness = false\n", "cargo test", "cargo test -- --test-threads=1"},
		{"crates/a/Cargo.toml", "[[test]]\nname = 'ui'\nharness = false\n", "cargo test", "cargo test"},
		{"package.json", `{"scripts": {"test": "cargo test"}}`, "npm test", "npm test -- -- --test-threads=1"},
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
		if got := shuffled(t.Context(), dir, c.command); got != c.want {
			t.Errorf("%q with %s: got %q, want %q", c.command, c.text, got, c.want)
		}
	}
}

// TestShuffledWhereNodeCan: the flag came to several releases, so that Node is asked.
func TestShuffledWhereNodeCan(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are scripts of a shell")
	}
	for help, want := range map[string]string{
		"  --test-randomize            run tests in a random order\n":  "node --test --test-randomize test/a.test.js",
		"  --test-only                 run tests with 'only' option\n": "node --test test/a.test.js",
	} {
		bin := t.TempDir()
		script := "#!/bin/sh\ncat <<'END'\n" + help + "END\n"
		if err := os.WriteFile(filepath.Join(bin, "node"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if got := shuffled(t.Context(), t.TempDir(), "node --test test/a.test.js"); got != want {
			t.Errorf("with %q: got %q, want %q", help, got, want)
		}
		if got := shuffled(t.Context(), t.TempDir(), "node --test --watch"); got != "node --test --watch" {
			t.Errorf("got %q", got)
		}
	}
}
