// Package suspect ranks the files that may contain the bug: those that failures name, those
// that the failing tests import, and otherwise those hinted at by the output, the test and
// the message.
package suspect

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Points of a file for being named. A frame counts less the farther it is from the failure,
// an import the longer the path to it.
const (
	pointsPlace   = 100
	pointsFrame   = 80
	pointsRelated = 70
	pointsImport  = 45
	maxSuspects   = 20
)

// Suspects ranks the files that may contain the bug. Test files are left out unless nothing
// else is known. A failed run always has one if the tree has files.
func Suspects(all []core.Failure, streams []*stream.Stream, root *tree.Tree, red bool) []string {
	r := &ranking{root: root, points: map[string]float64{}, first: map[string]int{}}
	for i := range all[:min(len(all), 100)] {
		r.failure(&all[i])
	}
	out := r.best(false)
	if len(out) < 3 && (red || len(all) > 0) {
		r.hints(all, streams, len(out) == 0)
		out = append(out, slices.DeleteFunc(r.best(false),
			func(f string) bool { return slices.Contains(out, f) })...)
	}
	if len(out) == 0 && (red || len(all) > 0) {
		out = r.best(true)
	}
	return out[:min(len(out), maxSuspects)]
}

type ranking struct {
	root   *tree.Tree
	points map[string]float64
	first  map[string]int
}

func (r *ranking) add(file string, p float64) {
	if file == "" || !r.root.Exists(file) {
		return
	}
	if _, ok := r.first[file]; !ok {
		r.first[file] = len(r.first)
	}
	r.points[file] += p
}

func (r *ranking) failure(x *core.Failure) {
	here := map[string]bool{}
	once := func(file string, p float64) {
		if !here[file] {
			here[file] = true
			r.add(file, p)
		}
	}
	once(x.File, pointsPlace)
	for i, fr := range x.Frames {
		once(fr.File, pointsFrame/float64(1+i/2))
	}
	for _, fr := range x.Related {
		once(fr.File, pointsRelated)
	}
	// What the named files import, and what the failing test imports.
	var from []string
	for _, fr := range x.Frames[:min(len(x.Frames), 12)] {
		from = append(from, fr.File)
	}
	from = append(from, x.File)
	for _, fr := range x.Related {
		from = append(from, fr.File)
	}
	best := map[string]float64{}
	var order []string
	done := map[string]bool{}
	for _, file := range from {
		if file == "" || done[file] {
			continue
		}
		done[file] = true
		for depth, level := range tree.ImportsOf(r.root, file, 3) {
			for _, imp := range level {
				p := pointsImport / float64(1+depth)
				if _, ok := best[imp]; !ok {
					order = append(order, imp)
				}
				best[imp] = max(best[imp], p)
			}
		}
	}
	for _, imp := range order {
		once(imp, best[imp])
	}
}

func (r *ranking) best(testsToo bool) []string {
	var out []string
	for f := range r.points {
		if testsToo || !tree.LooksLikeTest(f) && isSource(f) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.points[b], r.points[a]), r.first[a]-r.first[b], strings.Compare(a, b))
	})
	return out[:min(len(out), maxSuspects)]
}

// isSource distinguishes program text from data such as lock files and snapshots.
func isSource(p string) bool {
	if path.Base(p) == "CMakeLists.txt" {
		return true
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".lock", ".snap", ".sum", ".map", ".log", ".txt", ".md", ".out", ".xml":
		return false
	}
	return !slices.Contains(
		[]string{"Makefile", "makefile", "GNUmakefile", "package-lock.json", "build.make", "Makefile2"},
		path.Base(p))
}
