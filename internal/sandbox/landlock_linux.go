package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls are made here and not through a library: a library has to put
// all threads of a Go program under the rules, by means that differ from kernel
// to kernel; here one thread enters and becomes the command at once, and with
// exec the others are gone.

const (
	readFile  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readDir   = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFile = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeDir  = writeFile | readDir | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
)

// The Landlock versions from which on a right can be ruled.
const (
	versionRefer    = 2 // Linux 5.19; before, nothing could be renamed to another directory
	versionTruncate = 3 // Linux 6.2
	versionScope    = 6 // Linux 6.12
)

// landlockVersion asks the kernel; 0 where it has no Landlock, or not for us.
func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// restrict puts this thread, and what it becomes, under the rules. The caller
// keeps the thread.
func restrict(r rules) error {
	version := landlockVersion()
	if version < versionRefer {
		return fmt.Errorf("the kernel has no Landlock of use (version %d)", version)
	}
	handled := uint64(writeDir)
	if version < versionTruncate {
		handled &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	if version >= versionScope {
		// Nothing outside can be signalled, nor reached by an abstract socket.
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	// An older kernel takes a longer structure if what it does not know is zero.
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)),
		unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer unix.Close(int(set))
	for _, p := range r.Read {
		if err := grant(int(set), p, readFile, readDir); err != nil {
			return err
		}
	}
	for _, p := range r.Write {
		if err := grant(int(set), p, writeFile&handled, writeDir&handled); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// grant allows a place. A file takes fewer rights than a directory; what is gone
// meanwhile takes none.
func grant(set int, place string, file, dir uint64) error {
	fd, err := unix.Open(place, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil
	}
	access := file
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		access = dir
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return &fs.PathError{Op: "landlock_add_rule", Path: place, Err: errno}
	}
	return nil
}
