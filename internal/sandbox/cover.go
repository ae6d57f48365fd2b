package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// cover lists places that together are place without the secrets in it. Where
// there are none, that is place itself. It is computed once: what comes into
// being later in a directory that had to be taken apart is not covered.
//
// Symbolic links are left out: the system looks at where they lead, which is
// covered where it stands, or is a secret.
func cover(place string, secrets []string) []string {
	holds := false
	for _, s := range secrets {
		if inside(place, s) {
			return nil
		}
		holds = holds || inside(s, place)
	}
	if !holds {
		return []string{place}
	}
	var list []string
	for _, name := range children(place, secrets) {
		child := filepath.Join(place, name)
		info, err := os.Lstat(child)
		if err != nil || info.Mode()&os.ModeSymlink != 0 {
			continue
		}
		list = append(list, cover(child, secrets)...)
	}
	return list
}

// children lists a directory. One that may be passed but not listed, as /home
// may be, has at least those children that lead to a secret.
func children(dir string, secrets []string) []string {
	d, err := os.Open(dir)
	if err == nil {
		defer d.Close()
		names, err := d.Readdirnames(-1)
		if err == nil {
			return names
		}
	}
	var names []string
	seen := map[string]bool{}
	for _, s := range secrets {
		if !inside(s, dir) || s == dir {
			continue
		}
		rel, err := filepath.Rel(dir, s)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(rel, string(filepath.Separator))
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
