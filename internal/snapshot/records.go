package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Records are the states of runs that the store holds, each a commit and a reference.
type Records struct {
	store *store.Access
	git   git.Client // of the user's repository
	id    string     // of the work tree
	now   func() time.Time
	step  func(name string)
}

// RunRefs are the recorded states of one run.
type RunRefs struct {
	Run string
	// Last is when the newest of them was made.
	Last time.Time
	// Here is true for a run of this work tree, not of a linked one.
	Here bool
	// Refs are all its references.
	Refs []string

	worktree string // whose it is, as meta has it
}

// Runs lists the runs that have recorded states here, newest first.
func (r Records) Runs(ctx context.Context) ([]RunRefs, error) {
	st := r.store.Objects()
	refs, err := r.store.Refs()
	if err != nil {
		return nil, err
	}
	runs := map[string]*RunRefs{}
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		run, name, found := strings.Cut(strings.TrimPrefix(ref, store.RunRefs), "/")
		if !found {
			continue
		}
		if runs[run] == nil {
			runs[run] = &RunRefs{Run: run}
		}
		x := runs[run]
		x.Refs = append(x.Refs, ref)
		if _, err := strconv.Atoi(name); err != nil {
			continue
		}
		hash, err := r.store.Ref(ref)
		if err != nil || hash == "" {
			continue
		}
		c, err := st.Commit(hash)
		if err != nil {
			continue
		}
		if c.Committer.When.After(x.Last) {
			x.Last = c.Committer.When
		}
		if m, err := readMeta(c); err == nil {
			x.worktree = m.Worktree
			x.Here = m.Worktree == r.id
		}
	}
	list := make([]RunRefs, 0, len(runs))
	for _, x := range runs {
		slices.Sort(x.Refs)
		list = append(list, *x)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(b.Run, a.Run)) < 0
	})
	return list, nil
}

// Checkpoints lists the checkpoints of a run in order; there is at least one.
func (r Records) Checkpoints(ctx context.Context, run string) ([]Checkpoint, error) {
	list, err := r.family(ctx, run)
	if err == nil && len(list) == 0 {
		err = fault.New(fault.Usage, "booty status lists the runs",
			"there is no recorded state of run %q in this repository", run)
	}
	return list, err
}

// family is Checkpoints where there may be none.
func (r Records) family(ctx context.Context, name string) ([]Checkpoint, error) {
	entries, err := os.ReadDir(filepath.Join(r.store.Path(), "refs", "booty", name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the states of run %s: %w", name, err)
	}
	var list []Checkpoint
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cp, err := r.Checkpoint(ctx, name, n)
		if err != nil {
			return nil, err
		}
		list = append(list, cp)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].N < list[j].N })
	return list, nil
}

// Prune removes the recorded states of runs older than age and gives their names. The
// latest run of each checkout and those that spare names stay.
func (r Records) Prune(ctx context.Context, age time.Duration, spare func(run string) bool) ([]string, error) {
	runs, err := r.Runs(ctx)
	if err != nil {
		return nil, err
	}
	young, latest, keep := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, x := range runs { // newest first
		young[RunOf(x.Run)] = young[RunOf(x.Run)] || r.now().Sub(x.Last) < age
		if !Beside(x.Run) && !latest[x.worktree] && age > 0 {
			latest[x.worktree], keep[x.Run] = true, true
		}
	}
	var gone []string
	for _, x := range runs {
		if run := RunOf(x.Run); young[run] || keep[run] || spare(run) {
			continue
		}
		for _, ref := range x.Refs {
			if err := r.store.DropRef(ref); err != nil {
				return gone, err
			}
		}
		if !Beside(x.Run) {
			gone = append(gone, x.Run)
		}
	}
	return gone, r.store.Tidy(ctx, r.git, len(gone) > 0)
}

// PruneDue reports, once a day for a repository, that it is time to prune.
func (r Records) PruneDue() bool {
	stamp := filepath.Join(r.store.Dir(), "pruned")
	if info, err := os.Stat(stamp); err == nil && r.now().Sub(info.ModTime()) < 24*time.Hour {
		return false
	}
	return os.MkdirAll(filepath.Dir(stamp), 0o700) == nil && os.WriteFile(stamp, nil, 0o600) == nil
}

// The families of checkpoints that stand beside those of a run, each named by
// the run and its suffix.
const (
	// SettledStates hold a base whose conflicts were settled.
	SettledStates = "-settled"
	// ResumeStates hold what a run found each time that it was taken up again, from 1.
	ResumeStates = "-resume"
)

// RunOf is the run that a family of checkpoints belongs to.
func RunOf(name string) string {
	run, _, _ := strings.Cut(name, "-")
	return run
}

// Beside reports whether a name of Runs is that of states beside a run's own.
func Beside(name string) bool { return RunOf(name) != name }
