package bringback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// record is the record of what was brought back.
type record struct {
	// Worktree names the checkout, see snapshot.Place.ID.
	Worktree string         `json:"worktree"`
	Files    []recordedFile `json:"files"`
	// Writers are the processes that wrote them: a killed one leaves a temporary file.
	Writers []int `json:"writers,omitempty"`
}

// recordedFile is a line in it.
type recordedFile struct {
	Path   string `json:"path"`
	Before side   `json:"before"`
	After  side   `json:"after"`
	// Pending says that the file is not known to be written yet.
	Pending bool `json:"pending,omitempty"`
}

// side is a file before or after.
type side struct {
	Mode uint32 `json:"mode"` // 0: there is none
	Hash string `json:"hash,omitempty"`
	// Perm are the permissions that it had, 0 where it was not there.
	Perm fs.FileMode `json:"perm,omitempty"`
}

func (s side) state() git.Entry { return git.Entry{Mode: s.Mode, Hash: s.Hash} }

// recordRef keeps the record of what a run brought back.
func recordRef(run string) string { return store.RunRefs + snapshot.RunOf(run) + "/brought" }

// recorded reads the record of a run, which is empty where it brought nothing back.
func (c *Checkout) recorded(st git.Objects, run string) (b record, err error) {
	if err := snapshot.CheckRun(run); err != nil {
		return b, err
	}
	commit, err := st.Ref(recordRef(run))
	if err != nil || commit == "" {
		return b, err
	}
	kept, err := st.Commit(commit)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal([]byte(kept.Message), &b); err != nil {
		return b, fmt.Errorf("read what run %s brought back: %w", run, err)
	}
	return b, nil
}

// plan adds moves to the record of a run. Where a file is as the run left it
// earlier, what it was before that stays on record.
func (c *Checkout) plan(run string, moves []snapshot.Move) error {
	if len(moves) == 0 {
		return nil
	}
	st := c.store.Objects()
	earlier, err := c.recorded(st, run)
	if err != nil {
		return err
	}
	files := map[string]recordedFile{}
	for _, f := range earlier.Files {
		files[f.Path] = f
	}
	for i, m := range moves {
		if m.Is.Present() {
			kept, err := c.files.Keep(m.Path)
			if err != nil {
				return err
			}
			moves[i].Is, m.Is = kept, kept
		}
		f := recordedFile{Path: m.Path, Before: side{m.Is.Mode, m.Is.Hash, m.Perm}, Pending: true}
		if e, ok := files[m.Path]; ok && !m.Is.Differs(e.After.state()) {
			f.Before = e.Before
		}
		f.After = side{Mode: m.Want.Mode, Hash: m.Want.Hash}
		files[m.Path] = f
	}
	now := record{Worktree: c.id, Writers: earlier.Writers}
	if pid := os.Getpid(); !slices.Contains(now.Writers, pid) {
		now.Writers = append(now.Writers, pid)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		now.Files = append(now.Files, files[path])
	}
	return c.keep(st, run, now)
}

// noteWritten notes that no file on record waits to be written, so that none of them is
// written again where the user takes one back by hand.
func (c *Checkout) noteWritten(run string) error {
	st := c.store.Objects()
	b, err := c.recorded(st, run)
	if err != nil || !b.pending() {
		return err
	}
	for i := range b.Files {
		b.Files[i].Pending = false
	}
	return c.keep(st, run, b)
}

// keep writes the record of a run, and keeps the contents that it names.
func (c *Checkout) keep(st git.Objects, run string, b record) error {
	var hashes []string
	for _, f := range b.Files {
		for _, s := range []side{f.Before, f.After} {
			if s.Mode != 0 {
				hashes = append(hashes, s.Hash)
			}
		}
	}
	tree, err := st.KeepBlobs(hashes)
	if err != nil {
		return err
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	commit, err := c.records.Commit(st, tree, string(data))
	if err != nil {
		return err
	}
	return c.store.SetRef(recordRef(run), commit)
}

// Wrote reports whether a run wrote anything to the checkout.
func (c *Checkout) Wrote(_ context.Context, run string) (bool, error) {
	b, err := c.recorded(c.store.Objects(), run)
	return len(b.Files) > 0, err
}

// Interrupted reports whether a run was stopped while it wrote to this checkout.
func (c *Checkout) Interrupted(_ context.Context, run string) (bool, error) {
	b, err := c.recorded(c.store.Objects(), run)
	return b.Worktree == c.id && b.pending(), err
}

func (b record) pending() bool {
	return slices.ContainsFunc(b.Files, func(f recordedFile) bool { return f.Pending })
}

func (b record) paths() (paths []string) {
	for _, f := range b.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// removeTemps removes what a killed process had not written to its end, beside the files
// of its record.
func (c *Checkout) removeTemps(b record) (err error) {
	dirs := map[string]bool{}
	for _, f := range b.Files {
		if !snapshot.ThroughSymlink(c.root, f.Path) {
			dirs[filepath.Join(c.root, filepath.FromSlash(path.Dir(f.Path)))] = true
		}
	}
	for dir := range dirs {
		for _, pid := range b.Writers {
			err = errors.Join(err, atomicfile.RemoveTemps(dir, pid))
		}
	}
	return err
}
