package retrieval

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatTheTaskNamesIsShownWhole: a long function and the methods of a class that the task
// names are whole where there is room, also where their lines have no word of the task.
func TestWhatTheTaskNamesIsShownWhole(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var s strings.Builder
	s.WriteString("import json\n\n")
	for k := range 400 {
		fmt.Fprintf(&s, "def other_%d(a):\n    return a + %d\n\n\n", k, k)
	}
	s.WriteString("class GlazeOven:\n    def open_door(self):\n        return 'creaks'\n\n    def light(self):\n        return 'burns'\n\n\n")
	s.WriteString("def load_kiln(data):\n")
	for k := range 130 {
		fmt.Fprintf(&s, "    step_%d = check(data, %d)\n", k, k)
	}
	s.WriteString("    return 'the end of it'\n\n\n")
	for k := range 400 {
		fmt.Fprintf(&s, "def more_%d(a):\n    return a + %d\n\n\n", k, k)
	}
	write(t, root, "kiln.py", s.String())
	for k := range 60 {
		write(t, root, fmt.Sprintf("more/part%d.py", k), filler(".py", k))
	}
	ix := New(root, walk(t, root), Options{})
	for _, c := range []struct {
		task  string
		wants []string
	}{
		{"`load_kiln` ignores None", []string{"def load_kiln", "step_70 =", "step_129 =", "the end of it"}},
		{"GlazeOven has no name", []string{"class GlazeOven:", "creaks", "burns"}},
	} {
		got := ix.Select(Need{Task: c.task, Budget: 60000})
		if len(got) == 0 || got[0].Path != "kiln.py" || got[0].Part != "excerpt" {
			t.Fatalf("%s: got %v", c.task, names(got))
		}
		for _, want := range c.wants {
			if !strings.Contains(got[0].Content, want) {
				t.Errorf("%s: %q is not shown of %d bytes", c.task, want, len(got[0].Content))
			}
		}
	}
}

// TestOfTheTestToExtendTheNearestCasesAreShown, with its head and its end; neither all of it nor
// the names of all its cases, however much room there is.
func TestOfTheTestToExtendTheNearestCasesAreShown(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var s strings.Builder
	s.WriteString("package kiln\n\nimport \"testing\"\n\n")
	for k := range 60 {
		fmt.Fprintf(&s, "func TestOtherThing%d(t *testing.T) {\n\tif other(%d) != %d {\n\t\tt.Fatal(\"other\")\n\t}\n}\n\n", k, k, k)
		if k == 30 {
			s.WriteString("func TestMeltGlaze(t *testing.T) {\n\tif MeltGlaze(930) != \"glaze\" {\n\t\tt.Fatal(\"no glaze melts\")\n\t}\n}\n\n")
		}
	}
	s.WriteString("func TestLast(t *testing.T) {}\n")
	write(t, root, "kiln/kiln_test.go", s.String())
	write(t, root, "kiln/kiln.go", "package kiln\n\n// MeltGlaze melts.\nfunc MeltGlaze(heat int) string { return \"glaze\" }\n")
	for k := range 60 {
		write(t, root, fmt.Sprintf("more/part%d.go", k), filler(".go", k))
	}
	for _, f := range New(root, walk(t, root), Options{}).Select(Need{Task: "MeltGlaze: no glaze melts below 900", Budget: 60000}) {
		if f.Path != "kiln/kiln_test.go" {
			continue
		}
		for _, want := range []string{"import \"testing\"", "no glaze melts", "func TestLast"} {
			if !strings.Contains(f.Content, want) {
				t.Errorf("%q is not shown:\n%s", want, f.Content)
			}
		}
		if len(f.Content) > 2500 {
			t.Errorf("%d of %d bytes are shown", len(f.Content), s.Len())
		}
		return
	}
	t.Error("the test to extend is not shown")
}
