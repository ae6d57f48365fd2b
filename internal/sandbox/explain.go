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

// denied is how programs say that they were refused, absent that something is not
// there; paths is what may be the path that they tried.
var (
	denied = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)permission denied|operation not permitted|\bEACCES\b|\bEPERM\b|read-only file system|AccessDeniedException`)
	})
	absent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)no such (?:file|device)|\bENOENT\b|\bENXIO\b|NoSuchFileException|cannot find the (?:file|path)`)
	})
	paths = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s'"` + "`" + `‘’“”(=:])(/[^\s'"` + "`" + `‘’“”():,;<>|]+)`)
	})
)

// Explain says what the sandbox did not allow, and the setting that would, if that
// is what a text complains of: it names a path that is not allowed here, and that
// the user may use outside, or misses a variable that was withheld. Otherwise, and
// in doubt, it says nothing.
func (p *Plan) Explain(text string) string {
	if p == nil || p.disabled {
		return ""
	}
	for line := range strings.Lines(text) {
		refused, missed := p.Active && denied().MatchString(line), p.canMount && absent().MatchString(line)
		if !refused && !missed {
			continue
		}
		tried := paths().FindAllStringSubmatchIndex(line, -1)
		slices.Reverse(tried) // the first is often the name of the program
		for _, at := range tried {
			path := line[at[2]:at[3]]
			if at[2] == 0 && isProgram(path) {
				continue
			}
			path = p.real(resolve(strings.TrimRight(path, ".!?")))
			said := p.hides(path)
			if said == "" && refused {
				said = p.refusal(path)
			}
			if said != "" {
				return said
			}
		}
	}
	return p.explainVariable(text)
}

// hides reports whether the commands cannot see what is at path.
func (p *Plan) hides(path string) string {
	if said := p.explainDenied(path); said != "" {
		return said
	}
	if _, err := os.Stat(path); err != nil || inside(path, p.rules.root) {
		return ""
	}
	in := func(place string) bool { return inside(path, place) }
	v := p.rules.home
	switch {
	case slices.ContainsFunc(p.rules.secrets, in):
		return fmt.Sprintf("the sandbox does not let the commands read %s", p.shown(path))
	case v.covers(path) && !slices.Contains(v.hidden, path) && !slices.ContainsFunc(v.places, in) &&
		!slices.ContainsFunc(v.places, func(k string) bool { return inside(k, path) }):
		return fmt.Sprintf("the sandbox hides %s from the commands; if they need it, name it under sandbox.read",
			p.shown(p.folder(path)))
	case p.Active && inside(path, "/dev") && path != "/dev" &&
		!slices.ContainsFunc(slices.Concat(p.rules.Write, terminals), in):
		return fmt.Sprintf("the sandbox does not give the commands the device %s; if they need it, name it under sandbox.write", path)
	}
	return ""
}

// refusal says what the sandbox does not allow of a path, "" if it allows all
// that the user may do.
func (p *Plan) refusal(path string) string {
	in := func(place string) bool { return inside(path, place) }
	if slices.ContainsFunc(p.rules.Fixed, in) {
		return fmt.Sprintf("the sandbox keeps %s as it is; if the commands should write there, name it under sandbox.write",
			p.shown(path))
	}
	if slices.ContainsFunc(p.rules.Write, func(w string) bool { return inside(p.seen(path), w) }) ||
		!mayWrite(path) {
		return ""
	}
	if !p.canMount && slices.ContainsFunc(p.rules.secrets, func(s string) bool { return inside(s, path) }) {
		return fmt.Sprintf("the sandbox does not let the commands list or write to %s, where credentials are",
			p.shown(path))
	}
	return fmt.Sprintf("the sandbox does not let the commands write to %s; if they should, name it under sandbox.write",
		p.shown(p.folder(path)))
}

// folder gives the folder that a tool has for itself among the caches or settings of all,
// where path is in one: that is what to allow.
func (p *Plan) folder(path string) string {
	for _, caches := range append(p.cacheDirs(), p.userConfigHome(),
		filepath.Join(p.c.Home, ".local", "share")) {
		if rest, ok := strings.CutPrefix(path, caches+string(filepath.Separator)); ok {
			name, _, _ := strings.Cut(rest, string(filepath.Separator))
			return filepath.Join(caches, name)
		}
	}
	return path
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
