package retrieval

import (
	"fmt"
	"strings"
	"testing"
)

// TestARepairShowsWhatFailed: a request to correct a change shows the failing test whole, what
// it calls, the lines that the failure names, and a file that the change has made; not what the
// task and the failure are about in words.
func TestARepairShowsWhatFailed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var tests strings.Builder
	tests.WriteString("import pytest\nfrom kiln import Oven\n\n\n")
	for k := range 120 {
		fmt.Fprintf(&tests, "def test_other_%d():\n    class Shape:\n        glaze = %d\n\n    assert Shape.glaze == %d\n\n\n", k, k, k)
	}
	const body = "def test_glaze_melts():\n    class Shape:\n        glaze = 930\n\n    assert Oven(heated()).melt(Shape) == 'glaze'\n"
	tests.WriteString("def heated():\n    return 930\n\n\n" + body)
	write(t, root, "tests/test_kiln.py", tests.String())
	write(t, root, "kiln.py", "class Oven:\n    def __init__(self, heat):\n        self.heat = heat\n\n"+
		strings.Repeat("    def unused(self):\n        return 0\n\n", 80)+"    def melt(self, shape):\n        return 'glaze'\n")
	write(t, root, "shelf.py", strings.Repeat("SHELF = 1\n", 300)+"\n\ndef lift(x):\n    return x + 1\n")
	write(t, root, "made.py", "def made_by_the_change():\n    return 1\n")
	write(t, root, "melting_glaze.py", "# how the glaze melts in the oven\ndef glaze_of_the_oven():\n    return 'glaze melts'\n")
	for k := range 60 {
		write(t, root, fmt.Sprintf("more/part%d.py", k), filler(".py", k))
	}
	ix := New(root, walk(t, root), Options{})
	got, err := ix.Repair(t.Context(), Need{
		Task: "The glaze melts in the oven: glaze_of_the_oven", Failure: "the glaze of the oven melts\nshelf.py:304: boom\n", Pieces: 6000,
		Tests: []FailingTest{{Name: "tests/test_kiln.py::test_glaze_melts", File: "tests/test_kiln.py"}}, Last: []string{"made.py"},
	}, &View{})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	size := 0
	for _, f := range got {
		shown[f.Path] = f.Content
		size += len(f.Content)
	}
	for path, want := range map[string]string{
		"tests/test_kiln.py": body, "kiln.py": "def melt(self, shape):", "shelf.py": "def lift(x):", "made.py": "made_by_the_change",
	} {
		if !strings.Contains(shown[path], want) {
			t.Errorf("%s is shown without %q:\n%.600s", path, want, shown[path])
		}
	}
	if !strings.Contains(shown["tests/test_kiln.py"], "def heated") {
		t.Error("the helper of the test is not shown")
	}
	if strings.Count(shown["tests/test_kiln.py"], "glaze = ") != 1 {
		t.Errorf("a class of another test is shown as a helper:\n%s", shown["tests/test_kiln.py"])
	}
	if len(shown) != 4 || size > 6000 {
		t.Errorf("%d bytes are shown, of %v", size, names(got))
	}
	if got, err = ix.Repair(t.Context(), Need{Failure: "the glaze of the oven melts", Pieces: 6000}, &View{}); err != nil || len(got) > 0 {
		t.Errorf("a failure without a place shows %v (%v)", names(got), err)
	}
}
