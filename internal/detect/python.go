package detect

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

type pythonProject struct {
	*dir
	pyproject, config string // config: every file that may hold settings
	deps              string // what names dependencies of the project's own environment
	prefix            string // "uv run ", "poetry run ", ... or empty
}

var pythonMarks = []string{
	"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", "noxfile.py",
	"conftest.py", "manage.py",
	"requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements_dev.txt", "Pipfile",
	"uv.lock", "poetry.lock",
}

var pyTestFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^test_.*\.py$|^.*_test\.py$|^tests\.py$`)
})

func isPyTest(name string) bool { return pyTestFile().MatchString(name) }

func lookPython(d *dir) *Project {
	why := d.has(pythonMarks...)
	if why == "" && !ownPyTests(d) {
		return nil
	}
	if why == "" {
		why = d.find(isPyTest)
		why = strings.TrimPrefix(why, d.path+"/")
	}
	py := pythonProject{dir: d, pyproject: d.text("pyproject.toml")}
	py.config = d.texts("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "Pipfile", "requirements.txt",
		"requirements-dev.txt",
		"dev-requirements.txt", "requirements_dev.txt", "requirements-test.txt", "test-requirements.txt")
	if r := d.sub("requirements"); r != nil {
		py.config += r.texts(r.match("*.txt")...)
	}
	py.deps = strings.ReplaceAll(py.config, d.text("tox.ini"), "") // tox has environments of its own
	p := &Project{Why: why, covers: everything}
	py.prefix, p.Setup = py.manager()
	p.Test = py.test()
	if p.Test == "" {
		p.Setup = ""
		p.Notes = append(p.Notes, why+": no Python tests were found")
		return p
	}
	p.Gates = py.gates()
	if p.Setup == "" {
		if r := d.has("requirements-dev.txt", "dev-requirements.txt", "requirements_dev.txt", "requirements.txt"); r != "" {
			p.Notes = append(p.Notes, "dependencies are expected to be installed; else set setup_command: python3 -m pip install -r "+r)
		}
	}
	return p
}

// ownPyTests says whether the root, or its test folder, holds test files
// though nothing else says Python: loose scripts with tests. Further down such
// a file is more likely a helper of another language's project.
func ownPyTests(d *dir) bool {
	if d.path != "." {
		return false
	}
	for _, f := range d.files {
		if isPyTest(f) {
			return true
		}
	}
	for _, name := range []string{"tests", "test"} {
		if s := d.sub(name); s != nil && s.find(isPyTest) != "" {
			return true
		}
	}
	return false
}

func (p pythonProject) manager() (prefix, setup string) {
	switch {
	case p.has("uv.lock") != "" || strings.Contains(p.pyproject, "[tool.uv]"):
		return "uv run ", "uv sync"
	case p.has("poetry.lock") != "" || strings.Contains(p.pyproject, "[tool.poetry]"):
		return "poetry run ", "poetry install"
	case p.has("pdm.lock") != "" || strings.Contains(p.pyproject, "[tool.pdm"):
		return "pdm run ", "pdm install"
	case p.has("Pipfile") != "":
		return "pipenv run ", "pipenv sync --dev"
	}
	return "", ""
}

var (
	pytestWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(^|[\s"'=\[,(])pytest([\s"'>=<~!;,\[\])]|-[a-z]+|$)`)
	})
	unittestWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(import unittest|from unittest|from django\.test)`)
	})
	pytestImport = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(import pytest|from pytest)`)
	})
	noxTests = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^def (tests?)\(`)
	})
)

func (p pythonProject) test() string {
	pytest := p.prefix + "pytest"
	if p.prefix == "" {
		pytest = "python3 -m pytest"
	}
	settings := contains(p.config, "[tool.pytest", "[tool:pytest]", "[pytest]") ||
		p.has("pytest.ini", ".pytest.ini", "conftest.py") != ""
	tests := p.find(isPyTest)
	tox := p.has("tox.ini") != "" && strings.Contains(p.text("tox.ini"), "[testenv")
	switch {
	case settings || p.find(func(n string) bool { return n == "conftest.py" }) != "":
		return pytest
	case p.has("noxfile.py") != "" && noxTests().MatchString(p.text("noxfile.py")):
		return p.prefix + "nox -s " + noxTests().FindStringSubmatch(p.text("noxfile.py"))[1]
	case tox && !pytestWord().MatchString(p.withoutTox()):
		return p.prefix + "tox"
	case pytestWord().MatchString(p.config) || p.findText(func(f string) bool { return isPyTest(path.Base(f)) }, pytestImport()) != "":
		return pytest
	case p.has("manage.py") != "":
		return p.python() + " manage.py test"
	case tests == "" && p.has("tox.ini") != "":
		return p.prefix + "tox"
	case tests == "":
		return ""
	case p.findText(func(f string) bool { return isPyTest(path.Base(f)) }, unittestWord()) != "":
		return p.python() + " -m unittest discover" + p.startDir(tests)
	}
	return pytest
}

func (p pythonProject) withoutTox() string {
	return strings.ReplaceAll(p.config, p.text("tox.ini"), "")
}

func (p pythonProject) python() string {
	if p.prefix != "" {
		return p.prefix + "python"
	}
	return "python3"
}

// startDir names the folder of the tests: without __init__.py in it, discover
// would not go there from the root.
func (p pythonProject) startDir(tests string) string {
	rel := path.Dir(strings.TrimPrefix(tests, p.path+"/"))
	top, _, _ := strings.Cut(rel, "/")
	if rel == "." {
		if !strings.HasPrefix(path.Base(tests), "test") {
			return " -p " + shellQuote("*_test.py")
		}
		return ""
	}
	out := ""
	if s := p.sub(top); s != nil && s.has("__init__.py") == "" {
		out = " -s " + shellQuote(top)
	}
	if !strings.HasPrefix(path.Base(tests), "test") {
		out += " -p " + shellQuote("*_test.py")
	}
	return out
}

func (p pythonProject) gates() []QualityGate {
	var gates []QualityGate
	add := func(name, command, fix string) {
		if fix != "" {
			fix = p.prefix + fix
		}
		gates = append(gates, QualityGate{name, p.prefix + command, fix})
	}
	if p.has("ruff.toml", ".ruff.toml") != "" || strings.Contains(p.pyproject, "[tool.ruff") {
		add("lint", "ruff check .", "ruff check --fix .")
	} else if p.has(".flake8") != "" || strings.Contains(p.config, "[flake8]") {
		add("lint", "flake8", "")
	} else if p.dependsOn("ruff") {
		add("lint", "ruff check .", "ruff check --fix .")
	}
	if strings.Contains(p.pyproject, "[tool.black]") {
		add("format", "black --check .", "black .")
	}
	mypy := p.texts("mypy.ini", ".mypy.ini")
	switch {
	case mypy != "" || contains(p.config, "[tool.mypy", "[mypy]"):
		target := " ."
		if mypyFiles().MatchString(mypy + p.config) {
			target = ""
		}
		add("typecheck", "mypy"+target, "")
	case p.has("pyrightconfig.json") != "" || strings.Contains(p.pyproject, "[tool.pyright]"):
		add("typecheck", "pyright", "")
	case p.dependsOn("mypy"):
		add("typecheck", "mypy .", "")
	}
	return gates
}

// dependsOn says whether a package is named as a dependency, not merely spoken of.
func (p pythonProject) dependsOn(name string) bool {
	re := regexp.MustCompile(`(?m)(?:^[ \t]*|["'])` + regexp.QuoteMeta(name) +
		`(?:\[[^\]\n]*\])?[ \t]*(?:["'<>=~!;#]|\r?$)`)
	return re.MatchString(p.deps)
}

var mypyFiles = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?ms)^\[(?:tool\.)?mypy\][^\[]*?^(files|packages|modules)\s*=`)
})
