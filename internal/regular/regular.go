// Package regular reads regular files, and no others. Commands leave what they like in a
// work tree: the open of a named pipe blocks for good, a device has effects or no end, and
// a file of holes is larger than any memory.
//
// What comes in: a path, and how much may be read. What goes out: an open file or its
// content. It never blocks on what is not a regular file, and never reads more than it
// was told.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxSize is how much is read of a file where nothing else says how large it may be.
const MaxSize = 256 << 20

var (
	// ErrNotRegular means that something else than a regular file is at a path.
	ErrNotRegular = errors.New("is not a regular file")
	// ErrTooLarge means that a file is larger than what may be read.
	ErrTooLarge = errors.New("is too large to be read")
)

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	return check(f, path, err)
}

// OpenIn opens a regular file below a root for reading.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	return check(f, name, err)
}

// check closes what is not a regular file again.
func check(f *os.File, path string, err error) (*os.File, error) {
	if err != nil {
		return nil, refused(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s: %w", Kind(info.Mode()), ErrNotRegular)}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Kind is what a file of a mode is called.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsRegular():
		return "a file"
	}
	return "a special file"
}

// Read reads a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return read(f, most)
}

// ReadIn reads a regular file below a root of at most so many bytes.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return read(f, most)
}

func read(f *os.File, most int64) ([]byte, error) {
	defer f.Close()
	tooLarge := &fs.PathError{Op: "read", Path: f.Name(), Err: ErrTooLarge}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, tooLarge
	}
	data := make([]byte, 0, info.Size()+1) // one more byte, to see the end
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		case int64(len(data)) > most: // it grows
			return nil, tooLarge
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// DirFS is the tree below a directory as a file system in which only regular files and
// directories can be opened. Links may lead out of it, as with [os.DirFS].
func DirFS(dir string) fs.FS { return dirFS{os.DirFS(dir), dir} }

type dirFS struct {
	fs.FS
	dir string
}

func (d dirFS) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(d.FS, name); err != nil || info.IsDir() {
		return d.FS.Open(name)
	}
	return Open(filepath.Join(d.dir, filepath.FromSlash(name)))
}
