package locate

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Postings hold what a map of slices would, in the same order.
func TestPostingsHoldWhatAMapHolds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var p postings
	for range p.of(7) {
		t.Error("empty postings have a number")
	}
	want := map[term][]uint32{}
	var order []term
	for n := range uint32(300_000) {
		k := term(r.Uint64N(1+r.Uint64N(20_000)) << r.Uint64N(3)) // some often, many once, 0 among them
		if want[k] == nil {
			order = append(order, k)
		}
		p.add(k, n)
		want[k] = append(want[k], n)
	}
	if got := slices.Collect(p.each); !slices.Equal(got, order) {
		t.Fatalf("got %d words, want %d in the order in which they came", len(got), len(order))
	}
	for k, list := range want {
		if got := slices.Collect(p.of(k)); !slices.Equal(got, list) {
			t.Fatalf("%d has %d numbers, want %d", k, len(got), len(list))
		}
		for n := range p.of(k) {
			if n != list[0] {
				t.Fatalf("%d begins with %d, want %d", k, n, list[0])
			}
			break
		}
	}
	for k := range term(100_000) {
		if want[k] == nil && len(slices.Collect(p.of(k))) > 0 {
			t.Fatalf("%d has numbers", k)
		}
	}
}
