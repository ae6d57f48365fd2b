package locate

import "context"

// graph says which file imports which. A target below zero is a folder: what
// Go and a Java import with a star lead to.
type graph struct {
	out   [][]int32
	files map[int32][]int32 // who imports a file
	dirs  map[int32][]int32 // who imports a folder
}

func newGraph(ctx context.Context, ix *Index) *graph {
	g := &graph{out: make([][]int32, len(ix.docs)), files: map[int32][]int32{}, dirs: map[int32][]int32{}}
	for i := range ix.docs {
		if i%1024 == 0 && ctx.Err() != nil {
			return g
		}
		d := &ix.docs[i]
		to := ix.targets(d, d.imports)
		d.imports = nil // the targets say it all
		g.out[i] = to
		for _, t := range to {
			if t < 0 {
				g.dirs[^t] = append(g.dirs[^t], int32(i))
			} else {
				g.files[t] = append(g.files[t], int32(i))
			}
		}
	}
	return g
}

func (ix *Index) targets(d *doc, imports []string) []int32 {
	var to []int32
	for _, imp := range imports {
		to = append(to, ix.resolve(d, imp)...)
	}
	return unique(to)
}

// maxFan bounds how many files one step through the graph may lead to: a file
// that everything imports is nobody's neighbour.
const maxFan = 60

// imports gives the files that i leads to, those of imported folders included.
func (ix *Index) imports(i int32) []int32 {
	out := ix.found.graph.outOf(i)
	if c, ok := ix.changed[i]; ok {
		out = c.targets
	}
	var files []int32
	for _, t := range out {
		if t >= 0 {
			files = append(files, t)
			continue
		}
		for _, f := range ix.dirs[^t].files {
			if d := &ix.docs[f]; d.lang.code() && !d.test {
				files = append(files, f)
			}
		}
	}
	if d := &ix.docs[i]; d.lang == golang || d.lang == jvm {
		for _, f := range ix.dirs[d.dir].files { // one package: no import needed
			if f != i && ix.docs[f].lang == d.lang && !ix.docs[f].test {
				files = append(files, f)
			}
		}
	}
	return unique(files)
}

func (g *graph) outOf(i int32) []int32 {
	if int(i) < len(g.out) {
		return g.out[i]
	}
	return nil
}

// importers gives the files that lead to i.
func (ix *Index) importers(i int32) []int32 {
	d := &ix.docs[i]
	out := append([]int32(nil), ix.found.graph.files[i]...)
	if d.lang == golang || d.lang == jvm {
		out = append(out, ix.found.graph.dirs[d.dir]...)
	}
	for c, f := range ix.changed {
		for _, t := range f.targets {
			if t == i || t == ^d.dir {
				out = append(out, c)
			}
		}
	}
	out = unique(out)
	if len(out) > maxFan {
		return nil
	}
	return out
}
