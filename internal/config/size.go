package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

var errSize = errors.New(`not a size: write "50MB", "1GiB" or a number of bytes`)

// units of sizes, longest first.
var units = []struct {
	name  string
	bytes float64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"K", 1e3},
	{"M", 1e6}, {"G", 1e9}, {"B", 1}, {"", 1},
}

// ParseSize reads a number of bytes with or without a unit.
func ParseSize(s string) (int64, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	for _, u := range units {
		number, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || math.IsNaN(n) || n < 0 || n*u.bytes > 1e15 {
			return 0, errSize
		}
		return int64(n * u.bytes), nil
	}
	return 0, errSize
}

func checkSize(s string) string {
	if _, err := ParseSize(s); err != nil {
		return err.Error()
	}
	return ""
}
