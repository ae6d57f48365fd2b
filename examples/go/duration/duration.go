// Package duration reads durations as people write them, such as "1h 30m".
package duration

import (
	"fmt"
	"strings"
)

// Seconds gives the seconds of a text of numbers with units, h, m and s.
func Seconds(text string) (int, error) {
	total := 0
	for _, word := range strings.Fields(text) {
		n, unit, err := split(word)
		if err != nil {
			return 0, err
		}
		factor, ok := units[unit]
		if !ok {
			return 0, fmt.Errorf("unknown unit %q in %q", unit, text)
		}
		total += n * factor
	}
	return total, nil
}
