package detect

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Machine reports what is installed where booty runs.
type Machine interface {
	// Program reports whether a program can be started.
	Program(name string) bool
	// Module reports whether python3 finds a module.
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

// Source says how to get a program; it may be empty.
func Source(program string) string { return sources[program] }

// Missing returns the programs of a command that are not available, including those that
// should be in the repository or installed from its package.json. Programs in the
// repository, or provided by its package manager, count as available.
func Missing(fsys fs.FS, m Machine, command string) []string {
	t := &tree{fsys: fsys}
	var out []string
	need := func(program string, here bool) {
		if !here && !slices.Contains(out, program) {
			out = append(out, program)
		}
	}
	for _, l := range readScript(command, ".", nil) {
		words := strings.Fields(unassigned(l.text))
		program, next := words[0], ""
		if len(words) > 1 {
			next = words[1]
		}
		switch {
		case l.dir == "" || strings.ContainsAny(program, `$"'*~(`) || path.IsAbs(program):
		case strings.Contains(program, "/"):
			need(program, t.exists(path.Join(l.dir, program)) || toolFolder().MatchString(program))
		case !m.Program(program):
			need(program, false)
		case program == "cargo" && slices.Contains([]string{"nextest", "clippy", "fmt"}, next):
			need("cargo-"+next, m.Program("cargo-"+next))
		case program == "npx" && next != "":
			need(next, t.npxProvides(l.dir, next))
		case python().MatchString(program) && next == "-m" && len(words) > 2 && words[2] != "unittest" &&
			words[2] != "pip":
			file := path.Join(l.dir, strings.ReplaceAll(words[2], ".", "/"))
			need(words[2], t.exists(file) || t.exists(file+".py") || m.Module(words[2]))
		}
	}
	return out
}

// NotInstalled returns the programs of a command that the system lacks, except those that
// may be in the repository or come with its setup.
func NotInstalled(m Machine, command string) []string {
	var out []string
	for _, l := range readScript(command, ".", nil) {
		words := strings.Fields(unassigned(l.text))
		if p := words[0]; !strings.ContainsAny(p, "/$\"'*~(") && !m.Program(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// InstallHint says that programs are missing, and how to get them.
func InstallHint(programs []string) string {
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

// npxProvides reports whether npx can start a program: it fetches what package.json does not
// name.
func (t *tree) npxProvides(dir, program string) bool {
	named := false
	for ; ; dir = path.Dir(dir) {
		if t.exists(path.Join(dir, "node_modules/.bin", program)) {
			return true
		}
		named = named || strings.Contains(t.text(path.Join(dir, "package.json")), `"`+program+`"`)
		if dir == "." {
			return !named
		}
	}
}

// venv returns a Python command with the programs of the virtual environment in its folder,
// "" if there is none, or if the command uses another.
func (t *tree) venv(dir, command string) string {
	for _, venv := range []string{".venv/bin/", "venv/bin/", ".venv/Scripts/"} {
		first, rest, _ := strings.Cut(command, " ")
		if python().MatchString(first) &&
			(t.exists(path.Join(dir, venv, "python")) || t.exists(path.Join(dir, venv, "python.exe"))) {
			return strings.TrimSpace(venv + "python " + rest)
		}
		if !strings.Contains(first, "/") &&
			(t.exists(path.Join(dir, venv, first)) || t.exists(path.Join(dir, venv, first+".exe"))) {
			return strings.TrimSpace(venv + first + " " + rest)
		}
	}
	return ""
}
