package retrieval

import (
	"reflect"
	"testing"
)

func TestPicksTheBestValueForTheBudget(t *testing.T) {
	even := func(n, cost int, odds float64) []itemUnit {
		var out []itemUnit
		for range n {
			out = append(out, itemUnit{odds: odds, cost: cost})
		}
		return out
	}
	with := func(u []itemUnit, at int, odds float64) []itemUnit { u[at].odds = odds; return u }
	cases := []struct {
		name   string
		items  []item
		budget int
		whole  []bool
		units  [][]int
	}{
		{"a small file is completed before a large one is begun", []item{{p: 0.5, whole: 1000, entry: 100, units: even(4, 250, 0.3)}, {p: 0.5, whole: 90000, entry: 100, units: even(90, 1000, 0.02)}},
			1500, []bool{true, false}, [][]int{{0, 1, 2, 3}, nil}},
		{"of a large file the likeliest unit comes", []item{{p: 0.9, whole: 50000, entry: 100, units: with(even(50, 1000, 0.01), 30, 0.8)}},
			2000, []bool{false}, [][]int{{30}}},
		{"what is too little worth is left", []item{{p: 0.9, whole: 1000, units: even(1, 1000, 0.9)}, {p: 0.00001, whole: 1000, units: even(1, 1000, 0.9)}},
			5000, []bool{true, false}, [][]int{{0}, nil}},
		{"what does not fit whole comes as far as it fits", []item{{p: 0.9, whole: 10000, entry: 100, units: even(10, 1000, 0.5)}},
			3500, []bool{false}, [][]int{{0, 1, 2}}},
		{"of a file that is nearly all bought the rest comes before another is begun", []item{
			{p: 0.4, whole: 4100, entry: 100, units: append(even(3, 1100, 3), even(1, 700, 0.1)...)},
			{p: 0.1, whole: 9000, entry: 100, units: even(9, 1000, 1)},
		}, 4500, []bool{true, false}, [][]int{{0, 1, 2, 3}, nil}},
		{"what is in view is not bought again", []item{{p: 0.9, whole: 2000, units: []itemUnit{{odds: 0.9, cost: 1000, had: true}, {odds: 0.9, cost: 1000}}}},
			1000, []bool{false}, [][]int{{1}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cost := 0
			for k, got := range buy(c.items, c.budget, 3e-6) {
				cost += got.cost
				if got.whole != c.whole[k] || len(got.units)+len(c.units[k]) > 0 && !reflect.DeepEqual(got.units, c.units[k]) {
					t.Errorf("item %d: got %v, want units %v, whole %v", k, got, c.units[k], c.whole[k])
				}
			}
			if cost > c.budget {
				t.Errorf("spent %d of %d", cost, c.budget)
			}
		})
	}
}
