package detect

import (
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

func lookGo(d *dir) *Project {
	if d.has("go.work") != "" {
		return goWorkspace(d)
	}
	if d.has("go.mod") == "" {
		return nil
	}
	if d.path != "." && !d.hasBelow(func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		return nil // a module that only pins tools
	}
	return &Project{Why: "go.mod", Tests: []string{"go test ./..."}}
}

// goWorkspace names every module: in a workspace, ./... stops at the next go.mod.
func goWorkspace(d *dir) *Project {
	uses := goUses(d.text("go.work"))
	if len(uses) == 0 {
		return nil
	}
	command := "go test"
	for _, u := range uses {
		switch u {
		case ".":
			command += " ./..."
		default:
			command += " " + quoted("./"+u+"/...")
		}
	}
	covered := map[string]bool{}
	for _, u := range uses {
		covered[path.Join(d.path, u)] = true
	}
	return &Project{Why: "go.work", Tests: []string{command},
		covers: func(dir string) bool { return covered[dir] }}
}

// goUses returns the modules of a go.work that lie in the repository.
func goUses(text string) []string {
	var uses []string
	for _, m := range goUse().FindAllStringSubmatch(text, -1) {
		if u := inside(m[1]); u != "" && !strings.ContainsFunc(u, unicode.IsControl) {
			uses = append(uses, u)
		}
	}
	return uses
}

// goUse matches a line of a use directive, alone or in its block; lines of replace have
// "=>".
var goUse = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^(?:use[ \\t]+|[ \\t]+)[\"`]?(\\.[^\\s\"`]*)[\"`]?[ \\t]*(?://.*)?\r?$")
})
