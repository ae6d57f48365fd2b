package locate

import "strings"

// subject is the name of what a test file tests.
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

// sourcesOf gives the sources that a test file is named after, closest first.
func (ix *Index) sourcesOf(test int32) []int32 {
	name := subject(ix.docs[test].path)
	return ix.namesake(test, name, false)
}

// testsOf gives the tests that are named after a source, closest first.
func (ix *Index) testsOf(source int32) []int32 {
	return ix.namesake(source, stemOf(ix.docs[source].path), true)
}

func (ix *Index) namesake(of int32, name string, test bool) []int32 {
	from := &ix.docs[of]
	table := ix.byStem
	if test {
		table = ix.bySubject
	}
	list := table[name]
	if low := strings.ToLower(name); len(list) == 0 {
		list = table[low]
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
	if best < 0 {
		return nil
	}
	return []int32{best}
}

// sharedParts counts the folders of a that b has too, wherever: src/a/b and
// tests/a/b belong together.
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
