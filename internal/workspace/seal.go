package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// Seal is the git directory as it was before a command: all that git obeys.
// What a command may change is a short list (see freeIn); anything else that
// differs afterwards is put back. Nothing of the command lives by then.
type Seal struct {
	r *Repo
	// places are the files and directories that are looked at; those that are no
	// git directory have nothing in them that a command may change.
	places []place
	but    []string
	was    map[string]sealed
	refs   int64 // where the log of references was
}

type place struct {
	path string
	git  bool
}

// sealed is one entry as it was.
type sealed struct {
	mode fs.FileMode
	size int64
	mod  time.Time
	sum  string // of the content, or the link's target
	data []byte // nil for what is too large to be kept
	id   fileID // of a directory whose place matters
	free bool   // a command may write it: only its kind counts
}

// maxSealed bounds the size of a file that is kept: hooks and references are small.
const maxSealed = 8 << 20

// Tampering is what a command changed of what git obeys, as it was before it was put back.
type Tampering struct {
	// Path is the entry, as a user would name it; What it had become, the same for
	// the same content.
	Path, What string
	// Note says what happened, in a sentence.
	Note string
}

// Seal remembers what git obeys here, as far as a command may write there, but
// for some files that it is to change.
func (r *Repo) Seal(ctx context.Context, writable func(path string) bool, but ...string) (*Seal, error) {
	s := &Seal{r: r, but: but, was: map[string]sealed{}, refs: r.refLogSize()}
	add := func(path string, git bool) {
		covered := slices.ContainsFunc(s.places, func(p place) bool { return within(path, p.path) })
		if !covered && writable(path) {
			s.places = append(s.places, place{path, git})
		}
	}
	obeyed, err := r.Obeyed(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range obeyed {
		add(path, !r.inTree(path) || filepath.Base(path) == ".git")
	}
	if err := s.read(s.was); err != nil {
		return nil, fault.New(fault.Refused, "see that you may read all of it", "remember what git obeys: %w", err)
	}
	return s, nil
}

// Obeyed lists what git obeys of this repository and no command may change: git
// directories, and what lies in the work tree that settings name. A path may be
// missing.
func (r *Repo) Obeyed(ctx context.Context) ([]string, error) {
	if err := r.findNested(ctx); err != nil {
		return nil, err
	}
	list := []string{filepath.Join(r.root, ".git"), r.commonDir, r.gitDir}
	for _, path := range slices.Concat(r.included, []string{r.hooks}, r.programs()) {
		if r.inTree(path) {
			list = append(list, path)
		}
	}
	return append(list, r.nested...), nil
}

// findNested lists, once, the .git of submodules and of repositories inside, as
// far as the index knows them.
func (r *Repo) findNested(ctx context.Context) error {
	if r.nested != nil {
		return nil
	}
	links, err := r.Submodules(ctx)
	if err != nil {
		return err
	}
	r.nested = []string{}
	for _, dir := range links {
		path := filepath.Join(r.root, filepath.FromSlash(dir), ".git")
		if _, err := os.Lstat(path); err == nil {
			r.nested = append(r.nested, path)
		}
	}
	return nil
}

// read reads the places.
func (s *Seal) read(into map[string]sealed) error {
	for _, p := range s.places {
		if err := s.walk(into, p, p.path); err != nil {
			return err
		}
	}
	return nil
}

func (s *Seal) walk(into map[string]sealed, p place, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return ignoreGone(err)
	}
	if !info.IsDir() {
		return s.add(into, path, info)
	}
	rel, _ := filepath.Rel(p.path, path)
	rel = filepath.ToSlash(rel)
	if p.git && s.elsewhere(rel, path) {
		return nil
	}
	e := sealed{mode: info.Mode()}
	if path == p.path {
		e.id = idOf(info)
	}
	into[path] = e
	if p.git && freeIn(rel) {
		return s.kinds(into, path)
	}
	entries, err := os.ReadDir(path)
	for _, d := range entries {
		if err := s.walk(into, p, filepath.Join(path, d.Name())); err != nil {
			return err
		}
	}
	return ignoreGone(err)
}

// ignoreGone leaves out what is gone meanwhile, as a lock that someone gave up,
// and what may not be read: neither will git.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// kinds looks at what is where a command may write by its kind alone: git would
// follow a link out of there, wait for a pipe, and stumble over a directory that
// has become a file.
func (s *Seal) kinds(into map[string]sealed, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ignoreGone(err)
	}
	for _, d := range entries {
		path := filepath.Join(dir, d.Name())
		switch {
		case d.IsDir():
			into[path] = sealed{mode: fs.ModeDir | 0o755, free: true}
			err = s.kinds(into, path)
		case d.Type().IsRegular() && !obeyed(path):
			into[path] = sealed{free: true}
		default:
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				err = s.add(into, path, info)
			}
		}
		if ignoreGone(err) != nil {
			return err
		}
	}
	return nil
}

// obeyed names the files among the objects that lead git elsewhere.
func obeyed(path string) bool {
	dir, name := filepath.Split(path)
	return filepath.Base(dir) == "info" && (name == "alternates" || name == "http-alternates")
}

// add reads a file, link or whatever it is. A file that has not been touched
// since it was read last is not read again.
func (s *Seal) add(into map[string]sealed, path string, info fs.FileInfo) error {
	e := sealed{mode: info.Mode(), size: info.Size(), mod: changed(info)}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		e.sum, into[path] = target, e
		return ignoreGone(err)
	case !info.Mode().IsRegular():
		into[path] = e
		return nil
	}
	if old, ok := s.r.sealCache[path]; ok && old.mode == e.mode && old.size == e.size && old.mod.Equal(e.mod) {
		into[path] = old
		return nil
	}
	read := time.Now()
	content, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.sum = "unreadable"
		into[path] = e
		return nil
	case err != nil:
		return ignoreGone(err)
	}
	sum := sha256.Sum256(content)
	e.sum = hex.EncodeToString(sum[:])
	if len(content) <= maxSealed || filepath.Base(path) == "index" {
		e.data = content
		// A change within the grain of the clock would not show in the times.
		if read.Sub(e.mod) > 100*time.Millisecond {
			if s.r.sealCache == nil {
				s.r.sealCache = map[string]sealed{}
			}
			s.r.sealCache[path] = e
		}
	}
	into[path] = e
	return nil
}

// freeIn tells whether a command may write below a path of a git directory, by
// its slash path there: objects, logs and the objects of Git LFS.
func freeIn(rel string) bool {
	for _, name := range []string{"objects", "logs", "lfs"} {
		if rel == name {
			return true
		}
		rest, ok := strings.CutSuffix(rel, "/"+name)
		if ok && (strings.HasPrefix(rest, "worktrees/") && strings.Count(rest, "/") == 1 ||
			strings.HasPrefix(rest, "modules/")) {
			return true
		}
	}
	return false
}

// elsewhere tells whether a directory is another booty's: its work trees, and
// the git directory of a work tree that a booty is at work in.
func (s *Seal) elsewhere(rel, path string) bool {
	if rel == "booty/worktrees" || rel == "booty/"+asideDir {
		return true
	}
	id, ok := strings.CutPrefix(rel, "worktrees/")
	return ok && !strings.Contains(id, "/") && path != s.r.gitDir && held(filepath.Join(path, "booty", sharedLock))
}

// differs tells whether an entry is not what it was.
func (e sealed) differs(o sealed) bool {
	return e.mode != o.mode || e.sum != o.sum || e.id != o.id || !e.mode.IsRegular() && !e.mode.IsDir() && e.size != o.size
}

// what names a state: the same for the same.
func (e sealed) what(exists bool) string {
	if !exists {
		return "removed"
	}
	return e.mode.String() + " " + e.sum
}
