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

// gateSettings are the files in which linters and the like have their settings.
var gateSettings = []string{
	"**/.golangci.*", "**/.eslintrc*", "**/eslint.config.*", "**/.eslintignore", "**/.prettierrc*", "**/.prettierignore",
	"**/biome.json*", "**/.stylelintrc*", "**/.flake8", "**/{.,}ruff.toml", "**/{.,}mypy.ini", "**/{.,}pylintrc", "**/.rubocop*.yml",
	"**/{.,}clippy.toml", "**/{.,}rustfmt.toml", "**/phpstan*.neon*", "**/.php-cs-fixer*", "**/phpcs.xml*", "**/checkstyle*.xml",
	"**/.editorconfig", "**/.shellcheckrc", "**/.yamllint*", "**/.markdownlint*", "**/.clang-{format,tidy}", "**/.importlinter",
}

// gateFiles reports of which files gates are made: those where linters have their settings, the
// script that a gate's command runs, and what settings that script names.
func (o *oldTests) gateFiles(ctx context.Context) (func(string) bool, error) {
	if len(o.tree.cfg.Gates) == 0 {
		return func(string) bool { return false }, nil
	}
	settings := globs.New(gateSettings...)
	scripts, said := map[string]bool{}, ""
	for _, g := range o.tree.cfg.Gates {
		script, text, err := o.scriptOf(ctx, g.Command)
		if err != nil {
			return nil, err
		}
		if script != "" {
			scripts[script] = true
			said += text
		}
	}
	return func(p string) bool {
		return scripts[p] || settings.Match(p) || isSetting(p) && p != "" && strings.Contains(said, path.Base(p))
	}, nil
}

// interpreters are words behind which a script stands.
var interpreters = pattern.Lazy(`^(?:.*/)?(?:(?:ba|da|z|k)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|run|tsx|ts-node|env|uv|poetry|pipenv|exec)$`)

// scriptOf gives the script that a command runs, and its text as it stood: a file of the
// repository that is the command itself, or stands behind an interpreter. What follows is what it
// looks at.
func (o *oldTests) scriptOf(ctx context.Context, command string) (script, text string, err error) {
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
		f, err := o.tree.repo.Stored(ctx, o.tree.start.Commit, name)
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
func (o *oldTests) addGate(ctx context.Context, swap *engine.Swap, p, now string, g *guard.Guard) error {
	if g.Allows(p) {
		return nil
	}
	old, err := o.stood(ctx, p)
	if err != nil {
		return err
	}
	is, err := o.tree.repo.Stored(ctx, now, p)
	if err != nil || same(old, is) {
		return err
	}
	if old != nil && !g.TestFile(p) {
		swap.Old = append(swap.Old, p)
	}
	if c, ok := back(p, old, is); ok {
		swap.Gates = append(swap.Gates, c)
	}
	return nil
}
