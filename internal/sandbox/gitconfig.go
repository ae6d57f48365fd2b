package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// maxSettings bounds what is read of a settings file.
const maxSettings = 1 << 20

// gitSettings lists the user's settings of git below the home directory, with the files that
// they include.
func (p *Plan) gitSettings() []string {
	config := filepath.Join(p.userConfigHome(), "git", "config")
	list := []string{filepath.Join(p.c.Home, ".gitconfig"), config}
	for i := 0; i < len(list) && i < maxLinks; i++ {
		for line := range bytes.Lines(readSettings(list[i])) {
			m := included().FindSubmatch(line)
			if m == nil {
				continue
			}
			path := strings.Trim(string(m[1]), `"`)
			switch {
			case strings.HasPrefix(path, "~/"):
				path = filepath.Join(p.c.Home, path[2:])
			case !filepath.IsAbs(path):
				path = filepath.Join(filepath.Dir(list[i]), path)
			}
			list = append(list, path)
		}
	}
	return list
}

// included finds a file that settings of git name: one to include, of ignored files, of attributes.
var included = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*(?:path|excludesfile|attributesfile|template)\s*=\s*(\S.*?)\s*$`)
})

// userConfigHome is where git keeps the user's settings, on each system.
func (p *Plan) userConfigHome() string {
	if p.c.Getenv == nil {
		return filepath.Join(p.c.Home, ".config")
	}
	if dir := p.c.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.c.Home, ".config")
}

// readSettings reads a small regular file, nothing where it is something else.
func readSettings(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
		return nil
	}
	text, _ := os.ReadFile(path)
	return text
}

// withoutSecrets keeps passwords in the user's settings of git from commands: they see the
// other lines, or, without mounts, none of such a file. It gives what is to be hidden.
func (p *Plan) withoutSecrets() (hidden []string) {
	for i, path := range p.gitSettings() {
		text := readSettings(path)
		if !gitSecret().Match(text) {
			continue
		}
		at, copied := resolve(path), filepath.Join(p.tmp, ".gitconfig-"+strconv.Itoa(i))
		if p.canMount && os.WriteFile(copied, gitSecret().ReplaceAll(text, nil), 0o644) == nil {
			p.filtered = append(p.filtered, Shown{From: copied, At: at})
			continue
		}
		hidden = append(hidden, at)
	}
	return hidden
}

// gitSecret matches lines of git's settings that hold a password or a token: a header, or
// an address with a user's word before the host.
var gitSecret = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^.*(?:extraheader|password|passwd|token|secret|://[^/\s"@]*:[^/\s"@]+@|://[^/\s":@]{20,}@).*$\n?`)
})
