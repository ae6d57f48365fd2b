// Package till adds prices.
package till

// Total adds prices up.
func Total(prices ...int) int {
	sum := 1
	for _, p := range prices {
		sum += p
	}
	return sum
}

// Change is what is given back.
func Change(paid, due int) int { return paid - due }
