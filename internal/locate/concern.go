package locate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Test is a test as a runner names it, with the file that the runner tells, "" if none.
type Test struct{ Name, File string }

// Concerns tells whether a test has to do with one of the changed files: its
// file imports or names one, or is its namesake's; in Go, where a package is one
// whole, its body uses a name that one declares. known is false where the test's
// own file is not found: then nothing can be said.
func (ix *Index) Concerns(ctx context.Context, t Test, changed []string) (concerns, known bool, err error) {
	if err := ix.Warm(ctx); err != nil {
		return false, false, err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return false, false, fmt.Errorf("look at the test %s: %w", t.Name, err)
	}
	defer func() { _ = root.Close() }()
	at := ix.fileOf(root, t)
	if at < 0 {
		return false, false, nil
	}
	var ids []int32
	for _, p := range changed {
		if i := ix.known(root, p); i >= 0 && i != at {
			ids = append(ids, i)
		}
	}
	ix.touch(root, append([]int32{at}, ids...))
	text, _, err := readFile(root, ix.docs[at].path, maxIndexed)
	if err != nil {
		return false, false, nil
	}
	for _, i := range ids {
		if ix.uses(root, at, i, t, string(text)) {
			return true, true, nil
		}
	}
	return false, true, nil
}

// uses tells whether the test t in file at, with this text, uses file i.
func (ix *Index) uses(root *os.Root, at, i int32, t Test, text string) bool {
	imports := has(ix.imports(at), i)
	if ix.docs[at].lang == golang {
		return imports && ix.docs[i].lang == golang && goShares(text, goTestName(t.Name), root, ix.docs[i].path)
	}
	p := ix.docs[i].path
	return imports || has(ix.sourcesOf(at), i) || strings.Contains(text, p) || strings.Contains(text, path.Base(p))
}

func has(ids []int32, want int32) bool {
	for _, i := range ids {
		if i == want {
			return true
		}
	}
	return false
}

// fileOf finds the file that a test is in, -1 where it is not told.
func (ix *Index) fileOf(root *os.Root, t Test) int32 {
	names := []string{t.File}
	for _, sep := range []string{"::", " > ", " › "} { // pytest's and vitest's names begin with the file
		if file, _, ok := strings.Cut(t.Name, sep); ok {
			names = append(names, file)
		}
	}
	for _, p := range names {
		if i := ix.known(root, path.Clean(p)); p != "" && i >= 0 && ix.docs[i].test {
			return i
		}
	}
	return ix.goFileOf(root, t.Name)
}

// goFileOf finds the file of a Go test by its package's folder and its function.
func (ix *Index) goFileOf(root *os.Root, test string) int32 {
	name := goTestName(test)
	if name == "" {
		return -1
	}
	pkg, _, _ := strings.Cut(test, "."+name)
	for i := range ix.docs {
		d := &ix.docs[i]
		at := dir(d.path)
		inPackage := pkg == test || at == "" || at == "." || path.Base(at) == path.Base(pkg)
		if d.lang != golang || !d.test || !inPackage {
			continue
		}
		if text, _, err := readFile(root, d.path, maxIndexed); err == nil && strings.Contains(string(text), "func "+name+"(") {
			return int32(i)
		}
	}
	return -1
}

var goTest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\.)((?:Test|Example|Fuzz)[A-Za-z0-9_]*)(?:/|$)`)
})

// goTestName is the function of a Go test, without package and subtest.
func goTestName(name string) string {
	if m := goTest().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// goShares tells whether the body of a test uses a name that a file declares.
// What cannot be parsed may.
func goShares(text, test string, root *os.Root, file string) bool {
	source, _, err := readFile(root, file, maxIndexed)
	if err != nil {
		return true
	}
	declared, ok := goDeclares(string(source))
	if !ok {
		return true
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	shares := false
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != test || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && declared[id.Name] {
				shares = true
			}
			return !shares
		})
	}
	return shares
}

// goDeclares gives the names that a Go file declares at its top, methods too.
func goDeclares(text string) (map[string]bool, bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	delete(names, "_")
	delete(names, "init")
	return names, true
}
