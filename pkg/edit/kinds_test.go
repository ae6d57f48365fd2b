package edit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/pkg/edit"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

const fixA = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"

// What a reply says beside its edits is no reason to refuse them.
func TestTalkBesideEdits(t *testing.T) {
	t.Parallel()
	for name, talk := range map[string]string{
		"a place in a file":            "functions.go:12 has the bug.\n\n",
		"an element of a feed":         "The <channel> element of the feed was missing.\n\n",
		"a token in a sentence":        "The <|channel|>analysis mark was in the prompt.\n\n",
		"a link":                       "[Reflection](https://x.y) is not needed here.\n\n",
		"a word in brackets":           "[Analysis] The value was wrong.\n\n",
		"a plan in a tag that is open": "<plan>\n\n",
		"an import that goes":          "Remove `utils.py` from the imports of main.py.\n\n",
		"a name that goes":             "Rename `utils.py` in the docs, later.\n\n",
		"a usage example":              "Usage:\n\n```sh\necho '{}' > in.json\n```\n\n",
		"an example that uses a file":  "```sh\necho '{}' > in.json\npython a.py in.json\n```\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := memory{"a.py": "x = 1\n", "main.py": "import utils\n", "utils.py": "y = 1\n"}
			changes, problems := readAndResolve(files, talk+fixA)
			if len(problems) > 0 || len(changes) != 1 || string(changes[0].New) != "x = 2\n" {
				t.Errorf("got %+v, problems %q", changes, problems)
			}
		})
	}
}

// What asks for a change beside edits, in a form that is none, is reported.
func TestNothingIsLostBesideEdits(t *testing.T) {
	t.Parallel()
	files := memory{"a.py": "x = 1\n", "b.py": "y = 1\n", "conf.yml": "name: \"old\"\nkeep: \"it\"\n"}
	for name, c := range map[string]struct{ reply, problem string }{
		"a deletion with another":       {"DELETE b.py (and conf.yml)\n", "write DELETE path"},
		"two files to delete":           {"DELETE b.py and c.py\n", "write DELETE path"},
		"a path in a fence":             {"```python\nnew.py\nz = 1\n```\n", "put it there, directly above"},
		"text below the path":           {"### b.py\n\nNow it is two:\n\n```python\ny = 2\n```\n", "put it there, directly above"},
		"a file's lines":                {"b.py (lines 1-1)\n```python\ny = 2\n```\n", "put it there, directly above"},
		"a diff within a patch":         {"*** Begin Patch\n--- a/b.py\n+++ b/b.py\n@@\n-y = 1\n+y = 2\n*** End Patch\n", "belongs to no file"},
		"a fence left open":             {"b.py\n```python\ny = 2\n\nc.py\n```python\nz = 1\n```\n", "fence line"},
		"a file that was typeset":       {"conf.yml\n```yaml\nname: \"new\"\nkeep: “it”\n```\n", "other signs"},
		"numbers on some lines":         {"b.py\n<<<<<<< SEARCH\n1 | y = 1\n=======\n1 | y = 2\nz = 1\n>>>>>>> REPLACE\n", "not on every line"},
		"its own path behind its fence": {"b.py\n```python\ny = \"\"\"\n```\n./b.py\n```\n\"\"\"\n```\n", "longer fence"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := readAndResolve(files, fixA+"\n"+c.reply)
			if len(problems) == 0 || !strings.Contains(problems[0].Reason, c.problem) {
				t.Errorf("problems %q, want %q", problems, c.problem)
			}
		})
	}
}

// Each call is its own, whatever stands in it.
func TestSeveralCalls(t *testing.T) {
	t.Parallel()
	files := memory{"a.py": "x = 1\ny = 1\n", "b.py": "b\n", "c.py": "c\n"}
	changes, problems := readAndResolve(files, "<function_calls>\n"+
		"<invoke name=\"edit\">\n<parameter name=\"path\">a.py</parameter>\n<parameter name=\"old_str\">x = 1</parameter>\n"+
		"<parameter name=\"new_str\">x = 2</parameter>\n<parameter name=\"old_str\">y = 1</parameter>\n"+
		"<parameter name=\"new_str\">y = 2</parameter>\n</invoke>\n"+
		"<invoke name=\"delete_file\"><parameter name=\"path\">b.py</parameter></invoke>\n"+
		"<invoke name=\"write_file\"><parameter name=\"path\">c.py</parameter><parameter name=\"content\">d\n</parameter></invoke>\n"+
		"</function_calls>\n")
	want := map[string]string{"a.py": "x = 2\ny = 2\n", "c.py": "d\n"}
	if d := cmp.Diff(after(files, changes), want); d != "" || len(problems) > 0 {
		t.Errorf("problems %q, tree (got, want):\n%s", problems, d)
	}
}

// Content is not refused for what only looks like a slip.
func TestHonestContent(t *testing.T) {
	t.Parallel()
	const dict = "NAMES = {\n    0: \"zero\",\n    2: \"two\",\n}\n"
	for name, c := range map[string]struct{ path, old, reply, want string }{
		"markup with an element s": {"a.html", "<p>foo</p>\n", "a.html\n```html\n<s>\nfoo\n</s>\n```\n", "<s>\nfoo\n</s>\n"},
		"an entry of a dict": {
			"n.py", dict, "n.py\n<<<<<<< SEARCH\n    0: \"zero\",\n=======\n    0: \"zero\",\n    1: \"one\",\n>>>>>>> REPLACE\n",
			strings.Replace(dict, "    2", "    1: \"one\",\n    2", 1),
		},
		"entries of a new dict": {
			"n.py", "x = 1\n", "n.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = {\n    1: \"one\",\n    2: \"two\",\n}\n>>>>>>> REPLACE\n",
			"x = {\n    1: \"one\",\n    2: \"two\",\n}\n",
		},
		"an apostrophe in JSX": {
			"a.js", "const a = <p>No</p>;\n", "a.js\n<<<<<<< SEARCH\nconst a = <p>No</p>;\n=======\nconst a = <p>It’s here – “now”</p>;\n>>>>>>> REPLACE\n",
			"const a = <p>It’s here – “now”</p>;\n",
		},
		"lines of JSX": {
			"a.tsx", "x();\n", "a.tsx\n<<<<<<< SEARCH\nx();\n=======\nreturn (\n  <p>\n    It’s here.\n  </p>\n);\n>>>>>>> REPLACE\n",
			"return (\n  <p>\n    It’s here.\n  </p>\n);\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, problems := readAndResolve(memory{c.path: c.old}, c.reply)
			if len(problems) > 0 || len(changes) != 1 || string(changes[0].New) != c.want {
				t.Errorf("got %+v, problems %q", changes, problems)
			}
		})
	}
}

// A new file may be like one beside it.
func TestASiblingIsNew(t *testing.T) {
	t.Parallel()
	const docker = "FROM golang:1.26\nWORKDIR /src\nCOPY . .\nRUN go build ./...\nCMD [\"/src/app\"]\n"
	for path, like := range map[string]string{"services/b/Dockerfile": "services/a/Dockerfile", "b/Dockerfile": "a/Dockerfile", "app/web/main.py": "app/api/main.py"} {
		changes, problems := readAndResolve(memory{like: docker}, path+"\n```\n"+strings.Replace(docker, "app", "b", 1)+"```\n")
		if len(problems) > 0 || len(changes) != 1 || changes[0].Op != edit.Create || changes[0].Path != path {
			t.Errorf("%s: got %+v, problems %q", path, changes, problems)
		}
	}
}

// The time for a reply grows with its size, whatever it repeats.
func TestParsingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, part := range []string{
		"<plan>\n", "<think>\n", "[think]\n", "<%d path=\"a.b\">\n", "<file path=\"a.b\">\n", "functions.x:1\n", "<tool_call>\n", "<|channel|>analysis\n",
		"```\n", "```go\n", "```md\n# x\n", "a/b.go\n```\n", "f.go\n<<<<<<< SEARCH\n", "f.go\n<<<<<<< SEARCH\n=======\n", "```\nx\n<<<<<<< SEARCH\n",
		"--- a\n+++ b\n\n", "*** Begin Patch\nx\n", "*** Update File: f\n@@\n-a\n", "Delete a.go\n", "`word`\n```\nx = %d\n```\n", "Updated `f.go`, see:\n```go\nx := %d\n```\n",
		"```sh\ncat > a.go <<'EOF'\n", "```sh\nrm a.go\n```\n", "\n\n\nx:\n", "<<<<<<< SEARCH\n=======\n=======\n>>>>>>> REPLACE\n", "{\"path\": \"a.go\", \"old\": \"x\"}\n", "```json\n[{\n```\n",
	} {
		took := func(n int) time.Duration {
			var b strings.Builder
			for i := range n {
				if strings.Contains(part, "%d") {
					fmt.Fprintf(&b, part, i)
				} else {
					b.WriteString(part)
				}
			}
			files := memory{"f.go": "package f\n"}
			least := time.Hour
			for range 3 {
				start := time.Now()
				edit.Resolve(files, edit.Parse(files, b.String()))
				least = min(least, time.Since(start))
			}
			return least
		}
		const n = 4000
		small, large := took(n), took(4*n)
		if large > 12*small && large > 1500*time.Millisecond {
			t.Errorf("%q: %v for %d, %v for %d", part, small, n, large, 4*n)
		}
	}
}

// So does the time for what the reply does to large files.
func TestResolvingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for name, make := range map[string]func(old string) (reply string){
		"a whole file": func(old string) string { return "f.py\n```\n" + strings.Replace(old, "some", "other", 3) + "```\n" },
		"a block": func(old string) string {
			return "f.py\n<<<<<<< SEARCH\n" + old + "=======\n" + strings.Replace(old, "some", "other", 3) + ">>>>>>> REPLACE\n"
		},
		"no match": func(old string) string {
			return "f.py\n<<<<<<< SEARCH\n" + strings.ReplaceAll(old, "some", "other") + "=======\nx\n>>>>>>> REPLACE\n"
		},
		"a rewritten file": func(old string) string { return "f.py\n```\n" + strings.ReplaceAll(old, "value", "count") + "```\n" },
	} {
		took := func(lines int) time.Duration {
			old := manyLines(lines)
			files := memory{"f.py": old}
			reply := make(old)
			least := time.Hour
			for range 2 {
				start := time.Now()
				edit.Resolve(files, edit.Parse(files, reply))
				least = min(least, time.Since(start))
			}
			return least
		}
		if small, large := took(1000), took(4000); large > 12*small && large > 1500*time.Millisecond {
			t.Errorf("%s: %v for 1000 lines, %v for 4000", name, small, large)
		}
	}
}

// A refusal has the block itself and the nearest text; what was fine can be kept.
func TestOnlyTheBadBlockIsAskedForAgain(t *testing.T) {
	t.Parallel()
	files := memory{"a.py": "x = 1\ny = 1\nlast = 1\n", "b.py": "b = 1\n", "c.go": "package c\n"}
	first := edit.Parse(files, "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"+
		"<<<<<<< SEARCH\nlast = one\n=======\nlast = 2\n>>>>>>> REPLACE\n\nb.py\n```\nb = 2\n```\n\nc.go\n```go\npackage {\n```\n")
	_, problems := edit.Resolve(files, first)
	if len(problems) != 2 || !strings.Contains(problems[0].Reason, "The nearest text, line 3, is:\nlast = 1") ||
		!strings.Contains(problems[0].Reason, "<<<<<<< SEARCH\nlast = one\n=======\nlast = 2\n>>>>>>> REPLACE") {
		t.Fatalf("problems: %q", problems)
	}
	kept := first.Sound(problems)
	if len(kept) != 2 || len(kept[0].Blocks) != 1 || kept[1].Path != "b.py" {
		t.Fatalf("kept: %+v", kept)
	}
	second := edit.Parse(files, "a.py\n<<<<<<< SEARCH\nlast = 1\n=======\nlast = 2\n>>>>>>> REPLACE\n\nc.go\n```go\npackage c\n\nvar x int\n```\n")
	second.Edits = edit.Merge(kept, second.Edits)
	changes, problems := edit.Resolve(files, second)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	want := memory{"a.py": "x = 2\ny = 1\nlast = 2\n", "b.py": "b = 2\n", "c.go": "package c\n\nvar x int\n"}
	if d := cmp.Diff(after(files, changes), map[string]string(want)); d != "" {
		t.Error(d)
	}
	// A path may be told in another way than the problem has it.
	for _, p := range []string{"./c.go", "/root/of/it/c.go", "a/c.go"} {
		r := edit.Reply{Edits: []edit.Edit{{Op: edit.Write, Path: p}, {Op: edit.Write, Path: "abc.go"}}}
		if kept := r.Sound([]edit.Problem{{Path: "c.go"}}); len(kept) != 1 || kept[0].Path != "abc.go" {
			t.Errorf("%s: kept %+v", p, kept)
		}
	}
	// What is given again counts once.
	again := edit.Merge(kept, first.Edits)
	if len(again) != len(first.Edits) {
		t.Errorf("got %+v", again)
	}
}

// A reply survives JSON: nothing that counts is hidden.
func TestRepliesSurviveJSON(t *testing.T) {
	t.Parallel()
	for name, c := range loadReplies(t) {
		r := edit.Parse(memory(c.before), c.reply)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back edit.Reply
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		want, wantProblems := edit.Resolve(memory(c.before), r)
		got, gotProblems := edit.Resolve(memory(c.before), back)
		if d := cmp.Diff(got, want) + cmp.Diff(gotProblems, wantProblems); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// forms give the same change in every form of a reply.
func forms(path, old, now string, lines [2]string, whole [2]string) map[string]string {
	hunk := func(text, sign string) string { return sign + strings.ReplaceAll(text, "\n", "\n"+sign) + "\n" }
	return map[string]string{
		"a whole file":    path + "\n```\n" + whole[1] + "```\n",
		"a tag":           "<file path=\"" + path + "\">\n" + whole[1] + "</file>\n",
		"a here-document": "```sh\ncat > " + path + " <<'EOF'\n" + whole[1] + "EOF\n```\n",
		"a call":          "<write_file>\n<path>" + path + "</path>\n<content>\n" + whole[1] + "</content>\n</write_file>\n",
		"a block":         path + "\n<<<<<<< SEARCH\n" + lines[0] + "\n=======\n" + lines[1] + "\n>>>>>>> REPLACE\n",
		"a diff":          "```diff\n--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n" + hunk(lines[0], "-") + hunk(lines[1], "+") + "```\n",
		"an envelope":     "*** Begin Patch\n*** Update File: " + path + "\n@@\n" + hunk(lines[0], "-") + hunk(lines[1], "+") + "*** End Patch\n",
		"a call's block":  "<str_replace>\n<path>" + path + "</path>\n<old_str>" + lines[0] + "</old_str>\n<new_str>" + lines[1] + "</new_str>\n</str_replace>\n",
	}
}

// No form changes bytes that could not be shown.
func TestBytesThatAreNotShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, want string }{
		"Latin-1":                   {"const rate = 1;\n// pr\xe9cision\nx();\n", "const rate = 2;\n// pr\xe9cision\nx();\n"},
		"Latin-1 on two lines":      {"const rate = 1;\n// \xe9\xe8 a\xe9\n// \xe8\nx();\n", "const rate = 2;\n// \xe9\xe8 a\xe9\n// \xe8\nx();\n"},
		"Shift JIS":                 {"const rate = 1;\n// \x93\xfa\x96\x7b\nx();\n", "const rate = 2;\n// \x93\xfa\x96\x7b\nx();\n"},
		"a byte order mark":         {"\ufeffconst rate = 1;\nx();\n", "\ufeffconst rate = 2;\nx();\n"},
		"Latin-1, CRLF, no newline": {"const rate = 1;\r\n// \xe9\r\nx();", "const rate = 2;\r\n// \xe9\r\nx();"},
		"CRLF":                      {"const rate = 1;\r\nx();\r\n", "const rate = 2;\r\nx();\r\n"},
		"mixed line ends":           {"const rate = 1;\nx();\r\ny();\n", "const rate = 2;\nx();\r\ny();\n"},
		"lone CR":                   {"const rate = 1;\rx();\ry();\r", "const rate = 2;\rx();\ry();\r"},
		"no final newline":          {"const rate = 1;\nx();", "const rate = 2;\nx();"},
	} {
		shown := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "").Replace(strings.ToValidUTF8(c.want, "\ufffd"))
		if !strings.HasSuffix(shown, "\n") {
			shown += "\n"
		}
		for form, reply := range forms("tax.mjs", c.old, c.want, [2]string{"const rate = 1;", "const rate = 2;"}, [2]string{"", shown}) {
			t.Run(name+" in "+form, func(t *testing.T) {
				t.Parallel()
				changes, problems := readAndResolve(memory{"tax.mjs": c.old}, reply)
				if len(problems) > 0 || len(changes) != 1 || string(changes[0].New) != c.want {
					t.Errorf("got %+q, problems %q", changes, problems)
				}
			})
		}
	}
}

// New text for such a place is refused, unless it is the line's own.
func TestTextThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const old = "// caf\xe9 one\nx();\ny();\n"
	for name, c := range map[string]struct{ reply, want string }{
		"a changed line":      {"// caf\ufffd two\nx();\ny();\n", "// caf\xe9 two\nx();\ny();\n"},
		"as it was taken for": {"// café one\nx();\nz();\n", "// caf\xe9 one\nx();\nz();\n"},
		"a new place":         {"// cafe one\nx(\ufffd);\ny();\n", ""},
		"a new letter":        {"// caf\ufffd one\nx('ü');\ny();\n", ""},
	} {
		changes, problems := readAndResolve(memory{"a.js": old}, "a.js\n```\n"+c.reply+"```\n")
		if c.want == "" {
			if len(problems) != 1 || !strings.Contains(problems[0].Reason, "is not in UTF-8") {
				t.Errorf("%s: got %q, problems %q", name, changes, problems)
			}
			continue
		}
		if len(problems) > 0 || len(changes) != 1 || string(changes[0].New) != c.want {
			t.Errorf("%s: got %+q, problems %q", name, changes, problems)
		}
	}
}

// A name with an accent is one name in both of its Unicode forms.
func TestUnicodeFormsOfPaths(t *testing.T) {
	t.Parallel()
	for _, f := range [][2]norm.Form{{norm.NFC, norm.NFD}, {norm.NFD, norm.NFC}} {
		disk, said := f[0].String("dossié/café.js"), f[1].String("dossié/café.js")
		old := "const rate = 1;\nx();\n"
		for form, reply := range forms(said, old, "", [2]string{"const rate = 1;", "const rate = 2;"}, [2]string{"", "const rate = 2;\nx();\n"}) {
			changes, problems := readAndResolve(memory{disk: old}, reply)
			if len(problems) > 0 || len(changes) != 1 || changes[0].Path != disk || changes[0].Op != edit.Modify {
				t.Errorf("%s: got %+q, problems %q", form, changes, problems)
			}
		}
		changes, problems := readAndResolve(memory{disk: old}, f[1].String("dossié/neu.js")+"\n```\nx\n```\n\nDELETE "+said+"\n")
		if len(problems) > 0 || len(changes) != 2 || changes[0].Path != disk || changes[1].Path != f[0].String("dossié/")+"neu.js" {
			t.Errorf("beside it: got %+q, problems %q", changes, problems)
		}
	}
}

// A notebook is JSON.
func TestNotebooks(t *testing.T) {
	t.Parallel()
	old := "{\n \"cells\": [\n  \"x = 1\\n\",\n  \"y\"\n ]\n}\n"
	good := strings.Replace(old, "x = 1", "x = 2", 1)
	for form, reply := range forms("a.ipynb", old, "", [2]string{"  \"x = 1\\n\",", "  \"x = \"two\"\\n\","}, [2]string{"", strings.Replace(old, "x = 1", "x = \"two\"", 1)}) {
		if _, problems := readAndResolve(memory{"a.ipynb": old}, reply); len(problems) != 1 || !strings.Contains(problems[0].Reason, "does not parse: line 3") {
			t.Errorf("%s: problems %q", form, problems)
		}
	}
	for form, reply := range forms("a.ipynb", old, "", [2]string{"  \"x = 1\\n\",", "  \"x = 2\\n\","}, [2]string{"", good}) {
		if changes, problems := readAndResolve(memory{"a.ipynb": old}, reply); len(problems) > 0 || string(changes[0].New) != good {
			t.Errorf("%s: problems %q", form, problems)
		}
	}
}

// A colon parts a language from a path in the first word of an info string only:
// elsewhere such a word is no path.
func TestColonsInInfoStrings(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{"go:a/x.go": "a/x.go", "a/x.go:go": "a/x.go", "go ok.txt:stream": "", "go C:out.txt": ""} {
		r := edit.Parse(nil, "```"+info+"\nx\n```\n")
		if got := append(r.Edits, edit.Edit{})[0].Path; got != want {
			t.Errorf("%s: got %q, want %q", info, got, want)
		}
	}
}
