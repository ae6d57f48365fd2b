package locate

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Tree lists the repository in at most max bytes: every file, one a line, if
// they fit; else folders with the number of files below them, opened as far as
// there is room: first those that the paths near lie in, then from the top
// down. It depends on names alone, so that it stays the same through a run.
func (ix *Index) Tree(max int, near ...string) string {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	t := ix.newTree()
	if s, ok := t.all(max); ok {
		return s
	}
	return t.summary(max, near)
}

// treeNode is a folder of the tree.
type treeNode struct {
	path  string
	files []string
	dirs  []*treeNode
	count int // files below it, at any depth
	dull  bool
	// What is shown: the folders in it, the files in it.
	openDirs, openFiles bool
}

type tree struct {
	ix    *Index
	root  *treeNode
	nodes map[string]*treeNode
	used  int
	max   int
}

func (ix *Index) newTree() *tree {
	t := &tree{ix: ix, nodes: map[string]*treeNode{}}
	t.root = t.node("")
	for i := range ix.docs[:ix.listed] {
		d := &ix.docs[i]
		n := t.node(dir(d.path))
		n.files = append(n.files, d.path)
		for p := dir(d.path); ; p = dir(p) {
			t.nodes[p].count++
			if p == "" {
				break
			}
		}
	}
	for _, n := range t.nodes {
		sort.Strings(n.files)
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
		n.dull = parent.dull || leftOut(p+"/x") || base(p) == "testdata" || base(p) == "fixtures"
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

// summary opens folders while there is room.
func (t *tree) summary(max int, near []string) string {
	t.max = max
	if t.used = len(t.root.line()); t.used > max {
		return ""
	}
	for _, p := range near {
		if n, ok := t.nodes[dir(p)]; ok {
			t.reach(n)
			t.openFiles(n)
		}
	}
	t.openDirs(t.root)
	for level := []*treeNode{t.root}; len(level) > 0; {
		var next []*treeNode
		for _, n := range level {
			t.openFiles(n)
		}
		for _, n := range level {
			t.openDirs(n)
			for _, d := range n.dirs {
				if !d.dull {
					next = append(next, d)
				}
			}
		}
		level = next
	}
	var b strings.Builder
	t.root.write(&b)
	return b.String()
}

// reach opens the folders above n.
func (t *tree) reach(n *treeNode) {
	if n.path != "" {
		t.reach(t.nodes[dir(n.path)])
		t.openDirs(t.nodes[dir(n.path)])
	}
}

// visible tells whether n has a line of its own: all above it are open.
func (t *tree) visible(n *treeNode) bool {
	for n.path != "" {
		if n = t.nodes[dir(n.path)]; !n.openDirs {
			return false
		}
	}
	return true
}

func (t *tree) openDirs(n *treeNode) {
	if n.openDirs || len(n.dirs) == 0 || !t.visible(n) {
		return
	}
	t.try(n, func(on bool) { n.openDirs = on })
}

func (t *tree) openFiles(n *treeNode) {
	if n.openFiles || len(n.files) == 0 || !t.visible(n) {
		return
	}
	t.try(n, func(on bool) { n.openFiles = on })
}

// try opens something of n if the result still fits. Nothing below n is open
// yet when its folders are, so the cost is that of their own lines.
func (t *tree) try(n *treeNode, set func(bool)) {
	before := n.cost()
	set(true)
	if after := n.cost(); t.used+after-before <= t.max {
		t.used += after - before
		return
	}
	set(false)
}

func (n *treeNode) cost() int {
	c := len(n.line())
	if n.openFiles {
		for _, f := range n.files {
			c += len(f) + 1
		}
	}
	if n.openDirs {
		for _, d := range n.dirs {
			c += len(d.line())
		}
	}
	return c
}

// line says what is not shown of a folder: nothing, the files in it, or all.
func (n *treeNode) line() string {
	hidden := n.count
	if n.openDirs {
		hidden = len(n.files)
	}
	if n.openFiles {
		hidden -= len(n.files)
	}
	if hidden == 0 {
		return ""
	}
	name := n.path + "/"
	if n.path == "" {
		name = "./"
	}
	if hidden == 1 {
		return name + " (1 file)\n"
	}
	return fmt.Sprintf("%s (%d files)\n", name, hidden)
}

func (n *treeNode) write(b *strings.Builder) {
	b.WriteString(n.line())
	if n.openFiles {
		for _, f := range n.files {
			b.WriteString(f)
			b.WriteByte('\n')
		}
	}
	if n.openDirs {
		for _, d := range n.dirs {
			d.write(b)
		}
	}
}
