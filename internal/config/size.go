package config

import (
	"errors"

	"github.com/dustin/go-humanize"
)

// ParseSize reads a number of bytes with or without a unit.
func ParseSize(s string) (int64, error) {
	n, err := humanize.ParseBytes(s)
	if err != nil || n > 1e15 {
		return 0, errors.New(`not a size: write "50MB", "1GiB" or a number of bytes`)
	}
	return int64(n), nil
}

func checkSize(s string) string {
	if _, err := ParseSize(s); err != nil {
		return err.Error()
	}
	return ""
}
