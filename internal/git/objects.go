package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// Objects is what booty reads and writes of git objects: references and settings of the
// repository through go-git, objects of both repositories through one git child, and
// new objects into the store of package store.
type Objects struct {
	*filesystem.Storage
	beside  *filesystem.Storage // the store
	objects string              // of that
	user    string              // the user's git directory
	read    *Reader
	// own gives what a reference of the store points to, and whether it is one.
	own func(name string) (hash string, ours bool, err error)
}

// Places says where the objects and references lie.
type Places struct {
	GitDir, CommonDir string // of the work tree
	Own               string // the store
	User              string // the git directory of the user's repository
}

// NewObjects reads objects through the reader; own is asked for references first.
func NewObjects(at Places, objects *Reader, own func(name string) (hash string, ours bool, err error)) Objects {
	unused := cache.NewObjectLRU(0) // the reader keeps what it read
	return Objects{
		Storage: filesystem.NewStorage(dotgit.NewRepositoryFilesystem(osfs.New(at.GitDir), osfs.New(at.CommonDir)), unused),
		beside:  filesystem.NewStorage(osfs.New(at.Own), unused),
		objects: filepath.Join(at.Own, "objects"),
		user:    at.User,
		read:    objects,
		own:     own,
	}
}

// EncodedObject reads through git, which fetches what a partial clone lacks.
func (s Objects) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	o, err := s.read.object(h)
	if err != nil {
		return nil, s.missing(h, err)
	}
	if kind != plumbing.AnyObject && o.Type() != kind {
		return nil, plumbing.ErrObjectNotFound
	}
	return o, nil
}

// missing is the error of an object that is not there any more.
func (s Objects) missing(h plumbing.Hash, err error) error {
	if _, gone := os.Stat(s.user); errors.Is(gone, os.ErrNotExist) {
		return fault.New(fault.Git, "move it back, then: booty resume",
			"%s is gone: was the repository moved?", s.user)
	}
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return fault.New(fault.Git, "git fetch --all may bring it back; else start over with --restart",
			"%w: %s is gone, as after deleting a branch and git gc", plumbing.ErrObjectNotFound, h)
	}
	return fault.New(fault.Git, "git fsck lists what is damaged", "read the git object %s: %w", h, err)
}

// put writes an object and sees that it is on the disk.
func (s Objects) write(o plumbing.EncodedObject) (string, error) {
	h, err := s.beside.SetEncodedObject(o)
	if err != nil {
		return "", fmt.Errorf("write a git object: %w", err)
	}
	name := h.String()
	dir := filepath.Join(s.objects, name[:2])
	for _, path := range []string{filepath.Join(dir, name[2:]), dir} {
		// An object that was there already may be in a pack.
		if err := atomicfile.Sync(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("write a git object: %w", err)
		}
	}
	return name, nil
}

// encoder is what go-git's trees and commits can do.
type encoder interface {
	Encode(plumbing.EncodedObject) error
}

func (s Objects) Put(e encoder) (string, error) {
	o := s.beside.NewEncodedObject()
	if err := e.Encode(o); err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.write(o)
}

// PutBlob writes bytes as a blob.
func (s Objects) PutBlob(data []byte) (string, error) {
	o := s.beside.NewEncodedObject()
	o.SetType(plumbing.BlobObject)
	w, err := o.Writer()
	if err == nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.write(o)
}

// Blob gives the bytes of a blob.
func (s Objects) Blob(hash string) ([]byte, error) {
	b, err := object.GetBlob(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, Classify("read blob "+hash, err)
	}
	rd, err := b.Reader()
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", hash, err)
	}
	defer func() { _ = rd.Close() }()
	data, err := io.ReadAll(rd)
	if err != nil {
		return nil, Classify("read blob "+hash, err)
	}
	return data, nil
}

func (s Objects) Commit(hash string) (*object.Commit, error) {
	c, err := object.GetCommit(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, Classify("read commit "+hash, err)
	}
	return c, nil
}

// Tree gives the tree of a commit or tree.
func (s Objects) Tree(hash string) (*object.Tree, error) {
	o, err := object.GetObject(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, Classify("read commit or tree "+hash, err)
	}
	switch o := o.(type) {
	case *object.Tree:
		return o, nil
	case *object.Commit:
		return o.Tree()
	}
	return nil, fmt.Errorf("read %s: it is a %s, neither commit nor tree", hash, o.Type())
}

// Ref gives what a reference points to, "" where there is none.
func (s Objects) Ref(name string) (string, error) {
	if hash, ours, err := s.own(name); ours || err != nil {
		return hash, err
	}
	ref, err := s.Reference(plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if ref.Type() == plumbing.SymbolicReference {
		return s.Ref(ref.Target().String())
	}
	return ref.Hash().String(), nil
}

// Head gives the branch that is checked out ("" when HEAD is detached) and the
// commit ("" when the branch has none yet).
func (s Objects) Head() (branch, commit string, err error) {
	head, err := s.Reference(plumbing.HEAD)
	if err != nil {
		return "", "", fault.New(fault.Git, "git status", "read HEAD: %w", err)
	}
	if head.Type() == plumbing.HashReference {
		return "", head.Hash().String(), nil
	}
	commit, err = s.Ref(head.Target().String())
	return strings.TrimPrefix(head.Target().String(), "refs/heads/"), commit, err
}
