package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

// What git ignores in a checkout (dependencies, virtual environments, .env, build
// outputs) belongs to a tree that its tests are to run in. Small things are copied.
// Large directories are overlays where the system has them: commands see and change
// them as if they were copied, and what they write lies in the slot. What the user has
// not changed since the last run stays as the last run's builds left it.

// Overlay is a directory of the tree that commands see as Lower with Upper over it.
type Overlay struct {
	// Target is where they see it. Lower are what lies below, the uppermost first; nothing
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

// carriedThing is an entry of a slot's record of what was brought along.
type carriedThing struct {
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

func (r *Repo) carriedPath() string { return filepath.Join(r.slot.dir, "carried.json") }

func (r *Repo) carriedRecord() map[string]carriedThing {
	record := map[string]carriedThing{}
	if data, err := os.ReadFile(r.carriedPath()); err == nil {
		if json.Unmarshal(data, &record) != nil {
			return map[string]carriedThing{}
		}
	}
	return record
}

// Overlays are the directories of this tree that commands are to see as overlays.
func (r *Repo) Overlays() []Overlay {
	if r.slot == nil || !r.overlaid {
		return nil
	}
	var list []Overlay
	for path, c := range r.carriedRecord() {
		if c.Overlay != "" {
			list = append(list, r.overlay(path, c))
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Target < list[j].Target })
	return list
}

func (r *Repo) overlay(path string, c carriedThing) Overlay {
	dir := filepath.Join(r.slot.dir, "overlay", c.Overlay)
	return Overlay{Target: filepath.Join(r.root, filepath.FromSlash(path)), Lower: c.Lower,
		Upper: filepath.Join(dir, "upper"), Work: filepath.Join(dir, "work"), File: c.File,
		Whole: filepath.Join(dir, "whole")}
}

// carry brings the ignored files of another tree, and the contents of its submodules,
// up to date in this one.
func (r *Repo) carry(ctx context.Context, from *Repo, overlays func() bool) error {
	paths, err := from.toCarry(ctx)
	if err != nil {
		return err
	}
	var tracked map[string]uint32
	if had := r.carriedRecord(); len(paths)+len(had) > 0 {
		if tracked, err = r.trackedNames(ctx); err != nil {
			return err
		}
	}
	asked := sync.OnceValue(func() bool {
		r.overlaid = overlays != nil && overlays()
		return r.overlaid
	})
	lower := map[string]Overlay{} // of a tree that has overlays itself
	for _, o := range from.Overlays() {
		if rel, err := filepath.Rel(from.root, o.Target); err == nil {
			lower[filepath.ToSlash(rel)] = o
		}
	}
	had, has := r.carriedRecord(), map[string]carriedThing{}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if mode := tracked[path]; mode != 0 && mode != modeGitlink {
			continue // this commit has it
		}
		thing, err := r.carryOne(from, path, lower[path], had[path], asked)
		if err != nil {
			return fmt.Errorf("bring %s along: %w", path, err)
		}
		if thing.Like != "" {
			has[path] = thing
		}
	}
	for path, c := range had {
		if _, still := has[path]; !still {
			if err := r.uncarry(path, c, tracked); err != nil {
				return err
			}
		}
	}
	data, err := json.Marshal(has)
	if err != nil {
		return err
	}
	return atomicfile.Write(r.carriedPath(), append(data, '\n'), 0o600)
}

// toCarry lists what git ignores, whole directories as one, and submodules.
func (r *Repo) toCarry(ctx context.Context) ([]string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
		"--directory"}})
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	links, err := r.submodules(ctx)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(links)
	for path := range r.large { // untracked, and in no state of the checkout
		list = append(list, path)
	}
	for _, path := range git.SplitNul(out) {
		if path = strings.TrimSuffix(path, "/"); path != "" && path != ".git" && !r.IsOutput(path) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// trackedNames gives the files of this tree's commit and their directories, with their modes.
func (r *Repo) trackedNames(ctx context.Context) (map[string]uint32, error) {
	list, err := listed(ctx, r.git)
	names := make(map[string]uint32, len(list))
	for _, e := range list {
		names[e.path] = e.mode
		for dir := path.Dir(e.path); dir != "." && names[dir] == 0; dir = path.Dir(dir) {
			names[dir] = uint32(filemode.Dir)
		}
	}
	return names, err
}

// carryOne brings one file or directory along, if it is not there as it should be.
func (r *Repo) carryOne(from *Repo, path string, below Overlay, had carriedThing,
	overlays func() bool) (carriedThing, error) {
	source, target := filepath.Join(from.root, filepath.FromSlash(path)),
		filepath.Join(r.root, filepath.FromSlash(path))
	info, err := os.Lstat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return carriedThing{}, nil
	}
	if err != nil {
		return carriedThing{}, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return carriedThing{}, nil
	}
	like, large, err := likeness(source, from.isState)
	if err != nil {
		return carriedThing{}, err
	}
	_, untracked := from.large[path]
	want := carriedThing{Like: like, Untracked: untracked}
	if below.Target == "" && info.Mode().IsRegular() {
		large = allocated(info) > smallBytes && !r.canShare(source)
	}
	if (large || below.Target != "") && info.Mode()&fs.ModeSymlink == 0 && overlays() {
		sum := sha256.Sum256([]byte(path))
		want.Overlay = hex.EncodeToString(sum[:8])
		want.Lower = []string{source}
		if !info.IsDir() {
			want.Lower, want.File = []string{filepath.Dir(source)}, filepath.Base(source)
		}
		if below.Target != "" {
			want.Lower, want.File = append([]string{below.Upper}, below.Lower...), below.File
		}
	}
	_, missing := os.Lstat(target)
	if missing == nil && had.Like == want.Like && had.Overlay == want.Overlay && had.File == want.File &&
		slices.Equal(had.Lower, want.Lower) {
		return had, nil
	}
	if err := removeTree(target); err != nil {
		return want, err
	}
	if want.Overlay == "" {
		if size := r.cannotCopy(source); size > 0 {
			r.leftOut = append(r.leftOut, Large{path, size})
			return carriedThing{}, nil
		}
		return want, copyTree(source, target, from.isState)
	}
	o := r.overlay(path, want)
	if err := removeTree(filepath.Dir(o.Upper)); err != nil {
		return want, err
	}
	for _, dir := range []string{o.Upper, o.Work, o.Whole, filepath.Dir(target)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return want, err
		}
	}
	if want.File != "" {
		return want, os.WriteFile(target, nil, info.Mode().Perm()) // what it is mounted on
	}
	return want, errors.Join(os.MkdirAll(target, 0o755), os.Chmod(o.Upper, info.Mode().Perm()))
}

// cannotCopy gives the size of what is too large to be copied; 0 for all other.
func (r *Repo) cannotCopy(source string) int64 {
	var size int64
	var some string
	_ = filepath.WalkDir(source, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is not copied either
		}
		if info, err := d.Info(); err == nil {
			size, some = size+allocated(info), p
		}
		return nil
	})
	if size <= mostCopied || r.canShare(some) {
		return 0
	}
	return size
}

// canShare reports whether a copy of a file in this tree would take no space of its own.
func (r *Repo) canShare(path string) bool {
	from, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = from.Close() }()
	to, err := os.CreateTemp(r.slot.dir, "share-")
	if err != nil {
		return false
	}
	defer func() { _ = errors.Join(to.Close(), os.Remove(to.Name())) }()
	return shareBytes(from, to)
}

// LeftOut are the ignored files and directories that are too large to be copied into this
// tree.
func (r *Repo) LeftOut() []Large { return r.leftOut }

// uncarry removes what was brought along once and is not there any more.
func (r *Repo) uncarry(path string, c carriedThing, tracked map[string]uint32) error {
	if c.Overlay != "" {
		if err := removeTree(filepath.Join(r.slot.dir, "overlay", c.Overlay)); err != nil {
			return err
		}
	}
	if tracked[path] != 0 {
		return nil
	}
	return removeTree(filepath.Join(r.root, filepath.FromSlash(path)))
}

// dropCarried removes all that was brought along and built: the tree is what git knows.
func (r *Repo) dropCarried() error {
	if err := errors.Join(removeTree(filepath.Join(r.slot.dir, "overlay")),
		removeFile(r.carriedPath())); err != nil {
		return err
	}
	_, err := r.git.Run(context.Background(),
		git.Call{Args: []string{"clean", "--quiet", "--force", "--force", "-d", "-x"}})
	return err
}

// likeness describes a file or directory by names, sizes and times, so that a later
// look reports whether it was changed. Of a large directory only the upper two levels
// are read: package managers leave their mark there.
func likeness(path string, skip func(string) bool) (like string, large bool, err error) {
	sum := sha256.New()
	entries, bytes := 0, int64(0)
	var errLarge = errors.New("large")
	note := func(name string, info fs.FileInfo) {
		fmt.Fprintf(sum, "%s\x00%d\x00%d\x00%o\x00", name, info.Size(), info.ModTime().UnixNano(),
			info.Mode())
	}
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read cannot be copied either
		}
		if skip(p) {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // gone meanwhile
		}
		rel, _ := filepath.Rel(path, p)
		note(rel, info)
		if entries++; info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if entries > smallEntries || bytes > smallBytes {
			return errLarge
		}
		return nil
	})
	if !errors.Is(err, errLarge) {
		return hex.EncodeToString(sum.Sum(nil)[:16]), false, err
	}
	sum.Reset()
	for _, pattern := range []string{"", "*", "*/*"} {
		found, _ := filepath.Glob(filepath.Join(path, pattern)) // the patterns are right
		for _, p := range found {
			if info, err := os.Lstat(p); err == nil {
				note(p, info)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), true, nil
}

// copyTree copies a file or a directory with its links, modes and times; where the file
// system can, the bytes are shared until one side writes. What may not be read is left out,
// and so are sockets, pipes, devices and the directories to skip.
func copyTree(from, to string, skip func(string) bool) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	var dirs []func() error // their times and modes, once they are filled
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, p)
		if relErr != nil {
			return relErr
		}
		if err != nil {
			if d != nil && d.IsDir() && errors.Is(err, fs.ErrPermission) {
				return fs.SkipDir // not for the checks either
			}
			return err
		}
		if skip(p) {
			return fs.SkipDir
		}
		target := filepath.Join(to, rel)
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case info.IsDir():
			dirs = append(dirs, func() error {
				return errors.Join(os.Chmod(target, info.Mode().Perm()),
					os.Chtimes(target, info.ModTime(), info.ModTime()))
			})
			return os.MkdirAll(target, 0o700)
		case info.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(p)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case info.Mode().IsRegular():
			return copyOne(p, target, info)
		}
		return nil
	})
	for _, finish := range slices.Backward(dirs) {
		err = errors.Join(err, finish())
	}
	return err
}

// copyOne copies a file, unless it may not be read or is gone.
func copyOne(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = copyBytes(in, out, info.Size())
	return errors.Join(err, out.Chmod(info.Mode().Perm()), out.Close(),
		os.Chtimes(to, info.ModTime(), info.ModTime()))
}
