package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateLibrary = flag.Bool("update-library", false, "write into docs/library.md what its programs print")

// TestLibrary runs the programs of docs/library.md, and compares what they print with
// what the document says they do.
func TestLibrary(t *testing.T) {
	need(t, "sh", "go")
	file := filepath.Join("..", "..", "docs", "library.md")
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	programs := regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```\n\nIt prints:\n\n```\n(.*?)^```$").FindAllStringSubmatch(string(doc), -1)
	if len(programs) != strings.Count(string(doc), "```go\n") || len(programs) == 0 {
		t.Fatalf("%d of %d programs are followed by what they print", len(programs), strings.Count(string(doc), "```go\n"))
	}
	text := string(doc)
	for _, p := range programs {
		main := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(main, []byte(p[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gofmt", "-l", main).CombinedOutput(); err == nil && len(out) > 0 {
			t.Errorf("gofmt would change\n%s", p[1])
		}
		out, err := exec.Command("go", "run", main).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(string(out), p[2]); diff != "" && !*updateLibrary {
			t.Errorf("got -, want +\n%s", diff)
		}
		text = strings.Replace(text, p[0], strings.TrimSuffix(p[0], p[2]+"```")+string(out)+"```", 1)
	}
	if *updateLibrary {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
