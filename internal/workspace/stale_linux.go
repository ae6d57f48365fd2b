package workspace

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// ownStale gives the entries of the shadow's index that do not look on disk as they did
// when they were recorded: all that git diff-files gives, and those whose stat data differs
// in what git is told to overlook. It is false where git has to be asked.
func (r *Repo) ownStale(ctx context.Context, s *shadow) (map[string]pair, bool) {
	for _, key := range []string{"core.symlinks", "core.trustctime", "core.checkstat"} {
		if v := valueOf(r.settings, key); v != "" && !isTrue(v) && v != "default" {
			return nil, false // links are files here, or stat data says less than elsewhere
		}
	}
	x, err := s.read()
	if err != nil || !x.plain {
		return nil, false
	}
	share := len(x.entries)/runtime.GOMAXPROCS(0) + 1
	parts := make([][]int, (len(x.entries)+share-1)/share) // made at once: each is written from beside
	g, ctx := errgroup.WithContext(ctx)
	for k := range parts {
		from := k * share
		g.Go(func() error {
			l := looker{root: r.root, index: x, fd: -1, real: map[string]bool{".": true}}
			defer l.close()
			for i := from; i < min(from+share, len(x.entries)); i++ {
				if i%512 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if l.stale(&x.entries[i]) {
					parts[k] = append(parts[k], i)
				}
			}
			return nil
		})
	}
	if g.Wait() != nil {
		return nil, false
	}
	stale := map[string]pair{}
	for _, part := range parts {
		for _, i := range part {
			stale[x.entries[i].path] = pair{was: x.entries[i].fileState}
		}
	}
	return stale, true
}

// looker looks at entries in the order of the index: each directory is found once.
type looker struct {
	root  string
	index *indexFile
	dir   string
	fd    int
	real  map[string]bool // directories that are none by way of a link
}

func (l *looker) close() {
	if l.fd >= 0 {
		_ = unix.Close(l.fd)
	}
	l.fd = -1
}

// enter opens a directory; it is false where there is none any more, or a link leads there.
func (l *looker) enter(dir string) bool {
	if dir == l.dir && l.fd >= 0 {
		return true
	}
	l.close()
	l.dir = dir
	if !l.isReal(dir) {
		return false
	}
	fd, err := unix.Open(filepath.Join(l.root, dir), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	l.fd = fd
	return true
}

func (l *looker) isReal(dir string) bool {
	is, known := l.real[dir]
	if !known {
		info, err := os.Lstat(filepath.Join(l.root, dir))
		is = err == nil && info.IsDir() && l.isReal(path.Dir(dir))
		l.real[dir] = is
	}
	return is
}

// stale reports whether an entry has to be looked into.
func (l *looker) stale(e *indexEntry) bool {
	if e.mode == modeGitlink {
		return false
	}
	var st unix.Stat_t
	if !l.enter(path.Dir(e.path)) {
		return true
	}
	name := e.path[strings.LastIndexByte(e.path, '/')+1:]
	if err := unix.Fstatat(l.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil || !e.looksAs(&st) {
		return true
	}
	if l.index.written.Unix() > int64(e.stat.mtime) {
		return false
	}
	// It may have been written again in the same moment: its bytes tell.
	is, why := stateOf(l.root, e.path, e.mode)
	return why != "" || is.differs(e.fileState)
}

// looksAs compares what was recorded with what the file system says.
func (e *indexEntry) looksAs(st *unix.Stat_t) bool {
	if e.stat.size == 0 && e.hash != emptyBlob {
		return false // git's sign for one that it does not trust
	}
	same := func(seconds, nano uint32, is unix.Timespec) bool { // some gits keep whole seconds
		return seconds == uint32(is.Sec) && (nano == 0 || nano == uint32(is.Nsec))
	}
	return kindOf(st.Mode) == e.mode && e.stat.size == uint32(st.Size) && e.stat.inode == uint32(st.Ino) &&
		e.stat.uid == st.Uid && e.stat.gid == st.Gid &&
		same(e.stat.mtime, e.stat.mtimeNano, st.Mtim) && same(e.stat.ctime, e.stat.ctimeNano, st.Ctim)
}

// kindOf is the mode that git gives to what lies on disk, as far as it has one.
func kindOf(mode uint32) uint32 {
	switch mode & unix.S_IFMT {
	case unix.S_IFLNK:
		return modeSymlink
	case unix.S_IFREG:
		if mode&0o100 != 0 {
			return modeExec
		}
		return modeFile
	}
	return modeAbsent
}

// emptyBlob is the name of a file with nothing in it.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
