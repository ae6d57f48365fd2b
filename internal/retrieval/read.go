package retrieval

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/regular"
)

// errNotShown is the error for anything but a regular file.
var errNotShown = errors.New("not a regular file")

// readFile reads at most max bytes of a regular file below root. It does not follow
// symbolic links: an innocent name could lead to a secret.
func readFile(root *os.Root, p string, max int64) ([]byte, fs.FileInfo, error) {
	name := filepath.FromSlash(p)
	info, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotShown
	}
	f, err := regular.OpenIn(root, name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, 0, min(info.Size(), max)+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):min(cap(data), int(max)+1)])
		data = data[:len(data)+n]
		if int64(len(data)) > max {
			return data[:max], info, nil
		}
		if errors.Is(err, io.EOF) {
			return data, info, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// inside reports whether p, as written, names something below the root.
func inside(p string) bool {
	return p != "" && !strings.ContainsAny(p, "\\\x00\n") && filepath.IsLocal(filepath.FromSlash(p)) &&
		p == path.Clean(p)
}

// plain reports whether p names something below the root without a detour: no absolute
// path, no .., no git files, no linked folder on the way.
func plain(root *os.Root, p string) bool {
	if !inside(p) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	for i := 0; i < len(p); i++ {
		if p[i] != '/' {
			continue
		}
		info, err := root.Lstat(filepath.FromSlash(p[:i]))
		if err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
