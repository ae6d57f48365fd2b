package detect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/detect"
)

const clonesTable = "../../docs/detect.md"

// TestClones compares the table of real repositories with what is found in
// local clones of them: the folders owner__name in $BOOTY_CLONES.
func TestClones(t *testing.T) {
	root := os.Getenv("BOOTY_CLONES")
	if root == "" {
		t.Skip("BOOTY_CLONES names no folder of clones")
	}
	data, err := os.ReadFile(clonesTable)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	looked := 0
	for i, line := range lines {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || !strings.Contains(cells[0], "/") {
			continue
		}
		name := strings.TrimPrefix(cells[0], "| ")
		clone := filepath.Join(root, strings.ReplaceAll(name, "/", "__"))
		if _, err := os.Stat(clone); err != nil {
			t.Logf("%s: no clone", name)
			continue
		}
		looked++
		r := detect.Detect(os.DirFS(clone), nil)
		t.Logf("%s\n%s", name, describe(r))
		found := strings.ReplaceAll("`"+strings.Join(r.TestCommands, "`<br>`")+"`", "|", `\|`)
		if cells[1] != found && !*update {
			t.Errorf("%s: the table says %s, found is %s", name, cells[1], found)
		}
		cells[1] = found
		lines[i] = strings.Join(cells, " | ")
	}
	if looked == 0 {
		t.Errorf("%s holds no clone of the table's", root)
	}
	if *update {
		if err := os.WriteFile(clonesTable, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
