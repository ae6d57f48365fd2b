package locate

import (
	"bytes"
	bits "encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"sort"
)

// keptList leads from words to files, as it is on disk: those of key k are the numbers
// from at[k] to at[k+1] of the list, which is read where it is asked for.
type keptList struct {
	keys, at []byte
	from     io.ReaderAt
	start    int64 // of the list
	max      uint32
	shift    int    // what of a number is not the file's, in bits
	whole    []byte // the list, once it is loaded
}

func (l *keptList) key(k int) term       { return term(bits.LittleEndian.Uint64(l.keys[8*k:])) }
func (l *keptList) place(k int) int64    { return int64(bits.LittleEndian.Uint32(l.at[4*k:])) }
func (l *keptList) length() int          { return len(l.keys) / 8 }
func (l *keptList) known(n uint32) bool  { return n>>l.shift < l.max }
func (l *keptList) size() (bytes int64)  { return 4 * l.place(l.length()) }
func (l *keptList) behind() (next int64) { return l.start + l.size() }

// load reads the list whole, for one who asks for most of it.
func (l *keptList) load() error {
	whole := make([]byte, l.size())
	if _, err := l.from.ReadAt(whole, l.start); err != nil && len(whole) > 0 {
		return fmt.Errorf("read what was kept: %w", err)
	}
	l.whole = whole
	return nil
}

// terms gives all words, in order.
func (l *keptList) terms() []term {
	out := make([]term, l.length())
	for k := range out {
		out[k] = l.key(k)
	}
	return out
}

// each calls f for the numbers of a word.
func (l *keptList) each(t term, f func(uint32)) {
	k := sort.Search(l.length(), func(k int) bool { return l.key(k) >= t })
	if k == l.length() || l.key(k) != t {
		return
	}
	from, to := 4*l.place(k), 4*l.place(k+1)
	if from > to || to > l.size() {
		return
	}
	var list []byte
	if l.whole != nil {
		list = l.whole[from:to]
	} else {
		list = make([]byte, to-from)
		if _, err := l.from.ReadAt(list, l.start+from); err != nil {
			return
		}
	}
	for ; len(list) > 0; list = list[4:] {
		if n := bits.LittleEndian.Uint32(list); l.known(n) {
			f(n)
		}
	}
}

// readKept opens a kept index; nil where there is none that can be used: then
// all is read anew. The file may be replaced meanwhile: what was opened stays.
func readKept(name string) *kept {
	if name == "" {
		return nil
	}
	from, size, err := openKept(name)
	if err != nil || !intact(from, size) {
		return nil
	}
	k, err := parseKept(from, size-4)
	if err != nil {
		return nil
	}
	return k
}

// openKept opens a file to be read here and there. Windows would not let it be replaced
// while it is open.
func openKept(name string) (from io.ReaderAt, size int64, err error) {
	if runtime.GOOS == "windows" {
		data, err := os.ReadFile(name)
		return bytes.NewReader(data), int64(len(data)), err
	}
	f, err := os.Open(name) // closed when the index is forgotten
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// intact tells whether the last four bytes are the sum of all others.
func intact(from io.ReaderAt, size int64) bool {
	if size < int64(len(keptMagic))+5 {
		return false
	}
	sum, tail := crc32.NewIEEE(), make([]byte, 4)
	part := make([]byte, 256<<10)
	body := onlyReader{io.NewSectionReader(from, 0, size-4)}
	if n, err := io.CopyBuffer(onlyWriter{sum}, body, part); err != nil || n != size-4 {
		return false
	}
	_, err := from.ReadAt(tail, size-4)
	return (err == nil || errors.Is(err, io.EOF)) && bits.LittleEndian.Uint32(tail) == sum.Sum32()
}

// onlyReader and onlyWriter hide what else a value can do, so that a copy goes through
// the room that it was given.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

var errKept = errors.New("it is not what was kept")

// parseKept reads all but the lists.
func parseKept(from io.ReaderAt, size int64) (*kept, error) {
	r := &keptReader{from: from, size: size}
	head := r.next(int64(len(keptMagic)) + 9)
	if len(head) == 0 || string(head[:len(keptMagic)]) != keptMagic || head[len(keptMagic)] != keptVersion {
		return nil, errKept
	}
	numbers := head[len(keptMagic)+1:]
	n, length := bits.LittleEndian.Uint32(numbers), bits.LittleEndian.Uint32(numbers[4:])
	k := &kept{}
	if err := k.parseDocs(string(r.next(int64(length))), n); err != nil {
		return nil, err
	}
	k.terms, k.defs = r.list(n, 8), r.list(n, 0)
	if r.bad || r.at != size {
		return nil, errKept
	}
	k.ids = make([]int32, len(k.docs))
	return k, nil
}

// parseDocs reads what was found in n files. Their paths and imports are parts of the
// text, which is little else.
func (k *kept) parseDocs(text string, n uint32) error {
	t := &keptText{rest: text}
	const least = 33 // bytes of a file without a name
	if int64(n)*least > int64(len(text)) {
		return errKept
	}
	k.docs = make([]keptDoc, n)
	for i := range k.docs {
		d := &k.docs[i]
		d.path = t.take(int(t.number(2)))
		d.size, d.mtime, d.ctime = int64(t.number(8)), int64(t.number(8)), int64(t.number(8))
		d.words, d.unread = int32(t.number(4)), t.number(1) == 1
		imports := int(t.number(2))
		if imports*2 > len(t.rest) {
			return errKept
		}
		for range imports {
			d.imports = append(d.imports, t.take(int(t.number(2))))
		}
	}
	if t.bad || t.rest != "" {
		return errKept
	}
	return nil
}

// keptText takes numbers and texts off the front of a text; bad says that there was less
// than that.
type keptText struct {
	rest string
	bad  bool
}

func (t *keptText) take(n int) string {
	if n > len(t.rest) {
		t.bad, t.rest = true, ""
		return ""
	}
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}

// number takes a number of so many bytes, the lowest first.
func (t *keptText) number(bytes int) (n uint64) {
	s := t.take(bytes)
	for i := len(s) - 1; i >= 0; i-- {
		n = n<<8 | uint64(s[i])
	}
	return n
}

// keptReader reads one part after the other; bad says that there was less than that.
type keptReader struct {
	from     io.ReaderAt
	at, size int64
	bad      bool
}

func (r *keptReader) next(n int64) []byte {
	if r.bad || n > r.size-r.at {
		r.bad = true
		return nil
	}
	b := make([]byte, n)
	if _, err := r.from.ReadAt(b, r.at); err != nil && n > 0 {
		r.bad = true
		return nil
	}
	r.at += n
	return b
}

// list reads the words of a list of files below max, whose numbers are shifted up.
func (r *keptReader) list(max uint32, shift int) keptList {
	head := r.next(8)
	if r.bad {
		return keptList{}
	}
	n, total := int64(bits.LittleEndian.Uint32(head)), int64(bits.LittleEndian.Uint32(head[4:]))
	l := keptList{from: r.from, max: max, shift: shift, keys: r.next(8 * n), at: r.next(4 * (n + 1))}
	if l.start = r.at; r.bad || l.place(int(n)) != total || 4*total > r.size-r.at {
		r.bad = true
		return keptList{}
	}
	r.at = l.behind()
	return l
}
