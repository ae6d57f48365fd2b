package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// FS is what [Resolve] needs of a file system. Paths are relative and use
// forward slashes; an absent file gives an error that is [fs.ErrNotExist].
type FS interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
}

// DirFS is the directory root as an [FS]. Nothing outside root can be read
// through it, by no path and no symbolic link.
func DirFS(root string) FS { return dirFS(root) }

type dirFS string

func (d dirFS) Stat(path string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	return root.Stat(path)
}

func (d dirFS) ReadFile(path string) ([]byte, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	return root.ReadFile(path)
}

// absent tells whether err says that there is no such file, which includes a
// path that leads through something that is no directory.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}
