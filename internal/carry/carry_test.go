package carry

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/google/go-cmp/cmp"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(content), 0o644))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return "(none)"
	}
	must(t, err)
	return string(data)
}

func TestBring(t *testing.T) {
	t.Parallel()
	from := Source{Root: t.TempDir(), Paths: []string{"deps", ".cache", ".env", "kept"},
		Skip: func(p string) bool { return filepath.Base(p) == "skipped" }}
	tree := Tree{Root: t.TempDir(), Beside: t.TempDir()}
	write(t, filepath.Join(from.Root, "deps/a"), "a")
	write(t, filepath.Join(from.Root, "deps/skipped/b"), "b")
	write(t, filepath.Join(from.Root, ".cache/skipped"), "a file")
	write(t, filepath.Join(from.Root, ".cache/used"), "u")
	write(t, filepath.Join(from.Root, ".env"), "KEY=1")
	write(t, filepath.Join(from.Root, "kept"), "of the source")
	write(t, filepath.Join(tree.Root, "kept"), "of the commit")
	bring := func() {
		t.Helper()
		_, err := tree.Bring(t.Context(), from, map[string]filemode.FileMode{"kept": filemode.Regular},
			func() bool { t.Error("overlays were asked for small files"); return false })
		must(t, err)
	}
	state := func() map[string]string {
		all := map[string]string{}
		for _, name := range []string{"deps/a", "deps/skipped/b", "deps/built", ".cache/skipped", ".cache/used", ".env", "kept"} {
			all[name] = read(t, filepath.Join(tree.Root, name))
		}
		return all
	}
	want := map[string]string{"deps/a": "a", "deps/skipped/b": "(none)", "deps/built": "(none)", ".env": "KEY=1",
		".cache/skipped": "(none)", ".cache/used": "u", "kept": "of the commit"}
	bring()
	if diff := cmp.Diff(want, state()); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}

	// What a build left stays, what the source changed or removed follows.
	write(t, filepath.Join(tree.Root, "deps/built"), "built")
	must(t, os.Remove(filepath.Join(from.Root, ".env")))
	bring()
	want["deps/built"], want[".env"] = "built", "(none)"
	if diff := cmp.Diff(want, state()); diff != "" {
		t.Errorf("a removed file (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(from.Root, "deps/a"), "changed")
	bring()
	want["deps/a"], want["deps/built"] = "changed", "(none)"
	if diff := cmp.Diff(want, state()); diff != "" {
		t.Errorf("a changed file (-want +got):\n%s", diff)
	}
}

func TestBringLargeAsOverlay(t *testing.T) {
	t.Parallel()
	from := Source{Root: t.TempDir(), Paths: []string{"deps"}, Skip: func(string) bool { return false }}
	must(t, os.MkdirAll(filepath.Join(from.Root, "deps"), 0o755))
	must(t, os.WriteFile(filepath.Join(from.Root, "deps", "large"), make([]byte, smallBytes+1), 0o644))
	for _, overlays := range []bool{true, false} {
		tree := Tree{Root: t.TempDir(), Beside: t.TempDir()}
		left, err := tree.Bring(t.Context(), from, nil, func() bool { return overlays })
		must(t, err)
		if len(left) > 0 {
			t.Errorf("left out: %v", left)
		}
		_, copied := os.Stat(filepath.Join(tree.Root, "deps", "large"))
		if got := tree.Overlays(); len(got) == 1 != overlays || copied == nil == overlays {
			t.Errorf("overlays %v: got %v, copied: %v", overlays, got, copied == nil)
		}
		must(t, tree.Forget())
		if !tree.Empty() {
			t.Error("something is left of what was brought")
		}
	}
}
