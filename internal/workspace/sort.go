package workspace

import "sort"

// sortFunc sorts by a comparison as slices.SortFunc does. That one is compiled
// anew for each type of element, 30 KB a time; the lists here are short.
func sortFunc[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
