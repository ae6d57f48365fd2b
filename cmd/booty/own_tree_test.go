//go:build slow && unix

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// project is one whose tests need files that git ignores.
type project struct {
	name, tool, command string
	files, ignored      map[string]string
	prepare             string // a shell script that installs what is ignored, in the checkout
	passes              bool
}

func projects() []project {
	const fails = "require('node:test').test('sum', () => require('node:assert').equal(require('lib').sum(1, 2), 4))\n"
	lib := map[string]string{
		"vendor/lib/package.json": `{"name": "lib", "version": "1.0.0", "main": "index.js"}`,
		"vendor/lib/index.js":     "exports.sum = (a, b) => a + b\n",
	}
	with := func(more map[string]string) map[string]string {
		out := map[string]string{}
		for _, m := range []map[string]string{lib, more} {
			for k, v := range m {
				out[k] = v
			}
		}
		return out
	}
	return []project{
		{
			name: "npm, installed", tool: "npm", command: "node --test", prepare: "npm install --offline --no-audit --silent",
			files: with(map[string]string{
				".gitignore": "node_modules/\n", "test/sum.test.js": fails,
				"package.json": `{"name": "app", "version": "1.0.0", "dependencies": {"lib": "file:vendor/lib"}}`,
			}),
		},
		{
			name: "links as pnpm makes them, and a cache written", tool: "node", command: "sh t.sh", passes: true,
			files: with(map[string]string{
				".gitignore": "node_modules/\n",
				"t.sh":       "set -e\nmkdir -p node_modules/.vite-temp\necho x >node_modules/.vite-temp/x\nnode -e \"if (require('lib').sum(1, 2) !== 3) process.exit(1)\"\n",
			}),
			prepare: "mkdir -p node_modules/.pnpm/lib@1.0.0/node_modules && cp -r vendor/lib node_modules/.pnpm/lib@1.0.0/node_modules/ && " +
				"ln -s .pnpm/lib@1.0.0/node_modules/lib node_modules/lib",
		},
		{
			name: "plug and play", tool: "node", command: "node -r ./.pnp.cjs test.js", passes: true,
			files:   map[string]string{".gitignore": ".pnp.cjs\n.env\n", "test.js": "if (global.pnp !== 1) process.exit(1)\nif (!require('fs').readFileSync('.env', 'utf8').includes('A=1')) process.exit(1)\n"},
			ignored: map[string]string{".pnp.cjs": "global.pnp = 1\n", ".env": "A=1\n"},
		},
		{
			name: "a virtual environment with absolute paths", tool: "python3", command: ".venv/bin/python -m unittest -v",
			prepare: "python3 -m venv --without-pip .venv && " +
				"d=$(echo .venv/lib/python*/site-packages) && echo 'value = 1' >$d/lib.py && echo $PWD/extra >$d/extra.pth",
			files: map[string]string{
				".gitignore": ".venv/\n__pycache__/\n", "extra/more.py": "value = 2\n",
				"test_app.py": "import unittest, lib, more\n\nclass T(unittest.TestCase):\n    def test_lib(self):\n        self.assertEqual(lib.value, 1)\n\n" +
					"    def test_more(self):\n        self.assertEqual(more.value, 3)\n",
			},
		},
		{
			name: "a version by tags", tool: "git", passes: true, prepare: "git tag v1.2 && git update-ref refs/remotes/origin/main HEAD",
			command: "sh t.sh",
			files: map[string]string{
				"t.sh": "set -e\ntest $(git describe --tags) = v1.2\ngit merge-base origin/main HEAD\ngit status\n",
			},
		},
		{
			name: "cargo", tool: "cargo", command: "cargo test --offline", prepare: "cargo test --offline --no-run -q",
			files: map[string]string{
				".gitignore": "target/\n", "Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"Cargo.lock": "version = 3\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n",
				"src/lib.rs": "pub fn sum(a: i32, b: i32) -> i32 { a - b }\n\n#[test]\nfn adds() { assert_eq!(sum(1, 2), 3) }\n",
			},
		},
		{
			name: "go, with ignored generated code", tool: "go", command: "go test ./...",
			files: map[string]string{
				".gitignore": "gen.go\n", "go.mod": "module app\n\ngo 1.24\n", "app.go": "package app\n\nfunc Sum() int { return one + 2 }\n",
				"app_test.go": "package app\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum() != 4 {\n\t\tt.Error(Sum())\n\t}\n}\n",
			},
			ignored: map[string]string{"gen.go": "package app\n\nconst one = 1\n"},
		},
	}
}

// TestOwnTreeIsAsTheCheckout: the checks say the same in trees of booty's own as by hand in
// the checkout, and the checkout's ignored files stay as they are.
func TestOwnTreeIsAsTheCheckout(t *testing.T) {
	for _, p := range projects() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			version := "--version"
			if p.tool == "go" {
				version = "version"
			}
			try := exec.Command(p.tool, version)
			if try.Dir = t.TempDir(); try.Run() != nil {
				t.Skip("no " + p.tool + " that runs here")
			}
			p.files[".booty.yml"] = "test_command: " + p.command + "\n"
			l := newLab(t, p.files, func(string) string { return "There is nothing to change." })
			for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOFLAGS", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT"} {
				if v, ok := os.LookupEnv(name); ok {
					l.extra = append(l.extra, name+"="+v)
				}
			}
			testkit.Write(t, l.repo, p.ignored)
			if p.prepare != "" {
				cmd := exec.Command("sh", "-c", p.prepare)
				cmd.Dir, cmd.Env = l.repo, append(os.Environ(), "TMPDIR="+l.temp)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			l.git("add", "-A")
			_, _ = l.gitTry("commit", "-q", "-m", "installed")
			l.booty("run", "--task", "x", "--json") // fills caches
			before := manifest(t, l.repo)
			inRun := saidOf(l.booty("run", "--task", "x", "--json"))
			if after := manifest(t, l.repo); after != before {
				t.Errorf("the checkout was\n%s\nand is\n%s", before, after)
			}
			inRefine := saidOf(l.booty("refine", "--json"))
			if inRun == "" || inRun != inRefine {
				t.Errorf("at the commit:\n%s\nas the checkout is:\n%s", inRun, inRefine)
			}
			byHand := exec.Command("sh", "-c", p.command)
			byHand.Dir, byHand.Env = l.repo, append(os.Environ(), "TMPDIR="+l.temp)
			if passes := byHand.Run() == nil; passes != p.passes || passes != strings.Contains(inRun, `"passed":true`) {
				t.Errorf("passes by hand: %v:\n%s", passes, inRun)
			}
		})
	}
}

// saidOf gives what the baseline's checks said: results, counts and failures, as JSON.
func saidOf(r result) string {
	var out []string
	lines := bufio.NewScanner(strings.NewReader(r.stdout))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event   string `json:"event"`
			Type    string `json:"type"`
			Attempt int    `json:"attempt"`
			Name    string `json:"name"`
			Passed  bool   `json:"passed"`
			Code    int    `json:"exit_code"`
			Counts  any    `json:"counts"`
			Fails   any    `json:"failures"`
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Event+e.Type != "check.finished" || e.Attempt != 0 {
			continue
		}
		b, _ := json.Marshal(map[string]any{
			"name": e.Name, "passed": e.Passed, "exit_code": e.Code, "counts": e.Counts, "failures": e.Fails,
		})
		out = append(out, string(b))
	}
	return strings.Join(out, "\n")
}
