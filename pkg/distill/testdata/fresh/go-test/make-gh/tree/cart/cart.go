package cart

import "example.com/shop/internal/money"

type Cart struct{ items []float64 }

func (c *Cart) Add(p float64, q int) *Cart {
	c.items = append(c.items, p*float64(q))
	return c
}

func (c *Cart) Total() int {
	sum := 0.0
	for _, i := range c.items {
		sum += i
	}
	return money.Cents(sum)
}

func (c *Cart) First() float64 {
	return c.items[0]
}
