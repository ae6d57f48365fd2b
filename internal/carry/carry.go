package carry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/atomicfile"
)

// Overlay is a directory of the tree that commands see as Lower with Upper over it.
type Overlay struct {
	// Target is where commands see it. Lower are what lies below, the uppermost first; nothing
	// is ever written there. Upper holds what was written, Work is the kernel's own.
	Target      string
	Lower       []string
	Upper, Work string
	// File is the one file of Lower that is seen, where Target is a file, and Whole a
	// directory to mount the overlay on.
	File, Whole string
}

// Copied files and overlaid directories are told apart by the first two bounds. What takes
// more than the third is left out where it cannot be an overlay, and the file system cannot
// share its bytes.
const (
	smallEntries = 2000
	smallBytes   = 32 << 20
	mostCopied   = 1 << 30
)

// thing is an entry of the record of what was brought.
type thing struct {
	// Like is what the original looked like then: names, sizes and times.
	Like string `json:"like"`
	// Overlay names its folders in the slot; "" for a copy.
	Overlay string `json:"overlay,omitempty"`
	// Untracked says that git does not ignore it: it is too large to be in a checkpoint.
	Untracked bool     `json:"untracked,omitempty"`
	Lower     []string `json:"lower,omitempty"`
	// File is the one file of Lower that is seen; "" where all are.
	File string `json:"file,omitempty"`
}

func (t thing) same(other thing) bool {
	return t.Like == other.Like && t.Overlay == other.Overlay && t.File == other.File &&
		slices.Equal(t.Lower, other.Lower)
}

// Tree is the tree that things are brought into.
type Tree struct {
	Root string
	// Beside is a directory of the tree's own for the record of what was brought, and for
	// what overlays hold.
	Beside string
}

// Source is what is brought.
type Source struct {
	Root string
	// Paths are files and whole directories, as slash paths below Root. Untracked are those
	// of them that git does not ignore.
	Paths     []string
	Untracked map[string]bool
	// Overlays are those that commands see in Root already.
	Overlays []Overlay
	// Skip says which paths of the file system are left out.
	Skip func(path string) bool
}

// TooLarge is a file or directory that was not copied because of its size in bytes.
type TooLarge struct {
	Path string
	Size int64
}

func (t Tree) recordPath() string { return filepath.Join(t.Beside, "carried.json") }

func (t Tree) record() map[string]thing {
	record := map[string]thing{}
	if data, err := os.ReadFile(t.recordPath()); err == nil {
		if json.Unmarshal(data, &record) != nil {
			return map[string]thing{}
		}
	}
	return record
}

// Empty reports whether nothing was brought into the tree.
func (t Tree) Empty() bool { return len(t.record()) == 0 }

// Untracked lists what was brought into the tree and is neither tracked nor ignored.
func (t Tree) Untracked() (paths []string) {
	for path, c := range t.record() {
		if c.Untracked {
			paths = append(paths, path)
		}
	}
	return paths
}

// Overlays are the directories of the tree that commands are to see as overlays.
func (t Tree) Overlays() []Overlay {
	var list []Overlay
	for path, c := range t.record() {
		if c.Overlay != "" {
			list = append(list, t.overlay(path, c))
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Target < list[j].Target })
	return list
}

func (t Tree) overlay(path string, c thing) Overlay {
	dir := filepath.Join(t.Beside, "overlay", c.Overlay)
	return Overlay{Target: filepath.Join(t.Root, filepath.FromSlash(path)), Lower: c.Lower,
		Upper: filepath.Join(dir, "upper"), Work: filepath.Join(dir, "work"), File: c.File,
		Whole: filepath.Join(dir, "whole")}
}

// Bring makes what the tree holds of the source's paths what the source has now. Paths that
// the tree's own commit has are left alone: tracked gives their modes. overlays is asked, at
// most once, whether commands can be shown overlays; where they cannot, what is too large to
// be copied is left out and returned.
func (t Tree) Bring(ctx context.Context, from Source, tracked map[string]filemode.FileMode,
	overlays func() bool) ([]TooLarge, error) {
	b := bringing{tree: t, from: from, overlays: sync.OnceValue(overlays)}
	lower := map[string]Overlay{} // of a source that has overlays itself
	for _, o := range from.Overlays {
		if rel, err := filepath.Rel(from.Root, o.Target); err == nil {
			lower[filepath.ToSlash(rel)] = o
		}
	}
	had, has := t.record(), map[string]thing{}
	for _, path := range from.Paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if mode := tracked[path]; mode != 0 && mode != filemode.Submodule {
			continue // this commit has it
		}
		got, err := b.one(path, lower[path], had[path])
		if err != nil {
			return nil, fmt.Errorf("bring %s along: %w", path, err)
		}
		if got.Like != "" {
			has[path] = got
		}
	}
	for path, c := range had {
		if _, still := has[path]; !still {
			if err := t.remove(path, c, tracked[path] != 0); err != nil {
				return nil, err
			}
		}
	}
	data, err := json.Marshal(has)
	if err != nil {
		return nil, err
	}
	return b.leftOut, atomicfile.Write(t.recordPath(), append(data, '\n'), 0o600)
}

// bringing is one call of Bring.
type bringing struct {
	tree     Tree
	from     Source
	overlays func() bool
	leftOut  []TooLarge
}

// one brings one file or directory, if it is not there as it should be.
func (b *bringing) one(path string, below Overlay, had thing) (thing, error) {
	source := filepath.Join(b.from.Root, filepath.FromSlash(path))
	info, err := os.Lstat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return thing{}, nil
	}
	if err != nil {
		return thing{}, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return thing{}, nil
	}
	want, err := b.wanted(path, source, info, below)
	if err != nil {
		return thing{}, err
	}
	target := filepath.Join(b.tree.Root, filepath.FromSlash(path))
	_, missing := os.Lstat(target)
	if missing == nil && had.same(want) {
		return had, nil
	}
	if err := atomicfile.RemoveAll(target); err != nil {
		return want, err
	}
	if want.Overlay != "" {
		return want, b.tree.prepare(b.tree.overlay(path, want), info)
	}
	if size := b.tree.cannotCopy(source); size > 0 {
		b.leftOut = append(b.leftOut, TooLarge{path, size})
		return thing{}, nil
	}
	return want, Copy(source, target, b.from.Skip)
}

// wanted says how a path is to be in the tree: a copy, or an overlay.
func (b *bringing) wanted(path, source string, info fs.FileInfo, below Overlay) (thing, error) {
	like, large, err := Likeness(source, b.from.Skip)
	if err != nil {
		return thing{}, err
	}
	want := thing{Like: like, Untracked: b.from.Untracked[path]}
	if below.Target == "" && info.Mode().IsRegular() {
		large = Allocated(info) > smallBytes && !b.tree.canShare(source)
	}
	if !large && below.Target == "" || info.Mode()&fs.ModeSymlink != 0 || !b.overlays() {
		return want, nil
	}
	sum := sha256.Sum256([]byte(path))
	want.Overlay = hex.EncodeToString(sum[:8])
	switch {
	case below.Target != "":
		want.Lower, want.File = append([]string{below.Upper}, below.Lower...), below.File
	case info.IsDir():
		want.Lower = []string{source}
	default:
		want.Lower, want.File = []string{filepath.Dir(source)}, filepath.Base(source)
	}
	return want, nil
}

// prepare makes the directories of an overlay, and what it is mounted on.
func (t Tree) prepare(o Overlay, like fs.FileInfo) error {
	if err := atomicfile.RemoveAll(filepath.Dir(o.Upper)); err != nil {
		return err
	}
	for _, dir := range []string{o.Upper, o.Work, o.Whole, filepath.Dir(o.Target)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if o.File != "" {
		return os.WriteFile(o.Target, nil, like.Mode().Perm())
	}
	return errors.Join(os.MkdirAll(o.Target, 0o755), os.Chmod(o.Upper, like.Mode().Perm()))
}

// cannotCopy gives the size of what is too large to be copied; 0 for all other.
func (t Tree) cannotCopy(source string) int64 {
	var size int64
	var some string
	_ = filepath.WalkDir(source, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is not copied either
		}
		if info, err := d.Info(); err == nil {
			size, some = size+Allocated(info), p
		}
		return nil
	})
	if size <= mostCopied || t.canShare(some) {
		return 0
	}
	return size
}

// canShare reports whether a copy of a file in this tree would take no space of its own.
func (t Tree) canShare(path string) bool {
	from, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = from.Close() }()
	to, err := os.CreateTemp(t.Beside, "share-")
	if err != nil {
		return false
	}
	defer func() { _ = errors.Join(to.Close(), os.Remove(to.Name())) }()
	return shareBytes(from, to)
}

// remove removes what was brought once and is not in the source any more.
func (t Tree) remove(path string, c thing, tracked bool) error {
	if c.Overlay != "" {
		if err := atomicfile.RemoveAll(filepath.Join(t.Beside, "overlay", c.Overlay)); err != nil {
			return err
		}
	}
	if tracked {
		return nil
	}
	return atomicfile.RemoveAll(filepath.Join(t.Root, filepath.FromSlash(path)))
}

// Forget removes the overlays and the record. Copies stay in the tree, for the caller to
// remove with all else that git does not track.
func (t Tree) Forget() error {
	err := atomicfile.RemoveAll(filepath.Join(t.Beside, "overlay"))
	if gone := os.Remove(t.recordPath()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
