package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQuickstart does what docs/quickstart.md tells a new user to do: its blocks
// of shell commands, one after the other. A comment says where a command is to
// end with another exit code than 0.
func TestQuickstart(t *testing.T) {
	need(t, "sh", "python3")
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "quickstart.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllSubmatch(doc, -1)
	if len(blocks) < 8 {
		t.Fatalf("found %d blocks only", len(blocks))
	}
	ends := regexp.MustCompile(`^(.*?) +# ends with (\d+)$`)
	script := "set -e\n"
	for _, b := range blocks {
		for line := range strings.Lines(string(b[1])) {
			line = strings.TrimSpace(line)
			script += "echo '+++ " + strings.ReplaceAll(line, "'", `'\''`) + "'\n"
			if m := ends.FindStringSubmatch(line); m != nil {
				line = "code=0; " + m[1] + " || code=$?; test $code = " + m[2]
			}
			script += line + "\n"
		}
	}
	files := map[string]string{}
	for name, text := range readTree(t, filepath.Join("..", "..", "examples", "python")) {
		files["booty/examples/python/"+name] = text
	}
	_, run := exampleRepo(t, files)
	script = "cd booty\n" + script
	if out, err := run("sh", "-c", script); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Log(out)
	}
}
