package git

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Modes of git's trees and index.
const (
	ModeAbsent  = 0
	ModeFile    = 0o100644
	ModeExec    = 0o100755
	ModeSymlink = 0o120000
	ModeGitlink = 0o160000
)

const (
	// EmptyTree is the name of a directory with nothing in it, which git does not keep.
	EmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	// NoObject is the name git gives to nothing.
	NoObject = "0000000000000000000000000000000000000000"
)

// Entry is what a tree or an index holds at a path; the zero value is absent.
type Entry struct {
	Mode uint32
	Hash string
}

// Present reports whether there is anything.
func (e Entry) Present() bool { return e.Mode != ModeAbsent }

// Differs reports whether two entries differ in bytes, kind or executable bit.
func (e Entry) Differs(f Entry) bool {
	return e.Mode != f.Mode || e.Hash != f.Hash
}

// Entry gives what a tree holds at a path. (Go-git's own look-up refuses names with odd
// characters in them, which git does not.)
func (s Objects) Entry(tree *object.Tree, name string) (Entry, error) {
	dir, rest, deeper := strings.Cut(name, "/")
	i := slices.IndexFunc(tree.Entries, func(e object.TreeEntry) bool { return e.Name == dir })
	if i < 0 {
		return Entry{}, nil
	}
	e := tree.Entries[i]
	if !deeper {
		return Entry{uint32(e.Mode), e.Hash.String()}, nil
	}
	if e.Mode != filemode.Dir {
		return Entry{}, nil
	}
	sub, err := object.GetTree(s, e.Hash)
	if err != nil {
		return Entry{}, fmt.Errorf("look %s up: %w", name, err)
	}
	return s.Entry(sub, rest)
}

// TreeWith writes a tree that is another one but for some paths.
func (s Objects) TreeWith(tree *object.Tree, changes map[string]Entry) (string, error) {
	here, below := map[string]Entry{}, map[string]map[string]Entry{}
	for path, e := range changes {
		if dir, rest, deeper := strings.Cut(path, "/"); deeper {
			if below[dir] == nil {
				below[dir] = map[string]Entry{}
			}
			below[dir][rest] = e
		} else {
			here[path] = e
		}
	}
	entries := map[string]object.TreeEntry{}
	if tree != nil {
		for _, e := range tree.Entries {
			entries[e.Name] = e
		}
	}
	for name, e := range here {
		delete(entries, name)
		if e.Present() {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.FileMode(e.Mode), Hash: plumbing.NewHash(e.Hash)}
		}
	}
	for name, inside := range below {
		var sub *object.Tree
		if e, ok := entries[name]; ok && e.Mode == filemode.Dir {
			var err error
			if sub, err = object.GetTree(s, e.Hash); err != nil {
				return "", err
			}
		}
		hash, err := s.TreeWith(sub, inside)
		if err != nil {
			return "", err
		}
		if delete(entries, name); hash != EmptyTree {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: plumbing.NewHash(hash)}
		}
	}
	out := &object.Tree{Entries: slices.Collect(maps.Values(entries))}
	slices.SortFunc(out.Entries, compareNames)
	return s.Put(out)
}

// compareNames orders the entries of a tree as git does: a directory as if its name
// ended in a slash.
func compareNames(a, b object.TreeEntry) int {
	name := func(e object.TreeEntry) string {
		if e.Mode == filemode.Dir {
			return e.Name + "/"
		}
		return e.Name
	}
	return strings.Compare(name(a), name(b))
}

// KeepBlobs makes a tree that keeps blobs alive, named by their hashes.
func (s Objects) KeepBlobs(hashes []string) (string, error) {
	slices.Sort(hashes)
	var t object.Tree
	for _, h := range slices.Compact(hashes) {
		t.Entries = append(t.Entries, object.TreeEntry{Name: h, Mode: filemode.Regular, Hash: plumbing.NewHash(h)})
	}
	return s.Put(&t)
}

// Pairs gives each path that differs between two trees or commits.
func (s Objects) Pairs(ctx context.Context, a, b string) (map[string]Pair, error) {
	was, err := s.Tree(a)
	if err != nil {
		return nil, err
	}
	is, err := s.Tree(b)
	if err != nil {
		return nil, err
	}
	all := map[string]Pair{}
	return all, s.pairs(ctx, "", was, is, all)
}

// pairs adds what differs below a directory to all; a tree that is not there is nil.
func (s Objects) pairs(ctx context.Context, dir string, was, is *object.Tree, all map[string]Pair) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	names := map[string]Pair{}
	for i, t := range []*object.Tree{was, is} {
		if t == nil {
			continue
		}
		for _, e := range t.Entries {
			p, entry := names[e.Name], Entry{canonical(e.Mode), e.Hash.String()}
			if i == 0 {
				p.Was = entry
			} else {
				p.Is = entry
			}
			names[e.Name] = p
		}
	}
	for name, p := range names {
		if !p.Was.Differs(p.Is) {
			continue
		}
		var sub [2]*object.Tree
		for i, e := range []*Entry{&p.Was, &p.Is} {
			if e.Mode != uint32(filemode.Dir) {
				continue
			}
			var err error
			if sub[i], err = object.GetTree(s, plumbing.NewHash(e.Hash)); err != nil {
				return fmt.Errorf("look %s up: %w", dir+name, err)
			}
			*e = Entry{}
		}
		if sub[0] != nil || sub[1] != nil {
			if err := s.pairs(ctx, dir+name+"/", sub[0], sub[1], all); err != nil {
				return err
			}
		}
		if p.Was.Present() || p.Is.Present() {
			all[dir+name] = p
		}
	}
	return nil
}

// canonical is a mode as git understands it: old trees have files with other permissions.
func canonical(m filemode.FileMode) uint32 {
	switch {
	case m&0o170000 != 0o100000:
		return uint32(m)
	case m&0o100 != 0:
		return ModeExec
	}
	return ModeFile
}
