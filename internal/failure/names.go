package failure

import (
	"slices"
	"strings"
	"unicode"
)

// NamedIn reports whether a test is among names that may be told in another form: a
// report says "calc.test.js::sums adds" where the output says "sums > adds", and
// output that numbers its tests is told with a # for each number.
func NamedIn(name string, names []string) bool {
	last := bare(name)
	return slices.ContainsFunc(names, func(n string) bool {
		want, got, all := plain(last), plain(bare(n)), plain(n)
		if strings.Contains(n, "#") {
			want, got, all = withoutNumbers(want), withoutNumbers(got), withoutNumbers(all)
		}
		return n == name || got == want || strings.HasSuffix(" "+all, " "+want)
	})
}

// withoutNumbers takes the digits out of a plain name.
func withoutNumbers(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsDigit(r) || r == ' ' }),
		" ")
}

// bare is the last part of a test's name, a row of a table left out.
func bare(name string) string {
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	if i := strings.LastIndex(name, ".Test"); i >= 0 { // Go's, with its rows behind it
		if test, _, _ := strings.Cut(name[i+1:], "/"); !strings.ContainsAny(test, ".:") {
			return test
		}
	}
	if strings.HasPrefix(name, "Test") && !strings.ContainsAny(name, ". :") {
		name, _, _ = strings.Cut(name, "/")
	}
	for _, sep := range []string{"::", " > ", " › ", "#"} {
		if i := strings.LastIndex(name, sep); i >= 0 {
			name = name[i+len(sep):]
		}
	}
	if strings.ContainsAny(name, " \t") { // a sentence
		return name
	}
	return name[strings.LastIndexAny(name, "./")+1:]
}

// plain is a name's letters and digits, in words.
func plain(name string) string {
	return strings.Join(strings.FieldsFunc(name,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }), " ")
}
