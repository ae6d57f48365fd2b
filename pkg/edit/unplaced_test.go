package edit_test

import (
	"maps"
	"strings"
	"testing"
)

// A fence with new content for a file is carried out or refused beside other edits,
// wherever its path stands: it never goes in silence.
func TestAFenceIsNeverLost(t *testing.T) {
	t.Parallel()
	const (
		script = "#!/bin/sh\nset -e\nexec tool --two\n"
		python = "import sys\n\nsys.exit(two())\n"
		golang = "package main\n\nfunc main() { two() }\n"
		yaml   = "name: two\nitems:\n  - c\n"
	)
	old := memory{
		"a.py": "x = 1\n", "mytool": "#!/bin/sh\nexec tool --one\n", "scripts/x.sh": "#!/bin/sh\nexec tool --one\n",
		"scripts/x.py": "import os\n", "main.go": "package main\n\nfunc main() {}\n", "conf.yml": "name: one\nmode: fast\nsize: large\nkeep: true\n",
		".env": "NAME=one\n", "Makefile": "all:\n\techo one\n",
	}
	for name, c := range map[string]struct {
		reply, path, want string
		refused           bool // may be, or has to be carried out
	}{
		"a word in the info string":       {"```sh mytool\n" + script + "```\n", "mytool", script, false},
		"the word alone":                  {"```mytool\n" + script + "```\n", "mytool", script, false},
		"a language and a path":           {"```python scripts/x.py\n" + python + "```\n", "scripts/x.py", python, false},
		"a language and a name":           {"```go main.go\n" + golang + "```\n", "main.go", golang, false},
		"a colon":                         {"```sh:scripts/x.sh\n" + script + "```\n", "scripts/x.sh", script, false},
		"an attribute":                    {"```sh title=\"scripts/x.sh\"\n" + script + "```\n", "scripts/x.sh", script, false},
		"a comment":                       {"```python\n# scripts/x.py\n" + python + "```\n", "scripts/x.py", python, false},
		"a comment in a shell fence":      {"```sh\n# scripts/x.sh\n" + script + "```\n", "scripts/x.sh", script, true},
		"a comment below the interpreter": {"```sh\n#!/bin/sh\n# scripts/x.sh\nexec tool --two\n```\n", "scripts/x.sh", script, true},
		"the first line":                  {"```go\nmain.go\n" + golang + "```\n", "main.go", golang, true},
		"behind the fence":                {"```go\n" + golang + "```\nmain.go\n", "main.go", golang, true},
		"behind a script":                 {"```sh\n" + script + "```\nscripts/x.sh\n", "scripts/x.sh", script, true},
		"behind YAML":                     {"```yaml\n" + yaml + "```\n\n`conf.yml`\n", "conf.yml", yaml, true},
		"behind a bare fence":             {"```\n" + yaml + "```\n\n`conf.yml`\n", "conf.yml", yaml, true},
		"nowhere":                         {"```go\n" + golang + "```\n", "main.go", golang, true},
		"nowhere for YAML":                {"```yaml\n" + yaml + "```\n", "conf.yml", yaml, true},
		"nowhere for a script":            {"```sh\n" + script + "```\n", "mytool", script, true},
		"text between":                    {"main.go\n\nNow it is two.\n\n```go\n" + golang + "```\n", "main.go", golang, true},
		"a shell fence for settings":      {".env\n```sh\nNAME=two\n```\n", ".env", "NAME=two\n", true},
		"a shell fence for YAML":          {"conf.yml\n```bash\n" + yaml + "```\n", "conf.yml", yaml, true},
		"a shell fence for a Makefile":    {"Makefile\n```sh\nall:\n\techo two\n```\n", "Makefile", "all:\n\techo two\n", true},
		"a console fence for a script":    {"scripts/x.sh\n```console\n" + script + "```\n", "scripts/x.sh", script, true},
		"output for a file":               {"conf.yml\n```text\n" + yaml + "```\n", "conf.yml", yaml, false},
		"a diff without a head":           {"main.go\n\n```diff\n-func main() {}\n+func main() { two() }\n```\n", "main.go", golang, true},
		"a diff without a path":           {"```diff\n-func main() {}\n+func main() { two() }\n```\n", "main.go", golang, true},
		"a hunk without a path":           {"```\n@@ -3 +3 @@\n-func main() {}\n+func main() { two() }\n```\n", "main.go", golang, true},
		"a sentence":                      {"The script `mytool` becomes:\n\n```sh\n" + script + "```\n", "mytool", script, true},
		"a sentence about YAML":           {"In conf.yml, two names:\n\n```yaml\n" + yaml + "```\n", "conf.yml", yaml, true},
		"a list":                          {"1. **main.go** - two\n\n```go\n" + golang + "```\n", "main.go", golang, true},
		"a word of the code":              {"Then `main` does both:\n\n```go\n" + golang + "```\n", "main.go", golang, true},
		"ticks and a shell fence":         {"`conf.yml`\n```bash\n" + yaml + "```\n", "conf.yml", yaml, true},
		"a heading and a shell fence":     {"### conf.yml\n```bash\nname: two\nmode: fast\nsize: large\nkeep: true\n```\n", "conf.yml", yaml, true},
		"tildes":                          {"~~~sh mytool\n" + script + "~~~\n", "mytool", script, false},
	} {
		for where, reply := range map[string]string{"before": c.reply + "\n" + fixA, "behind": fixA + "\n" + c.reply} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				changes, problems := readAndResolve(maps.Clone(old), reply)
				if got := after(old, changes)[c.path]; len(problems) == 0 && got != c.want {
					t.Errorf("lost: %s is %q", c.path, got)
				} else if len(problems) > 0 && !c.refused {
					t.Errorf("refused: %q", problems)
				} else if len(problems) > 0 {
					t.Log(problems[0].Path, problems[0].Reason)
				}
			})
		}
	}
}

// Only so many fences are looked at. A reply with more is refused, since one of the
// others may be meant for a file.
func TestTooManyFencesAreRefused(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{100: 0, 300: 1} {
		talk := strings.Repeat("Run:\n\n```sh\nmake\n```\n\n", n)
		if _, problems := readAndResolve(memory{"a.py": "x = 1\n"}, fixA+talk); len(problems) != want {
			t.Errorf("%d fences: problems %q", n, problems)
		}
	}
}
