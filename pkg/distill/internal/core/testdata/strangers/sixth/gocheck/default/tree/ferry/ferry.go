package ferry

import "errors"

var ErrFull = errors.New("ferry is full")

type Ferry struct {
	Max   int
	Cars  []string
	Extra map[string]int
}

func (f *Ferry) Board(car string) error {
	if len(f.Cars) > f.Max {
		return ErrFull
	}
	f.Cars = append(f.Cars, car)
	return nil
}

func (f *Ferry) Charge(car string, cents int) { f.Extra[car] += cents }

func Price(cars, people int) int { return 900*cars + 250*people }
