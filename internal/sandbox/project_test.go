package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestCachesAreMadeForWhatTheProjectUses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		files    map[string]string
		commands []string
		want     []string
	}{
		{"a shell project", map[string]string{"run.sh": "true"}, []string{"sh run.sh"}, nil},
		{"a Go module", map[string]string{"go.mod": "module x"}, nil, []string{".cache", "go"}},
		{"a module below", map[string]string{"a/b/Cargo.toml": ""}, nil, []string{".cargo"}},
		{"a dependency's files tell nothing", map[string]string{"node_modules/x/pom.xml": ""}, nil, nil},
		{"a command's word", map[string]string{"x": ""}, []string{"cd sub && (/usr/bin/mvn -q test)"}, []string{".m2"}},
		{"a tool that is not installed", map[string]string{"mix.exs": ""}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root, home := t.TempDir(), t.TempDir()
			testkit.Write(t, root, c.files)
			p := &Plan{c: Config{Root: root, Home: home, Commands: c.commands, Getenv: func(string) string { return "" },
				LookPath: func(tool string) (string, error) {
					if tool == "mix" || tool == "sccache" {
						return "", exec.ErrNotFound
					}
					return "/usr/bin/" + tool, nil
				}}}
			p.cachePlaces(&project{c: p.c})
			var got []string
			list, err := os.ReadDir(home)
			for _, d := range list {
				got = append(got, d.Name())
			}
			want := slices.Clone(c.want)
			if i := slices.Index(want, ".cache"); i >= 0 && runtime.GOOS == "darwin" {
				want[i] = "Library"
			}
			slices.Sort(want)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v, %v; want %v", got, err, want)
			}
			p.unmake()
			if list, err := os.ReadDir(home); err != nil || len(list) != 0 {
				t.Errorf("unused folders stay: %v, %v", list, err)
			}
		})
	}
}

func TestAUsedCacheStays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := &Plan{c: Config{Home: home}}
	p.makeDir(filepath.Join(home, "a/b"))
	p.makeDir(filepath.Join(home, "a/c/d"))
	testkit.Write(t, home, map[string]string{"a/b/used": ""})
	p.unmake()
	_, err := os.Stat(filepath.Join(home, "a/c"))
	if _, used := os.Stat(filepath.Join(home, "a/b/used")); used != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, %v", used, err)
	}
}

func TestTemporaryDirectoriesOfTheDeadAreRemoved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	name := func(pid string) string { return "tmp-" + machine() + "-" + pid + "-1" }
	for _, n := range []string{name(strconv.Itoa(dead.Process.Pid)), name(strconv.Itoa(os.Getpid())), "tmp-elsewhere-1-1"} {
		testkit.Write(t, dir, map[string]string{n + "/file": ""})
	}
	var path string
	if err := makeTemp(os.TempDir(), &path); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "file"))
	if err != nil || len(left) != 2 {
		t.Errorf("got %v, %v; want those of the living and of another machine", left, err)
	}
}
