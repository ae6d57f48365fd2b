package detect

import (
	"path"
	"strings"
)

// lookBats is for repositories of shell scripts; it looks from the root only.
func lookBats(d *dir) *Project {
	if d.path != "." {
		return nil
	}
	first := d.find(func(name string) bool { return strings.HasSuffix(name, ".bats") })
	if first == "" {
		return nil
	}
	where := path.Dir(first)
	command := "bats " + shellQuote(where)
	if top, _, nested := strings.Cut(where, "/"); nested {
		command = "bats -r " + shellQuote(top)
	}
	return &Project{Why: first, Test: command}
}
