package detect_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
)

// installed is a machine with these programs, and with python's modules
// written as python:module.
type installed []string

func (m installed) Program(name string) bool { return slices.Contains(m, name) }
func (m installed) Module(name string) bool  { return slices.Contains(m, "python:"+name) }

func TestWhatIsNotInstalledIsOfferedAsAComment(t *testing.T) {
	t.Parallel()
	goAndWeb := map[string]string{
		"go.mod": "module x\n", ".golangci.yml": "",
		"web/package.json": `{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "3"}}`, "web/pnpm-lock.yaml": "",
	}
	pytest := map[string]string{
		"pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[dependency-groups]\ndev = [\"pytest\"]\n", "uv.lock": "", "tests/test_a.py": "",
	}
	for name, c := range map[string]struct {
		files   map[string]string
		machine installed
		want    string
	}{
		"everything is there": {goAndWeb, installed{"go", "pnpm", "golangci-lint"},
			"setup: (cd web && pnpm install --frozen-lockfile)\ntest: cd web && pnpm test\ntest: go test ./...\n" +
				"gate lint: golangci-lint run\nfix lint: golangci-lint run --fix\nfound: go in . by go test\nfound: node in web by vitest\n"},
		"a linter and a language are not": {goAndWeb, installed{"go"},
			"test: go test ./...\nfound: go in . by go test\n" +
				"left: cd web && pnpm test (pnpm is not installed here; get it: corepack enable pnpm)\n" +
				"left gate lint: golangci-lint run (golangci-lint is not installed here; get it: https://golangci-lint.run/docs/welcome/install/)\n"},
		"nothing is: the command stands, with a note": {map[string]string{"Package.swift": ".testTarget(name: \"a\")"}, nil,
			"test: swift test\nfound: swift in . by swift test\nnote: swift test: swift is not installed here; get it: https://www.swift.org/install/\n"},
		"a module of python": {map[string]string{"pytest.ini": "", "test_a.py": ""}, installed{"python3"},
			"test: python3 -m pytest\nfound: python in . by pytest\nnote: python3 -m pytest: pytest is not installed here; get it: python3 -m pip install pytest\n"},
		"python by another name": {map[string]string{
			"pytest.ini": "", "test_a.py": "",
			".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n      - run: python -m pytest\n      - run: python -m mypy src\n",
		}, installed{"python", "python3", "python:pytest"},
			"test: python3 -m pytest\nfound: python in . by pytest\n" +
				"left gate typecheck: python -m mypy src (mypy is not installed here; get it: python3 -m pip install mypy)\n"},
		"the project's own environment": {with(pytest, ".venv/bin/python", ".venv/bin/pytest", ".venv/bin/ruff"), installed{"python3"},
			"test: .venv/bin/pytest\ngate lint: .venv/bin/ruff check .\nfix lint: .venv/bin/ruff check --fix .\nfound: python in . by pytest\n" +
				"left setup: uv sync (uv is not installed here; get it: https://docs.astral.sh/uv/getting-started/installation/)\n"},
		"the manager goes before the environment": {with(pytest, ".venv/bin/python", ".venv/bin/pytest"), installed{"uv"},
			"setup: uv sync\ntest: uv run pytest\ngate lint: uv run ruff check .\nfix lint: uv run ruff check --fix .\nfound: python in . by pytest\n"},
		"another program runs the same tests": {map[string]string{"Cargo.toml": "[package]\n", ".config/nextest.toml": "[profile.default]"}, installed{"cargo"},
			"test: cargo test\nfound: rust in . by cargo nextest\n"},
		"a program of node_modules": {map[string]string{"a.bats": "", "node_modules/.bin/bats": ""}, installed{"npx"},
			"test: npx bats .\nfound: shell in . by bats\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := fstest.MapFS{}
			for f, text := range c.files {
				m[f] = &fstest.MapFile{Data: []byte(text)}
			}
			r := detect.Detect(m, c.machine)
			if diff := cmp.Diff(describe(r), c.want); diff != "" {
				t.Errorf("(- got, + want)\n%s", diff)
			}
			checkRendered(t, r)
		})
	}
}

func TestAModuleOfTheRepositoryIsNotMissing(t *testing.T) {
	t.Parallel()
	m := fstest.MapFS{"tools/check.py": {}, "runner/__main__.py": {}}
	for command, want := range map[string][]string{
		"python -m tools.check": nil, "python3 -m runner": nil, "python3.12 -m mypy src": {"mypy"}, "python3 -m pytest": {"pytest"},
	} {
		got := detect.Missing(m, installed{"python", "python3", "python3.12"}, command)
		if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (- got, + want)\n%s", command, diff)
		}
	}
}

func with(files map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for f, text := range files {
		out[f] = text
	}
	for _, f := range more {
		out[f] = ""
	}
	return out
}

// TestCommentsCanBeMadeSettings: taking the # away from what was left out gives
// a file that loads, and holds it.
func TestCommentsCanBeMadeSettings(t *testing.T) {
	t.Parallel()
	text := string(detect.Render(detect.Result{
		TestCommands: []string{"go test ./..."},
		Left:         []detect.Left{{Command: "cd web, && pnpm test: 'x'", Why: "pnpm is not installed"}},
		GatesLeft:    []detect.LeftGate{{Gate: detect.Gate{Name: "lint", Command: "eslint {a,b}"}, Why: "no"}},
	}))
	var lines []string
	uncommented := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#  - ") && strings.Contains(line, "   # ") {
			line = line[1:]
			uncommented++
		}
		lines = append(lines, line)
	}
	text = strings.Replace(strings.Join(lines, ""), "gates: []", "gates:", 1)
	if err := config.Check(".booty.yml", []byte(text)); err != nil || uncommented != 2 {
		t.Errorf("%d lines were taken in, then: %v\n%s", uncommented, err, text)
	}
}
