package retrieval

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// item is a file as a candidate for the budget.
type item struct {
	p     float64 // probability of a change
	whole int     // cost of the whole file
	entry int     // extra cost of its first unit
	units []itemUnit
}

// itemUnit is a function, a type, a stretch of a file.
type itemUnit struct {
	odds float64 // odds of a change, relative to the other units
	cost int
	had  bool // already shown
}

// bought is the part of an item that was chosen.
type bought struct {
	units []int
	whole bool
	cost  int
}

const (
	// costExponent is how strongly the cost of a unit counts against its odds.
	costExponent = 0.7
	// minValue is the least value of a byte in files that change visibly; less likely text
	// is not shown, even if there is room. wideValue applies to a request that shows more
	// than the one before.
	minValue, wideValue = 2e-5, 3e-6
)

// piece is a step that takes more of an item.
type piece struct {
	item int
	bought
	worth float64
}

func (p piece) rate() float64 { return p.worth / float64(max(p.cost, 1)) }

// buy spends a budget on the pieces with the highest value for their cost, down to the
// least value a byte. It is a greedy knapsack.
func buy(items []item, budget int, least float64) []bought {
	out := make([]bought, len(items))
	var all []piece
	for k := range items {
		all = append(all, items[k].pieces(k)...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].rate() > all[j].rate() })
	ended := make([]bool, len(items))
	for _, p := range all {
		if ended[p.item] || p.rate() < least {
			ended[p.item] = true // its later pieces build on this one
			continue
		}
		if p.whole {
			p.cost -= items[p.item].entry // the mark for what is left out
		}
		if p.cost > budget {
			ended[p.item] = true
			p.bought = items[p.item].within(budget, p.units, len(out[p.item].units) == 0)
		}
		got := &out[p.item]
		got.units, got.whole, got.cost = append(got.units, p.units...), p.whole, got.cost+p.cost
		budget -= p.cost
	}
	return out
}

// within takes units in order as long as they fit a budget.
func (w *item) within(budget int, units []int, first bool) bought {
	var b bought
	if first {
		b.cost = w.entry
	}
	for _, k := range units {
		if cost := b.cost + w.units[k].cost; cost <= budget {
			b.units, b.cost = append(b.units, k), cost
		}
	}
	if len(b.units) == 0 {
		return bought{}
	}
	return b
}

// point is an item with its first units chosen.
type point struct {
	units int
	cost  int
	worth float64
}

// covered is the probability that a set of units with a share of a file's odds contains all
// its changes. Of 1,397 files changed by commits, .55 changed in one unit, .22 in two, .15
// in three or four.
func covered(share float64) float64 {
	return 0.55*share + 0.22*share*share + 0.15*math.Pow(share, 3.5) + 0.08*math.Pow(share, 7)
}

// pieces are the steps in which an item is best taken, each worth less for its cost than
// the one before: units with the best odds for their length first. For a small file, the
// rest as a whole soon beats the next unit.
func (w *item) pieces(number int) []piece {
	order, all := w.order()
	path := []point{{}}
	cost, seen := w.entry, 0.0
	for n, k := range order {
		u := w.units[k]
		cost, seen = cost+u.cost, seen+u.odds
		if cost >= w.whole {
			break
		}
		path = hull(path, point{n + 1, cost, w.p * covered(seen/all)})
	}
	path = hull(path, point{len(order), max(w.whole, path[len(path)-1].cost+1), w.p})
	out := make([]piece, 0, len(path)-1)
	for k := 1; k < len(path); k++ {
		a, b := path[k-1], path[k]
		p := piece{number, bought{order[a.units:b.units], k == len(path)-1, b.cost - a.cost},
			b.worth - a.worth}
		out = append(out, p)
	}
	return out
}

// order returns the units that are not shown yet, best odds for their cost first, and the
// sum of their odds.
func (w *item) order() (order []int, all float64) {
	for k, u := range w.units {
		if !u.had {
			order = append(order, k)
			all += u.odds
		}
	}
	rate := func(k int) float64 { return w.units[k].odds / math.Pow(float64(w.units[k].cost), costExponent) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rate(b), rate(a)) })
	return order, all
}

// hull adds a point to a path and removes those that are not worth stopping at.
func hull(path []point, p point) []point {
	for len(path) > 1 {
		a, b := path[len(path)-2], path[len(path)-1]
		if (p.worth-a.worth)*float64(b.cost-a.cost) < (b.worth-a.worth)*float64(p.cost-a.cost) {
			break
		}
		path = path[:len(path)-1]
	}
	return append(path, p)
}
