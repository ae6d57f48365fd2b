//go:build unix

package syntax

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// asked is a checker over a folder whose commands run as they are.
func asked(t *testing.T, files map[string]string) Checker {
	t.Helper()
	root := t.TempDir()
	testkit.Write(t, root, files)
	return Checker{
		Root: root, Caged: true,
		Quote: func(s string) (string, bool) { return "'" + s + "'", !strings.Contains(s, "'") },
		Run: func(ctx context.Context, command string) (Ran, error) {
			cmd := exec.CommandContext(ctx, "sh", "-c", command)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return Ran{ExitCode: exit.ExitCode(), Output: string(out)}, nil
			}
			return Ran{Output: string(out)}, err
		},
	}
}

// TestAFileThatNoLongerParsesIsRefused asks the interpreters that are at hand.
func TestAFileThatNoLongerParsesIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tool, path, old, now, want string
		files                            map[string]string
	}{
		{name: "python", tool: "python3", path: "a/b.py", old: "x = 1\n", now: "x = 1\ndef f(:\n    pass\n", want: "line 2"},
		{name: "python that is well", tool: "python3", path: "b.py", old: "x = 1\n", now: "def f(x):\n    return x\n"},
		{name: "python of another age", tool: "python3", path: "b.py", old: "print 'x'\n", now: "print 'y'\n"},
		{name: "a new python file", tool: "python3", path: "b.py", now: "def f(\n", want: "does not parse"},
		{name: "a new file of an old python", tool: "python3", path: "b.py", now: "print 'y'\n", files: map[string]string{"a.py": "print 'x'\n"}},
		{name: "a python of a later age", tool: "python3", path: "b.py", now: "def f[T](x: T) -> T:\n    return x\n"},
		{name: "a new fixture", tool: "python3", path: "tests/fixtures/b.py", now: "def f(\n"},
		{name: "node, a script", tool: "node", path: "a.js", old: "const a = 1\n", now: "const b = require('b')\nconst a = {\n", want: "SyntaxError"},
		{name: "node, a module", tool: "node", path: "a.js", old: "import b from 'b'\n", now: "import b from 'b'\nexport const c = await b()\n"},
		{name: "node, a broken module", tool: "node", path: "a.mjs", old: "import b from 'b'\n", now: "import b from 'b'\nexport const = 1\n", want: "line 2"},
		{name: "node, JSX in .js", tool: "node", path: "a.js", old: "const a = <b/>\n", now: "const a = <c/>\n"},
		{name: "ruby", tool: "ruby", path: "a.rb", old: "puts 1\n", now: "def a\n  puts 1\n", want: "syntax error"},
		{name: "ruby that is well", tool: "ruby", path: "a.rb", old: "puts 1\n", now: "BEGIN { exit 3 }\nputs 2\n"},
		{name: "php", tool: "php", path: "a.php", old: "<?php echo 1;\n", now: "<?php\nfunction f( {\n", want: "on line 2"},
		{name: "php that is well", tool: "php", path: "a.php", old: "<?php echo 1;\n", now: "<?php exit(3);\n"},
		{name: "perl", tool: "perl", path: "a.pl", old: "print 1;\n", now: "print 1;\nmy $x = {;\n", want: "syntax error"},
		{name: "perl without a library", tool: "perl", path: "a.pl", old: "print 1;\n", now: "use No::Such::Library;\nprint 1;\n"},
		{name: "bash", tool: "bash", path: "a.sh", old: "echo 1\n", now: "if true; then\n  echo 1\n", want: "unexpected"},
		{name: "bash's own words", tool: "bash", path: "a.sh", old: "echo 1\n", now: "[[ a == b ]] && echo $(( 1 ))\na=(1 2)\nexit 3\n"},
		{name: "sh by its first line", tool: "sh", path: "bin/run", old: "#!/bin/sh\necho 1\n", now: "#!/bin/sh\nfor x in; do\n", want: "yntax error"},
		{name: "another shell", tool: "sh", path: "bin/run", old: "#!/usr/bin/fish\n", now: "#!/usr/bin/fish\nif true\nend\n"},
		{name: "typescript that is not installed", tool: "node", path: "a.ts", old: "let a: number\n", now: "let a: number = {\n"},
		{name: "no language", tool: "sh", path: "a.txt", now: "((("},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skip(err)
			}
			k := asked(t, c.files)
			got, err := k.Check(t.Context(), File{Path: c.path, Old: []byte(c.old), New: []byte(c.now), Created: c.old == ""})
			if err != nil || c.want == "" && got != "" || !strings.Contains(got, c.want) || strings.Contains(got, os.TempDir()) {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

// TestTypeScriptIsAskedWhereItIsInstalled stands a parser in for the real one:
// what is promised is the way it is called.
func TestTypeScriptIsAskedWhereItIsInstalled(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	k := asked(t, map[string]string{"node_modules/typescript/index.js": `
exports.flattenDiagnosticMessageText = (m) => m
exports.transpileModule = (text, o) => ({diagnostics: text.includes("{") && !text.includes("}") ? [
	{category: 1, code: 1005, messageText: "'}' expected.", start: 0, file: {getLineAndCharacterOfPosition: () => ({line: 2})}}] : []})
`})
	broken, err := k.Check(t.Context(), File{Path: "a.tsx", Old: []byte("let a = 1"), New: []byte("let a = {\n")})
	if err != nil || broken != "the new a.tsx does not parse: line 3: '}' expected." {
		t.Errorf("got %q (%v)", broken, err)
	}
	well, err := k.Check(t.Context(), File{Path: "a.tsx", Old: []byte("let a = 1"), New: []byte("let a = {}\n")})
	if err != nil || well != "" {
		t.Errorf("got %q (%v)", well, err)
	}
}

func TestPerlIsNotAskedOutsideOfACage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip(err)
	}
	k := asked(t, nil)
	k.Caged = false
	got, err := k.Check(t.Context(), File{Path: "a.pl", Created: true, New: []byte("BEGIN { open my $f, '>', 'pwned' }\nmy $x = {;\n")})
	if _, statErr := os.Stat(filepath.Join(k.Root, "pwned")); err != nil || got != "" || statErr == nil {
		t.Errorf("got %q (%v); a file was made: %t", got, err, statErr == nil)
	}
}

func TestAskingLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	k := asked(t, map[string]string{"a.py": "x = 1\n"})
	if _, err := k.Check(t.Context(), File{Path: "a.py", Old: []byte("x = 1\n"), New: []byte("x = (\n")}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(k.Root)
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v (%v), want a.py alone", entries, err)
	}
}
