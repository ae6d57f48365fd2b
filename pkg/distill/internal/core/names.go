package core

import (
	"cmp"
	"slices"
	"strings"
)

// NameKey normalizes names that tools write in different ways: no quotes, no case, one
// separator.
func NameKey(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	sep := true
	for _, c := range strings.ToLower(s) {
		switch c {
		case '"', '\'', '`', '\u201c', '\u201d', '\u2018', '\u2019':
			continue
		case ' ', '>', ':', '.', '/', '#', '\u203a', '\\', '\t', '$':
			if !sep {
				b.WriteByte(' ')
				sep = true
			}
			continue
		}
		b.WriteRune(c)
		sep = false
	}
	return strings.TrimSpace(b.String())
}

// dropDoubles merges reports of the same failure. The first keeps its place in the order
// and takes missing fields from the others.
func dropDoubles(all []Failure) []Failure {
	// by holds the indices of failures of one test.
	by := map[string][]int{}
	out := all[:0:0]
	for _, x := range all {
		key := NameKey(x.Test)
		if key == "" {
			key = "\x00" + x.File
		}
		if k := slices.IndexFunc(by[key], func(i int) bool { return same(&out[i], &x) }); k >= 0 {
			join(&out[by[key][k]], &x)
		} else {
			by[key] = append(by[key], len(out))
			out = append(out, x)
		}
	}
	return dropShort(out)
}

// same reports whether two failures of one test (or, without a test, of one
// file) are the same one.
func same(a, b *Failure) bool {
	if a.Weak || b.Weak {
		return a.Test != "" || a.Line == b.Line || a.Message == b.Message
	}
	if a.Line != b.Line || a.File != b.File {
		return false
	}
	if a.Column != b.Column && a.Column != 0 && b.Column != 0 && a.Test == "" {
		return false
	}
	return a.Message == b.Message || a.Test != "" &&
		(strings.HasPrefix(a.Message, b.Message) || strings.HasPrefix(b.Message, a.Message)) ||
		a.Runner != b.Runner
}

// join completes a with b.
func join(a, b *Failure) {
	if a.Weak && !b.Weak {
		test := a.Test
		*a, *b = *b, *a
		if len(test) > len(a.Test) {
			a.Test = test
		}
	}
	if len(b.Test) > len(a.Test) {
		a.Test = b.Test
	}
	if a.File == "" {
		a.File, a.Line, a.Column = b.File, b.Line, b.Column
	}
	if a.Message == "" || strings.HasPrefix(b.Message, a.Message) {
		a.Message = b.Message
	}
	if a.Expected == "" && a.Actual == "" {
		a.Expected, a.Actual = b.Expected, b.Actual
	}
	if len(a.Detail) == 0 {
		a.Detail = b.Detail
	}
	if len(a.Frames) == 0 {
		a.Frames = b.Frames
	}
	if len(a.Output) == 0 {
		a.Output = b.Output
	}
	a.Kind = cmp.Or(a.Kind, b.Kind)
}

// dropShort removes weak failures whose name is the end of a longer one: "test_total" next
// to "tests/test_a.py::test_total".
func dropShort(all []Failure) []Failure {
	tails := map[string]bool{}
	for i := range all {
		if all[i].Weak {
			continue
		}
		k := NameKey(all[i].Test)
		bare := k // without the values of a parameterised test
		if i := strings.IndexAny(k, "(["); i > 0 {
			bare = strings.TrimSpace(k[:i])
			tails[bare] = true
		}
		for _, k := range []string{k, bare} {
			for _, tail, more := strings.Cut(k, " "); more; _, tail, more = strings.Cut(tail, " ") {
				tails[tail] = true
			}
		}
	}
	return withoutWeak(all, tails)
}

// dropParents removes tests that fail only because of a test inside them.
func dropParents(all []Failure) []Failure {
	parents := map[string]bool{}
	for i := range all {
		k := NameKey(all[i].Test)
		for j := strings.LastIndexByte(k, ' '); j > 0; j = strings.LastIndexByte(k, ' ') {
			k = k[:j]
			parents[k] = true
		}
	}
	return withoutWeak(all, parents)
}

// withoutWeak drops the weak failures of these names.
func withoutWeak(all []Failure, names map[string]bool) []Failure {
	return slices.DeleteFunc(all, func(x Failure) bool { return x.Weak && x.Test != "" && names[NameKey(x.Test)] })
}
