package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// beside is a checkout with ignored files, and a work tree in booty's state
// directory with an overlay for them.
type beside struct {
	home, checkout, tree string
	overlay              Overlay
}

func newBeside(t *testing.T) beside {
	t.Helper()
	home := tree(t)
	b := beside{home: home, checkout: filepath.Join(home, "src", "repo")}
	state := filepath.Join(home, ".local/state/booty/trees/repo, with: odd\\letters")
	b.tree = filepath.Join(state, "1", "repo")
	testkit.Write(t, b.checkout, map[string]string{
		"code": "theirs", "theirs": "x", "node_modules/lib/index.js": "lower", "node_modules/lib/gone.js": "lower",
	})
	testkit.Write(t, b.tree, map[string]string{"code": "ours", "pkg/ours": "x"})
	b.overlay = Overlay{Lower: []string{filepath.Join(b.checkout, "node_modules")}, Target: filepath.Join(b.tree, "node_modules"),
		Upper: filepath.Join(state, "upper"), Work: filepath.Join(state, "work")}
	for _, dir := range []string{b.overlay.Upper, b.overlay.Work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b beside) plan(t *testing.T, c Config) *Plan {
	t.Helper()
	support := Mounts(filepath.Dir(b.overlay.Upper), b.overlay.Lower...)
	if !support.View || !support.Overlay {
		t.Skip(support.Why)
	}
	c.Root, c.View, c.Overlays, c.Home, c.Network = b.tree, b.checkout, []Overlay{b.overlay}, b.home, true
	return plan(t, c)
}

// supervised runs a script as checks are run.
func supervised(t *testing.T, p *Plan, dir, script string) (string, int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(without(os.Environ(), "HOME"), "HOME="+p.c.Home, "PWD="+dir)
	if err := p.Wrap(cmd); err != nil {
		t.Fatal(err)
	}
	return waitWrapped(t, cmd)
}

// TestCommandsSeeTheWorkTreeInPlaceOfTheCheckout, with and without restrictions: what
// they write to an overlay is there in the next command, and never in the checkout.
func TestCommandsSeeTheWorkTreeInPlaceOfTheCheckout(t *testing.T) {
	for _, mode := range []Mode{Auto, Off} {
		t.Run(string(mode), func(t *testing.T) {
			b := newBeside(t)
			p := b.plan(t, Config{Mode: mode})
			if p.View() != b.checkout {
				t.Fatalf("the view is %s", p.View())
			}
			want := b.checkout + "/pkg " + b.checkout + "/pkg ours lower\n"
			out, code := supervised(t, p, filepath.Join(b.tree, "pkg"),
				`echo "$(pwd -P) $PWD $(cat ../code) $(cat `+b.checkout+`/node_modules/lib/index.js)"; test ! -e ../theirs`)
			if out != want || code != 0 {
				t.Errorf("got %q, %d; want %q", out, code, want)
			}
			out, code = supervised(t, p, b.tree, `cd node_modules && echo upper >lib/index.js && rm lib/gone.js &&
				mkdir -p .cache/x && echo y >.cache/x/y && mv lib/index.js lib/moved.js && echo made >../made`)
			if code != 0 {
				t.Errorf("writing: %d %s", code, out)
			}
			out, code = supervised(t, p, b.tree, `cat node_modules/lib/moved.js node_modules/.cache/x/y && test ! -e node_modules/lib/gone.js`)
			if out != "upper\ny\n" || code != 0 {
				t.Errorf("the next command: %q, %d", out, code)
			}
			for name, want := range map[string]string{"lib/index.js": "lower", "lib/gone.js": "lower"} {
				if got, err := os.ReadFile(filepath.Join(b.checkout, "node_modules", name)); err != nil || string(got) != want {
					t.Errorf("the user's %s: %q, %v", name, got, err)
				}
			}
			list, err := os.ReadDir(b.checkout)
			if err != nil || len(list) != 3 {
				t.Errorf("the checkout holds %v, %v", list, err)
			}
			if got, err := os.ReadFile(filepath.Join(b.tree, "made")); err != nil || string(got) != "made\n" {
				t.Errorf("in the work tree: %q, %v", got, err)
			}
			if err := os.RemoveAll(filepath.Dir(b.overlay.Upper)); err != nil {
				t.Errorf("it cannot be removed: %v", err)
			}
		})
	}
}

// TestNothingInTheWorkTreeLeadsAnOverlayAway: a change may put a link or a file in
// the place of a directory that git ignored.
func TestNothingInTheWorkTreeLeadsAnOverlayAway(t *testing.T) {
	for _, c := range []struct{ name, script string }{
		{"a link", `rmdir node_modules; ln -s "$AIM" node_modules && echo x >node_modules/x`},
		{"a file", `rmdir node_modules; echo x >node_modules`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBeside(t)
			aim := filepath.Join(b.home, "aim")
			testkit.Write(t, aim, map[string]string{"mine": "mine"})
			p := b.plan(t, Config{Read: []string{aim}})
			setup := exec.Command("/bin/sh", "-c", c.script)
			setup.Dir, setup.Env = b.tree, append(os.Environ(), "AIM="+aim)
			_ = os.Mkdir(b.overlay.Target, 0o755)
			if out, err := setup.CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			out, code := supervised(t, p, b.tree, "ls "+aim)
			if code != 0 || strings.Contains(out, "lib") || !strings.Contains(out, "mine") {
				t.Errorf("got %d %q", code, out)
			}
		})
	}
}

func TestAViewMustBePossible(t *testing.T) {
	dir := tree(t, "a/b/file", "c/file")
	for name, c := range map[string]Config{
		"relative":          {Root: dir + "/a", View: "c"},
		"in the root":       {Root: dir + "/a", View: dir + "/a/b"},
		"above the root":    {Root: dir + "/a/b", View: dir + "/a"},
		"not there":         {Root: dir + "/a", View: dir + "/none"},
		"overlay outside":   {Root: dir + "/a", Overlays: []Overlay{{Lower: []string{dir + "/c"}, Target: dir + "/c"}}},
		"overlay on it all": {Root: dir + "/a", Overlays: []Overlay{{Lower: []string{dir + "/c"}, Target: dir + "/a"}}},
	} {
		c.Mode = Off
		if _, err := New(c); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}

// TestTheWorkTreeMayLieInASecretPlace: booty's own files around it cannot be reached, with
// a view and without, nor can a secret in it.
func TestTheWorkTreeMayLieInASecretPlace(t *testing.T) {
	for _, view := range []bool{true, false} {
		b := newBeside(t)
		testkit.Write(t, b.home, map[string]string{".local/state/booty/booty.db": "PLANTED"})
		testkit.Write(t, b.tree, map[string]string{"deep/kubeconfig": "PLANTED", "key.json": "ours"})
		testkit.Write(t, b.checkout, map[string]string{"key.json": "theirs"})
		c := Config{Root: b.tree, Home: b.home, Network: true, Secrets: []string{filepath.Join(b.tree, "deep", "kubeconfig")},
			ReadOnly: []string{filepath.Join(b.tree, "pkg")}}
		at := b.tree
		if view {
			c.View, at = b.checkout, b.checkout
			testkit.Write(t, b.tree, map[string]string{"key.json": "PLANTED"})
			c.Getenv = func(name string) string {
				return map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": filepath.Join(b.checkout, "key.json")}[name]
			}
		}
		if s := Mounts(b.home); !s.View {
			t.Skip(s.Why)
		}
		p := plan(t, c)
		out, code := supervised(t, p, b.tree, `pwd -P; cat code; echo x >made; cat "$HOME/.local/state/booty/booty.db" deep/kubeconfig;
			find "$HOME" -type f | xargs grep -h PLANTED; echo y >pkg/ours; mv pkg gone; rm -rf pkg; cat pkg/ours`)
		if !strings.HasPrefix(out, at+"\nours") || strings.Contains(out, "PLANTED") || code != 0 {
			t.Errorf("view %v: got %d %s", view, code, out)
		}
		if got, err := os.ReadFile(filepath.Join(b.tree, "made")); err != nil || string(got) != "x\n" {
			t.Errorf("view %v: in the work tree: %q, %v", view, got, err)
		}
		if got, err := os.ReadFile(filepath.Join(b.tree, "pkg/ours")); err != nil || string(got) != "x" {
			t.Errorf("view %v: what is read-only: %q, %v", view, got, err)
		}
	}
}

// TestMountsAreNotUndone by a command that sets up namespaces of its own, also where
// Landlock does not keep it from mounting.
func TestMountsAreNotUndone(t *testing.T) {
	if s := Mounts(t.TempDir()); !s.View {
		t.Skip(s.Why)
	}
	b := newBeside(t)
	testkit.Write(t, b.home, map[string]string{".ssh/id": "PLANTED", "mnt/x": ""})
	testkit.Write(t, b.checkout, map[string]string{"theirs": "PLANTED"})
	p := plan(t, Config{Root: b.tree, View: b.checkout, Home: b.home, Network: true, ReadOnly: []string{filepath.Join(b.tree, "pkg")}})
	p.Active = false
	ssh := b.home + "/.ssh"
	for _, script := range []string{
		`umount ` + ssh, `umount -l ` + ssh, `umount -l ` + b.checkout, `umount -R -l ` + b.home, `umount -l /`,
		`mount --bind ` + b.home + ` ` + b.home + `/mnt; cat ` + b.home + `/mnt/.ssh/id ` + b.home + `/mnt/src/repo/theirs`,
		`mount --rbind / ` + b.home + `/mnt; cat ` + b.home + `/mnt` + ssh + `/id; umount ` + b.home + `/mnt` + ssh,
		`mount --move ` + ssh + ` ` + b.home + `/mnt`, `mount -o remount,rw,bind ` + b.checkout + `/pkg`, `mount -o remount,bind,rw ` + ssh,
		`mount --make-rprivate /; umount ` + ssh, `pivot_root ` + b.home + ` ` + b.home + `/mnt`,
		`nsenter -t 1 -m true && echo entered`, `cat /proc/1/root` + ssh + `/id /proc/$PPID/root` + ssh + `/id`,
	} {
		for _, in := range []string{"", "unshare -Ur", "unshare -Urm", "unshare -Umpf --mount-proc"} {
			probe := `; cat ` + ssh + `/id ` + b.checkout + `/theirs; echo x >` + b.checkout + `/pkg/new`
			out, _ := supervised(t, p, b.tree, in+` sh -c '`+strings.ReplaceAll(script+probe, "'", `"`)+`'`)
			if strings.Contains(out, "PLANTED") || strings.Contains(out, "entered") {
				t.Errorf("%s %s: %s", in, script, out)
			}
			if _, err := os.Lstat(filepath.Join(b.tree, "pkg", "new")); err == nil {
				t.Fatalf("%s %s: what is read-only was written to: %s", in, script, out)
			}
		}
	}
}

// TestManyOverlays: a repository of many packages has an ignored directory in each.
func TestManyOverlays(t *testing.T) {
	b := newBeside(t)
	if s := Mounts(b.home, b.overlay.Lower...); !s.Overlay {
		t.Skip(s.Why)
	}
	c := Config{Mode: Off, Root: b.tree, View: b.checkout, Home: b.home, Network: true}
	for i := range 400 {
		name := fmt.Sprintf("packages/package-%d/node_modules", i)
		o := Overlay{Lower: []string{filepath.Join(b.checkout, name)}, Target: filepath.Join(b.tree, name),
			Upper: filepath.Join(b.home, "up", strconv.Itoa(i)), Work: filepath.Join(b.home, "work", strconv.Itoa(i))}
		testkit.Write(t, o.Lower[0], map[string]string{"x": "x"})
		for _, dir := range []string{o.Upper, o.Work} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		c.Overlays = append(c.Overlays, o)
	}
	p := plan(t, c)
	began := time.Now()
	out, code := supervised(t, p, b.tree, `for d in packages/*/node_modules; do echo y >>$d/x || exit 1; done; cat packages/*/node_modules/x | sort | uniq -c`)
	if code != 0 || strings.Join(strings.Fields(out), " ") != "400 xy" {
		t.Errorf("got %d %s", code, out)
	}
	t.Logf("%d overlays: %v", len(c.Overlays), time.Since(began))
}
