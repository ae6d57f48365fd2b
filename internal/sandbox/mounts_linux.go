package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/booty-cli/booty/internal/atomicfile"
)

// mounts tries a view and an overlay as a command would get them.
func mounts(upper string, lowers []string) Support {
	users, err := trySpaces(spaces{mounts: true}, restricted(upper))
	if err != nil {
		return Support{Why: fmt.Sprintf("this system gives commands no mounts of their own (%v)", err)}
	}
	if users {
		for _, lower := range lowers {
			if !ours(lower) {
				return Support{View: true, Why: lower + " belongs to another user or group: " +
					"an overlay of an ordinary user cannot write for those"}
			}
		}
	}
	if err := tryOverlay(upper, users); err != nil {
		return Support{View: true,
			Why: fmt.Sprintf("no overlay can be had with its files in %s (%v)", upper, err)}
	}
	return Support{View: true, Overlay: true}
}

// tryOverlay has a trial write through an overlay and delete in it.
func tryOverlay(upper string, users bool) error {
	dir, err := os.MkdirTemp(upper, ".booty-overlay-")
	if err != nil {
		return err
	}
	defer func() { _ = atomicfile.RemoveAll(dir) }()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"root", "root/target", "lower", "upper", "work"} {
		if err := os.Mkdir(at(name), 0o700); err != nil {
			return err
		}
	}
	for _, name := range trialFiles {
		if err := os.WriteFile(filepath.Join(at("lower"), name), []byte("lower"), 0o400); err != nil {
			return err
		}
	}
	r := rules{Private: true, Users: users, Root: at("root"), Overlays: []Overlay{
		{Lower: []string{at("lower")}, Upper: at("upper"), Work: at("work"), Target: at("root/target")},
	}}
	return try(namespaces(spaces{mounts: true}, users), r)
}

// trialFiles are in the lower directory of an overlay that is tried.
var trialFiles = []string{"changed", "removed"}

// useOverlay does what a trial is for.
func useOverlay(target string) error {
	changed, removed := filepath.Join(target, trialFiles[0]), filepath.Join(target, trialFiles[1])
	if err := os.Chmod(changed, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(changed, []byte("upper"), 0o600); err != nil {
		return err
	}
	return os.Remove(removed)
}

// ours reports whether a file belongs to this process's user and group.
func ours(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && int(st.Gid) == os.Getegid()
}

// arrange makes the mounts of the rules, in a mount namespace of its own.
func arrange(r rules) error {
	if !r.Private {
		return nil
	}
	// Nothing of it shall be seen outside, but mounts made outside shall be seen here.
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("set up mounts: %w", err)
	}
	if r.Processes {
		if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC,
			""); err != nil {
			return fmt.Errorf("mount /proc: %w", err)
		}
	}
	if len(r.Devices) > 0 {
		inMemory := func(s Shown) bool { return inside(s.From, "/dev/shm") }
		if err := ownDevices(r.Devices,
			inside(r.Root, "/dev/shm") || slices.ContainsFunc(r.Shown, inMemory)); err != nil {
			return err
		}
	}
	for _, s := range r.Shown {
		if err := unix.Mount(s.From, s.At, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("show %s at %s: %w", s.From, s.At, err)
		}
		if err := readOnly(s.At, true); err != nil {
			return err
		}
	}
	for _, o := range r.Overlays {
		if err := overlay(o, r); err != nil {
			return fmt.Errorf("mount %s at %s: %w", o.Lower, o.Target, err)
		}
	}
	if err := fix(r.Fixed, r.Open); err != nil {
		return err
	}
	return hideAround(r)
}

// hideAround hides secrets, and shows the root and what else is to be seen where it lies
// in a hidden place.
func hideAround(r rules) error {
	if r.View == "" {
		r.View = r.Root
	}
	shown := append(slices.Clone(r.Kept), r.View, r.Root)
	var veils []string // hidden places with something in them that is to be seen
	e, err := newEmpty(r)
	if err != nil {
		return err
	}
	for _, place := range r.Hidden {
		holds := slices.ContainsFunc(shown, func(s string) bool {
			return inside(s, place) && (s != place || s == r.View)
		})
		if holds && (place == r.Root || !inside(place, r.Root)) {
			veils = append(veils, place)
		} else if err = e.hide(place); err != nil {
			break
		}
	}
	e.close()
	if err != nil {
		return err
	}
	return unveil(r, veils)
}

// step is one mount of those that make up what commands see: an empty directory, or a
// tree that was there.
type step struct {
	at string
	fd int // -1 for the empty directory
}

// unveil covers directories with empty ones, in which only the root and what is kept are seen.
func unveil(r rules, veils []string) error {
	var steps []step
	defer func() {
		for _, s := range steps {
			_ = unix.Close(s.fd)
		}
	}()
	for _, place := range veils {
		steps = append(steps, step{place, -1})
	}
	from := map[string]string{}
	for _, place := range r.Kept {
		from[place] = place
	}
	if r.View != r.Root || slices.ContainsFunc(veils, func(v string) bool { return inside(r.View, v) }) {
		from[r.View] = r.Root
	}
	for at, path := range from {
		fd, err := cloneTree(path)
		switch {
		case errors.Is(err, unix.ENOENT) && path != r.Root:
			continue // gone meanwhile
		case err != nil:
			return fmt.Errorf("show %s at %s: %w", path, at, err)
		}
		steps = append(steps, step{at, fd})
	}
	// What holds others comes first, of one place the empty directory.
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(len(a.at), len(b.at)), cmp.Compare(a.fd, b.fd))
	})
	for _, s := range steps {
		if err := s.mount(); err != nil {
			return err
		}
	}
	for at, target := range r.Links {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(target, at)); err != nil {
			return fmt.Errorf("show %s: %w", at, err)
		}
	}
	for _, place := range veils { // no earlier: directories in it had to be made
		if err := readOnly(place, false); err != nil {
			return err
		}
	}
	return nil
}

func (s step) mount() error {
	if s.fd < 0 {
		_ = os.MkdirAll(s.at, 0o755) // it may lie in another
		if err := unix.Mount("tmpfs", s.at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV,
			"size=1m,mode=755"); err != nil {
			return fmt.Errorf("hide %s: %w", s.at, err)
		}
		return nil
	}
	err := os.MkdirAll(filepath.Dir(s.at), 0o755)
	if _, none := os.Lstat(s.at); none != nil && err == nil {
		if isDir(s.fd) {
			err = os.Mkdir(s.at, 0o755)
		} else {
			err = os.WriteFile(s.at, nil, 0o644)
		}
	}
	if err == nil {
		err = unix.MoveMount(s.fd, "", unix.AT_FDCWD, s.at, unix.MOVE_MOUNT_F_EMPTY_PATH)
	}
	if err != nil {
		return fmt.Errorf("show %s: %w", s.at, err)
	}
	return nil
}

// cloneTree gives a mount of what is at path, with what is mounted in it, not yet
// anywhere.
func cloneTree(path string) (int, error) {
	return unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
}

// empty is an empty file and an empty directory, on a read-only file system of
// their own.
type empty struct{ at string }

func newEmpty(r rules) (*empty, error) {
	e := new(empty)
	if len(r.Hidden) == 0 {
		return e, nil
	}
	if err := unix.Mount("tmpfs", r.Temp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV,
		"size=64k,mode=755"); err != nil {
		return nil, fmt.Errorf("set up mounts: %w", err)
	}
	e.at = r.Temp
	err := errors.Join(os.Mkdir(e.dir(), 0o555), os.WriteFile(e.file(""), nil, 0o444),
		os.WriteFile(e.file(".json"), []byte("{}\n"), 0o444),
		unix.Mount("", e.at, "", unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""))
	if err != nil {
		e.close()
		return nil, fmt.Errorf("set up mounts: %w", err)
	}
	return e, nil
}

func (e *empty) dir() string { return filepath.Join(e.at, "directory") }

// file is what is empty for files with names that end so: no bytes at all are no JSON.
func (e *empty) file(ext string) string {
	if ext != ".json" {
		ext = ""
	}
	return filepath.Join(e.at, "file"+ext)
}

func (e *empty) close() {
	if e.at != "" {
		_ = unix.Unmount(e.at, unix.MNT_DETACH) // what it was mounted from lives on
	}
}

// hide puts what is empty in the place of a secret.
func (e *empty) hide(place string) error {
	info, err := os.Lstat(place)
	switch {
	case err != nil:
		return nil //nolint:nilerr // gone meanwhile
	case info.IsDir():
		err = unix.Mount(e.dir(), place, "", unix.MS_BIND, "")
	default:
		err = unix.Mount(e.file(filepath.Ext(place)), place, "", unix.MS_BIND, "")
	}
	if err != nil {
		return fmt.Errorf("hide %s: %w", place, err)
	}
	return nil
}

// overlay mounts one. The work tree is full of what others wrote: nothing in it
// may lead the mount elsewhere, and what is no directory there stays.
func overlay(o Overlay, r rules) error {
	rel, err := filepath.Rel(r.Root, o.Target)
	if err != nil {
		return err
	}
	target, err := openBeneath(r.Root, rel)
	if err != nil {
		return nil // the tree has something else in its place
	}
	defer unix.Close(target)
	if isDir(target) != (o.File == "") {
		return nil
	}
	if o.File != "" {
		return overlayFile(o, r, procPath(target))
	}
	return mountOverlay(o, r, procPath(target))
}

// overlayFile shows one file of an overlay. The rest of it is seen nowhere.
func overlayFile(o Overlay, r rules, at string) error {
	if err := mountOverlay(o, r, o.Whole); err != nil {
		return err
	}
	err := unix.Mount(filepath.Join(o.Whole, o.File), at, "", unix.MS_BIND, "")
	if errors.Is(err, unix.ENOENT) {
		err = nil // the user has removed it
	}
	return errors.Join(err, unix.Unmount(o.Whole, unix.MNT_DETACH))
}

// mountOverlay mounts the layers of one.
func mountOverlay(o Overlay, r rules, at string) error {
	if err := os.RemoveAll(filepath.Join(o.Work, "work", "incompat")); err != nil {
		return err
	}
	// Paths may hold letters that mean something among the options; descriptors
	// do not.
	options := []string{"index=off", "xino=off"}
	for _, layers := range []struct {
		name string
		dirs []string
	}{{"lowerdir", o.Lower}, {"upperdir", []string{o.Upper}}, {"workdir", []string{o.Work}}} {
		var paths []string
		for _, dir := range layers.dirs {
			fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			if err != nil {
				return fmt.Errorf("open %s: %w", dir, err)
			}
			defer unix.Close(fd)
			paths = append(paths, procPath(fd))
		}
		options = append(options, layers.name+"="+strings.Join(paths, ":"))
	}
	if r.Users {
		options = append(options, "userxattr")
	}
	// Volatile: the end of each command would otherwise wait until all that was
	// written on that disk is on it. Kernels before 5.10 do not know it.
	err := unix.Mount("overlay", at, "overlay", 0, strings.Join(append(options, "volatile"), ","))
	if errors.Is(err, unix.EINVAL) {
		err = unix.Mount("overlay", at, "overlay", 0, strings.Join(options, ","))
	}
	for _, name := range []string{"work", "work/incompat", "work/incompat/volatile"} {
		// What the system makes there has no permissions at all: it could not be removed.
		_ = os.Chmod(filepath.Join(o.Work, name), 0o700)
	}
	return err
}

// isDir reports whether an open file is a directory.
func isDir(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// openBeneath opens a place below root as a path, through no symbolic link.
func openBeneath(root, rel string) (int, error) {
	dir, err := unix.Open(root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(dir)
	return unix.Openat2(dir, rel, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
}

func procPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// fix mounts places over themselves, read-only but for those of open.
func fix(places, open []string) error {
	for _, path := range open { // a mount of its own keeps its own attributes
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("mount %s: %w", path, err)
		}
	}
	for _, path := range places {
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("mount %s: %w", path, err)
		}
		below := !slices.ContainsFunc(open, func(o string) bool { return inside(o, path) })
		if err := readOnly(path, below); err != nil {
			return err
		}
	}
	return nil
}

// readOnly makes the mount at path read-only, and those below it.
func readOnly(path string, below bool) error {
	attr, flags := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}, uint(0)
	if below {
		flags = unix.AT_RECURSIVE
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, flags, &attr); err != nil {
		return fmt.Errorf("mount %s read-only: %w", path, err)
	}
	return nil
}
