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
	"slices"
	"strings"
	"sync"
)

// Test is a test as a runner names it, with the file that the runner tells, "" if none.
type Test struct{ Name, File string }

// Concerns tells whether a test has to do with one of the changed files: its
// file imports or names one, by itself or within a few steps, or is its
// namesake's; in Go, where a package is one whole, its body uses a name that one
// declares, or calls what does. known is false where the test's
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

// maxReach is how many steps may lie between a test and what it uses: what a
// test calls calls something itself.
const maxReach = 3

// uses tells whether the test t in file at, with this text, uses file i, by
// itself or through what it uses.
func (ix *Index) uses(root *os.Root, at, i int32, t Test, text string) bool {
	if ix.docs[at].lang == golang {
		return ix.docs[i].lang == golang && ix.goUses(root, at, i, goTestName(t.Name))
	}
	p := ix.docs[i].path
	return ix.reaches(at, i) || slices.Contains(ix.sourcesOf(at), i) || strings.Contains(text, p) ||
		strings.Contains(text, path.Base(p))
}

// reaches tells whether a file imports another, within a few steps.
func (ix *Index) reaches(from, to int32) bool {
	seen := map[int32]bool{from: true}
	step := []int32{from}
	for range maxReach {
		var next []int32
		for _, i := range step {
			for _, j := range ix.imports(i) {
				if j == to {
					return true
				}
				if !seen[j] {
					seen[j] = true
					next = append(next, j)
				}
			}
		}
		step = next
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
		if text, _, err := readFile(root, d.path, maxIndexed); err == nil &&
			strings.Contains(string(text), "func "+name+"(") {
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

// goFile is what a Go file declares: the names at its top, methods too, and
// the names that the body of each function uses.
type goFile struct {
	declared map[string]bool
	bodies   map[string][]string
	broken   bool
}

// goUses tells whether the body of a test uses a name that file i declares, by
// itself or through functions that it calls. What cannot be parsed may.
func (ix *Index) goUses(root *os.Root, at, i int32, test string) bool {
	near := ix.imports(at)
	if !slices.Contains(near, i) {
		return false
	}
	files := []goFile{readGo(root, ix.docs[at].path)}
	changed := readGo(root, ix.docs[i].path)
	if changed.broken || files[0].broken {
		return true
	}
	for _, j := range near {
		if ix.docs[j].lang == golang && j != i && len(files) < maxFan {
			files = append(files, readGo(root, ix.docs[j].path))
		}
	}
	seen := map[string]bool{}
	step := []string{test}
	for range maxReach {
		var next []string
		for _, name := range step {
			for _, f := range files {
				for _, used := range f.bodies[name] {
					if changed.declared[used] {
						return true
					}
					if !seen[used] {
						seen[used] = true
						next = append(next, used)
					}
				}
			}
		}
		step = next
	}
	return false
}

// readGo parses a Go file.
func readGo(root *os.Root, name string) goFile {
	g := goFile{declared: map[string]bool{}, bodies: map[string][]string{}}
	text, _, err := readFile(root, name, maxIndexed)
	if err != nil {
		return goFile{broken: true}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return goFile{broken: true}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.declared[d.Name.Name] = true
			if d.Body != nil {
				ast.Inspect(d.Body, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						g.bodies[d.Name.Name] = append(g.bodies[d.Name.Name], id.Name)
					}
					return true
				})
			}
		case *ast.GenDecl:
			g.declare(d)
		}
	}
	delete(g.declared, "_")
	delete(g.declared, "init")
	return g
}

// declare notes the names of types, variables and constants.
func (g goFile) declare(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			g.declared[s.Name.Name] = true
		case *ast.ValueSpec:
			for _, n := range s.Names {
				g.declared[n.Name] = true
			}
		}
	}
}
