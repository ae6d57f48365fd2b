package shellword

import (
	"testing"

	"github.com/booty-cli/booty/internal/placeholder"
)

func TestWindowsGetsHarmlessWordsOnly(t *testing.T) {
	t.Parallel()
	for word, ok := range map[string]bool{"tests/a.py::x": true, "a b": false, "%PATH%": false, "a&b": false, "it's": false} {
		if got, is := quoteFor("windows", word); is != ok || ok && got != word {
			t.Errorf("%q: got %q, %v", word, got, is)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ template, file, want string }{
		{"npx playwright test {{.File}}", "e2e/a b.spec.ts", "npx playwright test 'e2e/a b.spec.ts'"},
		{`run "{{.File}}"`, "e2e/a b.ts", `run "e2e/a b.ts"`},
		{`run "{{.File}}"`, "e2e/$(id).ts", ""},
		{"run '{{.File}}'", "it's.ts", ""},
		{"run {{.File}}", "it's.ts", `run 'it'\''s.ts'`},
		{"run {{.File}}", "a\nb", ""},
		{"run {{.File}}", "", ""},
	} {
		parts, err := placeholder.Parse(c.template, "File")
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Fill(parts, map[string][]string{"File": {c.file}})
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s with %q: got %q, %v, want %q", c.template, c.file, got, ok, c.want)
		}
	}
}
