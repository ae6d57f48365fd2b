package duration

import (
	"fmt"
	"strconv"
	"strings"
)

// units are the seconds of each unit.
var units = map[string]int{"h": 3600, "m": 60, "s": 1}

// split parts "30m" into 30 and "m".
func split(word string) (int, string, error) {
	digits := strings.TrimRight(word, "hms")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, "", fmt.Errorf("no number in %q", word)
	}
	return n, word[len(digits):], nil
}
