package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// ownDevices gives commands a /dev that holds only the devices named, and
// terminals of their own: the user's would let them read what is typed there. Shared
// memory is their own as well, unless what they work on lies there.
func ownDevices(names []string, shared bool) error {
	const dev = "/dev"
	if shared {
		names = append(slices.Clone(names), "/dev/shm")
	}
	opened := map[string]int{}
	for _, name := range names {
		fd, err := cloneTree(name)
		if err != nil {
			continue // not here
		}
		defer unix.Close(fd)
		opened[name] = fd
	}
	if err := unix.Mount("tmpfs", dev, "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC,
		"size=64k,mode=755"); err != nil {
		return fmt.Errorf("mount %s: %w", dev, err)
	}
	for name, fd := range opened {
		if err := moveTo(fd, name); err != nil {
			return fmt.Errorf("mount %s: %w", name, err)
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0",
		"stdout": "/proc/self/fd/1",
		"stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	pts, shm := filepath.Join(dev, "pts"), filepath.Join(dev, "shm")
	if err := os.Mkdir(pts, 0o755); err != nil {
		return err
	}
	// Without it there are no terminals, which few commands need.
	_ = unix.Mount("devpts", pts, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC,
		"newinstance,ptmxmode=666,mode=620")
	if _, ok := opened[shm]; !ok {
		if err := os.Mkdir(shm, 0o755); err != nil {
			return err
		}
		if err := unix.Mount("tmpfs", shm, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
			return fmt.Errorf("mount %s: %w", shm, err)
		}
	}
	return readOnly(dev, false)
}

// moveTo mounts what was cloned at a path that is made for it.
func moveTo(fd int, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if isDir(fd) {
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
	} else if err := os.WriteFile(path, nil, 0o644); err != nil {
		return err
	}
	return unix.MoveMount(fd, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}
