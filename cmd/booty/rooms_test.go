package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
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
	leaves = strings.Fields(`atomicfile demo diff event failure fault globs lexer look manifest pattern
		placeholder proc prompt provider redact regular shellword specs surroundings syntax testfile tokens`)
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
	for file := range sources(t) {
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

// sources gives the Go files that are no tests, with their lines.
func sources(t *testing.T) map[string]int {
	found := map[string]int{}
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
			text, err := os.ReadFile(filepath.Join("../..", p))
			found[p] = strings.Count(string(text), "\n")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// budgets are the lines that we expect a room to need, in hundreds. A room over its budget is
// no failure: go test ./cmd/booty -run TestRoomsAndTheirBudgets -v prints the table.
var budgets = map[string]int{
	"cmd/booty": 2, "internal/cli": 36, "internal/queue": 23, "internal/pullrequest": 24, "internal/runner": 40,
	"internal/engine": 29, "internal/proof": 16, "internal/guard": 35, "internal/check": 30, "internal/sandbox": 14,
	"internal/proc": 12, "internal/workspace": 45, "internal/retrieval": 37, "internal/prompt": 6, "internal/llm": 34,
	"internal/github": 19, "internal/journal": 19, "internal/config": 20, "internal/detect": 22, "internal/report": 26,
	"internal/term": 9, "internal/redact": 10, "internal/specs": 12, "pkg/edit": 40, "pkg/distill": 75,
}

// TestRoomsAndTheirBudgets reports; it fails only where a budget is of a room that is gone.
func TestRoomsAndTheirBudgets(t *testing.T) {
	t.Parallel()
	lines, total := map[string]int{}, 0
	for file, n := range sources(t) {
		dirs := strings.SplitN(file, "/", 3)
		lines[dirs[0]+"/"+dirs[1]] += n
		total += n
	}
	var b strings.Builder
	for _, room := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "\n%-24s %6d", room, lines[room])
		if budget := budgets[room] * 100; budget > 0 {
			fmt.Fprintf(&b, " of %6d", budget)
		}
	}
	t.Logf("%s\n%-24s %6d", b.String(), "all", total)
	for room := range budgets {
		if lines[room] == 0 {
			t.Errorf("there is no %s", room)
		}
	}
}
