package detect_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
)

var update = flag.Bool("update", false, "write what was detected into the archives")

// TestDetect: each archive is a repository; its file WANT says what is found.
func TestDetect(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) < 45 {
		t.Fatalf("got %d archives, %v; want at least 45", len(archives), err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
			r := detect.Look(repository(a)).Choose(nil)
			got := describe(r)
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "WANT" })
			if *update {
				if i < 0 {
					a.Files, i = append(a.Files, txtar.File{Name: "WANT"}), len(a.Files)
				}
				a.Files[i].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if i < 0 {
				t.Fatal("there is no WANT")
			}
			want := strings.ReplaceAll(string(a.Files[i].Data), "\r\n", "\n")
			if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("(- got, + want)\n%s", diff)
			}
			checkRendered(t, r)
		})
	}
}

func repository(a *txtar.Archive) fs.FS {
	m := fstest.MapFS{}
	for _, f := range a.Files {
		if f.Name != "WANT" {
			m[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return m
}

func describe(r detect.Result) string {
	var b strings.Builder
	if r.SetupCommand != "" {
		fmt.Fprintf(&b, "setup: %s\n", r.SetupCommand)
	}
	for _, c := range r.Tests {
		fmt.Fprintf(&b, "test: %s\n", c.Command)
	}
	for _, g := range r.Gates {
		fmt.Fprintf(&b, "gate %s: %s\n", g.Name, g.Command)
		if g.Fix != "" {
			fmt.Fprintf(&b, "fix %s: %s\n", g.Name, g.Fix)
		}
	}
	for _, l := range r.Left {
		fmt.Fprintf(&b, "left %s: %s (%s)\n", l.Kind, l.Command, l.Why)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if err := r.Err(); err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

// checkRendered loads the written file strictly and compares it with the result.
func checkRendered(t *testing.T, r detect.Result) {
	t.Helper()
	if r.Err() != nil {
		return
	}
	text, err := detect.Render(r)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".booty.yml"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := config.Load(config.LoadOptions{
		Root: root, UserFile: filepath.Join(root, "none.yml"), Getenv: func(string) string { return "" }, RequireProject: true,
	})
	if err != nil {
		t.Fatalf("the written file does not load: %v\n%s", err, text)
	}
	if !slices.Equal(r.TestCommands(), l.TestCommand) || l.SetupCommand != r.SetupCommand {
		t.Errorf("got test %q and setup %q back, want %q and %q", l.TestCommand, l.SetupCommand, r.TestCommands(), r.SetupCommand)
	}
	for i, g := range l.Gates {
		if g.Name != r.Gates[i].Name || g.Command != r.Gates[i].Command || g.FixCommand != r.Gates[i].Fix {
			t.Errorf("gate %d comes back as %v, want %v", i, g, r.Gates[i])
		}
	}
	if items := l.NeedsConsent(); len(items) > 0 {
		t.Errorf("the written file asks for consent: %v", items)
	}
}

func TestNoTestsIsAUsageErrorWithAWayOut(t *testing.T) {
	r := detect.Look(fstest.MapFS{"README.md": {Data: []byte("# hello")}}).Choose(nil)
	err := r.Err()
	if fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "--test-command") {
		t.Errorf("got %v (hint %q), want a usage error that names --test-command", err, fault.HintOf(err))
	}
	own := detect.Look(fstest.MapFS{}).WithTestCommand("make 'all the' tests # now: yes").Choose(nil)
	if err := own.Err(); err != nil {
		t.Errorf("with a command of the user's own: %v", err)
	}
	checkRendered(t, own)
}

// TestFailingTestsBeatUntried: a command that ran tests is taken, though all of them fail, before
// one that was not tried.
func TestFailingTestsBeatUntried(t *testing.T) {
	t.Parallel()
	found := detect.Look(fstest.MapFS{
		"plum.py":      {Data: []byte("size = 1\n")},
		"test_plum.py": {Data: []byte("import unittest\nclass T(unittest.TestCase):\n    def test_size(self): self.fail()\n")},
	})
	tests := found.Of(detect.Test)
	if len(tests) < 2 {
		t.Fatalf("got %d candidates, want pytest and unittest", len(tests))
	}
	failed := detect.Outcome{State: detect.Counted, Tests: 1, Why: "1 of 1 tests fail"}
	got := found.Choose(map[int]detect.Outcome{tests[0]: failed}).TestCommands()
	if want := []string{found.Candidates[tests[0]].Command}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDetectReadsLittleOfALargeRepository(t *testing.T) {
	m := fstest.MapFS{"go.mod": {Data: []byte("module x\n")}}
	for i := range 3000 {
		m[fmt.Sprintf("pkg/p%d/a/b/c/package.json", i)] = &fstest.MapFile{Data: []byte(`{"scripts":{"test":"jest"}}`)}
		m[fmt.Sprintf("node_modules/m%d/package.json", i)] = &fstest.MapFile{Data: []byte(`{"scripts":{"test":"jest"}}`)}
	}
	counted := &counting{FS: m}
	if got := detect.Look(counted).Choose(nil).TestCommands(); !slices.Equal(got, []string{"go test ./..."}) {
		t.Errorf("got %q, want the root's command alone", got)
	}
	if counted.dirs > 1000 || counted.files > 1000 {
		t.Errorf("read %d folders and %d files, want at most 1000 of each", counted.dirs, counted.files)
	}
}

type counting struct {
	fs.FS
	dirs, files int
}

func (c *counting) ReadDir(name string) ([]fs.DirEntry, error) {
	c.dirs++
	return fs.ReadDir(c.FS, name)
}

func (c *counting) Open(name string) (fs.File, error) {
	c.files++
	return c.FS.Open(name)
}

// FuzzDetect: no panic, and what is written loads or is refused for the one
// reason that there are no tests.
func FuzzDetect(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range archives {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := txtar.Parse(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
		m := fstest.MapFS{}
		for _, file := range a.Files {
			if fs.ValidPath(file.Name) && file.Name != "." {
				m[file.Name] = &fstest.MapFile{Data: file.Data}
			}
		}
		r := detect.Look(m).Choose(nil)
		if r.Err() != nil {
			return
		}
		text, err := detect.Render(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := config.Check(".booty.yml", text); err != nil {
			t.Errorf("the decoder says %v:\n%s", err, text)
		}
	})
}
