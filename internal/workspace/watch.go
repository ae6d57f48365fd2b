package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Watch knows the recorded files of a work tree as the file system describes
// them, so that a command which wrote to one is noticed at the price of a stat
// call a file, even if it put back what was there.
type Watch struct {
	r *Repo
	// keep is the reference below which is recorded what is put back.
	keep string

	mu    sync.Mutex
	plain bool  // the list is that of the user's index
	index stamp // of the index that the list was read from
	files []watched
	at    map[string]int // of files by path
	dirs  []watched
	names map[string]map[string]bool // in each directory
}

// watched is one entry as it was at the last look.
type watched struct {
	path  string // slashes, from the root; "" is the root itself
	state fileState
	was   stamp
}

// stamp is what the file system says of an entry; the zero value is absent. The
// time of change cannot be set at will.
type stamp struct {
	mode          uint32
	size          int64
	inode         uint64
	links         uint64
	changed, data int64
}

// Touch is what a command did to a file.
type Touch struct {
	Path string
	// Made says that there was none before; Same that it holds what it held, but
	// was written.
	Made, Same bool
}

// Watch begins to watch the work tree. Run is whose states keep what is put back.
func (r *Repo) Watch(run string) *Watch {
	return &Watch{r: r, keep: refRoot + run + StrayStates + "/meanwhile/"}
}

// Begin looks at everything: what differs from now on is a command's doing.
func (w *Watch) Begin(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.list(ctx); err != nil {
		return fmt.Errorf("look at the files of the checks: %w", err)
	}
	now := w.stamps(w.files)
	for i := range w.files {
		w.files[i].was = now[i]
	}
	w.restamp()
	return nil
}

// restamp takes directories as they are; a look into them only where they changed.
func (w *Watch) restamp() {
	now := w.stamps(w.dirs)
	for i := range w.dirs {
		d := &w.dirs[i]
		if _, known := w.names[d.path]; !known || d.was != now[i] {
			w.names[d.path] = w.entries(d.path)
		}
		d.was = now[i]
	}
}

// Look gives what was written since the last look. Entries that git ignores are
// not among it.
func (w *Watch) Look(ctx context.Context) ([]Touch, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []Touch
	now := w.stamps(w.files)
	for i := range w.files {
		f := &w.files[i]
		was := f.was
		if f.was = now[i]; f.was == was || f.was.linkedSince(was) {
			continue
		}
		is, why := stateOf(w.r.root, f.path, f.state.mode)
		list = append(list, Touch{Path: f.path, Same: why == "" && !is.differs(f.state)})
	}
	made, err := w.made(ctx)
	return append(list, made...), err
}

// linkedSince says that a file got or lost another name, no more.
func (s stamp) linkedSince(was stamp) bool {
	if s.links == was.links {
		return false
	}
	s.links, s.changed = was.links, was.changed
	return s == was
}

// made lists what is new in directories that were there, as deep as it goes.
func (w *Watch) made(ctx context.Context) ([]Touch, error) {
	var fresh []string
	now := w.stamps(w.dirs)
	for i := range w.dirs {
		d := &w.dirs[i]
		if now[i] == d.was {
			continue
		}
		d.was = now[i]
		if d.path != "" && throughSymlink(w.r.root, d.path+"/") {
			continue // elsewhere, by way of a link
		}
		entries := w.entries(d.path)
		for name := range entries {
			if !w.names[d.path][name] && name != ".git" && !isTemp(name) {
				fresh = append(fresh, path.Join(d.path, name))
			}
		}
		w.names[d.path] = entries
	}
	fresh = slices.DeleteFunc(fresh, func(p string) bool { _, known := w.at[p]; return known })
	if len(fresh) == 0 {
		return nil, nil
	}
	slices.Sort(fresh)
	ignored, err := w.r.checkIgnore(ctx, fresh)
	if err != nil {
		return nil, err
	}
	var list []Touch
	for _, p := range fresh {
		if !slices.Contains(ignored, p) {
			list = append(list, w.below(p)...)
		}
	}
	return list, nil
}

// maxMade bounds how many new files are listed.
const maxMade = 2000

// below lists the files of a new entry.
func (w *Watch) below(p string) []Touch {
	var list []Touch
	_ = filepath.WalkDir(filepath.Join(w.r.root, filepath.FromSlash(p)), func(full string, d os.DirEntry, err error) error {
		if err != nil || len(list) >= maxMade {
			return filepath.SkipAll
		}
		rel, err := filepath.Rel(w.r.root, full)
		if err == nil && !d.IsDir() {
			list = append(list, Touch{Path: filepath.ToSlash(rel), Made: true})
		}
		return nil
	})
	return list
}

// PutBack makes written files what they were, and takes new ones away; both are
// recorded first, since someone else may have written them, under the reference given
// ("" where there was nothing to record).
func (w *Watch) PutBack(ctx context.Context, touches []Touch) (ref string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	touches = slices.DeleteFunc(slices.Clone(touches), func(t Touch) bool { return t.Same })
	if len(touches) == 0 {
		return "", nil
	}
	if ref, err = w.record(ctx, touches); err != nil {
		return "", classify("record what a check wrote", err)
	}
	for _, t := range touches {
		if err := w.restore(ctx, t.Path); err != nil {
			return ref, restoreFault(t.Path, err)
		}
	}
	w.restamp()
	return ref, nil
}

// restore makes one file what it was.
func (w *Watch) restore(ctx context.Context, p string) error {
	i, known := w.at[p]
	if known {
		if err := w.clear(p); err != nil {
			return err
		}
	}
	is, _ := stateOf(w.r.root, p, 0)
	m := move{path: p, is: is}
	if !known {
		return w.r.remove(m)
	}
	m.want = w.files[i].state
	var err error
	if w.plain { // what the user's index has may lie otherwise on disk
		in := strings.NewReader(p + "\x00")
		_, err = w.r.git.run(ctx, call{args: []string{"checkout-index", "--force", "-z", "--stdin"}, stdin: in})
	} else {
		err = w.r.bring(w.r.store(), m)
	}
	w.files[i].was = stampOf(w.full(p))
	return err
}

// clear takes out of the way what keeps a file from its place: a link in place of
// one of its directories.
func (w *Watch) clear(p string) error {
	for i := range len(p) {
		if p[i] != '/' {
			continue
		}
		full := w.full(p[:i])
		info, err := os.Lstat(full)
		if err == nil && !info.IsDir() {
			return os.Remove(full)
		}
	}
	return nil
}

// record keeps the bytes of what is about to be put back.
func (w *Watch) record(ctx context.Context, touches []Touch) (ref string, err error) {
	if err := w.r.makeOwnDir(); err != nil {
		return "", err
	}
	index := filepath.Join(w.r.ownDir(), tempName())
	defer func() { _ = removeFile(index) }()
	env := []string{"GIT_INDEX_FILE=" + index}
	var entries strings.Builder
	for _, t := range touches {
		if _, why := stateOf(w.r.root, t.Path, 0); why != "" {
			continue // a pipe or the like holds nothing
		}
		state, err := w.r.keepBytes(t.Path)
		if err != nil {
			return "", err
		}
		if state.present() {
			fmt.Fprintf(&entries, "%o %s 0\t%s\x00", state.mode, state.hash, t.Path)
		}
	}
	if entries.Len() == 0 {
		return "", nil
	}
	in := call{args: []string{"update-index", "-z", "--index-info"}, env: env, stdin: strings.NewReader(entries.String())}
	if _, err := w.r.git.run(ctx, in); err != nil {
		return "", err
	}
	tree, err := w.r.git.run(ctx, call{args: []string{"-c", "core.fsync=all", "write-tree", "--missing-ok"}, env: env})
	if err != nil {
		return "", err
	}
	_, head, err := w.r.Head(ctx)
	if err != nil {
		return "", err
	}
	commit, err := w.r.commitObject(w.r.store(), strings.TrimSpace(string(tree)),
		"what a check, or someone else, wrote meanwhile", head)
	if err != nil {
		return "", err
	}
	ref = w.keep + strconv.FormatInt(w.r.now().UnixNano(), 10)
	return ref, w.r.updateRefs(ctx, refChange{ref, commit, ""})
}

// list reads the recorded files, unless it has them already: those of booty's own
// index, which has every file of the last state, or of the user's where there is none.
func (w *Watch) list(ctx context.Context) error {
	w.r.mu.Lock()
	s := w.r.shadow
	w.r.mu.Unlock()
	index := w.r.indexPath()
	w.plain = s == nil || w.r.anchored(s) == ""
	if !w.plain {
		index = s.index
	}
	now := stampOf(index)
	if now != (stamp{}) && now == w.index {
		return nil
	}
	var all []indexEntry
	var err error
	if w.plain {
		all, err = w.r.git.listed(ctx)
	} else {
		all, err = s.list(ctx)
	}
	if err != nil {
		return err
	}
	// A directory that is as it was need not be read again.
	were := make(map[string]stamp, len(w.dirs))
	for _, d := range w.dirs {
		were[d.path] = d.was
	}
	if w.names == nil {
		w.names = map[string]map[string]bool{}
	}
	w.files, w.dirs, w.at = make([]watched, 0, len(all)), []watched{{was: were[""]}}, make(map[string]int, len(all))
	seen := map[string]bool{"": true}
	for _, e := range all {
		if e.mode == modeGitlink {
			continue
		}
		w.at[e.path] = len(w.files)
		w.files = append(w.files, watched{path: e.path, state: e.fileState})
		for dir := path.Dir(e.path); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			w.dirs = append(w.dirs, watched{path: dir, was: were[dir]})
		}
	}
	w.index = now
	return nil
}

// stamps looks at all entries of a list.
func (w *Watch) stamps(list []watched) []stamp {
	out := make([]stamp, len(list))
	var g errgroup.Group
	share := len(list)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(list); from += share {
		g.Go(func() error {
			to := min(from+share, len(list))
			stampAll(w.r.root, list[from:to], out[from:to])
			return nil
		})
	}
	_ = g.Wait()
	return out
}

func (w *Watch) full(p string) string {
	return w.r.root + string(filepath.Separator) + filepath.FromSlash(p)
}

// entries are the names in a directory.
func (w *Watch) entries(dir string) map[string]bool {
	d, err := os.Open(w.full(dir))
	if errors.Is(err, os.ErrNotExist) || err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1) // what cannot be read is not seen
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
