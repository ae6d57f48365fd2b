package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestAbsolutePathsWorkInTheView: virtual environments, their scripts and
// editable installs, links, and build caches keyed by path.
func TestAbsolutePathsWorkInTheView(t *testing.T) {
	for _, c := range []struct {
		tool, ignored, setup, script, want string
	}{
		{"python3", ".venv", `python3 -m venv --without-pip .venv && for d in .venv/lib/python*/site-packages; do echo "$PWD/lib" >"$d/mine.pth"; done &&
			printf '#!%s/.venv/bin/python\nimport sys, mine; print(sys.prefix, mine.name)\n' "$PWD" >.venv/bin/mine && chmod +x .venv/bin/mine`,
			`.venv/bin/mine && touch .venv/lib/x`, "$CHECKOUT/.venv tree\n"},
		{"node", "node_modules", `mkdir -p node_modules/dep node_modules/.bin && echo 'module.exports = "dep"' >node_modules/dep/index.js &&
			printf '#!/usr/bin/env node\nconsole.log(require("%s/lib/mine.js"), require("dep"))\n' "$PWD" >node_modules/dep/cli.js &&
			chmod +x node_modules/dep/cli.js && ln -s ../dep/cli.js node_modules/.bin/cli && ln -s "$PWD/lib" node_modules/linked`,
			`node_modules/.bin/cli && cat node_modules/linked/mine.js >/dev/null && mkdir node_modules/.vite-temp`, "tree dep\n"},
		{"go", "bin", `mkdir bin && go build -o bin/ . && go test ./... >/dev/null && go vet ./...`,
			`go test ./... && go build -x -o bin/ . 2>&1 | grep -c "/compile "`, "ok  \texample.com/x\t(cached)\n0\n"},
	} {
		t.Run(c.tool, func(t *testing.T) {
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("%s is not here", c.tool)
			}
			b := newBeside(t)
			files := func(name string) map[string]string {
				return map[string]string{"lib/mine.py": "name = '" + name + "'\n", "lib/mine.js": "module.exports = '" + name + "'\n",
					"go.mod": "module example.com/x\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n",
					"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestMain1(*testing.T) { main() }\n"}
			}
			testkit.Write(t, b.checkout, files("checkout"))
			testkit.Write(t, b.tree, files("tree"))
			env := os.Environ()
			if c.tool == "go" { // the standard library is built there already
				cache, err := exec.Command("go", "env", "GOCACHE").Output()
				if err != nil {
					t.Skip(err)
				}
				t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
				t.Setenv("GOENV", "off") // in the view the home is another: no settings in either
				t.Setenv("GOFLAGS", "")
				env = os.Environ()
			}
			setup := exec.Command("/bin/sh", "-c", c.setup)
			setup.Dir, setup.Env = b.checkout, append(env, "PWD="+b.checkout)
			if out, err := setup.CombinedOutput(); err != nil {
				t.Skipf("it cannot be set up here: %v %s", err, out)
			}
			b.overlay.Lower, b.overlay.Target = []string{filepath.Join(b.checkout, c.ignored)}, filepath.Join(b.tree, c.ignored)
			p := b.plan(t, Config{})
			out, code := supervised(t, p, b.tree, c.script)
			if want := strings.ReplaceAll(c.want, "$CHECKOUT", b.checkout); code > 1 || out != want {
				t.Errorf("got %d %q, want %q", code, out, want)
			}
		})
	}
}
