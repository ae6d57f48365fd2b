package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// Store is what booty reads and writes of git objects: references and settings of the
// repository through go-git, objects of both repositories through one git child, and
// new objects into the side repository.
type Store struct {
	*filesystem.Storage
	beside  *filesystem.Storage // the side repository
	objects string              // of that
	user    string              // the user's git directory
	read    *Reader
	// own gives what a reference of the side repository points to, and whether it is one.
	own func(name string) (hash string, ours bool, err error)
}

// Stores says where the objects and references lie.
type Stores struct {
	GitDir, CommonDir string // of the work tree
	Side              string // the side repository
	User              string // the git directory of the user's repository
}

// NewStore reads objects through the reader; own is asked for references first.
func NewStore(at Stores, objects *Reader, own func(name string) (hash string, ours bool, err error)) Store {
	unused := cache.NewObjectLRU(0) // the reader keeps what it read
	return Store{
		Storage: filesystem.NewStorage(dotgit.NewRepositoryFilesystem(osfs.New(at.GitDir), osfs.New(at.CommonDir)), unused),
		beside:  filesystem.NewStorage(osfs.New(at.Side), unused),
		objects: filepath.Join(at.Side, "objects"),
		user:    at.User,
		read:    objects,
		own:     own,
	}
}

// EncodedObject reads through git, which fetches what a partial clone lacks.
func (s Store) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
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
func (s Store) missing(h plumbing.Hash, err error) error {
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
func (s Store) write(o plumbing.EncodedObject) (string, error) {
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

func (s Store) Put(e encoder) (string, error) {
	o := s.beside.NewEncodedObject()
	if err := e.Encode(o); err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.write(o)
}

// PutBlob writes bytes as a blob.
func (s Store) PutBlob(data []byte) (string, error) {
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
func (s Store) Blob(hash string) ([]byte, error) {
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

func (s Store) Commit(hash string) (*object.Commit, error) {
	c, err := object.GetCommit(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, Classify("read commit "+hash, err)
	}
	return c, nil
}

// Tree gives the tree of a commit or tree.
func (s Store) Tree(hash string) (*object.Tree, error) {
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
func (s Store) Ref(name string) (string, error) {
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
