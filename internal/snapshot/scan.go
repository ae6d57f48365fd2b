package snapshot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
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
	// large are untracked files above the limit.
	large map[string]Large
}

// scan compares the work tree with the shadow's index; untracked files above limit are left
// out. Where the index cannot be read, as after a power loss, it is made anew.
func (s *shadow) scan(ctx context.Context, limit int64) (*drift, error) {
	d, err := s.scanOnce(ctx, limit)
	if err == nil || ctx.Err() != nil || git.ExitCode(err) != 128 {
		return d, err
	}
	if err := errors.Join(s.forget(), s.seed(ctx)); err != nil {
		return nil, err
	}
	return s.scanOnce(ctx, limit)
}

func (s *shadow) scanOnce(ctx context.Context, limit int64) (*drift, error) {
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
	fresh, err := d.leaveLarge(ctx, s.at, limit, raw, s.leaveSkipped(raw, others))
	if err != nil {
		return nil, err
	}
	for path, p := range raw {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.look(s.at.Root, path, p.Was)
	}
	for _, path := range fresh {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, "/") {
			d.unsaved = append(d.unsaved, Unsaved{path, "a git repository of its own"})
			continue
		}
		d.look(s.at.Root, path, git.Entry{})
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
	is, why := OnDisk(root, path, was.Mode)
	switch {
	case why != "":
		d.unsaved = append(d.unsaved, Unsaved{path, why})
	case is.Differs(was):
		d.changed[path] = git.Pair{Was: was, Is: is}
	case is.Present():
		d.touched = append(d.touched, path)
	}
}

// leaveSkipped takes what booty itself writes out of what a scan is to look at, and what a
// killed booty was writing.
func (s *shadow) leaveSkipped(raw map[string]git.Pair, others []string) []string {
	skip := s.at.Skip
	if skip == nil {
		skip = func(string) bool { return false }
	} else {
		maps.DeleteFunc(raw, func(p string, _ git.Pair) bool { return skip(p) })
	}
	return slices.DeleteFunc(others, func(p string) bool { return atomicfile.IsTemp(path.Base(p)) || skip(p) })
}
