package sandbox

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// view is what commands see in directories that are hidden from them otherwise: places,
// and symbolic links on the way to them, by path.
type view struct {
	hidden []string // the directories
	places []string
	links  map[string]string
	// apart are places that are never shown again unless they are named: the root and its
	// view, which commands see anyway, and those of [Config.Denied].
	apart []string
	named bool // the user has named what is shown from now on
}

// hidesHome reports whether the home directory is kept from commands but for what they need:
// not where it holds the system as well, nor where they see the root in its place.
func (p *Plan) hidesHome() bool {
	home := p.c.Home
	return home != "" && home != filepath.Dir(home) && !inside(home, p.c.Root) && !inside(home, p.view)
}

// homeView is what commands see of the home directory: what is on PATH, tools with what
// they cache, and what the plan names. It looks at what is there now.
func (p *Plan) homeView(writable []string) view {
	entries := names(p.c.Home)
	v := view{links: map[string]string{}, apart: append([]string{p.c.Root, p.view}, p.denied()...)}
	if p.hidesHome() {
		v.hidden = []string{p.c.Home}
	}
	v.hidden = append(v.hidden, p.denied()...)
	if p.canMount {
		v.hidden = append(v.hidden, p.runtimeDirs()...)
	}
	if len(v.hidden) == 0 {
		return v
	}
	for _, path := range writable {
		v.keep(path)
	}
	for _, row := range toolTable {
		for _, place := range strings.Fields(row.read + " " + row.write) {
			top, _, _ := strings.Cut(place, "/")
			if (entries == nil || entries[top] || top == ".cache") && !strings.Contains(place, "*") {
				for _, path := range p.below(place, false) {
					v.keep(path)
				}
			}
		}
		for _, file := range strings.Fields(row.files) {
			v.keep(filepath.Join(p.c.Home, filepath.FromSlash(file)))
		}
		for _, name := range strings.Fields(row.roots) {
			for _, path := range filepath.SplitList(p.setting(name)) {
				v.keep(path)
			}
		}
		for _, name := range strings.Fields(row.vars) {
			name, part, _ := strings.Cut(name, ":")
			for _, path := range filepath.SplitList(p.setting(name)) {
				v.keep(filepath.Join(path, filepath.FromSlash(part)))
			}
		}
	}
	for _, path := range p.gitSettings() {
		v.keep(path)
	}
	for _, dir := range filepath.SplitList(p.c.Getenv("PATH")) {
		v.keepPrograms(dir)
	}
	for _, name := range p.c.Env {
		if strings.HasSuffix(name, "_SOCK") {
			v.keep(p.c.Getenv(name))
		}
	}
	for _, path := range p.sockets(true) {
		v.keep(path)
	}
	for _, path := range slices.Concat(p.c.Write, p.c.Read) {
		v.keepNamed(p.writePlace(path))
	}
	for _, path := range p.c.ReadOnly {
		v.keepNamed(path)
	}
	v.prune()
	return v
}

// names are those of the entries of a directory, as far as it can be read.
func names(dir string) map[string]bool {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(-1)
	in := make(map[string]bool, len(list))
	for _, name := range list {
		in[name] = true
	}
	return in
}

// keepNamed shows a place that the user or booty itself names, in one of what is shown never
// otherwise too.
func (v *view) keepNamed(path string) {
	v.apart, v.named = v.apart[:min(2, len(v.apart))], true
	v.links, v.places = maps.Clone(v.links), slices.Clone(v.places) // those of the plan stay
	v.keep(path)
	v.prune()
}

// keep shows a place, through the symbolic links on the way to it.
func (v *view) keep(path string) {
	if !filepath.IsAbs(path) {
		return
	}
	path = filepath.Clean(path)
	for range maxLinks {
		if !v.named && slices.ContainsFunc(v.places, func(k string) bool { return inside(path, k) }) {
			return // it is seen with what it is in
		}
		hidden := v.hiddenAbove(path)
		if hidden == "" || path == hidden || slices.Contains(v.places, path) ||
			slices.ContainsFunc(v.apart,
				func(a string) bool { return inside(path, a) || !v.named && inside(a, path) }) {
			return
		}
		link, target, ok := firstLink(hidden, path)
		if !ok {
			return
		}
		if link == "" {
			v.places = append(v.places, path)
			return
		}
		v.links[link] = target
		rest := strings.TrimPrefix(path, link)
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(link), target)
		}
		path = filepath.Clean(target + rest)
	}
}

// maxLinks bounds how many symbolic links are followed, as the system does.
const maxLinks = 40

// firstLink finds the first symbolic link on the way from a directory to a path in it;
// ok reports whether something is at the path.
func firstLink(dir, path string) (link, target string, ok bool) {
	at := dir
	for name := range strings.SplitSeq(strings.TrimPrefix(path, dir), string(filepath.Separator)) {
		if name == "" {
			continue
		}
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		if err != nil {
			return "", "", false
		}
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(at)
			return at, target, err == nil
		}
	}
	return "", "", true
}

// prefixes are directories beside one of programs that belong to the same installation.
var prefixes = []string{"lib", "lib64", "libexec", "share", "include", "versions", "Cellar", "opt"}

// maxPrograms bounds how many entries of a directory of programs are looked at.
const maxPrograms = 4096

// keepPrograms shows a directory of programs, with the installation that it is part of
// and those that its links lead to.
func (v *view) keepPrograms(dir string) {
	if !filepath.IsAbs(dir) || !v.covers(dir) {
		return
	}
	v.keepInstallation(dir)
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxPrograms) // what cannot be read shows nothing
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if real, err := filepath.EvalSymlinks(path); err == nil && v.covers(real) {
			v.keep(path)
			v.keep(real)
			v.keepInstallation(filepath.Dir(real))
		}
	}
}

// keepInstallation shows a directory named bin or the like and what it needs beside it: all,
// where it is a folder of its own further down, as versions of a tool are; where it is one
// right in the hidden directory, only what is surely part of an installation, since many
// a tool has its keys there as well.
func (v *view) keepInstallation(bin string) {
	if name := filepath.Base(bin); name != "bin" && name != "sbin" && name != "shims" && name != "Scripts" {
		v.keepShallow(bin)
		return
	}
	v.keep(bin)
	top := filepath.Dir(bin)
	if hidden := v.hiddenAbove(top); hidden == "" {
		return
	} else if rel, err := filepath.Rel(hidden, top); err == nil &&
		(!personal(rel) || strings.Count(rel, string(filepath.Separator)) > 2) && rel != "." {
		v.keep(top)
		return
	}
	if filepath.Base(top) == ".local" || slices.Contains(v.hidden, top) {
		return // everybody's
	}
	for _, name := range prefixes {
		v.keep(filepath.Join(top, name))
	}
}

// keepShallow shows the files of a directory that is on PATH, or that a program lies in, but
// not what is below it, where it may be a tool's own directory with its keys in it.
func (v *view) keepShallow(dir string) {
	hidden := v.hiddenAbove(dir)
	rel, err := filepath.Rel(hidden, dir)
	if hidden == "" || err != nil || rel == "." {
		return
	}
	if !personal(rel) || strings.Contains(rel, string(filepath.Separator)) {
		v.keep(dir)
	}
}

// personal reports whether a path below the home directory is where programs keep what they
// know of the user.
func personal(rel string) bool {
	return strings.HasPrefix(rel, ".") || strings.HasPrefix(rel, "Library")
}

// hiddenAbove gives the hidden directory that a path lies in, "" for none.
func (v *view) hiddenAbove(path string) string {
	for _, h := range v.hidden {
		if inside(path, h) {
			return h
		}
	}
	return ""
}

// within lists the hidden directories in a place.
func (v *view) within(place string) (list []string) {
	for _, h := range v.hidden {
		if inside(h, place) && h != place {
			list = append(list, h)
		}
	}
	return list
}

func (v *view) covers(path string) bool { return v.hiddenAbove(path) != "" }

// prune leaves out what lies in another place.
func (v *view) prune() {
	slices.Sort(v.places)
	v.places = slices.Compact(v.places)
	kept := v.places[:0:0]
	for _, place := range v.places {
		if !slices.ContainsFunc(kept,
			func(k string) bool { return inside(place, k) && v.hiddenAbove(place) == v.hiddenAbove(k) }) {
			kept = append(kept, place)
		}
	}
	v.places = kept
	for link := range v.links {
		if slices.ContainsFunc(kept, func(k string) bool { return inside(link, k) }) {
			delete(v.links, link)
		}
	}
}

// hidden lists what a command is not to see: secrets as they are now, where they would be
// seen, and directories that hide all but what is kept.
func (p *Plan) hidden() []string {
	secrets, _ := p.secrets()
	v := p.rules.home
	list := slices.Clone(v.hidden)
	for _, s := range secrets {
		if !v.covers(s) || inside(s, p.c.Root) ||
			slices.ContainsFunc(v.places, func(k string) bool { return inside(s, k) }) {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
