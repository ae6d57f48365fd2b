package runner

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/booty-cli/booty/pkg/edit"
)

// matchesAny reports whether one of the globs, validated before, fits a path.
func matchesAny(globs []string, path string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, err := doublestar.Match(glob, path)
		return ok && err == nil
	})
}

// docsOnly says that every change, both ends of a rename, is to a document.
func docsOnly(globs []string, changes []edit.Change) bool {
	for _, p := range pathsOf(changes) {
		if !matchesAny(globs, p) {
			return false
		}
	}
	return len(changes) > 0
}

func pathsOf(changes []edit.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path)
		if c.From != "" {
			out = append(out, c.From)
		}
	}
	return out
}

func without(list, drop []string) []string {
	var out []string
	for _, v := range list {
		if !slices.Contains(drop, v) {
			out = append(out, v)
		}
	}
	return out
}
