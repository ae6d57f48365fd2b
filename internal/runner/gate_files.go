package runner

import (
	"context"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/pattern"
	"github.com/booty-cli/booty/internal/shellword"
)

// gateSettings are the settings files of linters and similar tools.
var gateSettings = []string{
	"**/.golangci.*", "**/.eslintrc*", "**/eslint.config.*", "**/.eslintignore", "**/.prettierrc*", "**/.prettierignore",
	"**/biome.json*", "**/.stylelintrc*", "**/.flake8", "**/{.,}ruff.toml", "**/{.,}mypy.ini", "**/{.,}pylintrc", "**/.rubocop*.yml",
	"**/{.,}clippy.toml", "**/{.,}rustfmt.toml", "**/phpstan*.neon*", "**/.php-cs-fixer*", "**/phpcs.xml*", "**/checkstyle*.xml",
	"**/.editorconfig", "**/.shellcheckrc", "**/.yamllint*", "**/.markdownlint*", "**/.clang-{format,tidy}", "**/.importlinter",
}

// gateFiles returns a function that reports whether a file determines a gate: settings of linters,
// the script that a gate's command runs, and settings that this script names.
func (c *changes) gateFiles(ctx context.Context) (func(string) bool, error) {
	if len(c.cfg.Gates) == 0 {
		return func(string) bool { return false }, nil
	}
	settings := globs.New(gateSettings...)
	scripts, said := map[string]bool{}, ""
	for _, g := range c.cfg.Gates {
		script, text, err := c.scriptOf(ctx, g.Command)
		if err != nil {
			return nil, err
		}
		if script != "" {
			scripts[script] = true
			said += text
		}
	}
	return func(p string) bool {
		return scripts[p] || settings.Match(p) ||
			isSetting(p) && p != "" && strings.Contains(said, path.Base(p))
	}, nil
}

// interpreters are words that a script follows.
var interpreters = pattern.Lazy(`^(?:.*/)?(?:(?:ba|da|z|k)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|run|tsx|ts-node|env|uv|poetry|pipenv|exec)$`)

// scriptOf returns the script that a command runs, and its old text: a file of the repository that
// is the command itself or follows an interpreter. Later words are its arguments.
func (c *changes) scriptOf(ctx context.Context, command string) (script, text string, err error) {
	words, ok := shellword.Split(command)
	if !ok {
		words = strings.Fields(command)
	}
	for _, w := range words {
		if strings.HasPrefix(w, "-") || strings.Contains(w, "=") || interpreters().MatchString(w) {
			continue
		}
		name := path.Clean(w)
		if path.IsAbs(name) {
			return "", "", nil
		}
		f, err := c.repo.History.Stored(ctx, c.start.Commit, name)
		if err != nil || f == nil || !f.Mode.IsRegular() {
			return "", "", err
		}
		return name, string(f.Data), nil
	}
	return "", "", nil
}

// isSetting reports whether a file holds settings or data, by its name.
func isSetting(p string) bool {
	switch path.Ext(p) {
	case ".json", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".txt", ".xml", "":
		return true
	}
	return false
}

// addGate adds what puts one file of a gate back.
func addGate(swap *engine.Swap, f twoVersions, g *guard.Guard) {
	if same(f.old, f.is) {
		return
	}
	if f.old != nil && !g.TestFile(f.path) {
		swap.Old = append(swap.Old, f.path)
	}
	if c, ok := f.back(); ok {
		swap.Gates = append(swap.Gates, c)
	}
}
