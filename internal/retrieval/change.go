package retrieval

import (
	"os"
	"path/filepath"
	"slices"
)

// maxShown is the size above which a file is not shown at all.
const maxShown = 8 << 20

// known returns the number of a path that a need names, which may be a file created since
// the listing. It returns -1 for a file that does not exist, is ignored by git or may not
// be shown.
func (ix *Index) known(root *os.Root, p string) int32 {
	if i, ok := ix.number(p); ok {
		return i
	}
	if !plain(root, p) {
		return -1
	}
	if info, err := root.Lstat(filepath.FromSlash(p)); err != nil || !info.Mode().IsRegular() ||
		!ix.mayAdd(p) {
		return -1
	}
	return ix.add(p)
}

// touch reads the files of a need again if they have changed.
func (ix *Index) touch(root *os.Root, ids []int32) {
	for _, i := range ids {
		ix.touched[i] = true
	}
	for i := range ix.touched {
		d := &ix.docs[i]
		was := d.version
		c := ix.changed[i]
		if c != nil {
			was = c.version
		}
		info, err := root.Lstat(filepath.FromSlash(d.path))
		if err == nil && (c != nil || int(i) < ix.listed) && versionOf(info) == was {
			continue
		}
		c = &change{version: version{size: -1}}
		ix.changed[i] = c
		data, info, err := readFile(root, d.path, maxIndexed)
		if err != nil || binary(data) {
			continue
		}
		study(d.lang, string(data), &c.facts)
		c.version = versionOf(info)
		d.words = int32(c.words)
	}
	ix.changedOrder = ix.changedOrder[:0]
	for i := range ix.changed {
		ix.changedOrder = append(ix.changedOrder, i)
	}
	slices.Sort(ix.changedOrder)
}
