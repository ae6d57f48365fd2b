package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestWordsSpareNoMatch holds the words of every expression of the guard to the
// lines of all its cases: where the expression matches, one of its words stands.
func TestWordsSpareNoMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("tries every expression on every line of every case")
	}
	var patterns []*Pattern
	for _, expr := range expressions(t, "../guard") {
		patterns = append(patterns, Compile(expr))
	}
	files, _ := filepath.Glob("../guard/testdata/review/*.txtar")
	lines := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			lines[strings.TrimRight(line, "\n")] = true
		}
	}
	with, matches := 0, 0
	for i, p := range patterns {
		if p.words == nil {
			continue
		}
		with++
		if testing.Short() && i%4 != 0 {
			continue
		}
		for line := range lines {
			if !p.may(line) && p.Regexp.MatchString(line) {
				t.Errorf("%q matches %s, but holds none of %q", line, p, p.words)
			} else if p.may(line) {
				matches++
			}
		}
	}
	if len(patterns) < 100 || with < len(patterns)/2 || matches < 500 {
		t.Errorf("%d of %d expressions have words, %d lines hold some", with, len(patterns), matches)
	}
}

// expressions finds what the sources below a directory give to Lazy, and the
// expressions in their tables.
func expressions(t *testing.T, root string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
		if err != nil {
			return err
		}
		table := strings.HasSuffix(p, "signs.go") || strings.HasPrefix(filepath.Base(p), "table")
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if len(n.Args) == 1 && strings.HasSuffix(nameOf(n.Fun), "Lazy") {
					out = appendText(out, n.Args[0])
				}
			case *ast.CompositeLit:
				if table && len(n.Elts) > 3 {
					out = appendText(out, n.Elts[len(n.Elts)-2])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func appendText(out []string, e ast.Expr) []string {
	if text, ok := constant(e); ok {
		return append(out, text)
	}
	return out
}

func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, okLeft := constant(e.X)
		right, okRight := constant(e.Y)
		return left + right, okLeft && okRight
	}
	return "", false
}
