package detect

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/detect/ci"
)

// Machine says what is installed where booty runs.
type Machine interface {
	// Program says whether a program can be started.
	Program(name string) bool
	// Module says whether python3 finds a module.
	Module(name string) bool
}

// sources say how to get a program.
var sources = map[string]string{
	"go":            "https://go.dev/dl/",
	"golangci-lint": "https://golangci-lint.run/docs/welcome/install/",
	"staticcheck":   "go install honnef.co/go/tools/cmd/staticcheck@latest",
	"gotestsum":     "go install gotest.tools/gotestsum@latest",
	"richgo":        "go install github.com/kyoh86/richgo@latest",
	"cargo":         "https://rustup.rs/",
	"cargo-nextest": "cargo install --locked cargo-nextest",
	"cargo-clippy":  "rustup component add clippy",
	"cargo-fmt":     "rustup component add rustfmt",
	"node":          "https://nodejs.org/",
	"npm":           "https://nodejs.org/",
	"npx":           "https://nodejs.org/",
	"pnpm":          "corepack enable pnpm",
	"yarn":          "corepack enable yarn",
	"bun":           "https://bun.sh/",
	"bunx":          "https://bun.sh/",
	"deno":          "https://docs.deno.com/runtime/getting_started/installation/",
	"python3":       "https://www.python.org/downloads/",
	"uv":            "https://docs.astral.sh/uv/getting-started/installation/",
	"poetry":        "pipx install poetry",
	"pdm":           "pipx install pdm",
	"hatch":         "pipx install hatch",
	"pipenv":        "pipx install pipenv",
	"tox":           "python3 -m pip install tox",
	"nox":           "python3 -m pip install nox",
	"pytest":        "python3 -m pip install pytest",
	"ruff":          "python3 -m pip install ruff",
	"flake8":        "python3 -m pip install flake8",
	"mypy":          "python3 -m pip install mypy",
	"black":         "python3 -m pip install black",
	"pyright":       "python3 -m pip install pyright",
	"mvn":           "https://maven.apache.org/install.html",
	"gradle":        "https://gradle.org/install/",
	"java":          "https://adoptium.net/",
	"ruby":          "https://www.ruby-lang.org/en/downloads/",
	"bundle":        "gem install bundler",
	"rake":          "gem install rake",
	"rspec":         "gem install rspec",
	"php":           "https://www.php.net/downloads",
	"composer":      "https://getcomposer.org/download/",
	"mix":           "https://elixir-lang.org/install.html",
	"dotnet":        "https://dotnet.microsoft.com/download",
	"swift":         "https://www.swift.org/install/",
	"swiftlint":     "https://github.com/realm/SwiftLint#installation",
	"cmake":         "https://cmake.org/download/",
	"ctest":         "https://cmake.org/download/",
	"meson":         "python3 -m pip install meson ninja",
	"ninja":         "https://ninja-build.org/",
	"make":          "your system's package make",
	"autoreconf":    "your system's packages autoconf, automake and libtool",
	"bats":          "https://bats-core.readthedocs.io/en/stable/installation.html",
	"shellcheck":    "https://www.shellcheck.net/",
	"shfmt":         "go install mvdan.cc/sh/v3/cmd/shfmt@latest",
	"just":          "https://just.systems/",
	"task":          "https://taskfile.dev/installation/",
	"bazel":         "https://bazel.build/install",
	"zig":           "https://ziglang.org/download/",
	"sbt":           "https://www.scala-sbt.org/download/",
	"lein":          "https://leiningen.org/",
	"stack":         "https://docs.haskellstack.org/",
	"cabal":         "https://www.haskell.org/ghcup/",
	"dune":          "opam install dune",
	"gleam":         "https://gleam.run/getting-started/installing/",
	"prove":         "https://www.perl.org/get.html",
	"busted":        "luarocks install busted",
	"dart":          "https://dart.dev/get-dart",
	"flutter":       "https://docs.flutter.dev/get-started/install",
	"tclsh":         "your system's package tcl",
}

// instead are commands that run the same tests where the program of the first
// is not installed.
var instead = []struct{ program, from, to string }{
	{"cargo-nextest", "cargo nextest run", "cargo test"},
}

// fit makes the commands ones that this machine can start: by the programs in
// .venv and node_modules/.bin, by others that do the same. What is not
// installed is left as a comment, unless nothing else would test.
func (r *Result) fit(t *tree, m Machine) {
	f := fitter{t, m}
	able := false
	for i := range r.Projects {
		p := &r.Projects[i]
		if tests := p.commands(); len(tests) > 0 {
			for j := range tests {
				tests[j] = f.replace(p.Dir, tests[j])
				able = able || len(f.missing(p.Dir, tests[j])) == 0
			}
			p.Tests = withoutDoctest(unique(tests))
		}
	}
	for i := range r.Projects {
		r.Projects[i].drop(r, f, able)
	}
}

// drop leaves out what cannot be started here.
func (p *Project) drop(r *Result, f fitter, able bool) {
	var tests []string
	for _, test := range p.commands() {
		missing := f.missing(p.Dir, test)
		if len(missing) > 0 && able {
			r.leave(p.Dir, test, notInstalled(missing))
			continue
		}
		if len(missing) > 0 {
			p.Notes = append(p.Notes, test+": "+notInstalled(missing))
		}
		tests = append(tests, test)
	}
	had := p.Test != ""
	p.Tests, p.Test = tests, ""
	if len(tests) > 0 {
		p.Test = tests[0]
	}
	if missing := f.missing(p.Dir, p.Setup); p.Setup != "" && (len(missing) > 0 || had && p.Test == "") {
		if p.Test != "" {
			r.SetupLeft = append(r.SetupLeft, Left{alone(p.Dir, p.Setup), notInstalled(missing)})
		}
		p.Setup = ""
	}
	var gates []Gate
	for _, g := range p.Gates {
		g.Command, g.FixCommand = f.replace(p.Dir, g.Command), f.replace(p.Dir, g.FixCommand)
		if missing := f.missing(p.Dir, g.Command); len(missing) > 0 {
			r.leaveGate(p.Dir, g, notInstalled(missing))
			continue
		}
		gates = append(gates, g)
	}
	p.Gates = gates
}

// withoutDoctest leaves cargo's separate run of the examples in comments out,
// where the tests are run by cargo test, which runs them too.
func withoutDoctest(tests []string) []string {
	return slices.DeleteFunc(tests, func(c string) bool {
		return strings.Contains(c, "cargo test --doc") && slices.ContainsFunc(tests, func(o string) bool {
			return strings.HasPrefix(o, "cargo test") && !strings.Contains(o, "--doc")
		})
	})
}

func notInstalled(programs []string) string {
	var out []string
	for _, p := range programs {
		text := p + " is not installed here"
		if s := sources[p]; s != "" {
			text += "; get it: " + s
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// Missing gives the programs of a command that are not here, also those that
// should lie in the repository, or be installed from its package.json.
func Missing(fsys fs.FS, m Machine, command string) []string {
	f := fitter{&tree{fsys: fsys}, m}
	out := f.missing(".", command)
	for _, step := range ci.Commands(command, ".") {
		words := strings.Fields(step.Text)
		for len(words) > 1 && variable().MatchString(words[0]) {
			words = words[1:]
		}
		program := words[0]
		switch {
		case step.Dir == "" || strings.ContainsAny(program, `$"'*~`) || path.IsAbs(program):
		case strings.Contains(program, "/") && !f.tree.exists(path.Join(step.Dir, program)):
			out = append(out, program)
		case program == "npx" && len(words) > 1 && !f.brings(step.Dir, words[1]):
			out = append(out, words[1])
		}
	}
	return unique(out)
}

// Source says how to get a program; it may be empty.
func Source(program string) string { return sources[program] }

// brings says whether npx can start a program: what package.json does not name
// it fetches by itself.
func (f fitter) brings(dir, program string) bool {
	named := false
	for ; ; dir = path.Dir(dir) {
		if f.tree.exists(path.Join(dir, "node_modules/.bin", program)) {
			return true
		}
		named = named || strings.Contains(f.tree.text(path.Join(dir, "package.json")), `"`+program+`"`)
		if dir == "." {
			return !named
		}
	}
}

type fitter struct {
	tree *tree
	m    Machine
}

// builtin are words of the shell, and programs that are everywhere.
var builtin = map[string]bool{"cd": true, "test": true, "[": true, "true": true, "false": true, "echo": true,
	"sh": true, "bash": true, ".": true, "source": true, ":": true, "git": true, "exit": true, "mkdir": true, "rm": true, "cp": true}

// missing gives the programs of a command that are not here. What lies in the
// repository, or is brought by its package manager, is taken to be.
func (f fitter) missing(dir, command string) []string {
	var out []string
	for _, step := range ci.Commands(command, dir) {
		words := strings.Fields(step.Text)
		for len(words) > 1 && variable().MatchString(words[0]) {
			words = words[1:]
		}
		program := words[0]
		need := ""
		switch {
		case builtin[program] || strings.Contains(program, "/"):
		case !f.m.Program(program):
			need = program
		case program == "cargo" && len(words) > 1 && slices.Contains([]string{"nextest", "clippy", "fmt"}, words[1]) && !f.m.Program("cargo-"+words[1]):
			need = "cargo-" + words[1]
		case strings.HasPrefix(program, "python") && len(words) > 2 && words[1] == "-m" && words[2] != "unittest" && words[2] != "pip" && !f.module(dir, words[2]):
			need = words[2]
		}
		if need != "" && !slices.Contains(out, need) {
			out = append(out, need)
		}
	}
	return out
}

// module says whether python finds a module: installed, or in the repository.
func (f fitter) module(dir, name string) bool {
	file := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
	return f.tree.exists(file) || f.tree.exists(file+".py") || f.m.Module(name)
}

// replace puts the programs of .venv and node_modules/.bin, or ones that do
// the same, in place of those that are not here.
func (f fitter) replace(dir, command string) string {
	if command == "" {
		return ""
	}
	for _, venv := range []string{".venv/bin/", "venv/bin/", ".venv/Scripts/"} {
		if f.tree.exists(path.Join(dir, venv, "python")) || f.tree.exists(path.Join(dir, venv, "python.exe")) {
			command = f.fromVenv(dir, venv, command)
			break
		}
	}
	for _, i := range instead {
		if strings.Contains(command, i.from) && !f.m.Program(i.program) {
			command = strings.Replace(command, i.from, i.to, 1)
		}
	}
	first, rest, _ := strings.Cut(command, " ")
	if !strings.Contains(first, "/") && !f.m.Program(first) && f.m.Program("npx") &&
		f.tree.exists(path.Join(dir, "node_modules/.bin", first)) {
		command = strings.TrimSpace("npx " + first + " " + rest)
	}
	return command
}

// fromVenv takes python and its tools from the project's own environment,
// also where the manager that made it is not here.
func (f fitter) fromVenv(dir, venv, command string) string {
	words := strings.SplitN(command, " ", 3)
	if m := managed().FindString(command); m != "" && !f.m.Program(words[0]) {
		command = command[len(m):]
	}
	first, rest, _ := strings.Cut(command, " ")
	switch {
	case first == "python3" || first == "python":
		return strings.TrimSpace(venv + "python " + rest)
	case !strings.Contains(first, "/") && (f.tree.exists(path.Join(dir, venv, first)) || f.tree.exists(path.Join(dir, venv, first+".exe"))):
		return strings.TrimSpace(venv + first + " " + rest)
	}
	return command
}

var managed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:uv|poetry|pdm|pipenv|rye|hatch) run `)
})
