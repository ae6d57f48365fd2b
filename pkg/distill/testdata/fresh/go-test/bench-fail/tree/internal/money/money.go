// Package money rounds.
package money

// Cents rounds half a cent up.
func Cents(x float64) int {
	return int(x)
}
