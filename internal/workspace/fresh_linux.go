package workspace

import (
	"bytes"
	"context"
	bits "encoding/binary"
	"path/filepath"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// maxStrange bounds the names by which git is asked, in bytes.
const maxStrange = 64 << 10

// ownOthers gives the files that the shadow's index does not have and git does not ignore,
// as git ls-files --others does. Booty reads the directories of recorded files by itself,
// each time anew, and git is asked only about what it finds in them that was not recorded.
// It is false where git has to look at everything.
func (r *Repo) ownOthers(ctx context.Context, s *shadow) ([]string, bool, error) {
	if r.CaseInsensitive() {
		return nil, false, nil // a name may be another's
	}
	x, err := s.read()
	if err != nil || !x.plain {
		return nil, false, nil //nolint:nilerr // git says what is wrong with it
	}
	strange, err := x.strange(ctx, r.root)
	size := 0
	for _, p := range strange {
		size += len(p) + 1
	}
	if err != nil || size > maxStrange {
		return nil, false, ctx.Err()
	}
	if len(strange) == 0 {
		return nil, true, nil
	}
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--"}
	out, err := s.run(ctx, call{args: append(args, strange...)})
	return splitNul(out), true, err
}

// strange lists what lies in the directories of recorded files and was not recorded, or
// not as what it is: a directory as a whole.
func (x *indexFile) strange(ctx context.Context, root string) ([]string, error) {
	x.naming.Do(func() { x.names = namesOf(x.entries) })
	dirs := x.names.dirs
	share := len(dirs)/runtime.GOMAXPROCS(0) + 1
	parts := make([][]string, (len(dirs)+share-1)/share)
	g, ctx := errgroup.WithContext(ctx)
	for k := range parts {
		from := k * share
		g.Go(func() error {
			l := looker{root: root, fd: -1, real: map[string]bool{".": true}}
			var found []string
			room := make([]byte, 32<<10)
			for _, dir := range dirs[from:min(from+share, len(dirs))] {
				if err := ctx.Err(); err != nil {
					return err
				}
				if l.isReal(dir) { // else the link, or the file, is what is strange
					found = x.names.strangeIn(root, dir, found, room)
				}
			}
			parts[k] = found
			return nil
		})
	}
	err := g.Wait()
	return slices.Concat(parts...), err
}

// strangeIn is strange for one directory; it appends to found. room is used again and again.
func (n *recordedNames) strangeIn(root, dir string, found []string, room []byte) []string {
	fd, err := unix.Open(filepath.Join(root, dir), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return append(found, dir)
	}
	defer func() { _ = unix.Close(fd) }()
	path := make([]byte, 0, 256)
	if dir != "." {
		path = append(append(path, dir...), '/')
	}
	for {
		size, err := unix.ReadDirent(fd, room)
		if err != nil {
			return append(found, dir)
		}
		if size <= 0 {
			return found
		}
		for rest := room[:size]; len(rest) > direntName; {
			length := int(bits.NativeEndian.Uint16(rest[direntLength:]))
			name, kind := rest[direntName:length], rest[direntKind]
			name, rest = name[:max(bytes.IndexByte(name, 0), 0)], rest[length:]
			switch string(name) {
			case ".", "..", ".git":
				continue
			}
			full := append(path, name...) //nolint:gocritic // each in the same room
			isDir := kind == unix.DT_DIR
			is := n.is[string(full)]
			if is == nameOfRepository || is == nameOfFile && !isDir && kind != unix.DT_UNKNOWN || is == nameOfDir && isDir {
				continue
			}
			found = append(found, string(full))
		}
	}
}

// What the system says of an entry of a directory stands at these places.
const (
	direntLength = int(unsafe.Offsetof(unix.Dirent{}.Reclen))
	direntKind   = int(unsafe.Offsetof(unix.Dirent{}.Type))
	direntName   = int(unsafe.Offsetof(unix.Dirent{}.Name))
)
