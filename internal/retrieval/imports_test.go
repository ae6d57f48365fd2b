package retrieval

import (
	"strings"
	"testing"
)

func TestImportsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, text, want string }{
		{"go", "a.go", "// License\n\npackage a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc a() {}\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n"},
		{"python", "a.py", "\"\"\"Doc.\"\"\"\nimport os\nfrom x import (\n    a,\n    b,\n)\n\nX = 1\n\ndef f():\n    import y\n", "import os\nfrom x import (\n    a,\n    b,\n)\n"},
		{"node", "a.js", "'use strict'\n\nconst a = require('a')\nconst {\n  b,\n} = require('b')\n\nfunction f () {}\nconst c = require('c')\n", "const a = require('a')\nconst {\n  b,\n} = require('b')\n"},
		{"none", "a.py", "def f():\n    pass\n\nimport late\n", ""},
		{"an object", "a.js", "const defaults = {\n  a: 1,\n}\n\nfunction f () {}\n", ""},
		{"too many", "a.py", "import a\n" + strings.Repeat("X = 1\n", 70) + "import b\n", ""},
		{"prose", "a.md", "import a\n", ""},
	} {
		lines := newExcerpt(c.text).lines
		from, to := importsOf(languageOf(c.path), lines)
		if got := strings.Join(lines[from:to], ""); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
