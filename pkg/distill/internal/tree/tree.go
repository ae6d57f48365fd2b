// Package tree answers questions about the files of a project: which file a printed path
// means, which place a line of output names, what a file imports, and whether it is a test.
// Paths and lines as tools print them come in; paths relative to one folder go out. It
// reads no file outside of that folder, walks it at most once, and writes nothing.
package tree

import (
	"bytes"
	"embed" // for a file system without files
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Tree answers questions about the files below one folder. It reads no file outside of it
// and walks it at most once, if a path cannot be resolved otherwise.
type Tree struct {
	fsys   fs.FS
	names  fs.FS // the same files, for a walk: a root asks for the status of each, a folder does not
	Close  func()
	Dir    string            // absolute, with slashes
	Hidden func(string) bool // files that are not quoted; may be nil
	walked bool
	files  []string            // every file, sorted
	byBase map[string][]string // base name to files
	byStem map[string][]string // how the name is spelled, without its extension, to files
	exts   map[string]bool     // what the names of files end in
	folded map[string]bool     // base names in lower case; nil if the walk did not see all there is
	stat   map[string]bool     // what was asked before
	text   map[string][]string // lines of files that were read
	length map[string]int      // how many lines files have
	memo   map[string]resolved

	imported map[string][]string // what a file imports
	folder   []string            // folders a command changed into, such as py/ of "cd py && pytest"
}

const (
	maxFiles    = 200_000
	maxFileSize = 1 << 20
)

// NewTree returns the tree below dir, which is read on demand.
func NewTree(dir string) *Tree {
	if dir == "" {
		dir = "."
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	t := &Tree{
		fsys: embed.FS{}, names: embed.FS{}, Dir: filepath.ToSlash(abs), Close: func() {},
		stat: map[string]bool{}, text: map[string][]string{}, length: map[string]int{},
		memo: map[string]resolved{},
	}
	// A root does not follow links out of the folder.
	if root, err := os.OpenRoot(dir); err == nil {
		t.fsys, t.names, t.Close = root.FS(), os.DirFS(dir), func() { root.Close() }
	}
	return t
}

// skipDir reports folders without sources of the project.
func skipDir(name string) bool {
	switch name {
	case "node_modules", ".git", ".hg", ".svn", "target", "__pycache__", ".venv", "venv", ".tox",
		".mypy_cache", ".pytest_cache",
		"_build", "deps", "testdata", ".gradle", ".idea", ".next", ".cache", "bower_components",
		".terraform", "site-packages":
		return true
	}
	return false
}

func (t *Tree) walk() {
	if t.walked {
		return
	}
	t.walked = true
	t.byBase, t.exts, t.folded = map[string][]string{}, map[string]bool{}, map[string]bool{}
	all := true
	_ = fs.WalkDir(t.names, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			all = false
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if p != "." && skipDir(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if len(t.files) >= maxFiles {
			all = false
			return fs.SkipAll
		}
		if !d.Type().IsRegular() { // a link may lead to more
			all = false
			return nil
		}
		t.files = append(t.files, p)
		t.byBase[d.Name()] = append(t.byBase[d.Name()], p)
		t.exts[path.Ext(p)] = true
		t.folded[strings.ToLower(d.Name())] = true
		return nil
	})
	if !all {
		t.folded = nil
	}
}

// absent reports whether the walk has shown that no file has this name, in whatever case, which saves
// asking the system. An output may name thousands of files of elsewhere.
func (t *Tree) absent(p string) bool {
	base := path.Base(p)
	plain := !strings.HasSuffix(base, ".") && !strings.ContainsFunc(base, func(c rune) bool { // else some systems have other names for it
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-'
	})
	return t.folded != nil && plain && !t.folded[strings.ToLower(base)] && !inSkipped(p)
}

// inSkipped reports whether a path leads through a folder that is not walked.
func inSkipped(p string) bool {
	for dir := range strings.SplitSeq(strings.ToLower(path.Dir(p)), "/") {
		if skipDir(dir) {
			return true
		}
	}
	return false
}

// withStem returns the sources whose name without its extension is spelled so. Few outputs
// ask for it, so the first question sorts the files.
func (t *Tree) withStem(key string) []string {
	if t.byStem != nil {
		return t.byStem[key]
	}
	t.byStem = map[string][]string{}
	for _, p := range t.Files() {
		ext := path.Ext(p)
		if !SourceExt(strings.ToLower(ext)) {
			continue
		}
		stem := strings.TrimSuffix(path.Base(p), ext)
		if stem == "index" || stem == "__init__" || stem == "mod" {
			stem = path.Base(path.Dir(p))
		}
		stem = spelling(stem)
		t.byStem[stem] = append(t.byStem[stem], p)
	}
	return t.byStem[key]
}

// Files returns every file, sorted.
func (t *Tree) Files() []string {
	t.walk()
	return t.files
}

// HasKind reports whether the tree has a file with the same extension.
func (t *Tree) HasKind(p string) bool {
	t.walk()
	return t.exts[path.Ext(p)]
}

func (t *Tree) Exists(p string) bool {
	if p == "" || !fs.ValidPath(p) {
		return false
	}
	ok, known := t.stat[p]
	if !known {
		if !t.absent(p) {
			st, err := fs.Stat(t.fsys, p)
			ok = err == nil && st.Mode().IsRegular()
		}
		t.stat[p] = ok
	}
	return ok
}

// Lines returns the lines of a file, nil if it cannot be read or is binary.
func (t *Tree) Lines(p string) []string {
	if l, ok := t.text[p]; ok {
		return l
	}
	var lines []string
	if b, ok := t.read(p); ok {
		lines = strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\r\n", "\n"),
			"\n")
	}
	if len(t.text) < 400 {
		t.text[p] = lines
	}
	return lines
}

// Length returns the number of lines of a file, 0 if it cannot be read or is binary. An
// output may name places in many files, so nothing else is kept.
func (t *Tree) Length(p string) int {
	if l, ok := t.text[p]; ok {
		return len(l)
	}
	n, known := t.length[p]
	if !known {
		if b, ok := t.read(p); ok {
			n = bytes.Count(b, []byte{'\n'}) + 1
		}
		t.length[p] = n
	}
	return n
}

// read returns a file of the tree, false if it cannot be read, is too large or binary.
func (t *Tree) read(p string) ([]byte, bool) {
	if !t.Exists(p) { // before it is opened: what is no file may wait for a writer
		return nil, false
	}
	f, err := t.fsys.Open(p)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFileSize {
		return nil, false
	}
	var b bytes.Buffer
	b.Grow(int(st.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, maxFileSize)); err != nil ||
		bytes.IndexByte(b.Bytes(), 0) >= 0 {
		return nil, false
	}
	return b.Bytes(), true
}

// Source returns line n of a file, trimmed; "" if there is none.
func (t *Tree) Source(p string, n int) string {
	l := t.Lines(p)
	if n < 1 || n > len(l) || t.Hidden != nil && t.Hidden(p) {
		return ""
	}
	return strings.TrimSpace(l[n-1])
}

// Foreign reports whether a printed path belongs to a dependency, a standard
// library or a runtime.
func Foreign(p string) bool {
	for _, part := range []string{
		"/node_modules/", "/site-packages/", "/dist-packages/", "/.cargo/registry/", "/rustc/", "/pkg/mod/",
		"/vendor/bundle/", "/gems/", "/.m2/", "/.rustup/", "/usr/local/go/src/", "/libexec/src/",
		"/usr/share/", "/usr/include/", "/usr/lib/", "/internal/modules/", "/vendor/phpunit/", "/.gradle/",
		"/toolchains/", "/.pyenv/", "/lib/python", "/.deno/", "/.pnpm/", "/opt/hostedtoolcache/",
		"/vendor/composer/", "/usr/local/lib/", "/.bun/", "/.yarn/", "/vendor/symfony/", "/vendor/laravel/",
		"/vendor/pestphp/", "/rubygems/", "/_gotestmain",
	} {
		if strings.Contains(p, part) {
			return true
		}
	}
	_, is := text.CutAny(p, "node:", "internal/", "<", "node_modules/", "vendor/phpunit/", "vendor/pestphp/",
		"vendor/composer/", "java.base/", "ext:", "bun:", "deno:", "jsr:", "webpack/", "(", "_testmain.go",
		"deps/")
	return is
}

// Resolve finds the file that a printed path means and returns it relative to the tree.
// hint is a folder, a package or a class, if known. If nothing is found, it returns the
// cleaned path and false.
func (t *Tree) Resolve(p, hint string) (rel string, ok bool) {
	if p == "" {
		return "", false
	}
	key := p + "\x00" + hint
	if r, known := t.memo[key]; known {
		return r.rel, r.ok
	}
	rel, ok = t.find(p, hint)
	t.memo[key] = resolved{rel, ok}
	return rel, ok
}

type resolved struct {
	rel string
	ok  bool
}

func (t *Tree) find(p, hint string) (string, bool) {
	p = CleanPath(p)
	// A folder with this name may belong to the project or to a runtime.
	own := (strings.HasPrefix(p, "internal/") || strings.HasPrefix(p, "deps/")) && t.Exists(p)
	if !own && Foreign(p) {
		return p, false
	}
	p = strings.TrimPrefix(p, t.Dir+"/")
	if t.Exists(p) {
		if hint == "" || strings.Contains(p, "/") {
			return p, true
		}
		// A bare name may occur in several folders; the hint decides.
		if q, ok := t.BySuffix(p, hint); ok {
			return q, true
		}
		return p, true
	}
	for _, f := range t.folder {
		if q := path.Join(f, p); t.Exists(q) {
			return q, true
		}
	}
	// The end of an absolute path from another machine or a container.
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "../") {
		for rest := range tails(strings.TrimLeft(p, "./")) {
			if t.Exists(rest) {
				return rest, true
			}
		}
	}
	if q, ok := t.BySuffix(p, hint); ok {
		return q, true
	}
	return p, false
}

// CleanPath normalizes the paths that tools print.
func CleanPath(p string) string {
	for _, pre := range []string{"file://", "webpack://", "webpack-internal://", "vite-node://", "ng://",
		"rollup://"} {
		if strings.HasPrefix(p, pre) {
			p = p[len(pre):]
			p = strings.TrimPrefix(p, "/./")
			if len(p) > 3 && p[0] == '/' && p[2] == ':' {
				p = p[1:]
			}
			break
		}
	}
	if i := strings.IndexByte(p, '?'); i > 0 { // vite: file.ts?t=123
		p = p[:i]
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) > 2 && p[1] == ':' && p[2] == '/' {
		p = p[2:]
	}
	p = strings.ReplaceAll(p, "%20", " ")
	if p == "" {
		return p
	}
	return path.Clean(p)
}

// BySuffix looks for files that end in p, or in whose end p ends. Of several the one that
// fits the hint best wins; without a winner it finds none.
func (t *Tree) BySuffix(p, hint string) (string, bool) {
	t.walk()
	cands, dir, words := t.byBase[path.Base(p)], path.Dir(p), hintWords(hint)
	best, bestScore, tie := "", -1, false
	for _, c := range cands {
		score := 100*commonTail(path.Dir(c), dir) + 10*commonTail(path.Dir(c), words)
		if slices.ContainsFunc(t.folder, func(f string) bool { return strings.HasPrefix(c, f+"/") }) {
			score += 5
		}
		switch {
		case score > bestScore:
			best, bestScore, tie = c, score, false
		case score == bestScore:
			tie = true
		}
	}
	// A relative path must agree in all shared folders; Kotlin and Scala need not keep
	// files in the folders of the package.
	ours, theirs := strings.Count("/"+path.Dir(best), "/"), strings.Count("/"+dir, "/")
	switch {
	case best == "", tie && bestScore == 0:
		return "", false
	case dir == ".", len(cands) == 1 && slices.Contains([]string{".kt", ".scala", ".groovy"}, path.Ext(p)):
		return best, true
	case strings.HasPrefix(p, "/"):
		return best, bestScore >= 100 || path.Dir(best) == "."
	}
	return best, commonTail(path.Dir(best), dir) >= max(1, min(ours, theirs))
}

// hintWords turns a package or class into a path: org.demo.Roman, a/b/c.
func hintWords(hint string) string {
	if strings.Contains(hint, "/") {
		return hint
	}
	return strings.ReplaceAll(hint, ".", "/")
}

// commonTail counts the folders that two paths share at their ends.
func commonTail(a, b string) int {
	if a == "." || b == "." || a == "" || b == "" {
		return 0
	}
	n := 0
	for a != "" && b != "" {
		i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[j+1:] {
			break
		}
		n++
		a, b = a[:max(i, 0)], b[:max(j, 0)]
	}
	return n
}

// Entered remembers a folder that a wrapper changed into.
func (t *Tree) Entered(dir string) {
	dir = CleanPath(dir)
	dir = strings.TrimPrefix(dir, t.Dir+"/")
	for rest := range tails(strings.Trim(dir, "/")) {
		if st, err := fs.Stat(t.fsys, rest); fs.ValidPath(rest) && err == nil && st.IsDir() {
			if !slices.Contains(t.folder, rest) && len(t.folder) < 32 {
				t.folder = append(t.folder, rest)
			}
			return
		}
	}
}

// tails yields a path, then the path without its first folder, and so on.
func tails(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := p != "" && p != "."; more && yield(p); {
			_, p, more = strings.Cut(p, "/")
		}
	}
}

// isFile reports whether a word names a file of the tree.
func (t *Tree) IsFile(s string) bool {
	if f := strings.Fields(s); len(f) == 2 && len(f[0]) < 20 { // "project path/of/file"
		s = f[1]
	}
	if s == "" || strings.ContainsAny(s, " \t") || !strings.ContainsAny(s, "./") {
		return false
	}
	_, ok := t.Resolve(s, "")
	return ok
}
