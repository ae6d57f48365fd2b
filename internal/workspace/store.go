package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// store is what booty reads and writes of git objects: references and settings of the
// repository through go-git, objects of both repositories through one git child, and
// new objects into the side repository.
type store struct {
	*filesystem.Storage
	beside  *filesystem.Storage // the side repository
	objects string              // of that
	user    string              // the user's git directory
	read    *batch
	sideRef func(name string) (string, error)
}

// EncodedObject reads through git, which fetches what a partial clone lacks.
func (s store) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
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
func (s store) missing(h plumbing.Hash, err error) error {
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

func (r *Repo) store() store {
	fs := dotgit.NewRepositoryFilesystem(osfs.New(r.gitDir), osfs.New(r.commonDir))
	unused := cache.NewObjectLRU(0) // objects are read by the git child
	return store{
		Storage: filesystem.NewStorage(fs, unused),
		beside:  filesystem.NewStorage(osfs.New(r.sideDir()), unused),
		objects: r.sideObjects(),
		user:    r.Home().commonDir,
		read:    r.objects(),
		sideRef: r.sideRef,
	}
}

// objects is the reader of objects, started when it is first asked.
func (r *Repo) objects() *batch {
	r.reading.Do(func() {
		r.reader = newBatch(func() runner {
			if r.home != nil {
				g := r.sideGit()
				g.env = append(g.env, r.sshEnv()...)
				return g
			}
			g := r.git
			g.dir, g.env = r.gitDir, slices.Concat(g.env, r.sshEnv())
			if _, err := os.Stat(r.sideObjects()); err == nil {
				g.env = append(g.env, r.withSide()...)
			}
			return g
		})
	})
	return r.reader
}

// Close ends what was started to read the repository. It may be used again.
func (r *Repo) Close() error {
	r.objects().close()
	return nil
}

// put writes an object and sees that it is on the disk.
func (s store) put(o plumbing.EncodedObject) (string, error) {
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

func (s store) encode(e encoder) (string, error) {
	o := s.beside.NewEncodedObject()
	if err := e.Encode(o); err != nil {
		return "", fmt.Errorf("encode a git object: %w", err)
	}
	return s.put(o)
}

// keep writes bytes as a blob.
func (s store) keep(data []byte) (string, error) {
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
	if strings.HasPrefix(name, refRoot) || strings.HasPrefix(name, treeRefs) {
		return s.sideRef(name)
	}
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
func (r *Repo) Remotes(ctx context.Context) ([]Remote, error) {
	if !slices.ContainsFunc(r.settings, func(s setting) bool { return strings.HasPrefix(s.key, "remote.") }) {
		return nil, nil // git has none to list
	}
	out, err := r.git.text(ctx, "remote", "-v")
	if err != nil {
		return nil, fault.New(fault.Git, "git remote -v", "list the remotes: %w", err)
	}
	var list []Remote
	for line := range strings.Lines(out) {
		name, url, _ := strings.Cut(line, "\t")
		if url, _, fetched := strings.Cut(url, " (fetch)"); fetched {
			list = append(list, Remote{name, []string{url}})
		}
	}
	slices.SortFunc(list, func(a, b Remote) int {
		if (a.Name == "origin") != (b.Name == "origin") {
			if a.Name == "origin" {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
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
		return r.AskDefaultBranch(ctx, remote)
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

// AskDefaultBranch asks a remote what its default branch is now.
func (r *Repo) AskDefaultBranch(ctx context.Context, remote string) (string, error) {
	out, err := r.git.run(ctx,
		call{args: []string{"ls-remote", "--symref", "--", remote, "HEAD"}, env: r.remoteEnv()})
	if err != nil {
		return "", remoteFault("ask "+remote+" for its default branch", err)
	}
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
			return strings.Fields(name)[0], nil
		}
	}
	return "", fault.New(fault.Git, "name the branch with --base",
		"%s does not say what its default branch is", remote)
}

// Shallow reports whether the repository lacks a part of its history.
func (r *Repo) Shallow(ctx context.Context) bool {
	out, err := r.git.text(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// Resolve gives the commit that a revision names.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	if plumbing.IsHash(rev) && strings.ToLower(rev) == rev {
		if _, err := r.store().commit(rev); err == nil { // its own name: git need not be asked
			return rev, nil
		}
	}
	missing := fault.New(fault.Git, "git branch --all", "there is no commit %q here", rev)
	if rev == "HEAD" || strings.HasPrefix(rev, "refs/heads/") && !strings.ContainsAny(rev, "^~:@{") { // a branch is a commit
		switch at, err := r.store().ref(rev); {
		case err == nil && at == "":
			return "", missing
		case err == nil:
			return at, nil
		}
	}
	out, err := r.git.text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", missing
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
	state, err := s.stateIn(t, path)
	if err != nil || !state.present() {
		return nil, false, err
	}
	b, err := s.blob(state.hash)
	return b, err == nil, err
}
