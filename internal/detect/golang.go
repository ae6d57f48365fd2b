package detect

import (
	"path"
	"strings"
	"unicode"
)

func lookGo(d *dir) *Project {
	if d.has("go.work") != "" {
		return goWorkspace(d)
	}
	if d.has("go.mod") == "" {
		return nil
	}
	if d.path != "." && !d.deep(func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		return nil // a module that only pins tools
	}
	return &Project{Why: "go.mod", Test: "go test ./...", Gates: goGates(d)}
}

func goGates(d *dir) []QualityGate {
	if d.has(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json") == "" {
		return nil
	}
	return []QualityGate{{"lint", "golangci-lint run", "golangci-lint run --fix"}}
}

// goWorkspace names every module: in a workspace ./... stops at the next go.mod.
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
			command += " " + shellQuote("./"+u+"/...")
		}
	}
	covered := map[string]bool{}
	for _, u := range uses {
		covered[path.Join(d.path, u)] = true
	}
	p := &Project{Why: "go.work", Test: command, covers: func(dir string) bool { return covered[dir] }}
	// golangci-lint looks at one module; in a workspace of several it would
	// have to be run in each.
	if len(uses) == 1 {
		p.Gates = goGates(d)
	}
	return p
}

func goUses(text string) []string {
	var uses []string
	block := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case block && words[0] == ")":
			block = false
		case block:
			uses = appendUse(uses, words[0])
		case words[0] == "use" && len(words) > 1 && words[1] == "(":
			block = true
		case words[0] == "use(":
			block = true
		case words[0] == "use" && len(words) > 1:
			uses = appendUse(uses, words[1])
		}
	}
	return uses
}

func appendUse(uses []string, word string) []string {
	u := path.Clean(strings.Trim(word, "\"`"))
	if strings.HasPrefix(u, "..") || path.IsAbs(u) || strings.ContainsFunc(u, unicode.IsControl) {
		return uses // outside the repository
	}
	return append(uses, u)
}
