package locate

import (
	"bufio"
	"context"
	bits "encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// keptVersion is counted up whenever what [study] finds in a file changes.
const keptVersion = 2

// keptMagic begins a kept index.
const keptMagic = "booty words\n"

// settled is how old a file's last change must be for its time to tell the next one.
const settled = 2 * time.Second

// kept is what an earlier pass found, as it is on disk: word after word, so that
// it is read in one go and nothing needs to be built from it.
type kept struct {
	docs        []keptDoc
	terms, defs postingList
	// ids are the files' numbers now, -1 where a file has changed or is gone.
	ids []int32
}

// keptDoc is what a pass found in one file, beside its words.
type keptDoc struct {
	path        string
	size, mtime int64
	words       int32
	unread      bool
	imports     []string
}

// postingList leads from words to files: those of keys[k] are list[at[k]:at[k+1]].
type postingList struct {
	keys []term
	at   []uint32
	list []uint32
}

func (p *postingList) of(t term) []uint32 {
	k, ok := slices.BinarySearch(p.keys, t)
	if !ok {
		return nil
	}
	return p.list[p.at[k]:p.at[k+1]]
}

// take gives the files of todo that must be read anew; what is known of the
// others is put into the index.
func (k *kept) take(ix *Index, todo []int32) []int32 {
	for i := range k.ids {
		k.ids[i] = -1
	}
	at := make(map[string]int32, len(k.docs))
	for n := range k.docs {
		at[k.docs[n].path] = int32(n)
	}
	var anew []int32
	for _, i := range todo {
		d := &ix.docs[i]
		n, ok := at[d.path]
		if !ok || k.docs[n].size != d.size || k.docs[n].mtime != d.mtime {
			anew = append(anew, i)
			continue
		}
		old := &k.docs[n]
		d.words, d.unread, d.imports = old.words, old.unread, old.imports
		k.ids[n] = i
	}
	return anew
}

// Keep writes what the pass found to Options.Kept for the next index of the same
// files, unless little has changed since it was written last. It is meant to go on
// beside other work, and ends early with ctx.
func (ix *Index) Keep(ctx context.Context) error {
	if ix.o.Kept == "" {
		return nil
	}
	if err := ix.Warm(ctx); err != nil {
		return err
	}
	ix.keeping.Lock()
	defer ix.keeping.Unlock()
	c := ix.found
	if c.learnt == nil || c.old != nil && len(c.learnt)*50 < len(c.read) { // less than 2 in 100
		return nil
	}
	if err := replaceFile(ix.o.Kept, func(w io.Writer) error { return c.encode(ctx, w) }); err != nil {
		return fmt.Errorf("keep the index of %s: %w", ix.root, err)
	}
	c.learnt, c.read = nil, nil
	return nil
}

// replaceFile writes a file beside its place and renames it.
func replaceFile(name string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".words-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err := errors.Join(write(tmp), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// encode writes all that is known: what was kept and still holds, and what was read.
func (c *contents) encode(ctx context.Context, to io.Writer) error {
	sum := crc32.NewIEEE()
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	b := append([]byte(keptMagic), keptVersion)
	b = bits.LittleEndian.AppendUint32(b, uint32(len(c.read)))
	last := int32(-1)
	for _, d := range c.read {
		last = max(last, d.i)
	}
	number := make([]uint32, last+1) // of a file in what is written, from 1
	young := time.Now().Add(-settled).UnixNano()
	for n, d := range c.read {
		number[d.i] = uint32(n + 1)
		size := d.size
		if d.mtime > young { // it may change once more without its time telling
			size = -1
		}
		b = appendText(b, d.path)
		b = bits.LittleEndian.AppendUint64(b, uint64(size))
		b = bits.LittleEndian.AppendUint64(b, uint64(d.mtime))
		b = bits.LittleEndian.AppendUint32(b, uint32(d.words))
		flag := byte(0)
		if d.unread {
			flag = 1
		}
		b = append(b, flag)
		b = bits.LittleEndian.AppendUint16(b, uint16(min(len(d.imports), 1<<16-1)))
		for _, s := range d.imports[:min(len(d.imports), 1<<16-1)] {
			b = appendText(b, s)
		}
		_, _ = w.Write(b) // an error stays with w
		b = b[:0]
	}
	_, _ = w.Write(b)
	for _, defs := range []bool{false, true} {
		if err := c.encodeList(ctx, w, number, defs); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := to.Write(bits.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// encodeList writes the words of all files, or the names that they define. It goes
// through all twice, for their number and for themselves: together they may be
// larger than all else that a run holds.
func (c *contents) encodeList(ctx context.Context, w *bufio.Writer, number []uint32, defs bool) error {
	keys := c.allTerms(defs)
	each := func(t term, f func(n uint32)) {
		if defs {
			c.eachDefiner(t, func(i int32) {
				if n := number[i]; n > 0 {
					f(n - 1)
				}
			})
			return
		}
		c.eachPosting(t, func(i int32, count uint32) {
			if n := number[i]; n > 0 {
				f((n-1)<<8 | count)
			}
		})
	}
	sum, held, at := uint32(0), keys[:0], []uint32{0}
	for k, t := range keys {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		before := sum
		each(t, func(uint32) { sum++ })
		if sum > before {
			held, at = append(held, t), append(at, sum)
		}
	}
	var b [8]byte
	number32 := func(n uint32) {
		bits.LittleEndian.PutUint32(b[:], n)
		_, _ = w.Write(b[:4]) // an error stays with w
	}
	number32(uint32(len(held)))
	for _, t := range held {
		bits.LittleEndian.PutUint64(b[:], uint64(t))
		_, _ = w.Write(b[:])
	}
	for _, n := range at {
		number32(n)
	}
	for k, t := range held {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		each(t, number32)
	}
	return nil
}

// allTerms gives every word that a file has, or every name that one defines, in order.
func (c *contents) allTerms(defs bool) []term {
	list := func(s *shard) *postings {
		if defs {
			return &s.defs
		}
		return &s.terms
	}
	n := 0
	for _, s := range c.shards {
		n += len(list(s).used)
	}
	var old []term
	if c.old != nil {
		if old = c.old.terms.keys; defs {
			old = c.old.defs.keys
		}
	}
	keys := append(make([]term, 0, n+len(old)), old...)
	for _, s := range c.shards {
		for t := range list(s).each {
			keys = append(keys, t)
		}
	}
	return unique(keys)
}

func appendText(b []byte, s string) []byte {
	s = s[:min(len(s), 1<<16-1)]
	return append(bits.LittleEndian.AppendUint16(b, uint16(len(s))), s...)
}

// readKept reads a kept index; nil where there is none that can be used: then
// all is read anew.
func readKept(name string) *kept {
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil || len(data) < len(keptMagic)+5 {
		return nil
	}
	body := data[:len(data)-4]
	if string(body[:len(keptMagic)]) != keptMagic || body[len(keptMagic)] != keptVersion ||
		bits.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body) {
		return nil
	}
	r := &keptReader{b: body[len(keptMagic)+1:]}
	k := &kept{docs: make([]keptDoc, r.count(24))}
	for i := range k.docs {
		d := &k.docs[i]
		d.path, d.size, d.mtime = r.text(), int64(r.u64()), int64(r.u64())
		d.words, d.unread = int32(r.u32()), r.u8() == 1
		for range r.u16() {
			d.imports = append(d.imports, r.text())
		}
	}
	k.terms, k.defs = r.list(uint32(len(k.docs)), 8), r.list(uint32(len(k.docs)), 0)
	if r.bad || len(r.b) > 0 {
		return nil
	}
	k.ids = make([]int32, len(k.docs))
	return k
}

// keptReader takes numbers and texts off the front of b; bad says that there was
// less than that.
type keptReader struct {
	b   []byte
	bad bool
}

func (r *keptReader) bytes(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, min(n, 8))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *keptReader) u8() byte    { return r.bytes(1)[0] }
func (r *keptReader) u16() uint16 { return bits.LittleEndian.Uint16(r.bytes(2)) }
func (r *keptReader) u32() uint32 { return bits.LittleEndian.Uint32(r.bytes(4)) }
func (r *keptReader) u64() uint64 { return bits.LittleEndian.Uint64(r.bytes(8)) }

// text is one of its own: it must not hold on to the whole file.
func (r *keptReader) text() string { return string(r.bytes(int(r.u16()))) }

// count reads how many things of at least so many bytes follow.
func (r *keptReader) count(least int) int {
	n := int(r.u32())
	if n*least > len(r.b) {
		r.bad = true
		return 0
	}
	return n
}

// list reads a posting list of files below max, their numbers shifted up.
func (r *keptReader) list(max uint32, shift int) postingList {
	n := r.count(12)
	p := postingList{keys: make([]term, n), at: make([]uint32, n+1)}
	for i := range p.keys {
		p.keys[i] = term(r.u64())
	}
	for i := range p.at {
		p.at[i] = r.u32()
	}
	all := p.at[n]
	if r.bad || !slices.IsSorted(p.at) || !slices.IsSorted(p.keys) || uint64(all)*4 > uint64(len(r.b)) {
		r.bad = true
		return postingList{}
	}
	p.list = make([]uint32, all)
	raw := r.bytes(int(all) * 4)
	for i := range p.list {
		if p.list[i] = bits.LittleEndian.Uint32(raw[4*i:]); p.list[i]>>shift >= max {
			r.bad = true
			return postingList{}
		}
	}
	return p
}
