package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// denied is how programs say that they were refused; paths is what may be the
// path that they tried.
var (
	denied = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)permission denied|operation not permitted|\bEACCES\b|\bEPERM\b|read-only file system|AccessDeniedException`)
	})
	paths = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s'"` + "`" + `‘’“”(=:])(/[^\s'"` + "`" + `‘’“”():,;<>|]+)`)
	})
)

// Explain says what the sandbox did not allow, if that is what a text complains
// of: it names a path that is not allowed here, and that the user may use
// outside. Otherwise, and in doubt, it says nothing.
func (p *Plan) Explain(text string) string {
	if p == nil || p.disabled || !p.Active || !denied().MatchString(text) {
		return ""
	}
	for line := range strings.Lines(text) {
		if !denied().MatchString(line) {
			continue
		}
		tried := paths().FindAllStringSubmatchIndex(line, -1)
		slices.Reverse(tried) // the first is often the name of the program
		for _, at := range tried {
			path := line[at[2]:at[3]]
			if at[2] == 0 && isProgram(path) {
				continue
			}
			if said := p.refusal(resolve(strings.TrimRight(path, ".!?"))); said != "" {
				return said
			}
		}
	}
	return ""
}

// refusal says what the sandbox does not allow of a path, "" if it allows all
// that the user may do.
func (p *Plan) refusal(path string) string {
	in := func(place string) bool { return inside(path, place) }
	if slices.ContainsFunc(p.rules.secrets, in) && !in(p.rules.root) {
		if _, err := os.Stat(path); err == nil {
			return fmt.Sprintf("the sandbox does not let the commands read %s", p.shown(path))
		}
	}
	if slices.ContainsFunc(p.rules.Fixed, in) && !slices.ContainsFunc(p.rules.Open, in) {
		return fmt.Sprintf("the sandbox keeps %s as it is; if the commands should write there, name it under sandbox.write", p.shown(path))
	}
	if slices.ContainsFunc(p.rules.Write, in) || !mayWrite(path) {
		return ""
	}
	if slices.ContainsFunc(p.rules.secrets, func(s string) bool { return inside(s, path) }) {
		return fmt.Sprintf("the sandbox does not let the commands list or write to %s, where credentials are", p.shown(path))
	}
	return fmt.Sprintf("the sandbox does not let the commands write to %s; if they should, name it under sandbox.write", p.shown(path))
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// shown shortens the home directory.
func (p *Plan) shown(path string) string {
	if p.c.Home != "" && inside(path, p.c.Home) && path != p.c.Home {
		return "~" + path[len(p.c.Home):]
	}
	return path
}

// nearest gives path, or the nearest directory above it that exists.
func nearest(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
		up := filepath.Dir(path)
		if up == path {
			return path
		}
		path = up
	}
}
