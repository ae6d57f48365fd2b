package workspace

import (
	"path"

	"golang.org/x/sys/unix"
)

// stampOf describes an entry without following links.
func stampOf(path string) stamp {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return stamp{}
	}
	return stampFrom(&st)
}

func stampFrom(st *unix.Stat_t) stamp {
	return stamp{
		mode: st.Mode, size: st.Size, inode: st.Ino, links: uint64(st.Nlink), //nolint:unconvert // narrower on some systems
		changed: st.Ctim.Nano(), data: st.Mtim.Nano(),
	}
}

// stampAll describes entries that are listed directory by directory: each of
// these is found once.
func stampAll(root string, list []watched, out []stamp) {
	dir, fd := "", -1
	defer func() { _ = unix.Close(fd) }()
	for i, f := range list {
		if d := path.Dir(f.path); fd < 0 || d != dir {
			_ = unix.Close(fd)
			dir = d
			var err error
			if fd, err = unix.Open(root+"/"+d, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
				fd = -1
				continue // what was in it is gone
			}
		}
		var st unix.Stat_t
		if err := unix.Fstatat(fd, path.Base(f.path), &st, unix.AT_SYMLINK_NOFOLLOW); err == nil {
			out[i] = stampFrom(&st)
		}
	}
}
