package runner

import "testing"

// TestKeepsOld: tidying may rearrange what the work brought, and nothing else.
func TestKeepsOld(t *testing.T) {
	const before = "package a\n\nfunc Old() int {\n\treturn 1\n}\n"
	const worked = before + "\nfunc New() int {\n\tx := 2\n\treturn x\n}\n"
	for _, c := range []struct {
		name, before, worked, tidied string
		want                         bool
	}{
		{"new lines shortened", before, worked, before + "\nfunc New() int {\n\treturn 2\n}\n", true},
		{"new code moved above the old", before, worked,
			"package a\n\nfunc New() int {\n\treturn 2\n}\n\nfunc Old() int {\n\treturn 1\n}\n", true},
		{"all new code gone", before, worked, before, true},
		{"an old line changed", before, worked,
			"package a\n\nfunc Old() int {\n\treturn 3\n}\n\nfunc New() int {\n\treturn 2\n}\n", false},
		{"an old line removed", before, worked, "package a\n\nfunc New() int {\n\treturn 2\n}\n", false},
		{"old lines in another order", "a\nb\n", "a\nb\nnew\n", "b\na\n", false},
		{"an import added between old lines", "import a\nuse\n", "import a\nuse\nnew\n", "import a\nimport b\nuse\nnew2\n", true},
		{"a line that the work has replaced is its own", "a\nb\nc\n", "a\nB\nc\n", "a\nbeta\nc\n", true},
		{"the line that it replaced need not come back", "a\nb\nc\n", "a\nB\nc\n", "a\nc\n", true},
		{"a file that the work left alone", before, before, before + "// more\n", false},
		{"the end of an old file without a line end", "a\nb", "a\nb\nc\n", "a\nb\nd\n", true},
		{"an old last line changed", "a\nb", "a\nb", "a\nc", false},
	} {
		if got := keepsOld(c.before, c.worked, c.tidied); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
