package surroundings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, old, now string
		want           []string
	}{
		{"a.py", "", "import os\nif os.environ.get('X'): pass\n", []string{environment}},
		{"a.py", "import os\nos.environ\n", "import os\n\nx = os.environ\n", nil},
		{"a.py", "", "from sys import argv, modules\n", []string{arguments}},
		{"a.py", "", "import sys\nsys._getframe(1)\n", []string{callers}},
		{"a.py", "def f(): pass", "def f(): return 1", nil},
		{"a.ts", "", "const { env } = process\n", []string{environment}},
		{"a.js", "", "const s = new Error().stack\n", []string{callers}},
		{"a.go", "", "package a\n\nimport \"os\"\n\nvar x = os.Getenv(\"X\")\n", []string{environment}},
		{"a.go", "", "package a\n\nimport \"os\"\n\nvar _, err = os.Open(\"X\")\n", nil},
		{"a.rb", "", "def f; caller; end", []string{callers}},
		{"a.rs", "", "fn f() { std::env::var(\"X\"); }", []string{environment}},
		{"a.sh", "", "[ -n \"$CI\" ] && echo", []string{environment}},
		{"a.c", "", "open(\"/proc/self/cmdline\")", []string{place}},
		{"Main.java", "", "System.getenv(\"CI\")", []string{environment}},
		{"a.md", "", "os.environ", nil},
	} {
		if diff := cmp.Diff(Newly(c.path, []byte(c.old), []byte(c.now)), c.want); diff != "" {
			t.Errorf("%s: %q: %s", c.path, c.now, diff)
		}
	}
}
