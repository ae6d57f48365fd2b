package retrieval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Remembered identifiers have the words that they have anew, whatever came between.
func TestRememberedIdentifiersHaveTheirWords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	parts := []string{"parse", "HTTP", "Server", "_", "x", "9", "Total", "ies", "fooBarBazQuxQuux", "é", "__init__", "Carts"}
	var names []string
	for n := range 30_000 { // more than there are places
		names = append(names, fmt.Sprint(parts[r.IntN(len(parts))], parts[r.IntN(len(parts))], n%9000, parts[r.IntN(len(parts))]))
	}
	names = append(names, strings.Repeat("veryLong", 20), "aB", "")
	known := newIdents()
	for range 60_000 {
		name, min := names[r.IntN(len(names))], 1+r.IntN(3)
		var got, want []term
		known.eachTerm(name, min, func(t term) { got = append(got, t) })
		eachTerm(name, min, func(t term) { want = append(want, t) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q, from %d letters: got %v, want %v", name, min, got, want)
		}
	}
}
