package edit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
	"github.com/google/go-cmp/cmp"
)

// git is the judge of what Unified prints: applied by it, the diff of each
// reply must give the very tree that Apply gives.
func TestGitAppliesWhatUnifiedPrints(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	cases := loadReplies(t)
	odd := func(old, now string) replyCase {
		return replyCase{before: map[string]string{"f.txt": old}, reply: now}
	}
	cases["crlf"] = odd("a\r\nb\r\n", "f.txt\n```\na\nc\n```\n")
	cases["no newline"] = odd("a\nb", "f.txt\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n")
	tried := 0
	for name, c := range cases {
		root := t.TempDir()
		writeTree(t, root, c.before)
		changes, problems := readAndResolve(edit.DirFS(root), c.reply)
		if len(problems) > 0 || len(changes) == 0 {
			continue
		}
		tried++
		other := t.TempDir()
		writeTree(t, other, c.before)
		cmd := exec.Command(git, "apply", "--whitespace=nowarn", "-")
		cmd.Dir = other
		// No repository above and no one's settings: plain files in a plain directory.
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(other), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		text := edit.Unified(changes)
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: git apply: %v\n%s\n%s", name, err, out, text)
			continue
		}
		if err := applyTo(root, changes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(readTree(t, other), readTree(t, root)); d != "" {
			t.Errorf("%s: (git, edit):\n%s\n%s", name, d, text)
		}
	}
	if tried < 100 {
		t.Errorf("only %d diffs were tried", tried)
	}
}
