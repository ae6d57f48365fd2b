// Package retrieval chooses what of a repository a request shows: the files that a task
// names or speaks of, those that a failure points to, their tests, and a tree of the
// rest. What comes in are a list of files, a task, a failure and past changes; what goes
// out are contents within a budget. It reads files and writes none; how they are worded
// for the model is the prompt's matter, and what may be edited is the guard's.
//
// # Words
//
// A suspect is a file that a failure points to. A part is full, the file as it is;
// excerpt, whole functions and stretches of lines among the declarations of the
// rest; or outline, declarations alone. A mark stands wherever lines are left out.
//
// # Promises
//
//   - The contents chosen are never larger together than Need.Budget.
//   - A secret or excluded file is never chosen, nor listed in the tree. Links
//     are not followed.
//   - Files made by tools, vendored and binary ones are chosen only when they
//     are included, were last changed, or are named by the task.
//   - The same index, need and files give the same choice in the same order.
//   - Contents are read once, within a cap; later choices read the files they show and
//     those that the run has changed. Nothing is kept on disk.
package retrieval

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/tokens"
)

// File is a file, or a part of one, chosen for a request.
type File struct {
	Path    string
	Content string
	// Part is full, excerpt or outline.
	Part string
	// Lines are the lines shown in an excerpt, as ranges from 1, ends inclusive.
	Lines [][2]int
	// Why gives the reason in a few words.
	Why string
	// Size is the size of the whole file, for a file that is left out.
	Size int
	// Asked reports whether the model asked for it.
	Asked bool
}

// Options configure an index.
type Options struct {
	// Include globs are always shown first, Exclude never.
	Include, Exclude []string
	// IsTest reports test files, which rank after sources. If nil, the name decides.
	IsTest func(path string) bool
	// IsSecret reports files that must never be shown.
	IsSecret func(path string) bool
	// IsIgnored reports whether git ignores a file that was not in New's list. Such a file
	// is shown only if Include names it. If nil, no file is ignored.
	IsIgnored func(path string) bool
	// Task is the text of the task. If not all files can be read, files whose paths share
	// words with it come first.
	Task string
	// History returns past commits, newest first; may be nil. Warm calls it once.
	History func(context.Context) []PastChange
}

// Need describes a request.
type Need struct {
	// Task and Failure are searched for words and names.
	Task, Failure string
	// Tests are the failing tests. Their bodies are shown first.
	Tests []FailingTest
	// Suspects are the files that the failure points to, best first.
	Suspects []string
	// Lines are lines of interest in suspects; a large file is shown around them. Lines
	// that Task and Failure name after a path need not be repeated.
	Lines map[string][]int
	// Last are the files of the last change.
	Last []string
	// Budget is the number of bytes for all contents. If it is 0, Pieces gives the budget
	// in pieces of tokens (package tokens).
	Budget, Pieces int
	// Wide asks for more than the suspects and their neighbors.
	Wide bool
}

// Index knows a repository's files. Its methods may be called from several goroutines.
type Index struct {
	root string
	o    Options
	// include and exclude are the compiled globs of o.
	include, exclude *globs.Set

	// Derived from names; docs grows with files that a run adds.
	docs      []doc // the listed ones are sorted
	listed    int
	added     map[string]int32
	byStem    nameTable // by the name without its extension
	bySubject nameTable // test files by what they test
	pathTerms postings
	dirs      []folder
	dirNumber map[string]int32
	odd       []int32 // paths with spaces, which a scan for words misses
	stop      map[term]bool

	// Derived from contents by Warm. The channel is its lock.
	warming chan struct{}
	maxPass int64
	maxRead int
	found   *contents
	past    *past
	weights *model

	// What a run has changed since; guarded by mu, as every choice is.
	mu           sync.Mutex
	changed      map[int32]*change
	changedOrder []int32
	touched      map[int32]bool
}

// doc is a file.
type doc struct {
	path    string
	dir     int32
	lang    lang
	test    bool
	left    bool // its name says that it is not worth showing
	unread  bool // its content says so
	include bool
	version
	words int32
}

// folder is a folder and the files directly in it.
type folder struct {
	path  string
	files []int32
}

// change holds the facts about a file that changed after the pass.
type change struct {
	facts
	version
}

// version identifies the contents of a file by its metadata.
type version struct{ size, mtime int64 }

func versionOf(info fs.FileInfo) version {
	return version{info.Size(), info.ModTime().UnixNano()}
}

// New makes an index of files, slash paths below root. It reads no contents yet.
func New(root string, files []string, o Options) *Index {
	if o.IsTest == nil {
		o.IsTest = testfile.Is
	}
	ix := &Index{
		root: root, o: o, include: globs.New(o.Include...), exclude: globs.New(o.Exclude...),
		docs: make([]doc, 0, len(files)), added: map[string]int32{}, dirNumber: map[string]int32{},
		stop: stopTerms(), weights: &fitted,
		warming: make(chan struct{}, 1), maxPass: maxPass, maxRead: maxRead,
		changed: map[int32]*change{}, touched: map[int32]bool{},
	}
	if !slices.IsSorted(files) {
		files = slices.Sorted(slices.Values(files))
	}
	names := make([]byName, len(files))
	parallel(len(files), func(i int) {
		if i == 0 || files[i-1] != files[i] {
			names[i] = ix.named(files[i])
		}
	})
	for i, f := range files {
		if names[i].allowed {
			ix.addAs(f, names[i])
		}
	}
	ix.listed = len(ix.docs)
	slices.Sort(ix.byStem)
	slices.Sort(ix.bySubject)
	return ix
}

// allowed reports whether a file may ever be shown.
func (ix *Index) allowed(p string) bool {
	if p == ".booty.yml" || p == ".booty.yaml" {
		return false // files that control a run are not part of the work
	}
	return p != "" && !ix.exclude.Match(p) && (ix.o.IsSecret == nil || !ix.o.IsSecret(p))
}

// MayShow reports whether a file may be shown: it was in New's list, or git does not ignore
// it.
func (ix *Index) MayShow(p string) bool {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.mayAdd(p)
}

func (ix *Index) mayAdd(p string) bool {
	if !ix.allowed(p) {
		return false
	}
	_, ok := ix.number(p)
	return ok || ix.o.IsIgnored == nil || ix.include.Match(p) || !ix.o.IsIgnored(p)
}

// A nameTable maps names to files: sorted pairs of a name's hash and the number of its
// file.
type nameTable []uint64

func (n *nameTable) add(name string, i int32) {
	*n = append(*n, uint64(symbolOf(name))&^math.MaxUint32|uint64(i))
}

// of returns the files with a name. Hash collisions can add others.
func (n nameTable) of(name string) []int32 {
	hash := uint64(symbolOf(name)) &^ math.MaxUint32
	from, _ := slices.BinarySearch(n, hash)
	var out []int32
	for _, x := range n[from:] {
		if x&^math.MaxUint32 != hash {
			break
		}
		out = append(out, int32(x&math.MaxUint32))
	}
	return out
}

// stemmed returns the files with a name without its extension, and those with the whole
// name.
func (ix *Index) stemmed(name string) []int32 {
	return slices.DeleteFunc(ix.byStem.of(name),
		func(i int32) bool { return stemOf(ix.docs[i].path) != name })
}

func (ix *Index) called(name string) []int32 {
	return slices.DeleteFunc(ix.byStem.of(stemOf(name)),
		func(i int32) bool { return base(ix.docs[i].path) != name })
}

// testing returns the test files with a subject.
func (ix *Index) testing(name string) []int32 {
	return slices.DeleteFunc(ix.bySubject.of(name),
		func(i int32) bool { return subject(ix.docs[i].path) != name })
}

// number returns the number of a path.
func (ix *Index) number(p string) (int32, bool) {
	i, ok := slices.BinarySearchFunc(ix.docs[:ix.listed], p,
		func(d doc, p string) int { return strings.Compare(d.path, p) })
	if ok {
		return int32(i), true
	}
	n, ok := ix.added[p]
	return n, ok
}

// byName is what globs and naming conventions say about a path.
type byName struct{ allowed, left, include, test bool }

func (ix *Index) named(p string) byName {
	return byName{ix.allowed(p), leftOut(p), ix.include.Match(p), ix.o.IsTest(p)}
}

// parallel calls f for each number below n, on all processors if that pays off.
func parallel(n int, f func(int)) {
	const few = 500
	workers := min(runtime.GOMAXPROCS(0), maxWorkers, n/few+1)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				f(i)
			}
		})
	}
	wg.Wait()
}

// add makes a document for an allowed path that was not listed.
func (ix *Index) add(p string) int32 {
	i := ix.addAs(p, ix.named(p))
	ix.added[p] = i
	slices.Sort(ix.byStem)
	slices.Sort(ix.bySubject)
	return i
}

func (ix *Index) addAs(p string, by byName) int32 {
	i := int32(len(ix.docs))
	d := doc{path: p, lang: languageOf(p), left: by.left, include: by.include, test: by.test,
		dir: ix.folderOf(dir(p))}
	ix.docs = append(ix.docs, d)
	ix.dirs[d.dir].files = append(ix.dirs[d.dir].files, i)
	if d.left && !d.include {
		return i
	}
	ix.byStem.add(stemOf(p), i)
	if d.test {
		ix.bySubject.add(subject(p), i)
	}
	if strings.Contains(p, " ") {
		ix.odd = append(ix.odd, i)
	}
	var room [24]term
	seen := room[:0]
	eachTerm(strings.TrimSuffix(p, path.Ext(p)), 2, func(t term) { seen = append(seen, t) })
	for _, t := range unique(seen) {
		ix.pathTerms.add(t, uint32(i))
	}
	return i
}

// folderOf returns the number of a folder and creates it with its parents.
func (ix *Index) folderOf(p string) int32 {
	if n, ok := ix.dirNumber[p]; ok {
		return n
	}
	if p != "" {
		ix.folderOf(dir(p))
	}
	n := int32(len(ix.dirs))
	ix.dirs = append(ix.dirs, folder{path: p})
	ix.dirNumber[p] = n
	return n
}

// Select is Choose without errors: it returns nil if Choose fails.
func (ix *Index) Select(n Need) []File {
	files, _ := ix.Choose(context.Background(), n)
	return files
}

// Choose returns only the files of [Index.Weigh].
func (ix *Index) Choose(ctx context.Context, n Need) ([]File, error) {
	c, err := ix.Weigh(ctx, n)
	return c.Files, err
}

// Weigh ranks the files and returns the contents of the best that fit, best first. It fails
// only if the root cannot be opened or ctx ends.
func (ix *Index) Weigh(ctx context.Context, n Need) (Choice, error) {
	if err := ix.Warm(ctx); err != nil {
		return Choice{}, err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return Choice{}, fmt.Errorf("choose files: %w", err)
	}
	defer func() { _ = root.Close() }()
	if n.Budget == 0 {
		n.Budget = int(float64(n.Pieces) * tokens.Usual) // until the files are known
	}
	r := ix.rank(root, n)
	return r.fill(ctx)
}
