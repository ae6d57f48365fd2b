package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// mounts tries a view and an overlay as a command would get them.
func mounts(upper string, lowers []string) Support {
	users, err := trySpaces(false, true)
	if err != nil {
		return Support{Why: fmt.Sprintf("this system gives commands no mounts of their own (%v)", err)}
	}
	if users {
		for _, lower := range lowers {
			if !ours(lower) {
				return Support{View: true, Why: lower + " belongs to another user or group, which an overlay of an ordinary user cannot write for"}
			}
		}
	}
	if err := tryOverlay(upper, users); err != nil {
		return Support{View: true, Why: fmt.Sprintf("no overlay can be had with its files in %s (%v)", upper, err)}
	}
	return Support{View: true, Overlay: true}
}

// tryOverlay has a trial write through an overlay and delete in it.
func tryOverlay(upper string, users bool) error {
	dir, err := os.MkdirTemp(upper, ".booty-overlay-")
	if err != nil {
		return err
	}
	defer func() { _ = removeAll(dir) }()
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
		{Lower: at("lower"), Upper: at("upper"), Work: at("work"), Target: at("root/target")},
	}}
	return try(namespaces(false, true, users), r)
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
	for _, o := range r.Overlays {
		if err := overlay(o, r); err != nil {
			return fmt.Errorf("mount %s at %s: %w", o.Lower, o.Target, err)
		}
	}
	if err := fix(r.Fixed, r.Open); err != nil {
		return err
	}
	if r.View != "" && r.View != r.Root {
		if err := unix.Mount(r.Root, r.View, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("show %s at %s: %w", r.Root, r.View, err)
		}
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
		return nil //nolint:nilerr // the tree has something else in its place
	}
	defer unix.Close(target)
	at := procPath(target)
	if o.Upper == "" {
		if err := unix.Mount(o.Lower, at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return err
		}
		return readOnly(o.Target, true)
	}
	if !isDir(target) {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(o.Work, "work", "incompat")); err != nil {
		return err
	}
	// Paths may hold letters that mean something among the options; descriptors
	// do not.
	options := []string{"index=off", "xino=off"}
	for name, path := range map[string]string{"lowerdir": o.Lower, "upperdir": o.Upper, "workdir": o.Work} {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", path, err)
		}
		defer unix.Close(fd)
		options = append(options, name+"="+procPath(fd))
	}
	if r.Users {
		options = append(options, "userxattr")
	}
	// Volatile: the end of each command would otherwise wait until all that was
	// written on that disk is on it. Kernels before 5.10 do not know it.
	err = unix.Mount("overlay", at, "overlay", 0, strings.Join(append(options, "volatile"), ","))
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
