package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestCommandsNeverJudgeTheCheckout: where the tree cannot be shown in its place, the
// checkout cannot be read or written, wherever it lies, and a failure of that is explained.
func TestCommandsNeverJudgeTheCheckout(t *testing.T) {
	eitherWay(t, func(t *testing.T, noMounts bool) {
		for _, at := range []string{"home", "elsewhere"} {
			b := newBeside(t)
			if at == "elsewhere" {
				b.checkout = filepath.Join(t.TempDir(), "repo")
				testkit.Write(t, b.checkout, map[string]string{"code": "theirs"})
			}
			testkit.Write(t, b.checkout, map[string]string{".git/objects/x": "object"})
			objects := filepath.Join(b.checkout, ".git")
			p := plan(t, Config{Root: b.tree, View: b.checkout, Denied: []string{b.checkout}, Home: b.home, Network: true,
				ReadOnly: []string{objects}, noMounts: noMounts})
			want, code := Replaced, "ours"
			if noMounts {
				want, code = Denied, ""
			}
			if got := p.Checkout(); got != want {
				t.Errorf("%s: got %v, want %v", at, got, want)
			}
			out, _ := inBox(t, p, `cat `+b.checkout+`/code; echo mine >`+b.checkout+`/code; ls `+b.checkout+`; echo x >`+b.checkout+`/new`)
			if strings.Contains(out, "theirs") || !strings.Contains(out, code) {
				t.Errorf("%s: got %s", at, out)
			}
			if got, err := os.ReadFile(filepath.Join(b.checkout, "code")); err != nil || string(got) != "theirs" {
				t.Errorf("%s: the user's file: %q, %v", at, got, err)
			}
			if _, err := os.Lstat(filepath.Join(b.checkout, "new")); err == nil {
				t.Errorf("%s: a file was made in the checkout", at)
			}
			if !noMounts {
				continue
			}
			if said := p.Explain(out); !strings.Contains(said, "by its absolute path") {
				t.Errorf("%s: explained as %q", at, said)
			}
			if out, err := inBox(t, p, `cat `+objects+`/objects/x`); err != nil {
				t.Errorf("%s: what git reads there: %v %s", at, err, out)
			}
			if out, err := inBox(t, p, `echo x >`+objects+`/objects/x`); err == nil {
				t.Errorf("%s: what git reads there was written: %s", at, out)
			}
		}
	})
}

func TestCheckoutIsReachableWithoutMounts(t *testing.T) {
	t.Parallel()
	b := newBeside(t)
	for name, c := range map[string]Config{
		"off":       {Mode: Off, Root: b.tree, View: b.checkout, Denied: []string{b.checkout}, noMounts: true},
		"not asked": {Root: b.tree, Home: b.home},
	} {
		if got := plan(t, c).Checkout(); got != Reachable {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if got := (*Plan)(nil).Checkout(); got != Reachable {
		t.Errorf("no plan: got %v", got)
	}
}
