package fault

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTroubleshootingQuotesTheCode: each message in docs/troubleshooting.md is one that the
// program can print, word for word between the places that the run fills in.
func TestTroubleshootingQuotesTheCode(t *testing.T) {
	doc, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "## Messages that need more than a hint")
	rows := regexp.MustCompile(`(?m)^\| \d+ \| ([^|]+) \| [^|]*\|$`).FindAllStringSubmatch(table, -1)
	if len(rows) < 8 {
		t.Fatalf("found %d messages only", len(rows))
	}
	source := sources(t)
	for _, row := range rows {
		for part := range strings.SplitSeq(row[1], "…") {
			if part = strings.Trim(part, ": ,"); part != "" && !strings.Contains(source, part) {
				t.Errorf("%q: the program does not say %q", row[1], part)
			}
		}
	}
}

// sources is the text of the program without its tests.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// A message that is broken over two lines of source is one all the same.
	return regexp.MustCompile(`" \+\n\s*"`).ReplaceAllString(all.String(), "")
}
