package sandbox

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// setting is a variable as the commands see it: that of the environment, or
// what `go env -w` has written, which counts for go as the environment does.
func (p *Plan) setting(name string) string {
	if v := p.c.Getenv(name); v != "" || !strings.HasPrefix(name, "GO") {
		return v
	}
	file := p.c.Getenv("GOENV")
	if file == "" {
		file = filepath.Join(p.userConfig(), "go", "env")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "="); ok && key == name {
			return value
		}
	}
	return ""
}

// userConfig is where programs keep the user's settings.
func (p *Plan) userConfig() string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(p.c.Home, "Library", "Application Support")
	}
	if dir := p.c.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(p.c.Home, ".config")
}
