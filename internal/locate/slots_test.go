package locate

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// Slots hold what a map would, also when they have been emptied and filled anew.
func TestSlotsHoldWhatAMapHolds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var s slots[uint32]
	if s.of(7) != 0 {
		t.Error("empty slots have a value")
	}
	for round := range 4 {
		s.clear()
		want := map[term]uint32{}
		for range 5000 * round {
			k := term(r.Uint64N(3000) << r.Uint64N(60)) // many share their low bits, 0 is among them
			*s.at(k)++
			want[k]++
		}
		if got := maps.Collect(s.each); !maps.Equal(got, want) || len(s.used) != len(want) {
			t.Fatalf("round %d: %d words, want %d", round, len(got), len(want))
		}
		for k, n := range want {
			if s.of(k) != n || want[k+1] == 0 && s.of(k+1) != 0 {
				t.Fatalf("round %d: %d has %d, want %d", round, k, s.of(k), n)
			}
		}
	}
}
