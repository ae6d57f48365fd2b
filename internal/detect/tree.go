package detect

import (
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/foreign"
)

const (
	maxDepth = 3
	// maxDirs and maxRead protect against a hostile or huge repository.
	maxDirs = 600
	maxRead = 256 << 10
)

// tree is the scanned part of the repository, outer folders first.
type tree struct {
	fsys fs.FS
	dirs []*dir
}

// dir is one folder.
type dir struct {
	tree    *tree
	path    string
	files   []string
	folders []string
	known   map[string]bool // files
}

// skipped reports whether a folder holds dependencies, build output or third-party code.
func skipped(name string) bool {
	return foreign.Folder(name) ||
		slices.Contains([]string{"target", "dist", "build", "out", "bin", "obj", "_build", "deps", "venv",
			"env",
			"__pycache__", "coverage", "cmake-build-debug"}, name)
}

// inSampleFolder reports whether a folder on the way to p is a sample, whose projects are not the
// repository's own: also template-react, basic-example and the like, and backups at the root.
func inSampleFolder(p string) bool {
	return backupName().MatchString(p) || slices.ContainsFunc(strings.Split(p, "/"), sampleName().MatchString)
}

var sampleName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^_*(testdata|template|example|sample|fixture|playground|demo|boilerplate|starter|scaffold|benchmark|bench|fuzz|doc|skel|skeleton)s?_*([-_.].*)?$|[-_.](template|example|sample|fixture|playground|demo|boilerplate|starter)s?$`)
})

var backupName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^_*(backup|bak|archived?|attic|deprecated)s?_*(/|$)`)
})

func scan(fsys fs.FS) *tree {
	t := &tree{fsys: fsys}
	type todo struct {
		path  string
		depth int
	}
	queue := []todo{{".", 0}}
	for len(queue) > 0 && len(t.dirs) < maxDirs {
		next := queue[0]
		queue = queue[1:]
		d := t.read(next.path)
		if d == nil {
			continue
		}
		t.dirs = append(t.dirs, d)
		if next.depth == maxDepth {
			continue
		}
		for _, f := range d.folders {
			if !skipped(f) && !inSampleFolder(path.Join(next.path, f)) && !strings.HasPrefix(f, ".") {
				queue = append(queue, todo{path.Join(next.path, f), next.depth + 1})
			}
		}
	}
	return t
}

func (t *tree) root() *dir {
	if len(t.dirs) == 0 {
		return nil
	}
	return t.dirs[0]
}

func (t *tree) read(p string) *dir {
	entries, err := fs.ReadDir(t.fsys, p)
	if err != nil {
		return nil // unreadable is as good as empty
	}
	d := &dir{tree: t, path: p, known: map[string]bool{}}
	for _, e := range entries {
		if e.IsDir() {
			d.folders = append(d.folders, e.Name())
		} else {
			d.files = append(d.files, e.Name())
			d.known[e.Name()] = true
		}
	}
	return d
}

// has returns the first of the names that is a file here, or "".
func (d *dir) has(names ...string) string {
	for _, n := range names {
		if d.known[n] {
			return n
		}
	}
	return ""
}

func (d *dir) hasFolder(name string) bool { return slices.Contains(d.folders, name) }

// match returns the files here that match a path.Match pattern.
func (d *dir) match(pattern string) []string {
	var out []string
	for _, f := range d.files {
		if ok, err := path.Match(pattern, f); err == nil && ok {
			out = append(out, f)
		}
	}
	return out
}

// text reads a file here; an unreadable one is empty.
func (d *dir) text(name string) string { return d.tree.text(path.Join(d.path, name)) }

func (t *tree) text(p string) string {
	f, err := t.fsys.Open(p)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return "" // a device or pipe would block
	}
	b, err := io.ReadAll(io.LimitReader(f, maxRead))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(string(b), "\ufeff")
}

// texts joins the texts of the named files that exist.
func (d *dir) texts(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		if d.has(n) != "" {
			b.WriteString(d.text(n))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// find returns the path of the first file at or below d whose name matches.
func (d *dir) find(fits func(name string) bool) string {
	for _, sub := range d.tree.dirs {
		if sub.path != d.path && !below(d.path, sub.path) {
			continue
		}
		for _, f := range sub.files {
			if fits(f) {
				return path.Join(sub.path, f)
			}
		}
	}
	return ""
}

// hasBelow reports whether a matching file is anywhere below, even beyond the depth of the
// scan. After many files it gives up and returns true.
func (d *dir) hasBelow(fits func(name string) bool) bool {
	left, found := 5000, false
	err := fs.WalkDir(d.tree.fsys, d.path, func(p string, e fs.DirEntry, err error) error {
		if left--; left < 0 || err == nil && !e.IsDir() && fits(e.Name()) {
			found = true
			return fs.SkipAll
		}
		if err != nil {
			return nil //nolint:nilerr // unreadable is as good as empty
		}
		if e.IsDir() && p != d.path && (skipped(e.Name()) || strings.HasPrefix(e.Name(), ".")) {
			return fs.SkipDir
		}
		return nil
	})
	return found || err != nil
}

// findText is find for files whose text matches too; fits gets the path from d. It reads at
// most 40 files.
func (d *dir) findText(fits func(p string) bool, text *regexp.Regexp) string {
	read := 0
	for _, sub := range d.tree.dirs {
		if sub.path != d.path && !below(d.path, sub.path) {
			continue
		}
		for _, f := range sub.files {
			p := path.Join(sub.path, f)
			if !fits(strings.TrimPrefix(p, d.path+"/")) {
				continue
			}
			if read++; read > 40 {
				return ""
			}
			if text.MatchString(d.tree.text(p)) {
				return p
			}
		}
	}
	return ""
}

// sub returns the folder of that name here, or nil if it was not scanned.
func (d *dir) sub(name string) *dir {
	p := path.Join(d.path, name)
	for _, s := range d.tree.dirs {
		if s.path == p {
			return s
		}
	}
	return nil
}

func contains(s string, any ...string) bool {
	for _, a := range any {
		if strings.Contains(s, a) {
			return true
		}
	}
	return false
}

// isFile reports whether a regular file exists, even outside the scan.
func (t *tree) isFile(p string) bool {
	st, err := fs.Stat(t.fsys, path.Clean(p))
	return err == nil && st.Mode().IsRegular()
}

func (t *tree) exists(p string) bool {
	_, err := fs.Stat(t.fsys, path.Clean(p))
	return err == nil
}
