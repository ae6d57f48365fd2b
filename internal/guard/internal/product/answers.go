package product

import (
	"fmt"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
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
	for i, line := range t.Live {
		if !readsFile().MatchString(line) {
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
