package testfile

import (
	"os"
	"strings"
	"testing"
)

var roles = map[string]Role{"product": Product, "case": Case, "data": Data, "runner": Runner}

func TestRoles(t *testing.T) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		word, p, is := strings.Cut(strings.TrimSpace(line), " ")
		if !is || word == "#" {
			continue
		}
		want, known := roles[word]
		if !known {
			t.Errorf("unknown role in %q", line)
		}
		if got := Of(p); got != want {
			t.Errorf("%s: got %v, want %s", p, got, word)
		}
		if Is(p) != (want != Product) {
			t.Errorf("%s: Is and Of disagree", p)
		}
		rows++
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}
