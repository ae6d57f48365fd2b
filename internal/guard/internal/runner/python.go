package runner

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// What of Python's build files concerns tests.

func pyproject(r *Rules, _, text, _ string) any {
	doc, ok := parseTOML(text)
	if !ok {
		return text
	}
	out := object{}
	tools, _ := doc["tool"].(object)
	for _, k := range []string{"pytest", "tox", "nox", "coverage", "unittest", "nose", "nose2", "poe",
		"taskipy", "pdm", "ward", "green", "behave", "cibuildwheel", "pytest-enabler", "pixi", "rye",
		"hatch", "doit", "thx", "duty"} {
		v, has := tools[k]
		if k == "pdm" || k == "rye" {
			v, has = dig(tools, k, "scripts"), dig(tools, k, "scripts") != nil
		}
		if k == "hatch" {
			v, has = dig(tools, k, "envs"), dig(tools, k, "envs") != nil
		}
		if k == "pixi" {
			v, has = dig(tools, k, "tasks"), dig(tools, k, "tasks") != nil
		}
		if k == "coverage" && !r.asksForCoverage(text, v) {
			v = withoutPlaces(v)
		}
		if k == "cibuildwheel" {
			v = wheelChecks(v)
		}
		if has {
			out[k] = v
		}
	}
	for _, keys := range [][]string{{"project", "entry-points", "pytest11"},
		{"tool", "poetry", "plugins", "pytest11"}, {"build-system", "backend-path"},
		{"tool", "uv", "sources", "pytest"}, {"tool", "uv", "scripts"},
		{"tool", "setuptools", "data-files"}} {
		if v := dig(doc, keys...); v != nil {
			out[strings.Join(keys, ".")] = v
		}
	}
	collectPython(out, "", doc)
	r.gateSections(tools, out)
	return out
}

// withoutPlaces is what measures coverage without which places it takes for the same source, when it
// puts together what several runs have measured.
func withoutPlaces(v any) any {
	table, is := v.(object)
	if !is {
		return v
	}
	return without(table, "paths")
}

// failsUnder is how little coverage may be, in the options of what measures it.
var failsUnder = pattern.Lazy(`fail[_-]under`)

// asksForCoverage tells whether how much is covered decides a check, by the settings v of coverage or
// by a command in what starts or configures the tests.
func (r *Rules) asksForCoverage(text string, v any) bool {
	texts := []string{r.Checks()}
	for _, file := range append(strings.Fields(strings.Join(r.Commands, " ")), "setup.cfg", "tox.ini",
		"pytest.ini", "noxfile.py", "Makefile", ".coveragerc") {
		if script, err := r.ReadFile(strings.TrimPrefix(file, "./")); err == nil {
			texts = append(texts, string(script))
		}
	}
	return dig(object{"coverage": v}, "coverage", "report", "fail_under") != nil ||
		strings.Contains(text, "cov-fail-under") || failsUnder().MatchString(strings.Join(texts, "\n"))
}

// wheelChecks is what builds and tests wheels without what says by which tools, and which
// of their releases, they are built.
func wheelChecks(v any) any {
	table, is := v.(object)
	if !is {
		return v
	}
	out := without(table, "build-frontend", "build-verbosity")
	if environment, isTable := out["environment"].(object); isTable {
		environment = without(environment, "PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "UV_CONSTRAINT", "UV_BUILD_CONSTRAINT")
		if out["environment"] = environment; len(environment) == 0 {
			delete(out, "environment")
		}
	}
	return out
}

var (
	fromElsewhere = pattern.Lazy(`^\s*([\w.-]+)(\[[^\]]*\])?\s*@`)
	pythonSources = map[string]bool{"dependencies": true, "dev-dependencies": true,
		"optional-dependencies": true, "dependency-groups": true, "sources": true, "group": true,
		"project": true, "tool": true, "poetry": true,
		"uv": true, "pdm": true, "override-dependencies": true, "constraint-dependencies": true,
		"requires": true, "build-system": true}
)

// collectPython keeps test libraries taken from a place of our own, in the many
// tables that may name them.
func collectPython(out object, at string, v any) {
	switch v := v.(type) {
	case object:
		for name, sub := range v {
			spec, isTable := sub.(object)
			if isTable && testLibrary().MatchString(name) && (spec["path"] != nil || spec["git"] != nil ||
				spec["url"] != nil || spec["file"] != nil || spec["workspace"] != nil) {
				out[at+" "+name] = sub
			} else if pythonSources[name] || at != "" && !strings.HasSuffix(at, "tool") {
				collectPython(out, at+" "+name, sub)
			}
		}
	case []any:
		for _, e := range v {
			text, _ := e.(string)
			if m := fromElsewhere().FindStringSubmatch(text); m != nil &&
				testLibrary().MatchString(m[1]) {
				out[at+" "+m[1]] = text
			}
		}
	}
}

// plainSections are those of setup.cfg that concern packaging and style alone.
var plainSections = pattern.Lazy(`^\[(metadata|options(\.(packages\.find|package_data|` +
	`exclude_package_data|extras_require|entry_points|data_files))?|bdist_\w+|sdist|egg_info|` +
	`build\w*|install|upload|wheel|flake8|pycodestyle|pydocstyle|pylint.*|isort|mypy.*|yapf|black|` +
	`ruff|bumpversion.*|versioneer|check-manifest|codespell|rstcheck|zest\.releaser|pep8|pyflakes|` +
	`upload_docs|build_sphinx|compile_catalog|extract_messages)\]$`)

// setupCfg keeps every section but those, and plugins of pytest.
func setupCfg(r *Rules, _, text, _ string) any {
	out := []string{}
	plain, plugins := false, false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";") {
			continue
		}
		if strings.HasPrefix(trimmed, "[") {
			name := strings.Trim(trimmed, "[]")
			plain = plainSections().MatchString(trimmed) &&
				!(slices.ContainsFunc(gateTools, func(t gateTool) bool { return t.name == name }) &&
					r.runsTool(name))
		}
		if line[0] != ' ' && line[0] != '\t' {
			plugins = strings.HasPrefix(trimmed, "pytest11") ||
				strings.HasPrefix(trimmed, "tests_require")
		}
		if !plain || plugins {
			out = append(out, trimmed)
		}
	}
	return out
}
