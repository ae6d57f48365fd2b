package retrieval

import (
	"iter"
	"slices"
	"strings"
)

// lines yields the lines of s without their line ends.
func lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			i := strings.IndexByte(s, '\n')
			if i < 0 {
				yield(s)
				return
			}
			if !yield(strings.TrimSuffix(s[:i], "\r")) {
				return
			}
			s = s[i+1:]
		}
	}
}

// unique sorts ts and removes duplicates.
func unique[T ~int32 | ~uint64](ts []T) []T {
	slices.Sort(ts)
	return slices.Compact(ts)
}
