package cli

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the golden files anew")

// refusal is a sentence that the program can say, with its hint. What a run fills in is "…".
type refusal struct{ kind, file, text, hint string }

// TestRefusals holds every refusal and notice in one golden file for each kind, so that they are
// read beside each other, and tries every command of booty's that one of them names.
func TestRefusals(t *testing.T) {
	t.Parallel()
	all := refusals(t)
	byKind := map[string][]string{}
	for _, r := range all {
		entry := r.file + "\n  " + r.text + "\n"
		if r.hint != "" {
			entry += "    > " + r.hint + "\n"
		}
		byKind[r.kind] = append(byKind[r.kind], entry)
	}
	if len(byKind) < 9 {
		t.Fatalf("only the kinds %v were found", slices.Sorted(maps.Keys(byKind)))
	}
	for kind, entries := range byKind {
		slices.Sort(entries)
		got := strings.Join(slices.Compact(entries), "")
		golden := filepath.Join("testdata", "refusals", strings.ToLower(kind)+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s is not what the program says: read the change, then go test ./internal/cli -run TestRefusals -update\n%s",
				golden, diff)
		}
	}
	root := Commands(Build{})
	for _, r := range all {
		for _, line := range commandsIn(r.hint + "\n" + r.text) {
			if why := unknownIn(root, line); why != "" {
				t.Errorf("%s: %q: %s", r.file, line, why)
			}
		}
	}
}

// TestUnknownInHints: what is wrong with a command that a hint names is seen.
func TestUnknownInHints(t *testing.T) {
	t.Parallel()
	root := Commands(Build{})
	for line, want := range map[string]string{
		"booty run --issue 42":              "",
		"booty status lists the runs":       "",
		"booty recover retry 12":            "",
		"booty runn --issue 42":             `no command "runn"`,
		"booty run --isue 42":               "no flag --isue",
		"booty prove --challenge --model …": "",
	} {
		if got := unknownIn(root, line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	got := commandsIn("the branch: booty run --restart starts over; booty status, then booty undo; booty itself")
	want := []string{"booty run --restart starts over", "booty status", "booty undo"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// commandsIn finds the commands of booty's that a text names, each to the end of its clause.
func commandsIn(text string) []string {
	var lines []string
	for _, m := range regexp.MustCompile("\\bbooty (?:-\\S+ )*[a-z][^\n,;()\"`]*").FindAllString(text, -1) {
		for i, part := range strings.Split(m, "booty ") {
			if part = strings.TrimRight(strings.TrimSpace(part), ":."); i > 0 && !proseAfterName(part) {
				lines = append(lines, "booty "+part)
			}
		}
	}
	return lines
}

// proseAfterName reports whether a text goes on about the program called booty: with a verb.
func proseAfterName(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return slices.Contains(strings.Fields("itself is was has have and can cannot could may made makes kept keeps "+
		"never does did knows only wrote ran uses began needs asks works says pushed as in already will takes reads "+
		"finds found from for to of to's would no left leaves looks creates opens there once"), word)
}

// unknownIn says what of a command does not exist; "" where all does.
func unknownIn(root *cobra.Command, line string) string {
	words := strings.Fields(line)[1:]
	cmd := root
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			continue
		}
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w || slices.Contains(c.Aliases, w) })
		if i < 0 {
			if cmd == root && w != "help" {
				return fmt.Sprintf("no command %q", w)
			}
			break
		}
		cmd = cmd.Commands()[i]
	}
	for _, w := range words {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if !strings.HasPrefix(w, "--") || name == "" || strings.HasPrefix(name, "…") || name == "help" {
			continue
		}
		if cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
			return "no flag --" + name
		}
	}
	return ""
}

// refusals reads the calls of fault.New and those that print a notice from the program's source.
func refusals(t *testing.T) []refusal {
	t.Helper()
	root, files := filepath.Join("..", ".."), token.NewFileSet()
	var out []refusal
	for _, dir := range []string{"internal", "cmd", "pkg"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					if r, ok := refusalOf(c); ok {
						r.file = filepath.ToSlash(name)
						out = append(out, r)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// refusalOf reads one call; false for calls that say nothing to the user.
func refusalOf(c *ast.CallExpr) (refusal, bool) {
	f, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return refusal{}, false
	}
	pkg, _ := f.X.(*ast.Ident)
	switch {
	case pkg != nil && pkg.Name == "fault" && f.Sel.Name == "New" && len(c.Args) >= 3:
		kind, ok := c.Args[0].(*ast.SelectorExpr)
		if !ok {
			return refusal{}, false
		}
		if kind.Sel.Name == "Kind" { // of the error that is passed on
			kind.Sel.Name = "Passed-On"
		}
		return refusal{kind: kind.Sel.Name, hint: textOf(c.Args[1]), text: textOf(c.Args[2])}, true
	case slices.Contains([]string{"Say", "say", "notice"}, f.Sel.Name) && len(c.Args) > 0:
		text := textOf(c.Args[0])
		if len(c.Args) > 1 && (text == "info" || text == "warning") { // the engine's, by weight
			text = textOf(c.Args[1])
		}
		return refusal{kind: "Notice", text: text}, strings.Trim(text, "…") != ""
	}
	return refusal{}, false
}

// textOf is the text of an expression, with "…" for what is known only in a run.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			return e.Value
		}
		return strings.ReplaceAll(regexp.MustCompile(`%(?:\[\d\])?[-+#0]?[\d.]*[a-zA-Z]`).ReplaceAllString(s, "…"), "%%", "%")
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.ParenExpr:
		return textOf(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			if text := strings.Trim(textOf(e.Args[0]), "…"); text != "" {
				return text
			}
			return "…"
		}
	}
	return "…"
}
