package suspect

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// findTest finds the file of a failing test whose place is not in a test file:
// by the parts of its name, else by looking for its name in the test files.
func findTest(root *tree.Tree, x *core.Failure) []string {
	head := x.Test
	for _, sep := range []string{"::", " > "} {
		if i := strings.Index(head, sep); i > 0 {
			head = head[:i]
		}
	}
	if strings.Contains(path.Base(head), ".") && root.Exists(head) {
		return []string{head}
	}
	if q, ok := root.Resolve(head, ""); ok && strings.Contains(head, ".") {
		return []string{q}
	}
	// module.Class.test, org.demo.ClassTest.method, TestTemp#test_x
	parts := strings.FieldsFunc(x.Test, func(c rune) bool { return strings.ContainsRune(".#:/> ", c) })
	for n := len(parts); n > 0 && n > len(parts)-4; n-- {
		p := strings.Join(parts[:n], "/")
		for _, ext := range []string{".py", ".java", ".kt", ".scala", ".groovy", ".cs", ".php", ".rb",
			".swift", ".cpp", ".cc", ".c"} {
			if root.Exists(p + ext) {
				return []string{p + ext}
			}
			if q, ok := root.BySuffix(p+ext, ""); ok && strings.Contains(p, "/") {
				return []string{q}
			}
		}
		last := parts[n-1]
		if last == "" {
			continue
		}
		for _, base := range []string{last + ".java", last + ".kt", last + ".scala", last + ".cs", last +
			".php", last + ".swift", last + ".cpp", last + ".cc", last + ".c", tree.Snake(last) + ".rb",
			tree.Snake(last) + ".exs"} {
			if c := root.ByBase(base); len(c) == 1 {
				return c
			}
		}
	}
	return grepTests(root, x)
}

// grepTests looks for the name of a test in the test files.
func grepTests(root *tree.Tree, x *core.Failure) []string {
	leaf := x.Test
	if i := strings.LastIndex(leaf, " > "); i >= 0 {
		leaf = leaf[i+3:]
	}
	if !strings.Contains(leaf, " ") {
		leaf = leaf[strings.LastIndexAny(leaf, ".#:")+1:]
	}
	if p := strings.Split(leaf, ":"); len(p) > 2 && stream.OnlyDigits(p[len(p)-2]) { // OUnit counts the tests
		leaf = p[len(p)-1]
	}
	if i := strings.IndexAny(leaf, "[(/"); i > 0 {
		leaf = leaf[:i]
	}
	leaf = strings.Trim(leaf, `"' `)
	// `"before all" hook for "name"`
	if _, rest, ok := strings.Cut(leaf, `hook for "`); ok {
		leaf = rest
	} else if f := strings.Fields(leaf); len(f) > 3 {
		// RSpec joins the titles; the last words are the example's.
		leaf = strings.Join(f[len(f)-2:], " ")
	}
	if len(leaf) < 3 {
		return nil
	}
	var out []string
	read := 0
	for _, f := range root.Files() {
		if !tree.IsTestFile(f) || !tree.SourceExt(strings.ToLower(path.Ext(f))) {
			continue
		}
		if read++; read > 300 {
			break
		}
		if slices.ContainsFunc(root.Lines(f), func(s string) bool { return strings.Contains(s, leaf) }) {
			out = append(out, f)
		}
		if len(out) == 3 {
			break
		}
	}
	return out
}
