package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// seal remembers those files of the git directory in the root that git would
// obey later, as the user: settings, which may name programs, and hooks. Nothing
// lives that could change them while it puts them back, see package proc.
type seal struct {
	git   string
	files map[string]sealed
}

type sealed struct {
	mode fs.FileMode
	data []byte
	link string
}

const (
	// maxSealed bounds the size of a file that is remembered: hooks are small.
	maxSealed = 4 << 20
)

// sealGit remembers; where root has no git directory of its own it has nothing to do.
func sealGit(root string) *seal {
	s := &seal{git: filepath.Join(root, ".git")}
	if info, err := os.Lstat(s.git); err != nil || !info.IsDir() {
		return s
	}
	s.files = s.read()
	return s
}

// read reads the files as they are now, by path below the git directory.
func (s *seal) read() map[string]sealed {
	files := map[string]sealed{}
	dirs := []string{""}
	_ = filepath.WalkDir(filepath.Join(s.git, "modules"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // what cannot be read cannot be sealed
		}
		if d.Name() == "objects" || d.Name() == "refs" || d.Name() == "logs" {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "HEAD")); err == nil {
			if rel, err := filepath.Rel(s.git, path); err == nil {
				dirs = append(dirs, rel)
			}
		}
		return nil
	})
	for _, dir := range dirs {
		for _, name := range []string{"config", "config.worktree", filepath.Join("info", "attributes"), "hooks"} {
			s.add(files, filepath.Join(dir, name))
		}
	}
	return files
}

// add reads a file or, for hooks, a directory of files.
func (s *seal) add(files map[string]sealed, name string) {
	path := filepath.Join(s.git, name)
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		link, err := os.Readlink(path)
		if err == nil {
			files[name] = sealed{mode: info.Mode(), link: link}
		}
	case info.IsDir():
		files[name] = sealed{mode: info.Mode()}
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), keptSuffix) {
				continue
			}
			s.add(files, filepath.Join(name, e.Name()))
		}
	case info.Mode().IsRegular() && info.Size() <= maxSealed:
		data, err := os.ReadFile(path)
		if err == nil {
			files[name] = sealed{mode: info.Mode(), data: data}
		}
	}
}

// restore puts back what changed and says what that was.
func (s *seal) restore() []string {
	if s.files == nil {
		return nil
	}
	now := s.read()
	var changed []string
	for name, was := range s.files {
		if is, ok := now[name]; !ok || is.mode != was.mode || is.link != was.link || !bytes.Equal(is.data, was.data) {
			changed = append(changed, name)
		}
	}
	for name := range now {
		if _, ok := s.files[name]; !ok {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed) // directories before what is in them
	var notes []string
	for _, name := range changed {
		notes = append(notes, s.put(name))
	}
	return notes
}

// keptSuffix names what was changed, beside what was put back: it may have been
// the user, in another window, who changed it. Git obeys no file of such a name.
const keptSuffix = ".changed-during-check"

// put puts one file back and keeps the changed one.
func (s *seal) put(name string) string {
	path := filepath.Join(s.git, name)
	shown := ".git/" + filepath.ToSlash(name)
	was, existed := s.files[name]
	note := shown + " changed while a command ran; put back as it was"
	info, err := os.Lstat(path)
	if err == nil && !(info.IsDir() && existed && was.mode.IsDir()) {
		_ = os.RemoveAll(path + keptSuffix)
		if err := os.Rename(path, path+keptSuffix); err != nil {
			return shown + " changed while a command ran, and it could not be put back: " + reason(err)
		}
		note += ", the changed one is " + shown + keptSuffix
	}
	if err := was.write(path, existed); err != nil {
		return shown + " changed while a command ran, and it could not be put back: " + reason(err)
	}
	return note
}

// write makes path what it was; nothing but a directory is there now.
func (was sealed) write(path string, existed bool) error {
	switch {
	case !existed:
		return nil
	case was.link != "":
		return os.Symlink(was.link, path)
	case was.mode.IsDir():
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, was.data, was.mode.Perm()); err != nil {
			return err
		}
	}
	return os.Chmod(path, was.mode.Perm())
}

// reason is an error without the path, which the note has already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
