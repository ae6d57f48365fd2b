package tree

import (
	"os"
	"strings"
	"testing"
)

// What a test file is stands in two places, since this package imports nothing of
// booty: both are tested against the same table.
func TestTestFilesAreThoseOfTheSharedTable(t *testing.T) {
	table, err := os.ReadFile("../../../../internal/testfile/testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		role, p, _ := strings.Cut(strings.TrimSpace(line), " ")
		if role != "case" && role != "product" {
			continue
		}
		rows++
		if got := IsTestFile(p); got != (role == "case") {
			t.Errorf("%s: got %v, but it is a %s", p, got, role)
		}
	}
	if rows < 80 {
		t.Errorf("only %d rows were read", rows)
	}
}
