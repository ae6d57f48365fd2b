package workspace

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
func (r *Repo) Runs(ctx context.Context) ([]RunRefs, error) {
	st := r.own.Objects()
	refs, err := r.own.Refs()
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
		hash, err := r.own.Ref(ref)
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
			x.Here = m.Worktree == r.checkoutID()
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
func (r *Repo) Checkpoints(ctx context.Context, run string) ([]Checkpoint, error) {
	list, err := r.family(ctx, run)
	if err == nil && len(list) == 0 {
		err = fault.New(fault.Usage, "booty status lists the runs",
			"there is no recorded state of run %q in this repository", run)
	}
	return list, err
}

// family is Checkpoints where there may be none.
func (r *Repo) family(ctx context.Context, name string) ([]Checkpoint, error) {
	entries, err := os.ReadDir(filepath.Join(r.own.Path(), "refs", "booty", name))
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
func (r *Repo) Prune(ctx context.Context, age time.Duration, spare func(run string) bool) ([]string, error) {
	runs, err := r.Runs(ctx)
	if err != nil {
		return nil, err
	}
	young, latest, keep := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, x := range runs { // newest first
		young[ownRun(x.Run)] = young[ownRun(x.Run)] || r.now().Sub(x.Last) < age
		if !Beside(x.Run) && !latest[x.worktree] && age > 0 {
			latest[x.worktree], keep[x.Run] = true, true
		}
	}
	var gone []string
	for _, x := range runs {
		if run := ownRun(x.Run); young[run] || keep[run] || spare(run) {
			continue
		}
		for _, ref := range x.Refs {
			if err := r.own.DropRef(ref); err != nil {
				return gone, err
			}
		}
		if !Beside(x.Run) {
			gone = append(gone, x.Run)
		}
	}
	if len(gone) == 0 && !r.manyLoose() {
		return nil, store.DropOrphans(r.stateDir)
	}
	return gone, errors.Join(store.DropOrphans(r.stateDir), r.collect(ctx))
}

// collect removes the objects of the store that nothing needs any more. Young
// ones stay: another process may be about to name them.
func (r *Repo) collect(ctx context.Context) error {
	if err := r.own.CopyRefs(ctx, r.Home().git); err != nil { // what the user has deleted must not be looked for
		return err
	}
	_, err := r.own.Git(r.git).Run(ctx, git.Call{Args: []string{"-c", "gc.pruneExpire=1.hour.ago", "gc", "--quiet"}})
	return git.Classify("collect what is not needed any more", err)
}

// manyLoose reports whether the store has some thousands of loose objects, by one of
// their 256 directories, as git gc --auto does.
func (r *Repo) manyLoose() bool {
	entries, err := os.ReadDir(filepath.Join(r.own.ObjectsDir(), "17"))
	return err == nil && len(entries) > 6700/256
}

// PruneDue reports, once a day for a repository, that it is time to prune.
func (r *Repo) PruneDue() bool {
	stamp := filepath.Join(r.own.Dir(), "pruned")
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

// ownRun is the run that a family of checkpoints belongs to.
func ownRun(name string) string {
	run, _, _ := strings.Cut(name, "-")
	return run
}

// Beside reports whether a name of Runs is that of states beside a run's own.
func Beside(name string) bool { return ownRun(name) != name }
