//go:build slow && unix

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTestsAsTheyStoodOfInstalledRunners: jest, and vitest in a project of modules,
// installed by npm as their users have them. A weakened test does not pass; a comment
// is proven by nothing; a fix with its test is.
func TestTestsAsTheyStoodOfInstalledRunners(t *testing.T) {
	t.Parallel()
	if exec.Command("npm", "--version").Run() != nil {
		t.Skip("npm is not here")
	}
	const (
		wrong = "export const add = (a, b) => a - b;\n"
		right = "// add gives the sum.\nexport const add = (a, b) => a + b;\n"
		test  = "import { add } from './add.js';\n\ntest('adds', () => expect(add(2, 3)).toBe(5));\n"
		zero  = "test('adds zero', () => expect(add(0, 4)).toBe(4));\n"
		three = "test('adds three', () => expect(add(1, 2, 3)).toBe(6));\n"
	)
	for name, r := range map[string]struct {
		install, command, header string
		files                    map[string]string
	}{
		"jest": {
			install: "jest@29", command: "NODE_OPTIONS=--experimental-vm-modules npx jest",
			files: map[string]string{"package.json": `{"name": "app", "version": "1.0.0", "type": "module", "jest": {"transform": {}}}` + "\n"},
		},
		"vitest": {
			install: "vitest@2", command: "npx vitest run", header: "import { expect, test } from 'vitest';\n",
			files: map[string]string{
				"package.json":     `{"name": "app", "version": "1.0.0", "type": "module"}` + "\n",
				"vitest.config.ts": "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({});\n",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				".gitignore": "node_modules/\n", ".booty.yml": "test_command: " + r.command + "\n",
				"add.js": strings.Replace(right, "// add gives the sum.\n", "", 1), "add.test.js": r.header + test,
			}
			for p, text := range r.files {
				files[p] = text
			}
			reply := ""
			l := newLab(t, files, func(string) string { return reply })
			l.extra = append(l.extra, "npm_config_update_notifier=false")
			cmd := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent", r.install)
			cmd.Dir = l.repo
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("npm cannot install %s here: %v\n%s", r.install, err, out)
			}
			l.git("clean", "-fdq", "--exclude", "node_modules")
			run := func(task, product, tests string, code int) string {
				t.Helper()
				reply = "Summary: feat: " + task + "\n\nadd.js\n```\n" + product + "```\n\nadd.test.js\n```\n" + r.header + tests + "```\n"
				res := l.booty("run", "--task", task, "--max-retries", "1", "--json")
				if res.code != code {
					t.Fatalf("%s: %s", task, res)
				}
				return res.stdout
			}
			out := run("weaken", wrong, strings.Replace(test, "5", "-1", 1), 3)
			if !strings.Contains(out, `"passed":false,"failed":["`) || !strings.Contains(out, `"outcome":"needs_review"`) {
				t.Errorf("a weakened test: %s", out)
			}
			if out = run("say", right, test+zero, 0); strings.Contains(out, `"verdict":"proven"`) {
				t.Errorf("a comment is proven: %s", out)
			}
			fixed := strings.Replace(strings.Replace(right, "(a, b)", "(a, b, c = 0)", 1), "a + b", "a + b + c", 1)
			if out = run("three", fixed, test+three, 0); !strings.Contains(out, `"verdict":"proven"`) {
				t.Errorf("a fix is not proven: %s", out)
			}
		})
	}
}
