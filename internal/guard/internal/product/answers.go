package product

import (
	"fmt"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/inline"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var readsFile = pattern.Lazy(`\b(open|read_text|readFile|readFileSync|ReadFile|Open|include_str!|` +
	`include_bytes!|require|read_to_string|File\.read|file_get_contents|fopen|readAllText|` +
	`ReadAllText|Path|import|load|spec_from_file_location|exec|runpy\.run_path|go:embed)\b`)

var quoted = pattern.Lazy(`["'\x60]([^"'\x60\n]{4,120})["'\x60]`)

// answersTests counts reads of test files by name.
func answersTests(_ string, t *source.Text) (n int, why string) {
	within := testsWithin(t)
	for i, line := range t.Live {
		if !readsFile().MatchString(line) {
			continue
		}
		if within[t.Lines[i]] > 0 {
			within[t.Lines[i]]--
			continue
		}
		for _, m := range quoted().FindAllStringSubmatch(line, -1) {
			p := strings.TrimLeft(m[1], "./")
			if name := path.Base(m[1]); name[0] == '_' || name[0] == '.' && !strings.Contains(m[1], "/") {
				continue // an ending that test files share
			}
			if lexer.Of(p) != nil && checkout.IsTestName(p) && !strings.ContainsAny(p, "*%{$ ") {
				n++
				why = fmt.Sprintf("The line %q reads a test; code must not know the answers.",
					diff.Shorten(t.Lines[i]))
			}
		}
	}
	return n, why
}

// testsWithin counts the lines of the tests that stand in a product file: what they name
// they do not hand to the product.
func testsWithin(t *source.Text) map[string]int {
	lines := map[string]int{}
	code, _ := inline.Tests(t.Source.Lang, strings.Join(t.Lines, ""))
	for _, line := range code {
		lines[line]++
	}
	return lines
}
