package fault

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/errors.md anew")

const document = "../../docs/errors.md"

// TestTheDocumentOfErrors holds docs/errors.md against the code: every message
// that a part gives a kind to, with its cure, read from the source.
func TestTheDocumentOfErrors(t *testing.T) {
	entries := catalog(t)
	if len(entries) < 200 {
		t.Fatalf("found %d messages only: is fault.New called otherwise now?", len(entries))
	}
	got := render(entries)
	if *update {
		if err := os.WriteFile(document, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("docs/errors.md is not what the code says: go test ./internal/fault -run Errors -update")
	}
}

// entry is one message as the code writes it.
type entry struct{ kind, message, hint string }

// catalog reads all calls of New in the program's source.
func catalog(t *testing.T) []entry {
	t.Helper()
	var all []entry
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			found, err := entriesOf(path)
			all = append(all, found...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all = append(all, environment(t)...)
	slices.SortFunc(all, func(a, b entry) int {
		return strings.Compare(a.kind+"\x00"+a.message+"\x00"+a.hint, b.kind+"\x00"+b.message+"\x00"+b.hint)
	})
	return slices.Compact(all)
}

func entriesOf(path string) ([]entry, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	var found []entry
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 || !is(call.Fun, "New") {
			return true
		}
		kind, ok := call.Args[0].(*ast.SelectorExpr)
		if !ok || !is(kind, kind.Sel.Name) {
			return true
		}
		found = append(found, entry{kind.Sel.Name, textOf(call.Args[2]), textOf(call.Args[1])})
		return true
	})
	return found, nil
}

// environment reads what can be wrong with the machine from the table of causes.
func environment(t *testing.T) []entry {
	t.Helper()
	files, err := filepath.Glob("../../internal/check/environment_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []entry
	cures := map[string]string{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if len(n.Values) == 1 {
					cures[n.Names[0].Name] = textOf(n.Values[0])
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "row" && len(n.Args) > 3 {
					all = append(all, entry{"Environment", "the checks cannot run here: " + textOf(n.Args[1]), cureOf(n.Args[2], cures)})
				}
			}
			return true
		})
	}
	if len(all) < 20 {
		t.Fatalf("found %d causes only: is the table in internal/check another one now?", len(all))
	}
	return all
}

func cureOf(e ast.Expr, cures map[string]string) string {
	if name, ok := e.(*ast.Ident); ok {
		return cures[name.Name]
	}
	return textOf(e)
}

// is tells whether an expression is fault.NAME.
func is(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	from, ok := s.X.(*ast.Ident)
	return ok && from.Name == "fault"
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9.]*[a-zA-Z]`)

// textOf is a string as a person reads it, with … for what the run fills in.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			return "…"
		}
		return strings.NewReplacer("%%", "%", "$1", "…").Replace(verb.ReplaceAllString(s, "…"))
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.CallExpr:
		if s, ok := e.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			return textOf(e.Args[0])
		}
	}
	return "…"
}

// chapters are the kinds in the order of their exit codes, with what a person
// wants to know of each.
var chapters = []struct {
	name string
	kind Kind
	text string
}{
	{"Bug", Bug, "An error that nothing in booty has foreseen. The work tree is safe: `booty undo` goes back to where the run " +
		"began. Please report it with the message and, if you can, `booty status latest --json`."},
	{"Usage", Usage, "A flag, an argument, a setting or the place it was called from. Nothing was changed."},
	{"Exhausted", Exhausted, "The checks still fail, or pass only in a way that a person must judge. The best attempt is kept; " +
		"`booty status latest` tells what was tried, `booty resume` goes on."},
	{"NothingToDo", NothingToDo, "There is no work: not a failure, and loops may go on."},
	{"Budget", Budget, "A limit of money, calls or time. What was done until then is kept, and `booty resume` goes on when there is room."},
	{"Model", Model, "The model or its provider. `booty doctor` tries the connection; `--patient` waits for outages to end."},
	{"Git", Git, "git or GitHub refused. What booty made is in the checkout; nothing is pushed by halves."},
	{"Refused", Refused, "booty declined, to keep something of yours safe. The message names what; the cure names what allows it."},
	{"Environment", Environment, "The checks cannot run here, whatever the code says. Nothing was paid for."},
	{"Interrupted", Interrupted, "A signal ended it. `booty resume` goes on, `booty undo` goes back."},
}

func render(all []entry) string {
	var b strings.Builder
	b.WriteString(`# Errors

Every message with a kind, by exit code. A message is one line on standard
error, with "hint:" and the cure below it where there is one; … stands for what
the run fills in. With --json, run.finished and the error object carry the same
words. This page is written from the source:
` + "`go test ./internal/fault -run Errors -update`" + `.
`)
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n## %d: %s\n\n%s\n", exitCodes[c.kind], heading(c.name), c.text)
		rows := ""
		for _, e := range all {
			// A message made by another part is told there.
			if e.kind != c.name || strings.Trim(e.message, "…: ") == "" {
				continue
			}
			rows += fmt.Sprintf("| %s | %s |\n", cell(e.message), cell(strings.Trim(e.hint, " ")))
		}
		if rows != "" {
			b.WriteString("\n| message | what to do |\n|---|---|\n" + rows)
		}
	}
	return b.String()
}

// heading writes NothingToDo as "nothing to do".
func heading(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func cell(s string) string {
	if s == "…" {
		return "the message says it"
	}
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`).Replace(s)
}
