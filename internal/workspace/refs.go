package workspace

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
)

// RunRefs are the recorded states of one run.
type RunRefs struct {
	Run string
	// Numbers are those of its checkpoints, in order.
	Numbers []int
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
	st := r.store()
	refs, err := r.ownRefs(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("list booty's references: %w", err)
	}
	runs := map[string]*RunRefs{}
	for ref, hash := range refs {
		run, name, found := strings.Cut(strings.TrimPrefix(ref, refRoot), "/")
		if !found {
			continue
		}
		if runs[run] == nil {
			runs[run] = &RunRefs{Run: run}
		}
		runs[run].Refs = append(runs[run].Refs, ref)
		if n, err := strconv.Atoi(name); err == nil {
			runs[run].Numbers = append(runs[run].Numbers, n)
			if c, err := st.commit(hash); err == nil && c.Committer.When.After(runs[run].Last) {
				runs[run].Last = c.Committer.When
			}
		}
	}
	list := make([]RunRefs, 0, len(runs))
	for _, x := range runs {
		slices.Sort(x.Numbers)
		slices.Sort(x.Refs)
		if len(x.Numbers) > 0 {
			m, _, err := r.readMeta(st, Checkpoint{Run: x.Run, N: x.Numbers[0]})
			x.worktree = m.Worktree
			x.Here = err == nil && (m.Worktree == "" || m.Worktree == r.worktreeID())
		}
		list = append(list, *x)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(b.Run, a.Run)) < 0
	})
	return list, nil
}

// ownRefs are booty's references by name, each with its commit. go-git takes the
// lock of a reference, which another process is just writing or has left behind,
// for one, and stops where it is empty: git is asked then.
func (r *Repo) ownRefs(ctx context.Context, st store) (map[string]string, error) {
	refs := map[string]string{}
	iter, err := st.IterReferences()
	if err == nil {
		err = iter.ForEach(func(ref *plumbing.Reference) error {
			name := ref.Name().String()
			if strings.HasPrefix(name, refRoot) && !strings.HasSuffix(name, ".lock") {
				refs[name] = ref.Hash().String()
			}
			return nil
		})
	}
	if err == nil {
		return refs, nil
	}
	out, err := r.git.text(ctx, "for-each-ref", "--format=%(refname) %(objectname)", refRoot)
	if err != nil {
		return nil, err
	}
	clear(refs)
	for line := range strings.Lines(out) {
		if name, hash, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			refs[name] = hash
		}
	}
	return refs, nil
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

// Prune removes the recorded states of runs older than age and says which runs
// these were. The latest run of each work tree, those under way or interrupted
// in one, and those that spare names stay. git collects the objects in its own
// time.
func (r *Repo) Prune(ctx context.Context, age time.Duration, spare func(run string) bool) ([]string, error) {
	runs, err := r.Runs(ctx)
	if err != nil {
		return nil, err
	}
	keep, err := r.underWay()
	if err != nil {
		return nil, err
	}
	young, latest := map[string]bool{}, map[string]bool{}
	for _, x := range runs { // newest first
		young[ownRun(x.Run)] = young[ownRun(x.Run)] || r.now().Sub(x.Last) < age
		if !Beside(x.Run) && !latest[x.worktree] && r.isWorktree(x.worktree) {
			latest[x.worktree], keep[x.Run] = true, true
		}
	}
	var gone []string
	for _, x := range runs {
		if run := ownRun(x.Run); young[run] || keep[run] || spare(run) {
			continue
		}
		var changes []refChange
		for _, ref := range x.Refs {
			changes = append(changes, refChange{ref, "", ""})
		}
		if err := r.updateRefs(ctx, changes...); err != nil {
			return gone, err
		}
		if err := r.dropSecond(x.Run); err != nil {
			return gone, err
		}
		if !Beside(x.Run) {
			gone = append(gone, x.Run)
		}
	}
	return gone, r.dropOrphans()
}

// isWorktree tells whether a work tree, named as in meta, is still there.
func (r *Repo) isWorktree(id string) bool {
	_, err := os.Stat(filepath.Join(r.commonDir, filepath.FromSlash(id)))
	return err == nil
}

// PruneDue says, once a day for a repository, that it is time to prune.
func (r *Repo) PruneDue() bool {
	stamp := filepath.Join(r.commonDir, "booty", "pruned")
	if info, err := os.Stat(stamp); err == nil && r.now().Sub(info.ModTime()) < 24*time.Hour {
		return false
	}
	return os.MkdirAll(filepath.Dir(stamp), 0o755) == nil && os.WriteFile(stamp, nil, 0o644) == nil
}

// underWay are the runs that the state files of all work trees name.
func (r *Repo) underWay() (map[string]bool, error) {
	dirs, err := filepath.Glob(filepath.Join(r.commonDir, "worktrees", "*", "booty", "state.json"))
	if err != nil {
		return nil, err
	}
	runs := map[string]bool{}
	for _, path := range append(dirs, filepath.Join(r.commonDir, "booty", "state.json"), r.statePath()) {
		s, err := readStateFile(path)
		if err != nil {
			return nil, err
		}
		if s != nil {
			runs[s.Run] = true
		}
	}
	return runs, nil
}

// parseRef takes the name of a checkpoint's reference apart.
func parseRef(ref string) (run string, n int, ok bool) {
	run, num, found := strings.Cut(strings.TrimPrefix(ref, refRoot), "/")
	n, err := strconv.Atoi(num)
	return run, n, found && err == nil
}
