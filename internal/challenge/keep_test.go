package challenge

import (
	"strings"
	"testing"
)

func TestKept(t *testing.T) {
	goText := "package more_test\n\nimport (\n\t\"strings\"\n\t\"testing\"\n\n\t\"example.com/m/cart\"\n)\n\n" +
		"func TestA(t *testing.T) {\n\tstrings.ToUpper(\"\")\n}\n\nfunc TestB(t *testing.T) {\n\tcart.Sum()\n}\n"
	none := func(string) bool { return false }
	for _, c := range []struct {
		file, text, pkg string
		taken           func(string) bool
		path            string
		has, hasNot     []string
	}{
		{"cart/more1a2b3c/more_test.go", goText, "cart", none, "cart/more_test.go", []string{"package cart_test", "TestB", "m/cart\""}, []string{"TestA", "strings"}},
		{"cart/more1a2b3c/more_test.go", goText, "cart", func(p string) bool { return p == "cart/more_test.go" }, "cart/more1a2b3c/more_test.go",
			[]string{"package more_test", "TestB"}, []string{"TestA", "strings"}},
		{"cart/more_1a2b3c_test.go", strings.Replace(goText, "more_test", "cart", 1), "", none, "cart/more_test.go", []string{"package cart\n", "TestB"}, []string{"TestA"}},
		{"tests/test_more_1a2b3c.py", "import cart\n\n\ndef TestA():\n    pass\n\n\ndef TestB():\n    assert cart\n", "", none, "tests/test_more.py", []string{"import cart\n", "def TestB():\n    assert cart\n"}, []string{"TestA"}},
		{"src/More1a2b3cTest.java", "class More1a2b3cTest {\n  void TestA() {\n  }\n  void TestB() {\n  }\n}\n", "", none, "src/MoreTest.java", []string{"class MoreTest {\n  void TestB() {\n  }\n}\n"}, []string{"TestA"}},
	} {
		path, text := Kept(Suite{Text: c.text, Tests: []Test{{Name: "TestA"}, {Name: "TestB"}}}, c.file, []string{"TestB"}, c.pkg, c.taken)
		if path != c.path {
			t.Errorf("%s: goes to %s, want %s", c.file, path, c.path)
		}
		for _, part := range c.has {
			if !strings.Contains(text, part) {
				t.Errorf("%s: lacks %q:\n%s", c.file, part, text)
			}
		}
		for _, part := range c.hasNot {
			if strings.Contains(text, part) {
				t.Errorf("%s: has %q:\n%s", c.file, part, text)
			}
		}
	}
}
