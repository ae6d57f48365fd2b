package check

import "testing"

func TestShuffled(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":                     "go test -shuffle=on ./...",
		"GOFLAGS=-mod=mod go test ./...":    "GOFLAGS=-mod=mod go test -shuffle=on ./...",
		"go test -shuffle=off ./...":        "go test -shuffle=off ./...",
		"bundle exec rspec spec/models":     "bundle exec rspec --order random spec/models",
		"npx vitest run":                    "npx vitest run --sequence.shuffle",
		"prove -l t":                        "prove --shuffle -l t",
		"pytest -q":                         "pytest -q",
		"go vet ./... && go test ./...":     "go vet ./... && go test ./...",
		"make test":                         "make test",
		"vendor/bin/phpunit --order-by=dup": "vendor/bin/phpunit --order-by=dup",
	} {
		if got := shuffled(t.TempDir(), command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
