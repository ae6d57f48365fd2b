package retrieval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAViewOnlyGrows: what was shown is not shown again, and what has changed since is shown
// as it is now, whatever came first.
func TestAViewOnlyGrows(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	long := longGo(40)
	write(t, root, "long.go", long)
	write(t, root, "small.py", "def one():\n    return 1\n")
	write(t, root, "gone.py", "x = 1\n")
	ix := New(root, walk(t, root), Options{})
	var v View
	add := func(files ...Shown) []File {
		t.Helper()
		got, err := ix.Add(t.Context(), &v, files)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	changed := func(also ...Shown) ([]File, []string) {
		t.Helper()
		now, gone, err := ix.Changed(t.Context(), &v, also)
		if err != nil {
			t.Fatal(err)
		}
		return now, gone
	}
	if got := add(Shown{Path: "long.go", Lines: [][2]int{{1, 30}}}, Shown{Path: "small.py"}, Shown{Path: "gone.py"}); len(got) != 3 {
		t.Fatalf("shown first: %+v", got)
	}
	if got := add(Shown{Path: "long.go", Lines: [][2]int{{10, 50}}}, Shown{Path: "small.py"}); len(got) != 1 || got[0].Lines[0] != [2]int{31, 50} {
		t.Errorf("got %+v, want lines 31 to 50 alone", got)
	}
	if now, gone := changed(); len(now)+len(gone) > 0 {
		t.Errorf("nothing has changed: %+v %v", now, gone)
	}

	edited := strings.Replace(long, "step 7.3", "STEP 7.3", 1)
	if edited == long {
		t.Fatal("there is no such line")
	}
	write(t, root, "long.go", edited)
	write(t, root, "small.py", "def one():\n    return 2\n")
	if err := os.Remove(filepath.Join(root, "gone.py")); err != nil {
		t.Fatal(err)
	}
	now, gone := changed(Shown{Path: "new.py"}, Shown{Path: "long.go", Lines: [][2]int{{700, 702}}})
	if len(gone) != 1 || gone[0] != "gone.py" {
		t.Errorf("gone: %v", gone)
	}
	if len(now) != 2 || now[1].Content != "def one():\n    return 2\n" {
		t.Fatalf("got %+v", now)
	}
	for _, want := range []string{"STEP 7.3", "func Work7(", strings.Split(edited, "\n")[700]} {
		if !strings.Contains(now[0].Content, want) {
			t.Errorf("%q is not shown as it is now:\n%s", want, now[0].Content)
		}
	}
	if strings.Contains(now[0].Content, "func Work20(") {
		t.Errorf("what has not changed is shown again:\n%s", now[0].Content)
	}
	if got := add(Shown{Path: "long.go", Lines: [][2]int{{800, 810}}}); len(got) > 0 {
		t.Errorf("parts of a changed file were added as if they would stay: %+v", got)
	}
	asked, err := ix.AddParts(t.Context(), &v, []Part{{Path: "long.go", From: 800, To: 802}})
	if err != nil || len(asked) != 1 {
		t.Fatalf("asked for: %+v, %v", asked, err)
	}

	// taken back: what was asked for meanwhile is stale now, not what was shown first
	write(t, root, "long.go", long)
	now, _ = changed()
	if len(now) != 2 || !strings.Contains(now[0].Content, "step 7.3") {
		t.Errorf("got %+v, want the first text again", now)
	}
}
