package sandbox

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestACoverIsEverythingButTheSecrets(t *testing.T) {
	t.Parallel()
	dir := tree(t, "a/secret/key", "a/open/file", "a/file", "b/file", "c/token", "c/more", "top")
	if runtime.GOOS != "windows" {
		if err := os.Symlink(filepath.Join(dir, "a", "secret"), filepath.Join(dir, "a", "way-in")); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		secrets []string
		want    string
	}{
		{"nothing to hide", nil, "."},
		{"a secret elsewhere", []string{"../elsewhere"}, "."},
		{"a directory", []string{"a/secret"}, "a/file a/open b c top"},
		{"a file", []string{"c/token"}, "a b c/more top"},
		{"both", []string{"a/secret", "c/token"}, "a/file a/open b c/more top"},
		{"all of it", []string{"."}, ""},
		{"what it is in", []string{".."}, ""},
		{"a name that only begins alike", []string{"a/sec"}, "a/file a/open a/secret b c top"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var secrets []string
			for _, s := range c.secrets {
				secrets = append(secrets, filepath.Join(dir, filepath.FromSlash(s)))
			}
			var got []string
			for _, p := range cover(dir, secrets) {
				rel, err := filepath.Rel(dir, p)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(rel))
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestADirectoryThatCannotBeListedIsPassedThrough(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may list any directory")
	}
	dir := tree(t, "home/me/.ssh/key", "home/me/file", "home/other/file")
	home := filepath.Join(dir, "home")
	if err := os.Chmod(home, 0o311); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(home, 0o755) }()
	got := cover(dir, []string{filepath.Join(home, "me", ".ssh")})
	if len(got) != 1 || got[0] != filepath.Join(home, "me", "file") {
		t.Errorf("got %q", got)
	}
}

func TestTheProfileForMacOSIsAsItWas(t *testing.T) {
	t.Parallel()
	r := rules{
		Write:   []string{"/Users/me/src/repo", "/private/tmp", "/Users/me/Library/Caches"},
		secrets: []string{"/Users/me/.ssh", `/Users/me/odd "name" \ here`, "/Users/me/src/repo/hidden"},
		root:    "/Users/me/src/repo",
		home:    view{hidden: []string{"/Users/me", "/Volumes/work/checkout"}, places: []string{"/Users/me/.cargo/bin", "/Volumes/work/checkout/.git"}},
	}
	golden(t, "seatbelt.golden", profile(r))
	r.Offline = true
	golden(t, "seatbelt-offline.golden", profile(r))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
