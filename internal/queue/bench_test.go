package queue

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/workspace"
)

// BenchmarkPending finds and reads a thousand specs among the 20,000 files of a git
// repository, in five languages.
func BenchmarkPending(b *testing.B) {
	dir := b.TempDir()
	git := func(stdin string, args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, append(cmd.Environ(), testkit.GitEnv(dir)...), strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	git("", "init", "-q", "-b", "main")
	git(manyFiles(20000, 1000), "fast-import", "--quiet")
	repo, err := workspace.Open(b.Context(), dir, workspace.Options{})
	if err != nil {
		b.Fatal(err)
	}
	commit, err := repo.History.Resolve(b.Context(), "main")
	if err != nil {
		b.Fatal(err)
	}
	q := &Queue{s: &runner.Session{Repo: repo, Settings: &config.Loaded{}}}
	for b.Loop() {
		specs, _, err := q.pending(b.Context(), commit)
		if err != nil || len(specs) != 1000 {
			b.Fatalf("found %d specs: %v", len(specs), err)
		}
	}
}

// manyFiles is a commit with so many files, some of them with a spec, as git
// fast-import reads it.
func manyFiles(files, specs int) string {
	forms := []struct{ name, plain, pending string }{
		{"%d_test.go", "func F%d() int { return 1 }\n", "func Test(t *testing.T) {\n\tt.Skip(\"booty: A-%d does\")\n}\n"},
		{"%d.test.ts", "const f%d = () => 1\n", "test.fixme('B-%d does', () => {})\n"},
		{"test_%d.py", "def f%d(): return 1\n", "@pytest.mark.skip(reason=\"booty: C-%d does\")\ndef test_it(): pass\n"},
		{"%d.rs", "fn f%d() -> i32 { 1 }\n", "#[test]\n#[ignore = \"booty: D-%d does\"]\nfn it() {}\n"},
		{"%d_spec.rb", "def f%d() = 1\n", "RSpec.describe 'x' do\n  xit 'E-%d does' do\n  end\nend\n"},
	}
	var b strings.Builder
	b.WriteString("commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 0\n")
	for i := range files {
		form := forms[i%len(forms)]
		text := strings.Repeat(fmt.Sprintf(form.plain, i), 80)
		if i%(files/specs) == i/(files/specs)%len(forms) { // of all languages
			text += fmt.Sprintf(form.pending, i)
		}
		fmt.Fprintf(&b, "M 100644 inline d%d/"+form.name+"\ndata %d\n%s\n", i/100, i, len(text), text)
	}
	return b.String()
}
