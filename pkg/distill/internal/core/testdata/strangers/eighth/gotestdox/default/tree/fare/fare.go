// Package fare knows what a ride costs.
package fare

// Price of a ride over some zones.
func Price(zones int) int { return zones * 110 }

// Night reports whether the night fare holds.
func Night(hour int) bool { return hour > 22 && hour < 5 }
