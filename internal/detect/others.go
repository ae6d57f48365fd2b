package detect

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

func lookElixir(d *dir) *Project {
	if d.has("mix.exs") == "" {
		return nil
	}
	p := &Project{Tool: "mix test", Why: "mix.exs", Test: "mix test"}
	mix := d.text("mix.exs")
	if strings.Contains(mix, "apps_path") {
		p.covers = everything // an umbrella
	}
	if d.has("mix.lock") != "" || mixDeps().MatchString(mix) {
		p.Setup = "mix deps.get"
	}
	if d.has(".formatter.exs") != "" {
		p.Gates = append(p.Gates, Gate{"format", "mix format --check-formatted", "mix format"})
	}
	if d.has(".credo.exs") != "" {
		p.Gates = append(p.Gates, Gate{"lint", "mix credo", ""})
	}
	return p
}

var mixDeps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*\{:[a-z_]+,\s*["'~>a-z]`) })

func lookDotnet(d *dir) *Project {
	var solutions []string
	for _, g := range []string{"*.sln", "*.slnx"} {
		solutions = append(solutions, d.match(g)...)
	}
	p := &Project{Tool: "dotnet test", covers: everything}
	switch {
	case len(solutions) == 1:
		p.Why, p.Test = solutions[0], "dotnet test"
	case len(solutions) > 1:
		p.Why, p.Test = solutions[0], "dotnet test "+shellQuote(solutions[0])
		p.Notes = append(p.Notes, "there are several solutions; the first one is taken")
	default:
		for _, g := range []string{"*.csproj", "*.fsproj", "*.vbproj"} {
			for _, f := range d.match(g) {
				if contains(d.text(f), "Microsoft.NET.Test.Sdk", "MSTest.Sdk", "TUnit", "<IsTestProject>true") {
					p.Why, p.Test = f, "dotnet test"
				}
			}
		}
	}
	if p.Test == "" {
		return nil
	}
	if d.has(".editorconfig") != "" {
		p.Gates = []Gate{{"format", "dotnet format --verify-no-changes", "dotnet format"}}
	}
	return p
}

func lookSwift(d *dir) *Project {
	if d.has("Package.swift") == "" {
		return nil
	}
	p := &Project{Tool: "swift test", Why: "Package.swift", Test: "swift test"}
	if d.has(".swiftlint.yml") != "" {
		p.Gates = []Gate{{"lint", "swiftlint", "swiftlint --fix"}}
	}
	return p
}

// simple are tool chains that one file gives away.
var simple = []struct {
	language, file, tool, setup, test string
}{
	{"bazel", "MODULE.bazel", "bazel test", "", "bazel test //..."},
	{"bazel", "WORKSPACE", "bazel test", "", "bazel test //..."},
	{"zig", "build.zig", "zig build test", "", "zig build test"},
	{"scala", "build.sbt", "sbt", "", "sbt test"},
	{"clojure", "project.clj", "lein", "", "lein test"},
	{"haskell", "stack.yaml", "stack", "", "stack test"},
	{"haskell", "cabal.project", "cabal", "", "cabal test all"},
	{"ocaml", "dune-project", "dune", "", "dune test"},
	{"gleam", "gleam.toml", "gleam", "", "gleam test"},
	{"perl", "cpanfile", "prove", "", "prove -lr t"},
	{"perl", "Makefile.PL", "prove", "", "prove -lr t"},
	{"lua", ".busted", "busted", "", "busted"},
}

func lookOther(d *dir) *Project {
	if d.has("pubspec.yaml") != "" {
		return lookDart(d)
	}
	for _, s := range simple {
		if d.has(s.file) == "" || s.language == "perl" && !d.hasFolder("t") {
			continue
		}
		return &Project{Language: s.language, Tool: s.tool, Why: s.file, Setup: s.setup, Test: s.test, covers: everything}
	}
	return nil
}

func lookDart(d *dir) *Project {
	tool := "dart"
	if strings.Contains(d.text("pubspec.yaml"), "sdk: flutter") {
		tool = "flutter"
	}
	p := &Project{Language: "dart", Tool: tool + " test", Why: "pubspec.yaml", Setup: tool + " pub get", Test: tool + " test"}
	if !d.hasFolder("test") {
		return &Project{Language: "dart", Why: "pubspec.yaml", Notes: []string{"pubspec.yaml: there is no test folder"}}
	}
	if d.has("analysis_options.yaml") != "" {
		p.Gates = []Gate{{"lint", tool + " analyze", "dart fix --apply"}}
	}
	return p
}

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
	return &Project{Tool: "bats", Why: first, Test: command}
}
