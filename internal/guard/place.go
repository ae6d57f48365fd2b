package guard

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
	"github.com/booty-cli/booty/pkg/edit"
)

// ends are the paths that a change touches.
func ends(c edit.Change) []string {
	if c.Op == edit.Rename {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}

// checkPlace reports why a path must not be touched, if so.
func (g *Guard) checkPlace(p string, seen map[string]bool) (*Refusal, error) {
	if err := paths.Check(p); err != nil {
		reason := "The path may not be used: " + err.Error() + "."
		return &Refusal{p, reason, KindPath}, nil //nolint:nilerr // the refusal carries it
	}
	if seen[g.key(p)] {
		return &Refusal{p, "Another part of this reply already changes this file.", KindPath}, nil
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if seen[g.key(dir)] {
			return &Refusal{p, "Another part of this reply makes " + dir + " a file.", KindPath}, nil
		}
	}
	if reason, err := g.checkOnDisk(p); reason != "" || err != nil {
		return &Refusal{p, reason, KindPath}, err
	}
	if glob := g.matching(g.policy.Protected, p); glob != "" && !g.allows(p) {
		return &Refusal{p, fmt.Sprintf("The path is protected (%s); leave it as it is.", glob),
			KindProtected}, nil
	}
	return nil, nil
}

// checkOnDisk checks the path and its parents on disk. A link could lead anywhere, even
// after the check, so none is followed.
func (g *Guard) checkOnDisk(p string) (reason string, err error) {
	parts := strings.Split(p, "/")
	for i := range parts {
		at := strings.Join(parts[:i+1], "/")
		kind, err := g.files.Kind(at)
		if err != nil {
			return "", err
		}
		last := i == len(parts)-1
		switch {
		case kind == checkout.Absent:
			return "", nil
		case kind == checkout.Symlink && last:
			return "The path is a symbolic link; name the file itself.", nil
		case kind == checkout.Symlink:
			return at + " is a symbolic link; name the path that it leads to.", nil
		case kind == checkout.Submodule:
			return at + " is a submodule or another repository; its files are not part of this one.", nil
		case kind == checkout.Other:
			return at + " is not a regular file.", nil
		case kind == checkout.File && !last:
			return at + " is a file, not a directory.", nil
		case kind == checkout.Dir && last:
			return "The path is a directory.", nil
		}
	}
	return "", nil
}

// matching returns the first glob that matches the path or a directory above it.
func (g *Guard) matching(globs []string, p string) string {
	for _, glob := range globs {
		pattern := strings.TrimSuffix(g.key(strings.TrimPrefix(glob, "./")), "/")
		pattern = strings.TrimPrefix(pattern, "/")
		if !strings.Contains(glob, "/") {
			pattern = "**/" + pattern
		}
		for at := g.key(p); at != "." && at != "/"; at = path.Dir(at) {
			if doublestar.MatchUnvalidated(pattern, at) {
				return glob
			}
		}
	}
	return ""
}

// key is the form used to compare paths of this checkout.
func (g *Guard) key(p string) string {
	p = norm.NFKC.String(p)
	if g.fold {
		p = paths.FoldCase(p)
	}
	return p
}
