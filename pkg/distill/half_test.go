package distill

import (
	"hash/fnv"
)

// half tells to which half of the corpus a framework belongs: rules are made with
// the outputs of half 0 in view, and those of half 1 are read only to measure.
func half(framework string) int {
	h := fnv.New32a()
	h.Write([]byte(framework))
	return int(h.Sum32() >> 3 & 1)
}
