package retrieval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/booty-cli/booty/internal/regular"
)

const (
	// maxIndexed is the size above which a file's contents are not indexed.
	maxIndexed = 256 << 10
	// maxPass and maxRead bound the bytes and files that one pass reads, so that the first
	// choice does not wait long.
	maxPass, maxRead = 96 << 20, 40_000
	// maxWorkers bounds the goroutines of a pass, which shares the machine with the
	// repository's own checks.
	maxWorkers = 8
)

// contents is the result of a pass over the files. It is immutable.
type contents struct {
	shards []*shard
	// words is the total length of all indexed files, files their number.
	words, files int
}

// eachPosting calls f for each file that contains t, with the count.
func (c *contents) eachPosting(t term, f func(i int32, n uint32)) {
	for _, s := range c.shards {
		for p := range s.terms.of(t) {
			f(int32(p>>8), p&255)
		}
	}
}

// eachDefiner calls f for each file that defines a name.
func (c *contents) eachDefiner(t term, f func(i int32)) {
	for _, s := range c.shards {
		for i := range s.defs.of(t) {
			f(int32(i))
		}
	}
}

// shard is the inverted index of the files that one worker read. A file is in exactly one
// shard.
type shard struct {
	// terms maps to files: the file's number in the upper bits, the count (at most 255) in
	// the low byte.
	terms, defs postings
}

// facts are extracted from the contents of one file.
type facts struct {
	counts map[term]uint32
	defs   []term
	words  int
}

// maxDefs bounds the names kept of one file.
const maxDefs = 600

// Warm reads the files' contents once for all later choices. It may run in the background;
// a choice waits for it. If ctx ends it, the next call starts over.
func (ix *Index) Warm(ctx context.Context) error {
	select {
	case ix.warming <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("index the files of %s: %w", ix.root, ctx.Err())
	}
	defer func() { <-ix.warming }()
	if ix.found != nil {
		return nil
	}
	past := ix.readPast(ctx)
	found, err := ix.pass(ctx, past)
	if err != nil {
		return fmt.Errorf("index the files of %s: %w", ix.root, err)
	}
	ix.found, ix.past = found, past()
	return nil
}

// readPast starts to read the history and returns a function that waits for it, or nil if
// there is none.
func (ix *Index) readPast(ctx context.Context) func() *past {
	if ix.o.History == nil {
		return func() *past { return nil }
	}
	read := make(chan []PastChange, 1)
	go func() { read <- ix.o.History(ctx) }()
	return sync.OnceValue(func() *past { return newPast(ix, <-read) }) // while nobody writes to the index
}

// pass reads all relevant files in parallel.
func (ix *Index) pass(ctx context.Context, past func() *past) (*contents, error) {
	todo := ix.passList(ctx, past)
	workers := min(runtime.GOMAXPROCS(0), maxWorkers, len(todo)/64+1)
	found := &contents{shards: make([]*shard, workers)}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		found.shards[w] = &shard{}
		wg.Go(func() {
			r := &learner{shard: found.shards[w]}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(todo) {
					return
				}
				ix.learn(todo[i], r)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := range ix.docs {
		if d := &ix.docs[i]; d.words > 0 {
			found.words += int(d.words)
			found.files++
		}
	}
	return found, nil
}

// passList returns the files to read, code first. If they exceed the limits of a pass,
// files that changed recently or match the task by path come before the rest.
func (ix *Index) passList(ctx context.Context, past func() *past) []int32 {
	var order []int32
	for i := range ix.docs {
		if !ix.docs[i].left {
			order = append(order, int32(i))
		}
	}
	rank := func(i int32) int {
		if ix.docs[i].lang.code() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int32) int { return rank(a) - rank(b) })
	list, whole := ix.within(ctx, order)
	if whole {
		return list
	}
	first := map[int32]bool{}
	if p := past(); p != nil {
		for i := range p.of {
			first[i] = true
		}
	}
	q := map[term]float64{}
	ix.query(ix.o.Task, 1, q)
	for i, x := range ix.pathWords(q) {
		if x >= 0.3 {
			first[i] = true
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		if c := rank(a) - rank(b); c != 0 || first[a] == first[b] {
			return c
		}
		if first[a] {
			return -1
		}
		return 1
	})
	list, _ = ix.within(ctx, order)
	return list
}

// within returns the first files of an order that fit in one pass; whole reports whether
// these are all relevant files.
func (ix *Index) within(ctx context.Context, order []int32) (list []int32, whole bool) {
	total := int64(0)
	ix.stat(ctx, order[:min(len(order), ix.maxRead)])
	for n, i := range order {
		if n >= ix.maxRead {
			return list, false
		}
		size := ix.docs[i].size
		if size <= 0 || size > maxIndexed {
			continue
		}
		if total += size; total > ix.maxPass {
			return list, false
		}
		list = append(list, i)
	}
	return list, true
}

// stat reads file sizes, so that the limit of a pass does not depend on the workers' speed.
func (ix *Index) stat(ctx context.Context, order []int32) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	step := len(order)/workers + 1
	for from := 0; from < len(order); from += step {
		part := order[from:min(from+step, len(order))]
		wg.Go(func() {
			for _, i := range part {
				if ctx.Err() != nil {
					return
				}
				d := &ix.docs[i]
				if d.size != 0 {
					continue // already known
				}
				info, err := os.Lstat(filepath.Join(ix.root, filepath.FromSlash(d.path)))
				if err != nil || !info.Mode().IsRegular() {
					d.size = -1
					continue
				}
				d.version = versionOf(info)
			}
		})
	}
	wg.Wait()
}

// learner is a worker of a pass with its reusable buffers.
type learner struct {
	shard *shard
	facts facts
	data  []byte
}

// learn reads file i into a worker's shard.
func (ix *Index) learn(i int32, r *learner) {
	d := &ix.docs[i]
	var err error
	r.data, err = readAgain(r.data, filepath.Join(ix.root, filepath.FromSlash(d.path)), 2*maxIndexed)
	if err != nil || binary(r.data) || generated(d.path, r.data) {
		d.unread = true
		return
	}
	study(d.lang, string(r.data), &r.facts)
	d.words = int32(r.facts.words)
	id := uint32(i) << 8
	for t, n := range r.facts.counts {
		r.shard.terms.add(t, id|min(n, 255))
	}
	for _, t := range r.facts.defs {
		r.shard.defs.add(t, uint32(i))
	}
}

// errTooLarge is the error for a file that has grown since its size was read.
var errTooLarge = errors.New("too large")

// readAgain reads a file of at most max bytes into data's buffer.
func readAgain(data []byte, name string, max int) ([]byte, error) {
	data = data[:0]
	f, err := regular.Open(name)
	if err != nil {
		return data, err
	}
	defer func() { _ = f.Close() }()
	for {
		data = slices.Grow(data, 1)
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return data, err
		case len(data) > max:
			return data, errTooLarge
		}
	}
}

// study finds the words and names of a text. It reuses f.
func study(l lang, text string, f *facts) {
	if f.counts == nil {
		f.counts = map[term]uint32{}
	}
	clear(f.counts)
	f.defs, f.words = f.defs[:0], 0
	eachTerm(text, 3, func(t term) {
		f.counts[t]++
		f.words++
	})
	if !l.code() {
		return
	}
	for line := range lines(text) {
		if d, ok := define(l, line); ok && d.name != "" && len(f.defs) < maxDefs {
			f.defs = append(f.defs, symbolOf(d.name))
		}
	}
	f.defs = unique(f.defs)
}
