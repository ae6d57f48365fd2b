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
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
)

// Unsaved is a path that a checkpoint cannot hold, and why.
type Unsaved struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// drift is how the work tree differs from the shadow's index.
type drift struct {
	// changed maps paths to what the index holds and what lies on disk.
	changed map[string]git.Pair
	// touched are paths that look changed but are not: only their stat data is.
	touched []string
	unsaved []Unsaved
}

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
	var raw map[string]git.Pair
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
	d := &drift{changed: map[string]git.Pair{}}
	fresh, err := r.sortLarge(ctx, d, raw, r.sortOutputs(raw, others))
	if err != nil {
		return nil, err
	}
	for path, p := range raw {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.look(r.root, path, p.Was)
	}
	for _, path := range fresh {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, "/") {
			d.unsaved = append(d.unsaved, Unsaved{path, "a git repository of its own"})
			continue
		}
		d.look(r.root, path, git.Entry{})
	}
	return d, nil
}

// stale gives the entries of the shadow's index that may have changed.
func (s *shadow) stale(ctx context.Context) (map[string]git.Pair, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"diff-files", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all"}})
	if err != nil {
		return nil, err
	}
	return git.ParseRaw(out)
}

// others gives the files that the shadow's index does not have and git does not ignore.
func (s *shadow) others(ctx context.Context) ([]string, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--others", "--exclude-standard"}})
	return git.SplitNul(out), err
}

// look compares one path on disk with its state in the index.
func (d *drift) look(root, path string, was git.Entry) {
	if was.Mode == git.ModeGitlink {
		return
	}
	is, why := stateOf(root, path, was.Mode)
	switch {
	case why != "":
		d.unsaved = append(d.unsaved, Unsaved{path, why})
	case is.Differs(was):
		d.changed[path] = git.Pair{Was: was, Is: is}
	case is.Present():
		d.touched = append(d.touched, path)
	}
}

// stateOf reads a path from disk; why says what keeps it from being read.
// had is its mode in the index: where the file system has no executable bit,
// it decides.
func stateOf(root, path string, had uint32) (is git.Entry, why string) {
	full := filepath.Join(root, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	if err != nil || throughSymlink(root, path) {
		return git.Entry{}, "" // also where a parent is a file or a link now
	}
	switch {
	case info.Mode().IsRegular() && info.Size() > maxHashed:
		return git.Entry{}, fmt.Sprintf("larger than %d GiB", maxHashed>>30)
	case info.Mode().IsRegular():
		h, err := hashFile(full, info.Size())
		if err != nil {
			return git.Entry{}, "cannot be read: " + err.Error()
		}
		return git.Entry{Mode: fileMode(info.Mode(), had), Hash: h}, ""
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(full)
		if err != nil {
			return git.Entry{}, "cannot be read: " + err.Error()
		}
		return git.Entry{Mode: git.ModeSymlink, Hash: hashBlob([]byte(filepath.ToSlash(target)))}, ""
	case info.IsDir():
		return git.Entry{}, ""
	}
	return git.Entry{}, "neither file, directory nor symbolic link"
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

// record brings the shadow's index up to what lies on disk, and the bytes into
// the repository. The caller holds r.mu.
func (s *shadow) record(ctx context.Context, d *drift, also []string) error {
	var gone, here bytes.Buffer
	for path, p := range d.changed {
		if p.Is.Present() {
			here.WriteString(path + "\x00")
		} else {
			gone.WriteString("0 " + git.NoObject + "\t" + path + "\x00")
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
