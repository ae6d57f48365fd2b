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
	return &Project{Tool: "go test", Why: "go.mod", Test: "go test ./...", Gates: goGates(d)}
}

func goGates(d *dir) []Gate {
	if d.has(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json") == "" {
		return nil
	}
	return []Gate{{"lint", "golangci-lint run", "golangci-lint run --fix"}}
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
	p := &Project{Tool: "go test", Why: "go.work", Test: command, covers: func(dir string) bool { return covered[dir] }}
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

var goCommands = language{
	name: "go",
	sayings: []saying{
		{testRole, `(?:go|richgo) test\b`}, {testRole, `gotestsum\b`}, {testRole, `ginkgo\b(?: run)?`},
		{lintRole, `golangci-lint run`}, {lintRole, `(go vet|staticcheck)\b`},
	},
	actions: map[string]string{"golangci/golangci-lint-action": "golangci-lint run"},
	adapt:   adaptGo,
}

// adaptGo takes go test for what only shows it in colours.
func adaptGo(_ *Project, best []claim) []claim {
	for i := range best {
		text := strings.Replace(best[i].text, "richgo test", "go test", 1)
		if before, args, ok := strings.Cut(text, " -- "); ok && strings.HasPrefix(core(before), "gotestsum") {
			text = "go test " + args
		}
		best[i].text = text
	}
	return best
}
