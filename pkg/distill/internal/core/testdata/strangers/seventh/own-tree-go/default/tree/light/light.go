// Package light knows lighthouses.
package light

// Range in miles of a light some metres high.
func Range(metres int) int { return metres / 5 * 3 }

// Flashes counts flashes.
func Flashes(seconds, period int) int { return seconds/period + 1 }

// Colour of a sector.
func Colour(bearing int) string { return []string{"red", "white"}[bearing/90] }
