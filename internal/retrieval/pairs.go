package retrieval

import "strings"

// subject returns the name that a test file tests.
func subject(p string) string {
	s := stemOf(p)
	for _, end := range []string{"_test", ".test", ".spec", "_spec", "-test", "-spec", "_unittest", "_tests",
		".unit", ".e2e", ".cy", "Tests", "Test", "Spec", "IT", "TestCase"} {
		if t, ok := strings.CutSuffix(s, end); ok && t != "" {
			return strings.TrimSuffix(t, ".unit")
		}
	}
	for _, start := range []string{"test_", "test-", "Test", "tst_"} {
		if t, ok := strings.CutPrefix(s, start); ok && t != "" && (start != "Test" || upper(t[0])) {
			return t
		}
	}
	return s
}

// sourceOf returns the source that a test file is named after, or -1.
func (ix *Index) sourceOf(test int32) int32 {
	return ix.namesake(test, subject(ix.docs[test].path), false)
}

// testOf returns the test file that is named after a source, or -1.
func (ix *Index) testOf(source int32) int32 {
	return ix.namesake(source, stemOf(ix.docs[source].path), true)
}

// namesake returns the closest file with a name.
func (ix *Index) namesake(of int32, name string, test bool) int32 {
	from, find := &ix.docs[of], ix.stemmed
	if test {
		find = ix.testing
	}
	list := find(name)
	if len(list) == 0 {
		list = find(strings.ToLower(name))
	}
	best, most := int32(-1), -1
	for _, i := range list {
		d := &ix.docs[i]
		if i == of || d.lang != from.lang || d.test != test || d.left {
			continue
		}
		if n := 2*commonDirs(from.path, d.path) + sharedParts(from.path, d.path); n > most {
			best, most = i, n
		}
	}
	return best
}

// commonDirs counts the leading folders that two paths share.
func commonDirs(a, b string) int {
	as, bs := strings.Split(dir(a), "/"), strings.Split(dir(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// sharedParts counts the folders of a that also occur anywhere in b: src/a/b and tests/a/b
// belong together.
func sharedParts(a, b string) int {
	n := 0
	b = "/" + dir(b) + "/"
	for part := range strings.SplitSeq(dir(a), "/") {
		if part != "" && strings.Contains(b, "/"+part+"/") {
			n++
		}
	}
	return n
}
