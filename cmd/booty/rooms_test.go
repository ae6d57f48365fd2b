package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/booty-cli/booty/"

// The layers of docs/architecture.md. A leaf imports leaves, a part imports leaves, pkg and
// itself; the rooms above are listed with what they may import besides.
var (
	leaves = strings.Fields(`atomicfile bringback carry challenge commit demo diff event failure fault foreign git githook globs
		history lexer listing look manifest pattern placeholder proc prompt provider redact regular remote shellword
		snapshot specs store syntax testfile testreport tokens trees`)
	parts = strings.Fields(`agent check ciformat config detect engine github guard journal llm mcp proof
		report retrieval sandbox term workspace`)
	// data are packages of a part that are plain data, for all to import.
	data  = []string{"internal/journal/record"}
	above = map[string]struct{ may, mayNot string }{
		// The engine decides by what the proof says of what ran, which is as pure as it is.
		"engine": {"proof", "agent check ciformat config detect github guard journal llm mcp report retrieval sandbox term " +
			"workspace"},
		"runner":      {"", "github term mcp"},
		"pullrequest": {"runner", "term mcp agent check detect sandbox"},
		"queue":       {"runner pullrequest", "term mcp agent check detect sandbox"},
		"cli":         {"runner pullrequest queue", ""},
	}
	// outside says who alone may import a package of others, or who may not.
	outside = []struct{ pkg, only, not, why string }{
		{"github.com/spf13/cobra", "cli cli/manual", "", "commands are the command line's"},
		{"os", "", "engine", "the engine touches no disk"},
		{"os/exec", "", "engine mcp report term", "the engine starts no process"},
		{"net", "", "engine report", "the engine knows no network"},
		{"net/http", "", "engine report", "the engine knows no network"},
	}
)

// TestRoomsKeepTheirLayers holds every import against the table above.
func TestRoomsKeepTheirLayers(t *testing.T) {
	t.Parallel()
	for pkg, imports := range importsOf(t) {
		for _, to := range imports {
			if why := forbidden(pkg, to); why != "" {
				t.Errorf("%s imports %s: %s", pkg, strings.TrimPrefix(to, module), why)
			}
		}
	}
}

func forbidden(pkg, to string) string {
	room := strings.TrimPrefix(pkg, "internal/")
	for _, o := range outside {
		if o.pkg == to && (o.only != "" && !slices.Contains(strings.Fields(o.only), room) ||
			slices.Contains(strings.Fields(o.not), room)) {
			return o.why
		}
	}
	to, ours := strings.CutPrefix(to, module)
	target, isInternal := strings.CutPrefix(to, "internal/")
	switch {
	case !ours || !isInternal || slices.Contains(data, to):
		return ""
	case strings.HasPrefix(pkg, "pkg/") && !slices.Contains(leaves, target):
		return "public libraries import leaves only"
	case strings.HasPrefix(pkg, "pkg/"):
		return ""
	case strings.HasPrefix(pkg, "cmd/"):
		return ""
	}
	room, _, _ = strings.Cut(room, "/")
	target, _, _ = strings.Cut(target, "/")
	up, isAbove := above[room]
	switch {
	case room == target || slices.Contains(leaves, target):
		return ""
	case !isAbove && (slices.Contains(leaves, room) || slices.Contains(parts, room)):
		return "leaves and parts import leaves only"
	case slices.Contains(strings.Fields(up.may), target):
		return ""
	case slices.Contains(parts, target) && !slices.Contains(strings.Fields(up.mayNot), target):
		return ""
	}
	return "it is not in the table of rooms_test.go"
}

// importsOf gives what each package imports, tests and testkit aside.
func importsOf(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for _, file := range sources(t) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		pkg := path.Dir(file)
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			all[pkg] = append(all[pkg], name)
		}
	}
	if len(all) < 40 {
		t.Fatalf("only %d packages were found", len(all))
	}
	return all
}

// sources gives the Go files that are no tests.
func sources(t *testing.T) []string {
	var found []string
	for _, top := range []string{"cmd", "internal", "pkg"} {
		err := fs.WalkDir(os.DirFS("../.."), top, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "testkit"):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go"):
				return nil
			}
			found = append(found, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
