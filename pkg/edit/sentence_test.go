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
		why := leftOut(Change{Op: Modify, Path: "A.java", Old: []byte(old), New: []byte(c.new)}, old, c.new, nil)
		if bad := why != ""; bad != c.bad || bad && !strings.Contains(why, "placeholder") {
			t.Errorf("%s: %q", name, why)
		}
	}
}
