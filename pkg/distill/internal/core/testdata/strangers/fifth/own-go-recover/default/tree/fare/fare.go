package fare

type Ticket struct{ Zones []int }

func (t *Ticket) First() int { return t.Zones[0] }

func Price(zones int) int {
	if zones > 3 {
		return 400
	}
	return 100 * zones
}
