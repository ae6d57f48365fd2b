package shop

type Item struct {
	Price, Qty int
}

func Total(items []Item) int {
	sum := 0
	for _, it := range items {
		sum += it.Price
	}
	return sum
}

func First(items []Item) Item {
	return items[0]
}
