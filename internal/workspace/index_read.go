package workspace

import (
	"bytes"
	"context"
	bits "encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// indexFile is one of git's indexes, as it lies on disk. What booty asks of one again and
// again it reads by itself: starting git takes longer than reading 30,000 entries.
type indexFile struct {
	entries []indexEntry
	// written is when the file was: an entry that is as young may have changed since
	// without a sign of it.
	written time.Time
	// tree is that of all entries, as git last made it; "" where that is not known.
	tree string
	// plain says that every entry is one file as it was recorded: none is in conflict, to
	// be left alone, only announced, or stands for a directory.
	plain bool

	naming sync.Once
	names  *recordedNames
}

// recordedNames are the names that an index leads to.
type recordedNames struct {
	dirs []string            // of its entries, "." for the root
	is   map[string]nameKind // of files and directories, by path
}

// namesOf gives the names that entries lead to.
func namesOf(entries []indexEntry) *recordedNames {
	n := &recordedNames{dirs: []string{"."}, is: make(map[string]nameKind, len(entries)*5/4)}
	for i := range entries {
		p := entries[i].path
		n.is[p] = nameOfFile
		if entries[i].mode == modeGitlink {
			n.is[p] = nameOfRepository
		}
		for at := strings.LastIndexByte(p, '/'); at > 0 && n.is[p[:at]] == 0; at = strings.LastIndexByte(p[:at], '/') {
			dir := p[:at]
			n.is[dir] = nameOfDir
			n.dirs = append(n.dirs, dir)
		}
	}
	return n
}

type nameKind int8

const (
	nameOfFile nameKind = iota + 1
	nameOfDir
	nameOfRepository
)

// indexEntry is a path of an index; stat is what the file system said of it.
type indexEntry struct {
	path string
	fileState
	stat indexStat
}

// indexStat is what git keeps of a file's stat data: less than the file system tells.
type indexStat struct {
	ctime, ctimeNano, mtime, mtimeNano uint32
	inode, uid, gid, size              uint32
}

// errIndexForm is for git to read: it knows more forms, and says what is wrong.
var errIndexForm = errors.New("the index has a form that only git reads")

// readIndexFile reads an index of version 2, 3 or 4 that stands for itself. An error says
// that git is to be asked.
func readIndexFile(path string) (*indexFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	x, err := parseIndex(data)
	if err == nil {
		x.written = info.ModTime()
	}
	return x, err
}

// listed asks git for the entries of its index, those in conflict left out.
func (g runner) listed(ctx context.Context) ([]indexEntry, error) {
	out, err := g.run(ctx, call{args: []string{"ls-files", "-s", "-z"}})
	if err != nil {
		return nil, err
	}
	var list []indexEntry
	for _, line := range splitNul(out) {
		meta, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(meta) // mode hash stage
		if !ok || len(f) != 3 || f[2] != "0" {
			continue
		}
		if mode, err := strconv.ParseUint(f[0], 8, 32); err == nil {
			list = append(list, indexEntry{path: path, fileState: fileState{uint32(mode), f[1]}})
		}
	}
	return list, nil
}

const (
	indexHead  = 12 // signature, version, number of entries
	indexSum   = 20 // at the end
	indexFixed = 62 // of an entry: what comes before the path, or before more flags

	flagValid, flagMore, flagStage = 0x8000, 0x4000, 0x3000
	moreSkip, moreIntent           = 0x4000, 0x2000
)

func parseIndex(data []byte) (*indexFile, error) {
	if len(data) < indexHead+indexSum || string(data[:4]) != "DIRC" {
		return nil, errIndexForm
	}
	version, count := bits.BigEndian.Uint32(data[4:]), int(bits.BigEndian.Uint32(data[8:]))
	body := data[:len(data)-indexSum]
	if version < 2 || version > 4 || count > len(body)/indexFixed {
		return nil, errIndexForm
	}
	x := &indexFile{entries: make([]indexEntry, 0, count), plain: true}
	at, last := indexHead, ""
	for range count {
		e, next, plain := parseEntry(body, at, version, last)
		if next < 0 {
			return nil, errIndexForm
		}
		x.entries = append(x.entries, e)
		x.plain = x.plain && plain
		at, last = next, e.path
	}
	return x, x.parseExtensions(body[at:])
}

// parseEntry reads the entry at a place, and gives where the next begins: -1 where there is
// no whole one. last is the path before it, of which version 4 keeps the beginning.
func parseEntry(body []byte, at int, version uint32, last string) (e indexEntry, next int, plain bool) {
	if at+indexFixed > len(body) {
		return e, -1, false
	}
	b := body[at:]
	number := func(i int) uint32 { return bits.BigEndian.Uint32(b[4*i:]) }
	e.stat = indexStat{number(0), number(1), number(2), number(3), number(5), number(7), number(8), number(9)}
	e.fileState = fileState{number(6), hex.EncodeToString(b[40:60])}
	flags, head := bits.BigEndian.Uint16(b[60:]), indexFixed
	plain = flags&(flagValid|flagStage) == 0 && e.mode != modeTree
	if flags&flagMore != 0 {
		if version < 3 || len(b) < indexFixed+2 {
			return e, -1, false
		}
		more := bits.BigEndian.Uint16(b[indexFixed:])
		plain, head = plain && more&(moreSkip|moreIntent) == 0, head+2
	}
	prefix := ""
	if version == 4 {
		strip, n := offsetNumber(b[head:])
		if n == 0 || strip > len(last) {
			return e, -1, false
		}
		prefix, head = last[:len(last)-strip], head+n
	}
	size := bytes.IndexByte(b[head:], 0)
	if size < 0 {
		return e, -1, false
	}
	e.path = prefix + string(b[head:head+size])
	if length := head + size; version < 4 {
		next = at + (length+8)&^7 // filled up with one to eight zeros
	} else {
		next = at + length + 1
	}
	if next > len(body) {
		next = -1
	}
	return e, next, plain
}

// modeTree is that of a directory: in the index one that is not spread out.
const modeTree = 0o040000

// offsetNumber reads a number in the form that git uses for offsets, and how long it is: 0
// where it does not end.
func offsetNumber(b []byte) (value, length int) {
	for i, c := range b[:min(len(b), 5)] {
		if i > 0 {
			value = (value + 1) << 7
		}
		if value |= int(c & 127); c < 128 {
			return value, i + 1
		}
	}
	return 0, 0
}

// parseExtensions looks at what comes behind the entries. What must be understood and is
// not is an error: there are entries elsewhere.
func (x *indexFile) parseExtensions(rest []byte) error {
	for len(rest) > 0 {
		if len(rest) < 8 {
			return errIndexForm
		}
		name, size := rest[:4], int(bits.BigEndian.Uint32(rest[4:]))
		if name[0] < 'A' || name[0] > 'Z' || size > len(rest)-8 {
			return errIndexForm
		}
		if string(name) == "TREE" {
			x.tree = wholeTree(rest[8:8+size], len(x.entries))
		}
		rest = rest[8+size:]
	}
	return nil
}

// wholeTree is the tree of all entries, where git has noted one and it holds.
func wholeTree(b []byte, entries int) string {
	numbers, ok := bytes.CutPrefix(b, []byte{0}) // the path of the root
	line, hash, ended := bytes.Cut(numbers, []byte("\n"))
	count, _, both := strings.Cut(string(line), " ")
	n, err := strconv.Atoi(count)
	if !ok || !ended || !both || err != nil || n != entries || len(hash) < 20 {
		return ""
	}
	return hex.EncodeToString(hash[:20])
}

// treeOfIndex is the tree of all that an index holds, where git has noted it and it is that
// of the commit that is checked out, which is there for certain; else "".
func (r *Repo) treeOfIndex(ctx context.Context, x *indexFile) string {
	if !x.plain || x.tree == "" {
		return ""
	}
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return ""
	}
	if c, err := r.store().commit(head); err != nil || c.TreeHash.String() != x.tree {
		return ""
	}
	return x.tree
}

// allTracked says that the user's index has each of the paths, and that nothing on the way
// to one is a link.
func (r *Repo) allTracked(paths []string) bool {
	x, err := readIndexFile(filepath.Join(r.gitDir, "index"))
	if err != nil {
		return false
	}
	missing := make(map[string]bool, len(paths))
	for _, p := range paths {
		if throughSymlink(r.root, p) {
			return false
		}
		missing[p] = true
	}
	for i := range x.entries {
		delete(missing, x.entries[i].path)
	}
	return len(missing) == 0
}
