//go:build slow

package main

import (
	"path/filepath"
	"testing"
)

// TestExampleProve pushes with the hook in place.
func TestExampleProve(t *testing.T) {
	need(t, "sh", "node")
	dir, err := filepath.Abs(filepath.Join("..", "..", "examples", "prove"))
	if err != nil {
		t.Fatal(err)
	}
	_, run := exampleRepo(t, map[string]string{
		".booty.yml": "test_command: node --test\n", "a.js": "exports.a = (n) => {\n  return n;\n};\n",
		"a.test.js": "const test = require('node:test');\nconst { a } = require('./a.js');\ntest('one', () => require('node:assert').strictEqual(a(1), 1));\n",
	})
	origin := t.TempDir()
	for _, step := range []struct {
		name, command string
		ok            bool
	}{
		{"set up", "git init -q --bare " + origin + " && git remote add origin " + origin +
			" && git push -q origin HEAD && cp '" + dir + "/pre-push' .git/hooks/", true},
		{"documents", "echo note >note.md && git add . && git commit -qm note && git push -q origin HEAD", true},
		{"code without a test", "printf 'exports.a = (n) => {\\n  return n * 1;\\n};\\n' >a.js && git commit -qam untested && git push -q origin HEAD", false},
		{"code with one", "printf 'exports.a = (n) => {\\n  return n + n;\\n};\\n' >a.js && sed -i.bak 's/a(1), 1/a(1), 2/' a.test.js && rm a.test.js.bak && " +
			"git commit -qam 'changes what the test expects' && git push -q origin HEAD", true}, // it says so, for a person
		{"and nothing weakened", "printf 'exports.a = (n) => {\\n  return n > 1 ? n + n : n;\\n};\\n' >a.js && git checkout -q HEAD~1 -- a.test.js && " +
			"printf \"test('two', () => require('node:assert').strictEqual(a(2), 4));\\n\" >>a.test.js && git add -A && git commit -qm doubles && git push -q origin HEAD", true},
	} {
		if out, err := run("sh", "-c", step.command); (err == nil) != step.ok {
			t.Fatalf("%s: %v\n%s", step.name, err, out)
		}
	}
}
