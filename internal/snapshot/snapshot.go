package snapshot

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// Recorder records the states of one work tree, and brings it back to them.
type Recorder struct {
	at       Place
	records  Records
	files    Files
	ignoring ignoreAnswers
	maxFile  int64 // bounds the untracked files that are recorded, 0 for no bound

	mu     sync.Mutex // the shadow's index has one user at a time
	shadow *shadow
	large  map[string]Large // those above the bound, as the last look found them
}

// openShadow makes the shadow ready. The caller holds r.mu.
func (r *Recorder) openShadow(ctx context.Context) (*shadow, error) {
	if r.shadow != nil {
		return r.shadow, nil
	}
	s := newShadow(r.at)
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	r.shadow = s
	return s, nil
}

// ForgetIndex has the next look at the work tree read every file: the shadow's index names
// objects that are gone.
func (r *Recorder) ForgetIndex() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shadow != nil {
		return r.shadow.forget()
	}
	return newShadow(r.at).forget()
}

// scan compares the work tree with the shadow's index. r.mu is held.
func (r *Recorder) scan(ctx context.Context, s *shadow) (*drift, error) {
	d, err := s.scan(ctx, r.maxFile)
	if err == nil {
		r.large = d.large
	}
	return d, err
}

// Snapshot records the work tree as checkpoint n of run. The user's index,
// HEAD and stash stay as they are. Checkpoint 0 is never overwritten.
func (r *Recorder) Snapshot(ctx context.Context, run string, n int, message string) (Checkpoint, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := CheckRun(run); err != nil {
		return Checkpoint{}, err
	}
	s, err := r.openShadow(ctx)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	cp, err := r.snapshot(ctx, s, run, n, message)
	return cp, git.Classify("record the state of the work tree", err)
}

// Look records the checkout, in the place of what the last Look recorded. That stays, so that
// the next one needs no more than what has changed since.
func (r *Recorder) Look(ctx context.Context) (Checkpoint, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	tree, m, err := r.recordTree(ctx, s, nil, true)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	cp := Checkpoint{Tree: tree, Branch: m.Branch, Head: m.Head, Unsaved: m.Unsaved}
	cp.Commit, err = r.records.Commit(r.at.Store.Objects(), tree, "the checkout\n\n"+mustJSON(m), m.Head)
	if err == nil {
		err = s.standFor(cp)
	}
	return cp, git.Classify("record the state of the work tree", err)
}

func (r *Recorder) snapshot(ctx context.Context, s *shadow, run string, n int,
	message string) (Checkpoint, error) {
	st := r.at.Store.Objects()
	if n == 0 {
		if have, err := st.Ref(checkpointRef(run, 0)); err != nil || have != "" {
			return Checkpoint{}, errors.Join(err, fault.New(fault.Refused, "booty undo "+run,
				"the state before run %s is recorded already", run))
		}
	}
	known, err := r.records.Remembered(st, run)
	if err != nil {
		return Checkpoint{}, err
	}
	var also []string // though git ignores them
	for path := range known {
		also = append(also, path)
	}
	tree, m, err := r.recordTree(ctx, s, also, n == 0 || !r.at.Own)
	if err != nil {
		return Checkpoint{}, err
	}
	cp, err := r.records.keep(st, Checkpoint{Run: run, N: n, Tree: tree, Branch: m.Branch, Head: m.Head,
		Unsaved: m.Unsaved}, message, m)
	if err != nil {
		return Checkpoint{}, err
	}
	return cp, s.anchorTo(cp.Ref(), cp.Commit, tree)
}

// recordTree records what lies on disk, with paths that git ignores; forced looks for those
// that it tracks all the same.
func (r *Recorder) recordTree(ctx context.Context, s *shadow, also []string,
	forced bool) (tree string, m meta, err error) {
	if forced {
		list, err := s.forced(ctx)
		if err != nil {
			return "", m, err
		}
		also = append(also, list...)
	}
	tree, d, err := r.saveTree(ctx, s, also)
	if err != nil {
		return "", m, err
	}
	m = meta{Worktree: r.at.ID, Unsaved: d.unsaved}
	m.Branch, m.Head, err = r.at.Store.Objects().Head()
	return tree, m, err
}

// saveTree records what lies on disk, with paths that git ignores, and gives its tree.
func (r *Recorder) saveTree(ctx context.Context, s *shadow, also []string) (string, *drift, error) {
	d, err := r.scan(ctx, s)
	if err != nil {
		return "", nil, err
	}
	beside := r.recordable(also, d)
	if len(d.changed)+len(d.touched)+len(beside) == 0 {
		if tree := s.tree(); tree != "" {
			return tree, d, nil
		}
	}
	r.at.Step("snapshot: before the index")
	if err := s.unanchor(); err != nil {
		return "", nil, err
	}
	if err := s.record(ctx, d, beside); err != nil {
		// Someone else writes too: a file may have become a directory since.
		if d, err = r.scan(ctx, s); err != nil {
			return "", nil, err
		}
		if err := s.record(ctx, d, r.recordable(also, d)); err != nil {
			return "", nil, err
		}
	}
	r.at.Step("snapshot: index written")
	tree, err := s.writeTree(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("record the work tree: %w", err)
	}
	return tree, d, nil
}

// recordable leaves out of also what cannot be recorded, and tells so.
func (r *Recorder) recordable(also []string, d *drift) []string {
	var ok []string
	for _, path := range also {
		if _, changed := d.changed[path]; changed {
			continue
		}
		if _, why := OnDisk(r.at.Root, path, 0); why != "" {
			d.unsaved = append(d.unsaved, Unsaved{path, why})
			continue
		}
		ok = append(ok, path)
	}
	return ok
}
