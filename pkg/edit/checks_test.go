package edit

import (
	"strings"
	"testing"
)

// TestRemarkAmidASentence: the middle of a sentence stands for nothing that was left out.
func TestRemarkAmidASentence(t *testing.T) {
	old := "class A {\n    /** Old. */\n    int a();\n\n    int b();\n\n    int c();\n}\n"
	remark := "    /**\n     * Registers the counter with the registry. If a meter with the same name\n" +
		"     * and tags is already registered, the existing function counter is returned and\n" +
		"     * this call has no effect.\n     */\n"
	for name, c := range map[string]struct {
		new string
		bad bool
	}{
		"a sentence":    {"class A {\n" + remark + "    int d();\n}\n", false},
		"a placeholder": {"class A {\n    // the existing functions stay the same\n}\n", true},
	} {
		why := placeholder(Change{Op: Modify, Path: "A.java", Old: []byte(old), New: []byte(c.new)}, old, nil)
		if bad := why != ""; bad != c.bad || bad && !strings.Contains(why, "placeholder") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestRemarksOfADiff: a diff names each line that goes away, so that a comment stands
// for code only where nothing else comes in its place.
func TestRemarksOfADiff(t *testing.T) {
	const head, foot = "class A {\n", "    int z();\n}\n"
	for name, c := range map[string]struct {
		path, gone, come string
		bad              bool
	}{
		"a sentence beside code": {"A.java", "    int a();\n    int b();\n    int c();\n",
			"    // fewer of them; the remaining bits stay buffered\n    int d();\n", false},
		"a remark for a remark": {"A.java", "    // one\n    // two\n    // three\n", "    // the rest of the constraint\n", false},
		"dots in a remark":      {"A.java", "    //   x\n    //   y\n", "    //   ...\n", false},
		"dots of a sentence": {"A.java", "    int a();\n    int b();\n    int c();\n",
			"    // often hidden within an exception...\n", false},
		"a sentence that goes on": {"A.java", "    int a();\n    int b();\n",
			"    // ...and the registry's own wording for the same cause, which other code knows\n    int d();\n", false},
		"dots in prose":        {"a.md", "one\ntwo\nthree\n", "...\n", false},
		"a remark for code":    {"A.java", "    int a();\n    int b();\n", "    // a and b remain the same\n", true},
		"dots for code":        {"A.java", "    int a();\n    int b();\n", "    // ...\n", true},
		"dots beside code":     {"A.java", "    int a();\n    int b();\n", "    int d();\n    // ...\n", true},
		"existing code beside": {"A.java", "    int a();\n    int b();\n", "    int d();\n    // ... existing code ...\n", true},
	} {
		old, now := head+c.gone+foot, head+c.come+foot
		change := Change{Op: Modify, Path: c.path, Old: []byte(old), New: []byte(now)}
		why := placeholder(change, old, []Edit{{Op: Modify, Ordered: true}})
		if bad := why != ""; bad != c.bad {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestPartOfAFile: a small file that is given whole, without an import that nothing needs
// any more, is no part of itself.
func TestPartOfAFile(t *testing.T) {
	const old = "import { sum } from './sum'\nexport function add(a, b) {\n  return sum(a, b)\n}\n"
	const two = "import { sum } from './sum'\nfunction add(a, b) {\n  return sum(a, b)\n}\nfunction sub(a, b) {\n  return sum(a, -b)\n}\n"
	for name, c := range map[string]struct {
		old, new string
		bad      bool
	}{
		"without its import":         {old, "export function add(a, b) {\n  return a + b\n}\n", false},
		"without its import, longer": {two, "function add(a, b) {\n  return a + b\n}\nfunction sub(a, b) {\n  return a - b\n}\n", false},
		"one function of two":        {two, "function add(a, b) {\n  return a + b\n}\n", true},
		"an inner function":          {old, "  add(a, b) {\n    return a + b\n  }\n", true},
	} {
		change := Change{Op: Modify, Path: "add.js", Old: []byte(c.old), New: []byte(c.new)}
		if why := fragment(change, c.old, c.new, []Edit{{Op: Write}}); (why != "") != c.bad {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestBlanksInRemarks: a space that does not break does no harm in a comment.
func TestBlanksInRemarks(t *testing.T) {
	for line, bad := range map[string]bool{
		"-- an\u00a0oracle": false, "local x =\u00a01": true, "-- a = “b”": false, "a = “b”": true,
		"by: “Made here”": false,
	} {
		now := line + "\n"
		why := oddSigns("a.lua", "", now)
		if (why != "") != bad {
			t.Errorf("%q: %q", line, why)
		}
	}
}

// TestTemplatedYAML: what Ruby's tools fill in first is no YAML before.
func TestTemplatedYAML(t *testing.T) {
	old := "inherit_from:\n  - a.yml\n"
	now := old + "  <% if File.exist?(\"b.yml\") %>\n  - b.yml\n  <% end %>\n"
	if why := parses(".rubocop.yml", old, now, false); why != "" {
		t.Error(why)
	}
	if why := parses(".rubocop.yml", old, old+"  <% b\n: - [\n", false); why == "" {
		t.Error("broken YAML is taken")
	}
}
