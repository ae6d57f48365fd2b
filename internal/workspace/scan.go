package workspace

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's own object names
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
)

// Modes of git's trees and index.
const (
	modeAbsent  = 0
	modeFile    = 0o100644
	modeExec    = 0o100755
	modeSymlink = 0o120000
	modeGitlink = 0o160000
)

// fileState is a path's content as git names it; the zero value is absent.
type fileState struct {
	mode uint32
	hash string
}

func (f fileState) present() bool { return f.mode != modeAbsent }

// differs reports whether two states differ in bytes, kind or executable bit.
func (f fileState) differs(g fileState) bool {
	return f.mode != g.mode || f.hash != g.hash
}

// Unsaved is a path that a checkpoint cannot hold, and why.
type Unsaved struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// drift is how the work tree differs from the shadow's index.
type drift struct {
	// changed maps paths to what the index holds and what lies on disk.
	changed map[string]pair
	// touched are paths that look changed but are not: only their stat data is.
	touched []string
	unsaved []Unsaved
}

type pair struct{ was, is fileState }

// scan compares the work tree with the shadow's index. Where that cannot be
// read, as after a power loss, it is made anew. The caller holds r.mu.
func (r *Repo) scan(ctx context.Context, s *shadow) (*drift, error) {
	d, err := r.scanOnce(ctx, s)
	if err == nil || ctx.Err() != nil || git.ExitCode(err) != 128 {
		return d, err
	}
	if err := errors.Join(r.forgetIndex(), r.seed(ctx, s)); err != nil {
		return nil, err
	}
	return r.scanOnce(ctx, s)
}

func (r *Repo) scanOnce(ctx context.Context, s *shadow) (*drift, error) {
	var raw map[string]pair
	var others []string
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		raw, err = s.stale(gctx)
		return err
	})
	g.Go(func() (err error) {
		others, err = s.others(gctx)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("look at the work tree: %w", err)
	}
	d := &drift{changed: map[string]pair{}}
	fresh, err := r.sortLarge(ctx, d, raw, r.sortOutputs(raw, others))
	if err != nil {
		return nil, err
	}
	for path, p := range raw {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.look(r.root, path, p.was)
	}
	for _, path := range fresh {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, "/") {
			d.unsaved = append(d.unsaved, Unsaved{path, "a git repository of its own"})
			continue
		}
		d.look(r.root, path, fileState{})
	}
	return d, nil
}

// stale gives the entries of the shadow's index that may have changed.
func (s *shadow) stale(ctx context.Context) (map[string]pair, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"diff-files", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all"}})
	if err != nil {
		return nil, err
	}
	return parseRaw(out)
}

// others gives the files that the shadow's index does not have and git does not ignore.
func (s *shadow) others(ctx context.Context) ([]string, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--others", "--exclude-standard"}})
	return git.SplitNul(out), err
}

// stateIn gives a path's state in a tree. (Go-git's own look-up refuses names with odd
// characters in them, which git does not.)
func stateIn(s git.Objects, tree *object.Tree, name string) (fileState, error) {
	dir, rest, deeper := strings.Cut(name, "/")
	i := slices.IndexFunc(tree.Entries, func(e object.TreeEntry) bool { return e.Name == dir })
	if i < 0 {
		return fileState{}, nil
	}
	e := tree.Entries[i]
	if !deeper {
		return fileState{uint32(e.Mode), e.Hash.String()}, nil
	}
	if e.Mode != filemode.Dir {
		return fileState{}, nil
	}
	sub, err := object.GetTree(s, e.Hash)
	if err != nil {
		return fileState{}, fmt.Errorf("look %s up: %w", name, err)
	}
	return stateIn(s, sub, rest)
}

// look compares one path on disk with its state in the index.
func (d *drift) look(root, path string, was fileState) {
	if was.mode == modeGitlink {
		return
	}
	is, why := stateOf(root, path, was.mode)
	switch {
	case why != "":
		d.unsaved = append(d.unsaved, Unsaved{path, why})
	case is.differs(was):
		d.changed[path] = pair{was, is}
	case is.present():
		d.touched = append(d.touched, path)
	}
}

// stateOf reads a path from disk; why says what keeps it from being read.
// had is its mode in the index: where the file system has no executable bit,
// it decides.
func stateOf(root, path string, had uint32) (is fileState, why string) {
	full := filepath.Join(root, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	if err != nil || throughSymlink(root, path) {
		return fileState{}, "" // also where a parent is a file or a link now
	}
	switch {
	case info.Mode().IsRegular() && info.Size() > maxHashed:
		return fileState{}, fmt.Sprintf("larger than %d GiB", maxHashed>>30)
	case info.Mode().IsRegular():
		h, err := hashFile(full, info.Size())
		if err != nil {
			return fileState{}, "cannot be read: " + err.Error()
		}
		return fileState{fileMode(info.Mode(), had), h}, ""
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(full)
		if err != nil {
			return fileState{}, "cannot be read: " + err.Error()
		}
		return fileState{modeSymlink, hashBlob([]byte(filepath.ToSlash(target)))}, ""
	case info.IsDir():
		return fileState{}, ""
	}
	return fileState{}, "neither file, directory nor symbolic link"
}

// throughSymlink reports whether a directory on the way to path is a link.
func throughSymlink(root, path string) bool {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path[:i])))
		if err == nil && info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// maxHashed bounds the files that are read to the end: a command may leave one of holes that
// is larger than any disk.
const maxHashed = 1 << 30

func hashFile(path string, size int64) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha1.New() //nolint:gosec // git's own object names
	fmt.Fprintf(h, "blob %d\x00", size)
	n, err := io.Copy(h, f)
	if err != nil {
		return "", err
	}
	if n != size {
		return "", fmt.Errorf("it is being written to")
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashBlob(data []byte) string {
	h := sha1.New() //nolint:gosec // git's own object names
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// parseRaw reads git's --raw -z output without renames: what was and what is.
func parseRaw(out []byte) (map[string]pair, error) {
	f := git.SplitNul(out)
	m := make(map[string]pair, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(f[i], ":"))
		if len(meta) != 5 {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f[i])
		}
		was, err1 := strconv.ParseUint(meta[0], 8, 32)
		is, err2 := strconv.ParseUint(meta[1], 8, 32)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f[i])
		}
		p := pair{fileState{uint32(was), meta[2]}, fileState{uint32(is), meta[3]}}
		if was == modeAbsent {
			p.was.hash = ""
		}
		if is == modeAbsent {
			p.is.hash = ""
		}
		m[f[i+1]] = p
	}
	return m, nil
}

// listed asks git for the entries of its index, those in conflict left out.
func listed(ctx context.Context, g git.Client) ([]indexEntry, error) {
	out, err := g.Run(ctx, git.Call{Args: []string{"ls-files", "-s", "-z"}})
	if err != nil {
		return nil, err
	}
	var list []indexEntry
	for _, line := range git.SplitNul(out) {
		meta, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(meta) // mode hash stage
		if !ok || len(f) != 3 || f[2] != "0" {
			continue
		}
		if mode, err := strconv.ParseUint(f[0], 8, 32); err == nil {
			list = append(list, indexEntry{path, fileState{uint32(mode), f[1]}})
		}
	}
	return list, nil
}

// indexEntry is a path of an index.
type indexEntry struct {
	path string
	fileState
}

// record brings the shadow's index up to what lies on disk, and the bytes into
// the repository. The caller holds r.mu.
func (s *shadow) record(ctx context.Context, d *drift, also []string) error {
	var gone, here bytes.Buffer
	for path, p := range d.changed {
		if p.is.present() {
			here.WriteString(path + "\x00")
		} else {
			gone.WriteString("0 " + noObject + "\t" + path + "\x00")
		}
	}
	for _, path := range append(d.touched, also...) {
		here.WriteString(path + "\x00")
	}
	if gone.Len() > 0 {
		if _, err := s.git.Run(ctx,
			git.Call{Args: []string{"update-index", "-z", "--index-info"}, Stdin: &gone}); err != nil {
			return fmt.Errorf("record the work tree: %w", err)
		}
	}
	if here.Len() == 0 {
		return nil
	}
	_, err := s.git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--remove", "--replace", "-z",
		"--stdin"}, Stdin: &here})
	if err != nil {
		return fmt.Errorf("record the work tree: %w", err)
	}
	return nil
}

// noObject is the name git gives to nothing.
const noObject = "0000000000000000000000000000000000000000"
