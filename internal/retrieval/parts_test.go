package retrieval

import (
	"fmt"
	"strings"
	"testing"
)

// longGo is a Go file of n functions of twenty lines.
func longGo(n int) string {
	var b strings.Builder
	b.WriteString("package long\n\nimport \"fmt\"\n")
	for k := range n {
		fmt.Fprintf(&b, "\n// Work%d does step %d.\nfunc Work%d(in int) int {\n", k, k, k)
		for j := range 17 {
			fmt.Fprintf(&b, "\tin = in*%d + %d // step %d.%d\n", j+2, k, k, j)
		}
		b.WriteString("\treturn in\n}\n")
	}
	return b.String()
}

func TestBigSuspectIsShownAroundTheLinesInQuestion(t *testing.T) {
	root := t.TempDir()
	text := longGo(200)
	write(t, root, "long/long.go", text)
	line := 1 + strings.Count(text[:strings.Index(text, "step 150.7\n")], "\n")
	needs := map[string]Need{
		"lines of the need":    {Suspects: []string{"long/long.go"}, Lines: map[string][]int{"long/long.go": {line}}},
		"a line in the output": {Suspects: []string{"long/long.go"}, Failure: fmt.Sprintf("panic: oops\n\tlong/long.go:%d +0x1f", line)},
		"a name in the output": {Suspects: []string{"long/long.go"}, Failure: "Work150() gave 3"},
		"a name in the task":   {Task: "make `Work150` of long/long.go quicker"},
	}
	for name, n := range needs {
		t.Run(name, func(t *testing.T) {
			n.Budget = 30000
			got := New(root, []string{"long/long.go"}, Options{}).Select(n)
			if len(got) != 1 || got[0].Part != "excerpt" {
				t.Fatalf("got %v, want an excerpt", names(got))
			}
			c := got[0].Content
			for _, want := range []string{"// step 150.7\n", "// step 150.0\n", "func Work3(in int) int {\n", "func Work199(in int) int {\n"} {
				if !strings.Contains(c, want) {
					t.Errorf("not shown: %q", want)
				}
			}
			if strings.Contains(name, "line") && strings.Contains(c, "// step 20.5\n") {
				t.Error("lines far from those in question are shown")
			}
			checkExcerpt(t, text, c)
		})
	}
}

func TestTheNamedFunctionOfAFileThatIsTooLargeIsShown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for k := range 45 {
		fmt.Fprintf(&b, "import library.with.a.long.name%d\n", k)
	}
	for k := range 60 {
		fmt.Fprintf(&b, "\n\ndef step%d(value):\n%s    return value\n", k, strings.Repeat("    value = count(value, 1, 2, 3)\n", 20))
	}
	root := t.TempDir()
	write(t, root, "steps.py", b.String())
	write(t, root, "empty.py", "")
	write(t, root, "other.py", strings.Repeat("# what is not meant\n", 3000))
	got := New(root, []string{"steps.py", "empty.py", "other.py"}, Options{}).Select(Need{Task: "parse in `step50` of steps.py and empty.py", Budget: 9000})
	if len(got) == 0 || got[0].Path != "steps.py" || got[0].Part != "excerpt" {
		t.Fatalf("got %v, want an excerpt of steps.py first", names(got))
	}
	if want := "def step50(value):\n    value"; !strings.Contains(got[0].Content, want) {
		t.Errorf("not shown: %q", want)
	}
}

// checkExcerpt checks that each run of shown lines is found in the file as it
// is, and that the marks count the rest.
func checkExcerpt(t *testing.T, file, excerpt string) {
	t.Helper()
	_, rest, _ := strings.Cut(excerpt, "\n")
	lines := strings.SplitAfter(file, "\n")
	at := 0
	for _, line := range strings.SplitAfter(rest, "\n") {
		var from, to int
		if _, err := fmt.Sscanf(line, "[… lines %d-%d …]\n", &from, &to); err != nil {
			if _, err := fmt.Sscanf(line, "[… line %d …]\n", &from); err == nil {
				to = from
			}
		}
		switch {
		case to > 0 && from != at+1:
			t.Errorf("%q stands behind line %d", line, at)
		case to > 0:
			at = to
		case at < len(lines) && line == lines[at]:
			at++
		default:
			t.Fatalf("line %d is shown as %q, want %q", at+1, line, lines[min(at, len(lines)-1)])
		}
	}
	if at != len(lines) && (at != len(lines)-1 || lines[at] != "") {
		t.Errorf("lines shown and marked: got %d, want %d", at, len(lines))
	}
}

func TestOutlineShowsDeclarations(t *testing.T) {
	cases := []struct{ name, text, want, not string }{
		{"a.py", "import os\n\n\nclass Cart:\n    \"\"\"Holds items.\"\"\"\n\n    def total(\n        self,\n        rate,\n    ):\n        x = 1\n        return x\n\n    async def pay(self):\n        pass\n\nLIMIT = 3\n", "class Cart:|    \"\"\"Holds|    def total(|        rate,|async def pay|LIMIT = 3", "x = 1|return x"},
		{"a.ts", "import x from 'y';\n\n/** Adds. */\nexport async function add(a: number) {\n  const y = 1;\n  return y;\n}\n\nexport class Box<T> {\n  private n = 1;\n  get(k: string): T {\n    return this.m[k];\n  }\n}\nexport const make = () => 1;\n", "export async function add|class Box|export const make|/** Adds. */", "const y|return this"},
		{"a.rs", "use std::io;\n\npub struct Tree<T> {\n    left: T,\n}\n\nimpl<T: Ord> Tree<T> {\n    /// Puts in.\n    pub(crate) fn put(&mut self, t: T) {\n        let x = 1;\n    }\n}\nfn main() {\n    run();\n}\nmacro_rules! sum {\n}\n", "pub struct Tree|impl<T: Ord>|fn put|/// Puts in|fn main|macro_rules! sum", "let x|run();"},
		{"A.java", "package a;\n\npublic class A {\n    private int n = 1;\n    public static <T> List<T> of(T t) {\n        if (t == null) {\n            return List.of();\n        }\n        return f(t);\n    }\n    abstract void g();\n}\n", "public class A|<T> List<T> of|abstract void g", "if (t|return"},
		{"a.rb", "module Shop\n  class Cart\n    def total\n      @x = 1\n    end\n\n    def self.load(id)\n    end\n  end\nend\n", "module Shop|class Cart|def total|def self.load", "@x"},
		{"a.c", "#include <stdio.h>\n#define MAX 3\nstatic int add(int a, int b)\n{\n    return add(a, b);\n}\nstruct ring {\n    int n;\n};\n", "#define MAX|static int add|struct ring", "return add"},
		{"a.go", "package a\n\n// T is a thing.\ntype T struct {\n\tN int\n}\n\nconst (\n\tOne = 1\n)\n\n// Do does.\nfunc (t *T) Do(\n\ta int,\n) error {\n\tx := 1\n\treturn nil\n}\n", "type T struct|N int|One = 1|func (t *T) Do(|a int,|// Do does", "x := 1"},
		{"a.ex", "defmodule Shop.Cart do\n  def total(items) do\n    x = 1\n  end\n  defp sum(a), do: a\nend\n", "defmodule Shop.Cart|def total|defp sum", "x = 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newExcerpt(c.text)
			e.outline(c.name, c.text)
			got := e.text(docLine)
			for _, w := range strings.Split(c.want, "|") {
				if !strings.Contains(got, w) {
					t.Errorf("not shown: %q\n%s", w, got)
				}
			}
			for _, w := range strings.Split(c.not, "|") {
				if strings.Contains(got, w) {
					t.Errorf("shown: %q\n%s", w, got)
				}
			}
			checkExcerpt(t, c.text, got)
		})
	}
}

func TestDefinitionsAreFoundByTheirFirstWords(t *testing.T) {
	cases := []struct{ file, line, want string }{
		{"a.go", "func (s *Server[T]) Serve(l net.Listener) error {", "Serve"},
		{"a.go", "func Map[K comparable](m K) {", "Map"},
		{"a.go", "type Box[T any] struct {", "Box"},
		{"a.go", "\treturn value(x)", ""},
		{"a.py", "    async def fetch(self):", "fetch"},
		{"a.py", "type = 3", "type"},
		{"a.py", "    extension: str = '.txt',", ""}, // a keyword of another language
		{"a.ts", "    type : 'text',", ""},
		{"a.swift", "extension Set: Sequence {", "Set"},
		{"a.js", "export default async function* walk(tree) {", "walk"},
		{"a.js", "exports.parse = parse", "parse"},
		{"a.js", "  handle(request) {", "handle"},
		{"a.js", "  if (request) {", ""},
		{"a.ts", "export abstract class Repo<T> {", "Repo"},
		{"a.ts", "export type Id = string;", "Id"},
		{"a.rs", "pub(crate) async unsafe fn go<'a>(x: &'a str) {", "go"},
		{"a.rs", "impl<T> Display for Tree<T> {", "Tree"},
		{"A.java", "    protected synchronized Map<String, Integer> counts() {", "counts"},
		{"A.kt", "suspend fun load(id: Int): User =", "load"},
		{"a.rb", "  def self.create!(attrs)", "create"},
		{"a.php", "    public static function make(array $x): self", "make"},
		{"a.cpp", "std::string Parser::next(int n) {", "next"},
		{"a.c", "\treturn next(n);", ""},
		{"a.sh", "deploy() {", "deploy"},
		{"a.ex", "defmodule Shop.Cart.Item do", "Item"},
		{"a.cs", "        public async Task<int> CountAsync(string s)", "CountAsync"},
	}
	for _, c := range cases {
		if d, ok := define(languageOf(c.file), c.line); d.name != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q: got %q (%v), want %q", c.file, c.line, d.name, ok, c.want)
		}
	}
}
