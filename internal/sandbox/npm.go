package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmCache names npm's cache directory.
const npmCache = "npm_config_cache"

// makeNPMCache gives commands a cache directory of npm's own, with the user's downloads in
// it: npx keeps the programs that it installs beside those, and the user would run what
// a command wrote there. It gives the variable that leads there, "" where npm has no
// use for one.
func (p *Plan) makeNPMCache(in *project) string {
	row := toolTable[slices.IndexFunc(toolTable,
		func(t tool) bool { return strings.HasPrefix(t.names, "node ") })]
	if p.c.Home == "" || p.setting(npmCache) != "" || !in.installed("npm") || !in.uses(row) {
		return ""
	}
	theirs := filepath.Join(p.c.Home, ".npm")
	for line := range strings.Lines(string(readSettings(filepath.Join(p.c.Home, ".npmrc")))) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "cache" {
			theirs = strings.Replace(strings.TrimSpace(value), "~", p.c.Home, 1)
		}
	}
	own := filepath.Join(p.tmp, ".npm")
	if os.Mkdir(own, 0o755) != nil ||
		os.Symlink(filepath.Join(theirs, "_cacache"), filepath.Join(own, "_cacache")) != nil {
		return ""
	}
	return npmCache + "=" + own
}

// setsNPMCache reports whether a variable says where npm's cache is, in any case of letters.
func setsNPMCache(kv string) bool {
	name, value, _ := strings.Cut(kv, "=")
	return value != "" && strings.EqualFold(name, npmCache)
}
