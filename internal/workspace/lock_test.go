package workspace

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
)

func TestOneBootyAtATime(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "a\n"})
	linked := filepath.Join(t.TempDir(), "linked")
	testkit.Git(t, dir, "worktree", "add", "-q", "--detach", linked)
	first := open(t, dir)
	l, err := first.Lock(t.Context(), "run 20260102-abc")
	must(t, err)
	second := open(t, dir)
	second.shared.patience = 50 * time.Millisecond
	_, err = second.Lock(t.Context(), "undo")
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "run 20260102-abc") || fault.HintOf(err) == "" {
		t.Errorf("got %v, want a refusal that names the holder", err)
	}
	other, err := open(t, linked).Lock(t.Context(), "run elsewhere")
	if err != nil {
		t.Fatalf("another work tree of the repository: %v", err)
	}
	must(t, other.Unlock())
	must(t, l.Unlock())
	must(t, l.Unlock())
	again, err := open(t, dir).Lock(t.Context(), "undo")
	must(t, err)
	must(t, again.Unlock())
}

func TestPruneKeepsWhatIsNeeded(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := open(t, dir)
	day := func(n int) { r.shared.now = func() time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) } }
	for i, run := range []string{"old", "spared", "interrupted", "resumed", "new"} {
		day(1 + 5*i)
		put(t, dir, "a.txt", run+"\n")
		_, err := r.States.Snapshot(t.Context(), run, 0, "before")
		must(t, err)
	}
	day(2)
	_, err := r.States.Snapshot(t.Context(), "old"+snapshot.ResumeStates, 1, "found")
	must(t, err)
	day(20)
	_, err = r.States.Snapshot(t.Context(), "resumed"+snapshot.ResumeStates, 1, "found")
	must(t, err)
	none := func(string) bool { return false }
	day(22)
	gone, err := r.Records.Prune(t.Context(), 5*24*time.Hour, func(run string) bool { return run == "spared" || run == "interrupted" })
	must(t, err)
	if strings.Join(gone, ",") != "old" {
		t.Errorf("got %v pruned, want old alone", gone)
	}
	runs, err := r.Records.Runs(t.Context())
	must(t, err)
	var names []string
	for _, x := range runs {
		names = append(names, x.Run)
	}
	if got := strings.Join(names, ","); got != "new,resumed-resume,resumed,interrupted,spared" {
		t.Errorf("left are %s", got)
	}
	// With references gone and the objects collected, a new snapshot is whole.
	put(t, dir, "big.txt", strings.Repeat("only in a checkpoint\n", 100))
	_, err = r.States.Snapshot(t.Context(), "last", 0, "before")
	must(t, err)
	day(30)
	gone, err = r.Records.Prune(t.Context(), 0, none)
	must(t, err)
	if got := strings.Join(gone, ","); got != "last,new,resumed,interrupted,spared" {
		t.Errorf("got %s pruned", got)
	}
	testkit.Git(t, r.at.Store.Path(), "gc", "-q", "--prune=now")
	_, err = open(t, dir).States.Snapshot(t.Context(), "again", 0, "before")
	must(t, err)
	sound(t, dir)
	if got := testkit.Git(t, r.at.Store.Path(), "show", "refs/booty/again/0:big.txt"); !strings.Contains(got, "only in") {
		t.Error("the file's bytes are not in the checkpoint")
	}
}

func TestRunIDsCannotEscape(t *testing.T) {
	testkit.Hermetic(t)
	r := open(t, testkit.Repo(t, nil))
	for _, run := range []string{"", "../x", "a/b", "a..b", "-x", "x.lock", "x y", "x.", "é", "a\nb"} {
		if _, err := r.States.Snapshot(t.Context(), run, 0, "m"); fault.KindOf(err) != fault.Usage {
			t.Errorf("run id %q: got %v, want a refusal", run, err)
		}
	}
}

// TestALockOfAReferenceIsNone: git makes it empty beside the reference, writes it
// and renames it; a killed git leaves it behind.
