package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// Constants gives the texts of the constants in a Go file whose names begin with prefix: what a table has
// a row for.
func Constants(t *testing.T, file, prefix string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if value, ok := spec.Values[0].(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(value.Value); err == nil {
				list = append(list, text)
			}
		}
		return true
	})
	if len(list) == 0 {
		t.Fatalf("%s has no constants %s…", file, prefix)
	}
	return list
}
