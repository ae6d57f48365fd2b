package challenge

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testfile"
)

// maxRead bounds the files of tests that are read to find the one that shows how tests of a
// change are written.
const maxRead = 60

// What speaks for a file of tests as a form, against one for each folder in common.
const (
	sameExt   = 5
	sameDir   = 20
	sameStem  = 100
	sameNames = 150 // where it holds every touched name that any of them does
)

// nearest is the file of tests whose form tests of a file should have: one that names what the
// change touches, then one of the file's name, one beside it, and the one whose path is most alike.
func (b Before) nearest(c, lang string) (string, error) {
	type choice struct {
		path  string
		score float64
	}
	var all []choice
	for _, t := range b.Tests {
		if testfile.Language(t) == lang && testfile.Of(t) == testfile.Case && !isHelper(t) {
			all = append(all, choice{t, float64(alike(c, t))})
		}
	}
	best := func(a, b choice) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(all, best)
	if len(all) > 1 && len(b.Names) > 0 {
		all = all[:min(len(all), maxRead)]
		var paths []string
		for _, t := range all {
			paths = append(paths, t.path)
		}
		weights, err := b.mentions(paths)
		if err != nil {
			return "", err
		}
		for i := range all {
			all[i].score += sameNames * weights[i]
		}
		slices.SortStableFunc(all, best)
	}
	if len(all) == 0 {
		return "", nil
	}
	return all[0].path, nil
}

// alike says how much the path of a file of tests is like that of a file of code.
func alike(c, t string) int {
	s := shared(path.Dir(c), path.Dir(t))
	if path.Dir(c) == path.Dir(t) {
		s += sameDir
	}
	if stemOf(c) == stemOf(t) {
		s += sameStem
	}
	if path.Ext(c) == path.Ext(t) {
		s += sameExt
	}
	return s
}

// mentions says of each file how much of the touched names it holds, 1 for the one with most: a
// name counts the more the fewer files hold it.
func (b Before) mentions(files []string) ([]float64, error) {
	texts := make([][]byte, len(files))
	for i, f := range files {
		var err error
		if texts[i], err = b.Read(f); err != nil {
			return nil, err
		}
	}
	sums := make([]float64, len(files))
	for _, name := range b.Names {
		word, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b`)
		if err != nil {
			return nil, err
		}
		var in []int
		for i, text := range texts {
			if word.Match(text) || stemOf(files[i]) == strings.ToLower(name) {
				in = append(in, i)
			}
		}
		for _, i := range in {
			sums[i] += math.Log(1 + float64(len(files))/float64(len(in)))
		}
	}
	if most := slices.Max(sums); most > 0 {
		for i := range sums {
			sums[i] /= most
		}
	}
	return sums, nil
}
