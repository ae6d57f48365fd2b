package edit_test

import (
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// A text without a final newline may end within a line: only a line of closing
// brackets shows that it does not.
func TestAnOpenFenceWithoutAFinalNewline(t *testing.T) {
	t.Parallel()
	for reply, whole := range map[string]bool{
		"a.go\n```go\npackage a\n\nvar x = 12":          false,
		"a.go\n```go\npackage a\n\nfunc f() {\n}":       true,
		"a.yml\n```yaml\na: 1\nb: val":                  false,
		"a.js\n```js\nf(() => {\n});":                   true,
		"a.js\n```js\nconst a = tr":                     false,
		"a.sh\n```sh\nif a; then\n  b\nfi\n":            true,
		"a.sh\n```sh\nif a; then\n  b\n":                false,
		"a.rb\n```ruby\nclass A\n  def b\n  end\n":      false,
		"a.rb\n```ruby\nclass A\n  def b\n  end\nend\n": true,
	} {
		r := edit.Parse(reply)
		if len(r.Edits) != 1 || r.Truncated == whole {
			t.Errorf("%q: truncated %v, %d edits", reply, r.Truncated, len(r.Edits))
		}
	}
}
