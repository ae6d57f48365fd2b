package edit_test

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// Who knows that the reply came to its end knows that a last fence, or the end of
// a patch, was merely forgotten.
func TestACompleteReplyMayLeaveItsEndOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ reply, want, problem string }{
		"prose":             {reply: "a.md\n```md\n# T\n\nSome text\n", want: "# T\n\nSome text\n"},
		"code":              {reply: "a.md\n```\nx = (\n", want: "x = (\n"},
		"a patch":           {reply: "*** Begin Patch\n*** Add File: a.md\n+# T\n", want: "# T\n"},
		"a diff":            {reply: "```diff\n--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+# T\n", want: "# T\n"},
		"talk behind it":    {reply: "a.py\n```python\nx = 1\n\nThis sets x to one.\n", problem: "close the fence where the content ends"},
		"a block":           {reply: "a.md\n```\n<<<<<<< SEARCH\na\n=======\nb\n", problem: ">>>>>>> REPLACE is missing"},
		"a tag":             {reply: "<file path=\"a.md\">\nx\n", problem: "</file> is missing"},
		"endless reasoning": {reply: "<think>\na.md\n```\nx\n```\n", problem: "is not ended"},
		"Go that is cut":    {reply: "a.go\n```go\npackage a\n\nfunc f() {\n", problem: "does not parse"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := edit.Parse(nil, c.reply); !r.Truncated && c.problem == "" {
				t.Error("without the option it is not truncated")
			}
			r := edit.Parse(nil, c.reply, edit.Complete())
			if r.Truncated {
				t.Fatal("truncated")
			}
			changes, problems := edit.Resolve(memory{}, r)
			if c.problem != "" {
				if len(problems) != 1 || !strings.Contains(problems[0].Reason, c.problem) {
					t.Errorf("got problems %q, want %q", problems, c.problem)
				}
				return
			}
			if len(problems) != 0 || len(changes) != 1 || string(changes[0].New) != c.want {
				t.Errorf("got %+v, problems %q", changes, problems)
			}
		})
	}
}
