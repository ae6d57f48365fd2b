package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// treeHead explains a tree that does not name every file.
const treeHead = "[A folder a line, with files in it; +2 stands for two files that are not named.]\n"

// Tree lists the repository in at most max bytes. If they fit, it lists all files, one a
// line. Otherwise it lists folders as far as there is room, names the files in them that
// match the words of the task, and counts the others. Vendored and deep folders are counted
// in the folder above them. The same task gives the same tree until the contents are read
// again.
func (ix *Index) Tree(max int, task string) string {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	t := ix.newTree()
	if s, ok := t.all(max); ok {
		return s
	}
	return t.summary(max, ix.worthOf(task))
}

// worthOf scores each file by the words of a task.
func (ix *Index) worthOf(task string) []float64 {
	worth := make([]float64, len(ix.docs))
	q := map[term]float64{}
	ix.query(task, 1, q)
	if ix.found != nil {
		worth = ix.bm25(q)
	}
	for i, v := range ix.pathWords(q) {
		worth[i] += v
	}
	for i := range worth {
		d := &ix.docs[i]
		switch {
		case d.left:
			worth[i] = -1
		case d.test, !d.lang.code():
			worth[i] /= 2
		}
	}
	return worth
}

// treeNode is a folder of the tree.
type treeNode struct {
	path     string
	depth    int
	files    []int32
	dirs     []*treeNode
	count    int // files below it, at any depth
	excluded bool
	// shown is set if the folder has a line. named are its files on that line, hidden
	// counts the others.
	shown  bool
	named  []string
	hidden int
}

type tree struct {
	ix    *Index
	root  *treeNode
	nodes map[string]*treeNode
}

func (ix *Index) newTree() *tree {
	t := &tree{ix: ix, nodes: map[string]*treeNode{}}
	t.root = t.node("")
	for i := range ix.docs[:ix.listed] {
		d := &ix.docs[i]
		n := t.node(dir(d.path))
		n.files = append(n.files, int32(i))
		for p := dir(d.path); ; p = dir(p) {
			t.nodes[p].count++
			if p == "" {
				break
			}
		}
	}
	for _, n := range t.nodes {
		slices.SortFunc(n.dirs, func(a, b *treeNode) int { return strings.Compare(a.path, b.path) })
	}
	return t
}

func (t *tree) node(p string) *treeNode {
	if n, ok := t.nodes[p]; ok {
		return n
	}
	n := &treeNode{path: p}
	t.nodes[p] = n
	if p != "" {
		parent := t.node(dir(p))
		parent.dirs = append(parent.dirs, n)
		n.depth = parent.depth + 1
		n.excluded = parent.excluded || leftOut(p+"/x") || base(p) == "testdata" || base(p) == "fixtures"
	}
	return n
}

// all lists every file, if they fit.
func (t *tree) all(max int) (string, bool) {
	var b strings.Builder
	for i := range t.ix.docs[:t.ix.listed] {
		p := t.ix.docs[i].path
		if b.Len()+len(p)+1 > max {
			return "", false
		}
		b.WriteString(p)
		b.WriteByte('\n')
	}
	return b.String(), true
}

// summary returns one line for each folder, the highest first if there is no room for all.
// It names files, best first, while there is room.
func (t *tree) summary(max int, worth []float64) string {
	left := max - len(treeHead) - t.show(t.root)
	if left < 0 {
		return ""
	}
	for _, n := range t.folders() {
		if !t.nodes[dir(n.path)].shown || n.excluded && t.nodes[dir(n.path)].excluded {
			continue
		}
		// The line of the parent gets a smaller number, never a longer one.
		if cost := n.cost(n.count); cost <= left {
			left -= cost
			t.show(n)
		}
	}
	named := make([]bool, t.ix.listed)
	name := func(order []int32, room int) int {
		for _, i := range order {
			n, name := t.nodes[dir(t.ix.docs[i].path)], base(t.ix.docs[i].path)
			if named[i] || !n.shown || n.excluded && worth[i] <= 0 || len(name)+1 > room {
				continue
			}
			room -= len(name) + 1
			n.named, named[i] = append(n.named, name), true
			n.hidden--
		}
		return room
	}
	byWorth, byPlace := t.orders(worth)
	part := left * worthShare / 100
	left += name(byWorth, part) - part
	name(byPlace, left)
	var b strings.Builder
	b.WriteString(treeHead)
	t.root.write(&b)
	return b.String()
}

// show gives a folder its line and returns the cost.
func (t *tree) show(n *treeNode) int {
	n.shown, n.hidden = true, n.count
	if n.path != "" {
		t.nodes[dir(n.path)].hidden -= n.count
	}
	return n.cost(n.count)
}

// folders returns all folders but the root in the order in which they get lines: vendored
// ones last, then by depth.
func (t *tree) folders() []*treeNode {
	var out []*treeNode
	for _, n := range t.nodes {
		if n.path != "" {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *treeNode) int {
		if a.excluded != b.excluded {
			if b.excluded {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.depth, b.depth), strings.Compare(a.path, b.path))
	})
	return out
}

// worthShare is the part of the room for names, in percent, that goes to the best files
// first.
const worthShare = 60

// orders returns two orders of the files: the relevant ones, best first; and all by the
// depth and size of their folder, since names in small folders near the top say the most.
func (t *tree) orders(worth []float64) (byWorth, byPlace []int32) {
	for i := range t.ix.docs[:t.ix.listed] {
		byPlace = append(byPlace, int32(i))
		if worth[i] > 0 {
			byWorth = append(byWorth, int32(i))
		}
	}
	slices.SortStableFunc(byWorth, func(a, b int32) int { return cmp.Compare(worth[b], worth[a]) })
	folder := func(i int32) *treeNode { return t.nodes[dir(t.ix.docs[i].path)] }
	slices.SortStableFunc(byPlace, func(a, b int32) int {
		return cmp.Or(cmp.Compare(folder(a).depth, folder(b).depth),
			cmp.Compare(len(folder(a).files), len(folder(b).files)))
	})
	return byWorth, byPlace
}

// cost is the length of the folder's line without file names.
func (n *treeNode) cost(hidden int) int { return len(n.head()) + len(fmt.Sprintf(" +%d\n", hidden)) }

func (n *treeNode) head() string {
	if n.path == "" {
		return "./"
	}
	return n.path + "/"
}

func (n *treeNode) write(b *strings.Builder) {
	if n.hidden > 0 || len(n.named) > 0 {
		b.WriteString(n.head())
		sort.Strings(n.named)
		for _, name := range n.named {
			b.WriteString(" " + name)
		}
		if n.hidden > 0 {
			fmt.Fprintf(b, " +%d", n.hidden)
		}
		b.WriteByte('\n')
	}
	for _, d := range n.dirs {
		if d.shown {
			d.write(b)
		}
	}
}
