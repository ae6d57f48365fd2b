package check

import "testing"

func TestTelling(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":                       "go test -v ./...",
		"go test":                             "go test -v",
		"CGO_ENABLED=0 go test -race ./a ./b": "CGO_ENABLED=0 go test -v -race ./a ./b",
		"go test -run TestA ./...":            "go test -v -run TestA ./...",
		"go test ./... -args -x":              "",
		"go test -v ./...":                    "",
		"go test -v=true ./...":               "",
		"go test -json ./...":                 "",
		"go vet ./... && go test ./...":       "",
		"go test ./... | tee log":             "",
		"go test -C sub ./...":                "", // must stay the first flag
		"gotestsum ./...":                     "",
		"pytest":                              "",
		"go":                                  "",
		"":                                    "",
		"go test ./... > \"$LOG\" 2>&1":       "",
	} {
		if got := telling(command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
