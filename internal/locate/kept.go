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
	"time"
)

// keptVersion is counted up whenever what [study] finds in a file changes, or how it is
// written.
const keptVersion = 4

// keptMagic begins a kept index.
const keptMagic = "booty words\n"

// settled is how old a file's last change must be for its time to tell the next one.
const settled = 2 * time.Second

// kept is what an earlier pass found. Of the words' files those alone are read that a
// choice asks for.
type kept struct {
	docs        []keptDoc
	terms, defs keptList
	// ids are the files' numbers now, -1 where a file has changed or is gone.
	ids []int32
}

// keptDoc is what a pass found in one file, beside its words.
type keptDoc struct {
	path string
	version
	words   int32
	unread  bool
	imports []string
}

// take gives the files of todo that must be read anew; what is known of the
// others is put into the index.
func (k *kept) take(ix *Index, todo []int32) []int32 {
	known := make([]bool, len(ix.docs))
	for n := range k.docs {
		old := &k.docs[n]
		k.ids[n] = -1
		i, ok := ix.byPath[old.path]
		if !ok || ix.docs[i].version != old.version {
			continue
		}
		d := &ix.docs[i]
		d.words, d.unread, d.imports = old.words, old.unread, old.imports
		k.ids[n], known[i] = i, true
	}
	var anew []int32
	for _, i := range todo {
		if !known[i] {
			anew = append(anew, i)
		}
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
	if c.old != nil { // of which a choice that goes on beside this sees nothing
		all, old := *c, *c.old
		if err := errors.Join(old.terms.load(), old.defs.load()); err != nil {
			return err
		}
		all.old = &old
		c = &all
	}
	sum := crc32.NewIEEE()
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	var b []byte
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
		b = bits.LittleEndian.AppendUint64(b, uint64(d.ctime))
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
	}
	head := append([]byte(keptMagic), keptVersion)
	head = bits.LittleEndian.AppendUint32(head, uint32(len(c.read)))
	head = bits.LittleEndian.AppendUint32(head, uint32(len(b)))
	_, _ = w.Write(head) // an error stays with w
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
	number32(sum)
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
		if old = c.old.terms.terms(); defs {
			old = c.old.defs.terms()
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
