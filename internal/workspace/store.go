package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/booty-cli/booty/internal/fault"
)

// store is go-git's view of the repository. A new one is made for every piece
// of work: it costs under a millisecond, and an old one would not see packs
// that git wrote meanwhile.
type store struct {
	*filesystem.Storage
	objects string
	git     runner
	// alternates are the object stores that objects are borrowed from. go-git makes
	// new ones for each object and reads the indexes of their packs each time.
	alternates func() []*filesystem.ObjectStorage
}

// askGit bounds one question to git for an object.
const askGit = time.Minute

// EncodedObject asks git for what go-git does not find: objects borrowed
// through relative or nested alternates, or still to be fetched into a partial
// clone. go-git's interface has no context, hence the bound of its own.
func (s store) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	var borrowing []*filesystem.ObjectStorage
	if !s.isLoose(h) { // a look at the borrowed ones reads the whole indexes of their packs
		borrowing = s.alternates()
	}
	for _, borrowed := range borrowing {
		if o, err := borrowed.EncodedObject(kind, h); err == nil {
			return o, nil
		}
	}
	o, err := s.Storage.EncodedObject(kind, h)
	if err == nil || errors.Is(err, plumbing.ErrInvalidType) {
		return o, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), askGit)
	defer cancel()
	actual, gitErr := s.git.text(ctx, "cat-file", "-t", h.String())
	if gitErr != nil || kind != plumbing.AnyObject && actual != kind.String() {
		return nil, spoilt(h, err)
	}
	data, gitErr := s.git.run(ctx, call{args: []string{"cat-file", actual, h.String()}})
	if gitErr != nil {
		return nil, spoilt(h, err)
	}
	if kind, err = plumbing.ParseObjectType(actual); err != nil {
		return nil, err
	}
	m := &plumbing.MemoryObject{}
	m.SetType(kind)
	_, err = m.Write(data)
	return m, err
}

// isLoose tells an object that lies in a file of its own.
func (s store) isLoose(h plumbing.Hash) bool {
	name := h.String()
	_, err := os.Lstat(filepath.Join(s.objects, name[:2], name[2:]))
	return err == nil
}

// spoilt is the error of an object that is there and cannot be read, by git neither.
func spoilt(h plumbing.Hash, err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return err
	}
	return fault.New(fault.Git, "git fsck lists what is damaged; git fetch may bring it again",
		"the git object %s is damaged, which is as good as %w: %w", h, plumbing.ErrObjectNotFound, err)
}

// Config leaves out the extensions that change nothing for a reader of objects
// and references, but at which go-git gives up. Never written back.
func (s store) Config() (*config.Config, error) {
	cfg, err := s.Storage.Config()
	if err != nil {
		return nil, err
	}
	for _, harmless := range []string{"worktreeConfig", "partialClone", "preciousObjects"} {
		if cfg.Raw.HasSection("extensions") {
			cfg.Raw.Section("extensions").RemoveOption(harmless)
		}
	}
	return cfg, nil
}

func (r *Repo) store() store {
	fs := dotgit.NewRepositoryFilesystem(osfs.New(r.gitDir), osfs.New(r.commonDir))
	top := osfs.New(filepath.VolumeName(r.commonDir) + string(filepath.Separator))
	objects := cache.NewObjectLRUDefault()
	s := store{
		Storage: filesystem.NewStorageWithOptions(fs, objects, filesystem.Options{AlternatesFS: top}),
		objects: filepath.Join(r.commonDir, "objects"),
		git:     r.git,
	}
	s.alternates = sync.OnceValue(func() []*filesystem.ObjectStorage {
		dirs, err := dotgit.NewWithOptions(fs, dotgit.Options{AlternatesFS: top}).Alternates()
		if err != nil {
			return nil // there are none, or git itself finds what they have
		}
		var list []*filesystem.ObjectStorage
		for _, d := range dirs {
			list = append(list, filesystem.NewObjectStorage(d, objects))
		}
		return list
	})
	return s
}

// put writes an object and sees that it is on the disk.
func (s store) put(o plumbing.EncodedObject) (string, error) {
	if err := s.makeWay(o.Hash()); err != nil {
		return "", err
	}
	h, err := s.SetEncodedObject(o)
	if err != nil {
		return "", fmt.Errorf("write a git object: %w", err)
	}
	name := h.String()
	dir := filepath.Join(s.objects, name[:2])
	for _, path := range []string{filepath.Join(dir, name[2:]), dir} {
		// An object that was there already may be in a pack.
		if err := syncPath(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("write a git object: %w", err)
		}
	}
	return name, nil
}

// makeWay removes a loose object that is not what its name says: the right one
// would not be written where something lies already.
func (s store) makeWay(h plumbing.Hash) error {
	name := h.String()
	path := filepath.Join(s.objects, name[:2], name[2:])
	f, err := os.Open(path)
	if err != nil {
		return nil //nolint:nilerr // it is not there, or writing says what is wrong
	}
	whole := func() bool {
		r, err := objfile.NewReader(f)
		if err != nil {
			return false
		}
		if _, _, err = r.Header(); err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		return errors.Join(err, r.Close()) == nil && r.Hash() == h
	}()
	if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("read a git object: %w", err)
	}
	if whole {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove a damaged git object: %w", err)
	}
	return nil
}

// encoder is what go-git's trees and commits can do.
type encoder interface {
	Encode(plumbing.EncodedObject) error
}

func (s store) encode(e encoder) (string, error) {
	o := s.NewEncodedObject()
	if err := e.Encode(o); err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.put(o)
}

// keep writes bytes as a blob.
func (s store) keep(data []byte) (string, error) {
	o := s.NewEncodedObject()
	o.SetType(plumbing.BlobObject)
	w, err := o.Writer()
	if err == nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.put(o)
}

// blob gives the bytes of a blob.
func (s store) blob(hash string) ([]byte, error) {
	b, err := object.GetBlob(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, classify("read blob "+hash, err)
	}
	rd, err := b.Reader()
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", hash, err)
	}
	defer func() { _ = rd.Close() }()
	data, err := io.ReadAll(rd)
	if err == nil && hashBlob(data) != hash {
		err = fmt.Errorf("it is spoilt: %w", plumbing.ErrObjectNotFound)
	}
	if err != nil {
		return nil, classify("read blob "+hash, err)
	}
	return data, nil
}

func (s store) commit(hash string) (*object.Commit, error) {
	c, err := object.GetCommit(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, classify("read commit "+hash, err)
	}
	return c, nil
}

// tree gives the tree of a commit or tree.
func (s store) tree(hash string) (*object.Tree, error) {
	o, err := object.GetObject(s, plumbing.NewHash(hash))
	if err != nil {
		return nil, classify("read commit or tree "+hash, err)
	}
	switch o := o.(type) {
	case *object.Tree:
		return o, nil
	case *object.Commit:
		return o.Tree()
	}
	return nil, fmt.Errorf("read %s: it is a %s, neither commit nor tree", hash, o.Type())
}

// ref gives what a reference points to, "" where there is none.
func (s store) ref(name string) (string, error) {
	ref, err := s.Reference(plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if ref.Type() == plumbing.SymbolicReference {
		return s.ref(ref.Target().String())
	}
	return ref.Hash().String(), nil
}

// Head gives the branch that is checked out ("" when HEAD is detached) and the
// commit ("" when the branch has none yet).
func (r *Repo) Head(_ context.Context) (branch, commit string, err error) {
	s := r.store()
	head, err := s.Reference(plumbing.HEAD)
	if err != nil {
		return "", "", fault.New(fault.Git, "git status", "read HEAD: %w", err)
	}
	if head.Type() == plumbing.HashReference {
		return "", head.Hash().String(), nil
	}
	commit, err = s.ref(head.Target().String())
	return strings.TrimPrefix(head.Target().String(), "refs/heads/"), commit, err
}

// Remote is a remote repository known here.
type Remote struct {
	Name string
	// URLs are where it is fetched from, the first one counts.
	URLs []string
}

// Remotes lists the remotes, origin first.
func (r *Repo) Remotes(_ context.Context) ([]Remote, error) {
	cfg, err := r.store().Config()
	if err != nil {
		return nil, fault.New(fault.Git, "git config --list", "read the repository's settings: %w", err)
	}
	var list []Remote
	for name, rc := range cfg.Remotes {
		list = append(list, Remote{name, rc.URLs})
	}
	sortRemotes(list)
	return list, nil
}

// DefaultBranch gives the default branch of a remote as it was last seen here,
// asked of the remote where that is not known; with no remote, the branch that
// git would call so here.
func (r *Repo) DefaultBranch(ctx context.Context, remote string) (string, error) {
	s := r.store()
	if remote != "" {
		if ref, err := s.Reference(plumbing.ReferenceName("refs/remotes/" + remote + "/HEAD")); err == nil &&
			ref.Type() == plumbing.SymbolicReference {
			return strings.TrimPrefix(ref.Target().String(), "refs/remotes/"+remote+"/"), nil
		}
		out, err := r.git.run(ctx, call{args: []string{"ls-remote", "--symref", "--", remote, "HEAD"}, env: r.remoteEnv()})
		if err != nil {
			return "", remoteFault("ask "+remote+" for its default branch", err)
		}
		for line := range strings.Lines(string(out)) {
			if name, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
				return strings.Fields(name)[0], nil
			}
		}
		return "", fault.New(fault.Git, "name the branch with --base", "%s does not say what its default branch is", remote)
	}
	names := []string{"main", "master"}
	if own, err := r.git.text(ctx, "config", "init.defaultBranch"); err == nil && own != "" {
		names = append([]string{own}, names...)
	}
	for _, name := range names {
		if h, err := s.ref("refs/heads/" + name); err == nil && h != "" {
			return name, nil
		}
	}
	branch, _, err := r.Head(ctx)
	return branch, err
}

// Resolve gives the commit that a revision names.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	if plumbing.IsHash(rev) && strings.ToLower(rev) == rev {
		if _, err := r.store().commit(rev); err == nil { // its own name: git need not be asked
			return rev, nil
		}
	}
	if strings.HasPrefix(rev, "refs/heads/") { // a whole name, which may stand for nothing else
		at, err := r.store().ref(rev)
		if err == nil && at == "" {
			return "", fault.New(fault.Git, "git branch --all", "there is no commit %q here", rev)
		}
		if _, readErr := r.store().commit(at); err == nil && readErr == nil {
			return at, nil
		}
	}
	out, err := r.git.text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", fault.New(fault.Git, "git branch --all", "there is no commit %q here", rev)
	}
	return out, nil
}

// ReadFile gives a file's bytes as a checkpoint or commit holds them, and
// whether it is there.
func (r *Repo) ReadFile(_ context.Context, commit, path string) ([]byte, bool, error) {
	s := r.store()
	t, err := s.tree(commit)
	if err != nil {
		return nil, false, err
	}
	e, err := t.FindEntry(path)
	if errors.Is(err, object.ErrEntryNotFound) || errors.Is(err, object.ErrDirectoryNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s of %s: %w", path, commit, err)
	}
	b, err := s.blob(e.Hash.String())
	return b, err == nil, err
}
