package bringback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// Result reports what became of a result in the checkout.
type Result struct {
	// Written are the files that have the result now, Merged those among them that also
	// have what the user wrote meanwhile.
	Written, Merged []string
	// Conflicts are the files that were left as the user has them.
	Conflicts []string
}

// bringTries is how often the checkout is compared anew where a file changed in between.
const bringTries = 5

// Checkout is a checkout of the user's, and what runs brought back to it.
type Checkout struct {
	root     string
	id       string // see snapshot.Place.ID
	store    *store.Access
	git      git.Client
	index    *commit.Index
	settings []git.Setting
	records  snapshot.Records
	files    snapshot.Files
	step     func(name string)
	mu       sync.Mutex
}

// New is the checkout at a place.
func New(at snapshot.Place) *Checkout {
	return &Checkout{root: at.Root, id: at.ID, store: at.Store, git: at.Git, index: commit.NewIndex(at), settings: at.Settings,
		records: at.Records(), files: at.Files(), step: at.Step}
}

// BringBack gives the checkout's files what result has and read, the checkout as the run
// read it, has not. The caller holds the Lock.
func (c *Checkout) BringBack(ctx context.Context, run string,
	read, result snapshot.Checkpoint) (Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out Result
	for try := 1; ; try++ {
		moves, now, err := c.movesBack(ctx, run, read, result)
		if err != nil {
			return out, git.Classify("compare the checkout with the result", err)
		}
		if err := c.plan(run, moves); err != nil {
			return out, git.Classify("record what is brought back", err)
		}
		c.step("bring back: recorded")
		err = c.files.Apply(ctx, moves)
		if errors.Is(err, snapshot.ErrMeanwhile) && try < bringTries {
			continue
		}
		if err == nil {
			err = c.noteWritten(run)
		}
		return now, git.Classify("bring the result back", err)
	}
}

// movesBack lists what is to be written. c.mu is held.
func (c *Checkout) movesBack(ctx context.Context, run string,
	read, result snapshot.Checkpoint) ([]snapshot.Move, Result, error) {
	var out Result
	st := c.store.Objects()
	changed, err := st.Pairs(ctx, read.Tree, result.Tree)
	if err != nil {
		return nil, out, err
	}
	ignored, err := c.records.Remembered(st, run)
	if err != nil {
		return nil, out, err
	}
	skipped, err := c.git.Skipped(ctx, c.settings)
	if err != nil {
		return nil, out, err
	}
	var moves []snapshot.Move
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		was, want := changed[path].Was, changed[path].Is
		if before, named := ignored[path]; named && !was.Present() {
			was = before // git ignores it: no state of the checkout has it
		}
		is, why := snapshot.OnDisk(c.root, path, want.Mode)
		m := snapshot.Move{Path: path, Is: is, Want: want, Perm: snapshot.PermOf(c.root, path)}
		switch {
		case why != "" || snapshot.ThroughSymlink(c.root, path):
			out.Conflicts = append(out.Conflicts, path)
			continue
		case !is.Differs(want):
			continue
		case !is.Present() && slices.Contains(skipped, path): // nobody has removed it
		case is.Differs(was):
			merged, err := c.mergeFile(ctx, st, path, is, was, want)
			if err != nil {
				return nil, out, err
			}
			if merged == "" {
				out.Conflicts = append(out.Conflicts, path)
				continue
			}
			m.Want = git.Entry{Mode: is.Mode, Hash: merged}
			out.Merged = append(out.Merged, path)
		}
		moves = append(moves, m)
		out.Written = append(out.Written, path)
	}
	return moves, out, nil
}

// mergeFile merges what the user and the run made of a file, and gives the blob; "" where
// the two conflict, or one of them is no text file any more.
func (c *Checkout) mergeFile(ctx context.Context, st git.Objects, path string,
	mine, base, theirs git.Entry) (string, error) {
	for _, s := range []git.Entry{mine, base, theirs} {
		if s.Mode != uint32(filemode.Regular) && s.Mode != git.ModeExec {
			return "", nil
		}
	}
	dir, err := os.MkdirTemp(c.store.Private(), "merge-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	data, err := snapshot.ReadDisk(c.root, path, mine)
	if err != nil {
		return "", err
	}
	sides := map[string][]byte{"yours": data}
	for name, s := range map[string]git.Entry{"before": base, "booty": theirs} {
		if sides[name], err = st.Blob(s.Hash); err != nil {
			return "", err
		}
	}
	for name, data := range sides {
		if bytes.IndexByte(data, 0) >= 0 {
			return "", nil // binary
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return "", err
		}
	}
	out, err := c.git.Run(ctx, git.Call{Args: []string{"merge-file", "-p", "--quiet", filepath.Join(dir, "yours"),
		filepath.Join(dir, "before"), filepath.Join(dir, "booty")}})
	if err != nil {
		if code := git.ExitCode(err); code > 0 && code < 128 {
			return "", nil // that many conflicts
		}
		return "", fmt.Errorf("merge %s: %w", path, err)
	}
	return st.PutBlob(out)
}
