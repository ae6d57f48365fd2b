package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFix: places that are kept as they are later on cannot be written to, but for
// the folders that stay open in them, and the refusal is explained.
func TestFix(t *testing.T) {
	root := t.TempDir()
	modules := filepath.Join(root, "node_modules")
	if err := os.MkdirAll(filepath.Join(modules, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Root: root, Network: true, ReadOnly: []string{filepath.Join(root, ".git")}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if !p.canMount {
		t.Skip("no mount namespaces here")
	}
	run := func(script string, more Loosening) (string, error) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.Dir = root
		if err := p.Wrap(cmd, more); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("echo > node_modules/lib/a", Loosening{}); err != nil {
		t.Fatalf("before: %v %s", err, out)
	}
	p.Fix([]string{modules}, []string{".cache"})
	out, err := run("echo > node_modules/lib/b", Loosening{})
	if err == nil {
		t.Error("what is kept was written to")
	}
	if said := p.Explain(strings.ReplaceAll(out, "node_modules", modules)); !strings.Contains(said, "keeps "+p.shown(modules)) && !strings.Contains(said, "sandbox.write") {
		t.Errorf("explained as %q: %s", said, out)
	}
	if p.Writable(filepath.Join(modules, "lib"), Loosening{}) {
		t.Error("it is said to be writable")
	}
	if out, err := run("echo > node_modules/.cache/x && echo > made", Loosening{}); err != nil {
		t.Errorf("what stays open: %v %s", err, out)
	}
	if out, err := run("echo > node_modules/lib/c", Loosening{Fixed: true}); err != nil {
		t.Errorf("setup: %v %s", err, out)
	}
}
