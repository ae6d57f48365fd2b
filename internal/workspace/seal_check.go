package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// Check puts back what a command changed of what git obeys, and says what that
// was. Where something cannot be put back, no git is run any more.
func (s *Seal) Check(ctx context.Context) ([]Tampering, error) {
	found, err := s.check(ctx)
	if err != nil {
		err = fault.New(fault.Refused, "look at it, put it right by hand, then: booty undo",
			"a command changed the git directory, and it could not be put back, so no git is run: %w", err)
		s.r.git.stop(err)
	}
	return found, err
}

func (s *Seal) check(ctx context.Context) ([]Tampering, error) {
	var found []Tampering
	for _, p := range s.places {
		t, err := s.bringHome(p.path)
		if err != nil {
			return nil, err
		}
		found = append(found, t...)
	}
	// What is put back may uncover more, such as what lies below a link.
	last := ""
	for range 4 {
		now, changes, err := s.settled(ctx)
		if err != nil {
			return found, err
		}
		if len(changes) == 0 {
			return found, errors.Join(s.checkIndexes(ctx), s.checkStart(ctx))
		}
		last = changes[0]
		for _, path := range changes {
			t, err := s.putBack(path, now)
			if err != nil {
				return found, err
			}
			found = append(found, t)
		}
	}
	return found, fmt.Errorf("%s changed again and again", s.r.shown(last))
}

// settled says what is there and what of it differs. A lock that was not there is
// looked at again for a moment: another git, that of a run beside this one, may
// hold it, and would lose its reference if it were taken away. One that a command
// has left stays.
func (s *Seal) settled(ctx context.Context) (now map[string]sealed, changes []string, err error) {
	held := func(path string) bool {
		_, existed := s.was[path]
		return !existed && strings.HasSuffix(path, ".lock") && now[path].mode.IsRegular()
	}
	for wait := 5 * time.Millisecond; ; wait *= 2 {
		now = map[string]sealed{}
		if err := s.read(now); err != nil {
			return nil, nil, err
		}
		changes = s.changes(now)
		if wait > 400*time.Millisecond || !slices.ContainsFunc(changes, held) {
			return now, changes, nil
		}
		select {
		case <-ctx.Done():
			return now, changes, nil
		case <-time.After(wait):
		}
	}
}

// checkStart sees that the state before the run is still whole, where a command
// could have deleted it.
func (s *Seal) checkStart(ctx context.Context) error {
	state, err := s.r.readState()
	if err != nil || state == nil || !slices.ContainsFunc(s.places,
		func(p place) bool { return within(s.r.commonDir, p.path) }) {
		return err
	}
	return s.r.mendStart(ctx, state.Run)
}

// changes lists what is to be put back, directories before what is in them. Of
// what is new, only the topmost.
func (s *Seal) changes(now map[string]sealed) []string {
	var list []string
	for path, was := range s.was {
		is, exists := now[path]
		if (!exists || is.differs(was)) && !s.allowed(path, is, true, exists) {
			list = append(list, path)
		}
	}
	for path, is := range now {
		if _, existed := s.was[path]; !existed && !s.allowed(path, is, false, true) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	var top []string
	for _, path := range list {
		_, existed := s.was[path]
		if !existed && len(top) > 0 && within(path, top[len(top)-1]) {
			continue // goes with the one above
		}
		if _, was := s.was[filepath.Dir(path)]; !existed && !was && slices.Contains(list, filepath.Dir(path)) {
			continue
		}
		top = append(top, path)
	}
	return top
}

// allowed tells whether a difference is one that a command may make: a changed
// index, a new reference that nothing is made of, a new work tree.
func (s *Seal) allowed(path string, is sealed, existed, exists bool) bool {
	at := place{}
	for _, p := range s.places {
		if within(path, p.path) && len(p.path) > len(at.path) {
			at = p
		}
	}
	switch {
	case !at.git || exists && !is.mode.IsRegular() && !is.mode.IsDir():
		return false
	case slices.Contains(s.but, path):
		return true
	case !exists && s.was[path].free || !existed && is.free:
		return true
	}
	rel, _ := filepath.Rel(at.path, path)
	rel = filepath.ToSlash(rel)
	if id, ok := strings.CutPrefix(rel, "worktrees/"); ok {
		name, rest, below := strings.Cut(id, "/")
		if _, known := s.was[filepath.Join(at.path, "worktrees", name)]; !known {
			return true
		}
		if below {
			rel = rest
		}
	}
	switch {
	case rel == "index" || rel == "index.lock" || strings.HasPrefix(rel, "sharedindex.") ||
		strings.HasPrefix(rel, "modules/") && strings.HasSuffix(rel, "/index"):
		return !exists || is.mode.IsRegular()
	case strings.HasPrefix(rel, "refs/"):
		return s.newRef(rel, existed) || !existed && is.mode.IsDir() || s.r.noted(rel, is, s.refs)
	}
	return !existed && (rel == "logs" || rel == "lfs" || rel == "worktrees")
}

// newRef tells whether a reference is new, and one that nothing is made of.
func (s *Seal) newRef(rel string, existed bool) bool {
	return !existed && !slices.ContainsFunc([]string{"refs/heads/", "refs/remotes/", "refs/booty/", "refs/replace",
		"refs/bisect"},
		func(kept string) bool { return strings.HasPrefix(rel, kept) })
}

// asideDir holds, in the git directory, what was there instead of what was put
// back: it may have been the user, in another window, who changed it.
const asideDir = "put-aside"

// putBack makes one entry what it was.
func (s *Seal) putBack(path string, now map[string]sealed) (Tampering, error) {
	was, existed := s.was[path]
	is, exists := now[path]
	t := Tampering{Path: s.r.shown(path), What: is.what(exists)}
	t.Note = t.Path + " changed while a command ran; put back as it was"
	if hash := strings.TrimSpace(string(is.data)); strings.HasPrefix(t.Path, ".git/refs/") && len(hash) == 40 {
		t.Note += " (it was " + hash + ")"
	}
	switch {
	case existed && exists && was.mode.IsDir() && is.mode.IsDir():
	case exists:
		kept, err := s.r.putAside(path)
		if err != nil {
			return t, fmt.Errorf("%s: %w", t.Path, err)
		}
		t.Note += ", the changed one is " + kept
	}
	if err := was.write(path, existed); err != nil {
		return t, fmt.Errorf("%s: %w", t.Path, err)
	}
	return t, nil
}

// write makes path what it was; nothing but a directory is there now.
func (e sealed) write(path string, existed bool) error {
	if !existed {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	switch {
	case e.mode&fs.ModeSymlink != 0:
		return os.Symlink(e.sum, path)
	case e.mode.IsDir():
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
		return os.Chmod(path, e.mode.Perm())
	case !e.mode.IsRegular() || e.free:
		return nil // a socket that its owner has taken away, or what can be made again
	case e.data == nil && e.size > 0:
		return errors.New("it was too large to be remembered")
	}
	return writeAtomic(path, e.data, e.mode.Perm())
}

// putAside moves an entry out of git's sight and says where it is.
func (r *Repo) putAside(path string) (string, error) {
	home := filepath.Join(r.commonDir, "booty")
	for _, dir := range []string{home, filepath.Join(home, asideDir)} {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			if err := os.Remove(dir); err != nil {
				return "", err
			}
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
	}
	if within(home, path) { // booty's own directory itself
		return "", os.RemoveAll(path)
	}
	dir, err := os.MkdirTemp(filepath.Join(home, asideDir), time.Now().Format("20060102-150405-"))
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, filepath.Base(path))
	if err := os.Rename(path, to); err != nil {
		// Another file system: the file .git of a linked work tree.
		to = path + "." + filepath.Base(dir)
		if err := os.Rename(path, to); err != nil {
			return "", err
		}
	}
	return r.shown(to), nil
}

// shown names a path as a user would.
func (r *Repo) shown(path string) string {
	for _, dir := range []string{r.root, filepath.Dir(r.commonDir)} {
		if rel, err := filepath.Rel(dir, path); err == nil && within(path, dir) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// bringHome sees that a directory is the one that it was, and not another in its
// place: one that was moved away within the work tree is found again.
func (s *Seal) bringHome(place string) ([]Tampering, error) {
	was, existed := s.was[place]
	if !existed || !was.mode.IsDir() {
		return nil, nil
	}
	info, err := os.Lstat(place)
	if err == nil && info.IsDir() && idOf(info) == was.id {
		return nil, nil
	}
	t := Tampering{Path: s.r.shown(place), What: "another in its place"}
	found := ""
	_ = filepath.WalkDir(s.r.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || found != "" || !d.IsDir() {
			return nil //nolint:nilerr // what cannot be read does not hold it
		}
		if info, err := d.Info(); err == nil && idOf(info) == was.id {
			found = path
			return fs.SkipAll
		}
		return nil
	})
	if found == "" {
		return nil, fmt.Errorf("%s is gone", t.Path)
	}
	if _, err := os.Lstat(place); err == nil {
		aside := filepath.Join(found, "booty", asideDir)
		if err := os.MkdirAll(aside, 0o755); err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp(aside, time.Now().Format("20060102-150405-"))
		if err != nil {
			return nil, err
		}
		if err := os.Rename(place, filepath.Join(dir, "git")); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(found, place); err != nil {
		return nil, err
	}
	t.Note = t.Path + " was replaced while a command ran; put back as it was"
	return []Tampering{t}, nil
}

// checkIndexes sees that a changed index leads git into no repository that was
// not there before: its settings would be obeyed.
func (s *Seal) checkIndexes(ctx context.Context) error {
	for path, was := range s.was {
		if filepath.Base(path) != "index" || !was.mode.IsRegular() || was.data == nil {
			continue
		}
		now, err := os.ReadFile(path)
		if err != nil || bytes.Equal(now, was.data) {
			continue // no index leads nowhere
		}
		known, err := s.r.gitlinksIn(ctx, was.data)
		if err != nil {
			return err
		}
		links, err := s.r.gitlinksIn(ctx, now)
		if err != nil || slices.ContainsFunc(links, func(l string) bool { return !slices.Contains(known, l) }) {
			if err := writeAtomic(path, was.data, was.mode.Perm()); err != nil {
				return err
			}
		}
	}
	return nil
}

// gitlinksIn lists the repositories inside that an index names.
func (r *Repo) gitlinksIn(ctx context.Context, index []byte) ([]string, error) {
	if err := r.makeOwnDir(); err != nil {
		return nil, err
	}
	path := filepath.Join(r.ownDir(), "looked-at.index")
	defer func() { _ = removeFile(path) }()
	if err := writeAtomic(path, index, 0o600); err != nil {
		return nil, err
	}
	return r.gitlinks(ctx, "GIT_INDEX_FILE="+path)
}
