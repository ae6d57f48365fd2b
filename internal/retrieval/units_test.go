package retrieval

import (
	"slices"
	"strings"
	"testing"
)

func TestUnits(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n\nimport \"fmt\"\n\n")
	for _, name := range []string{"One", "Two", "Three", "Four", "Five", "Six"} {
		b.WriteString("// " + name + " is documented.\nfunc " + name + "(x int) int {\n" + strings.Repeat("\tx += 1\n", 30) + "\treturn x\n}\n\n")
	}
	text := b.String()
	if f := Units("a.go", text, nil, 1<<20); f.Content != text || f.Part != "full" {
		t.Errorf("a small file: got %s", f.Part)
	}
	f := Units("a.go", text, []int{75}, 1200)
	if !strings.Contains(f.Content, "func Four(x int) int {\n\tx += 1") || strings.Contains(f.Content, "func Six(x int) int {\n\tx += 1") {
		t.Errorf("want the nearest function whole as well, not one that is far:\n%s", f.Content)
	}
	if !strings.Contains(f.Content, "// Three is documented.\nfunc Three(x int) int {\n\tx += 1") || !strings.Contains(f.Content, "\treturn x\n}") ||
		!strings.Contains(f.Content, "func Five") || len(f.Content) > 1200 || f.Part != "excerpt" {
		t.Errorf("got %d bytes:\n%s", len(f.Content), f.Content)
	}
}

func TestSample(t *testing.T) {
	text := "import m from '../m.js';\nimport n from '../n.js';\nimport o from '../o.js';\nimport p from '../p.js';\n\n"
	for _, name := range []string{"one", "two", "oneTwo", "three"} {
		text += "test('" + name + "', () => {\n" + strings.Repeat("  m.step();\n", 12) + "  m." + name + "();\n});\n\n"
	}
	if f := Sample("a.test.js", text, nil, 1<<20); f.Part != "full" || f.Content != text {
		t.Errorf("a small file: got %s", f.Part)
	}
	f := Sample("a.test.js", text, []string{"two"}, 420)
	if !strings.Contains(f.Content, "import m") || !strings.Contains(f.Content, "m.two();\n});") || strings.Contains(f.Content, "oneTwo") ||
		len(f.Content) > 420 || f.Part != "excerpt" {
		t.Errorf("want the beginning and the test of the name, whole:\n%s", f.Content)
	}
}

func TestNamed(t *testing.T) {
	text := "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef h():\n    return 3\n"
	if got, want := Named("a.py", text, []int{6, 10}), []string{"g", "h"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Named("a.json", "{}", []int{1}); got != nil {
		t.Errorf("of data: got %q", got)
	}
}

func TestNewHeads(t *testing.T) {
	old := "package a\n\nfunc Kept(x int) int {\n\treturn x\n}\n\nfunc Changed(x int) int {\n\treturn x\n}\n"
	now := "package a\n\nvar table = map[int]int{7: 12}\n\nfunc Kept(x int) int {\n\treturn 2 * x\n}\n\nfunc Changed(x, y int) int {\n\treturn x\n}\n\n" +
		"// secret\nfunc (s S) Wide(\n\ta int,\n\tb int,\n) error {\n\tif a == 7 {\n\t}\n}\n"
	if got, want := NewHeads("a.go", old, now), []string{"func Changed(x, y int) int", "func (s S) Wide( a int, b int, ) error"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := NewHeads("a.py", "def f(x):\n    pass\n", "class A:\n    def g(self, y=1):\n        return 7\n\ndef f(x):\n    pass\n"), []string{"class A:", "def g(self, y=1):"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := NewHeads("a.json", "{}", `{"function": 1}`); got != nil {
		t.Errorf("of data: got %q", got)
	}
}
