package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// An answer of git's is used again only while all that decides it is as it was.
func TestWhatIsIgnoredIsAskedAnewWhenAnythingDecidingItChanges(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	dir := testkit.Repo(t, map[string]string{"src/a.txt": "a\n", ".gitignore": "*.log\n"})
	put(t, dir, "src/b.txt", "b\n")
	put(t, dir, "src/c/d.txt", "d\n")
	r := open(t, dir)
	paths := []string{"src/a.txt", "src/b.txt", "src/c/d.txt", "src/e.log", "src/f"}
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"at first", func() {}, []string{"src/e.log"}},
		{"the same again", func() {}, []string{"src/e.log"}},
		{"a rule of the same length", func() { put(t, dir, ".gitignore", "b.txt\n") }, []string{"src/b.txt"}},
		{"a folder's own rules", func() { put(t, dir, "src/c/.gitignore", "*\n") }, []string{"src/b.txt", "src/c/d.txt"}},
		{"the repository's", func() { put(t, dir, ".git/info/exclude", "*.log\n") },
			[]string{"src/b.txt", "src/c/d.txt", "src/e.log"}},
		{"the user's", func() { put(t, home, "git/ignore", "f/\n") },
			[]string{"src/b.txt", "src/c/d.txt", "src/e.log"}},
		{"a folder at a path", func() { put(t, dir, "src/f/g.txt", "g\n") },
			[]string{"src/b.txt", "src/c/d.txt", "src/e.log", "src/f"}},
		{"a file that git knows now", func() { testkit.Git(t, dir, "add", "-f", "src/b.txt") },
			[]string{"src/c/d.txt", "src/e.log", "src/f"}},
		{"rules that went", func() { must(t, os.Remove(filepath.Join(dir, "src/c/.gitignore"))) },
			[]string{"src/e.log", "src/f"}},
		{"rules behind a link", func() {
			put(t, dir, "rules", "*.txt\n")
			if err := os.Symlink(filepath.Join(dir, "rules"), filepath.Join(home, "git", "ignore2")); err != nil {
				t.Skip("no symbolic links here")
			}
			must(t, os.Rename(filepath.Join(home, "git", "ignore2"), filepath.Join(home, "git", "ignore")))
		}, []string{"src/c/d.txt", "src/e.log"}},
		{"and another file there", func() { put(t, dir, "rules", "*.log\n") }, []string{"src/e.log"}},
	}
	for _, s := range steps {
		s.do()
		got, err := r.Ignored(t.Context(), paths)
		must(t, err)
		if slices.Sort(got); !slices.Equal(got, s.want) {
			t.Fatalf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
}

// Git is not asked for repositories inside only where there is none.
func TestRepositoriesInsideAreSeenInAnyIndex(t *testing.T) {
	t.Parallel()
	inside := testkit.Repo(t, map[string]string{"x.txt": "x\n"})
	for _, version := range []string{"2", "4"} {
		dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "z/link": "z\n"})
		testkit.Git(t, dir, "update-index", "--index-version", version)
		r := open(t, dir)
		if got, err := r.Submodules(t.Context()); err != nil || len(got) > 0 {
			t.Errorf("version %s: got %q, %v, want none", version, got, err)
		}
		hash := testkit.Git(t, inside, "rev-parse", "HEAD")
		testkit.Git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+hash+",sub")
		if got, err := r.Submodules(t.Context()); err != nil || !slices.Equal(got, []string{"sub"}) {
			t.Errorf("version %s: got %q, %v, want sub", version, got, err)
		}
		testkit.Git(t, dir, "update-index", "--split-index")
		if got, err := r.Submodules(t.Context()); err != nil || !slices.Equal(got, []string{"sub"}) {
			t.Errorf("version %s, split: got %q, %v, want sub", version, got, err)
		}
	}
}

// Who commits is taken for known only where two settings say it and nothing else does.
func TestAnIdentityThatGitWouldRefuseIsRefused(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings [][2]string
		env      [2]string
		ok       bool
	}{
		{name: "both", settings: [][2]string{{"user.name", "A"}, {"user.email", "a@b.c"}}, ok: true},
		{name: "a name of signs", settings: [][2]string{{"user.name", ".,;"}, {"user.email", "a@b.c"}}},
		{name: "an author without a name", settings: [][2]string{{"user.name", "A"}, {"user.email", "a@b.c"},
			{"author.name", ".,"}}},
		{name: "a bad date", settings: [][2]string{{"user.name", "A"}, {"user.email", "a@b.c"}},
			env: [2]string{"GIT_AUTHOR_DATE", "no date"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				for _, what := range []string{"_NAME", "_EMAIL", "_DATE"} {
					t.Setenv("GIT_"+who+what, "")
					must(t, os.Unsetenv("GIT_"+who+what))
				}
			}
			if c.env[0] != "" {
				t.Setenv(c.env[0], c.env[1])
			}
			for _, s := range c.settings {
				testkit.Git(t, dir, "config", s[0], s[1])
			}
			if err := open(t, dir).CheckIdentity(t.Context()); (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
