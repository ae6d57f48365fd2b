package runner

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
)

// What configures a linter or a type checker that a check runs counts like what
// configures tests: a gate that asks for less lets the same code through.

// gateTool is such a tool: the word by which it is started and the files that are
// its own. Its section in a file of several bears its name.
type gateTool struct {
	name  string
	files []string
}

var gateTools = []gateTool{
	{"eslint", []string{"**/.eslintrc*", "**/eslint.config.*", "**/.eslintignore"}},
	{"biome", []string{"**/biome.{json,jsonc}"}},
	{"prettier", []string{"**/.prettierrc*", "**/.prettierignore", "**/prettier.config.*"}},
	{"stylelint", []string{"**/.stylelintrc*", "**/stylelint.config.*", "**/.stylelintignore"}},
	{"oxlint", []string{"**/.oxlintrc.json"}},
	{"flake8", []string{"**/.flake8"}},
	{"pylint", []string{"**/{.pylintrc,pylintrc,.pylintrc.toml}"}},
	{"mypy", []string{"**/{mypy,.mypy}.ini"}},
	{"ruff", []string{"**/{ruff,.ruff}.toml"}},
	{"pyright", []string{"**/pyrightconfig.json"}},
	{"black", nil}, {"isort", []string{"**/.isort.cfg"}},
	{"golangci-lint", []string{"**/.golangci.{yml,yaml,toml,json}"}},
	{"staticcheck", []string{"**/staticcheck.conf"}},
	{"rubocop", []string{"**/.rubocop*.yml"}},
	{"standardrb", []string{"**/.standard.yml"}},
	{"phpstan", []string{"**/phpstan*.{neon,neon.dist,php}"}},
	{"psalm", []string{"**/psalm*.{xml,xml.dist}"}},
	{"phpcs", []string{"**/{.phpcs,phpcs}.{xml,xml.dist}"}},
	{"clippy", []string{"**/{clippy,.clippy}.toml"}},
	{"fmt", []string{"**/{rustfmt,.rustfmt}.toml"}},
	{"credo", []string{"**/.credo.exs"}},
	{"dialyzer", []string{"**/.dialyzer_ignore.exs"}},
	{"checkstyle", []string{"**/checkstyle*.xml"}},
	{"detekt", []string{"**/detekt*.yml"}},
	{"clang-tidy", []string{"**/.clang-tidy"}},
	{"clang-format", []string{"**/.clang-format"}},
	{"swiftlint", []string{"**/.swiftlint.yml"}},
	{"shellcheck", []string{"**/.shellcheckrc"}},
	{"luacheck", []string{"**/.luacheckrc"}},
}

// ChecksText is all that the checks are known to run: the commands, and what the
// files say that some of them go by.
func ChecksText(commands []string, t checkout.Tree) string {
	text := strings.Join(commands, "\n")
	for tool, files := range map[string][]string{
		`\b(npm|yarn|pnpm|bun)\b`: {"package.json"}, `\b(make|gmake)\b`: {"GNUmakefile", "makefile",
			"Makefile"}, `\bjust\b`: {"justfile"},
		`\btox\b`: {"tox.ini"}, `\bpre-commit\b`: {".pre-commit-config.yaml"}, `\bnox\b`: {"noxfile.py"},
		`\bcomposer\b`: {"composer.json"},
	} {
		if !regexp.MustCompile(tool).MatchString(text) {
			continue
		}
		for _, file := range files {
			if more, err := t.ReadFile(file); err == nil && len(more) < 1<<20 {
				text += "\n" + string(more)
			}
		}
	}
	return text
}

// runsTool tells whether a check runs a tool.
func (r *Rules) runsTool(name string) bool {
	return regexp.MustCompile(`(^|[^\w.-])` + regexp.QuoteMeta(name) +
		`($|[^\w.-])`).MatchString(r.Checks())
}

// JudgeGate refuses a change of what configures such a tool.
func (r *Rules) JudgeGate(s checkout.Step) string {
	for _, tool := range gateTools {
		if checkout.MatchAny(tool.files, s.Path) && r.runsTool(tool.name) {
			return "The file configures " + tool.name + ", which the checks run; leave it as it is."
		}
	}
	if checkout.MatchAny([]string{"**/tsconfig*.json"}, s.Path) && r.runsTool("tsc") {
		slice := lineSlice(strictness)
		before, after := slice(r, "", string(s.Before), ""), slice(r, "", string(s.After), "")
		if !before.(registrations).same(after.(registrations)) {
			return "The file says how strictly tsc checks, which the checks run; leave that as it is."
		}
	}
	return ""
}

const strictness = `"(strict\w*|no(Implicit|Unused|Unchecked|Fallthrough|Property)\w*|skipLibCheck|` +
	`checkJs|exactOptional\w*|useUnknown\w*|exclude)"`

func (before registrations) same(after registrations) bool {
	trimmed := func(r registrations) string { return strings.ReplaceAll(strings.Join(r, "\n"), ",", "") }
	return trimmed(before) == trimmed(after)
}

// gateSections keeps the tables of a TOML file that configure tools which run.
func (r *Rules) gateSections(tools object, out object) {
	for _, tool := range gateTools {
		if v, has := tools[tool.name]; has && r.runsTool(tool.name) {
			out["gate "+tool.name] = v
		}
	}
}
