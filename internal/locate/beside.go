package locate

import (
	"slices"
	"strings"
)

// maxExample is the size above which a test is no example.
const maxExample = 12 << 10

// maxManifest is the size above which a manifest is not worth its room.
const maxManifest = 8 << 10

// examples brings in, for a task, the tests of the files that it is likely to
// change: they show how things are tested here.
func (r *ranking) examples() {
	if r.failed() {
		return
	}
	var sources []int32
	for i, v := range r.score {
		if d := &r.ix.docs[i]; v >= relevant && !d.test && d.lang.code() {
			sources = append(sources, i)
		}
	}
	slices.Sort(sources)
	sources = r.best(sources, 5)
	any := false
	for _, s := range sources {
		for _, t := range r.ix.testsOf(s) {
			any = true
			r.raise(t, min(0.4*r.score[s], strong))
		}
	}
	if any || len(sources) == 0 {
		return
	}
	if t := r.closestTest(sources[0]); t >= 0 {
		r.raise(t, max(helpful, 0.3*min(r.score[sources[0]], strong)))
	}
}

// closestTest is a test of the same language that lies nearest to a source.
func (r *ranking) closestTest(source int32) int32 {
	from := &r.ix.docs[source]
	best, most := int32(-1), -1
	for i := range r.ix.docs {
		d := &r.ix.docs[i]
		if !d.test || d.lang != from.lang || r.dull(int32(i)) || d.size > maxExample || sample(d.path) {
			continue
		}
		if n := commonDirs(from.path, d.path); n > most {
			best, most = int32(i), n
		}
	}
	return best
}

// helpers brings in the manifests of the best files' projects, where a
// dependency may be the matter, and the README where nothing else speaks.
func (r *ranking) helpers() {
	top, best := int32(-1), 0.0
	for i, v := range r.score {
		if v < included && (v > best || v == best && i < top) && r.ix.docs[i].lang.code() {
			top, best = i, v
		}
	}
	if !r.failed() || r.n.Wide || missingDependency(r.n.Failure) {
		at := ""
		if top >= 0 {
			at = dir(r.ix.docs[top].path)
		}
		r.manifests(at)
	}
	if best > helpful || r.failed() {
		return
	}
	for _, i := range r.ix.dirs[r.ix.folderOf("")].files {
		if name := strings.ToLower(base(r.ix.docs[i].path)); strings.HasPrefix(name, "readme") && !r.dull(i) {
			r.raise(i, helpful+step)
		}
	}
}

// manifests raises those in the nearest folder above at that has one, and at
// the top.
func (r *ranking) manifests(at string) {
	for first := true; ; at = dir(at) {
		found := false
		if n, ok := r.ix.dirNumber[at]; ok && (first || at == "") {
			for _, i := range r.ix.dirs[n].files {
				if d := &r.ix.docs[i]; manifest(d.path) && d.size <= maxManifest {
					r.raise(i, helpful)
					found = true
				}
			}
		}
		first = first && !found
		if at == "" {
			return
		}
	}
}

func missingDependency(failure string) bool {
	for _, s := range []string{"no required module", "cannot find module", "Cannot find module", "No module named",
		"Cannot find package",
		"unresolved import", "can't find crate", "LoadError", "Could not resolve", "cannot find package", "does not exist", "package.json", "go.mod", "Cargo.toml", "not found in"} {
		if strings.Contains(failure, s) {
			return true
		}
	}
	return false
}
