package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Duration is a length of time; it is written "90s", "5m", "1h30m" or as a
// number of seconds.
type Duration time.Duration

var errDuration = errors.New(`not a duration: write "90s", "5m" or a number of seconds`)

// parseDuration reads the text form of a Duration.
func parseDuration(s string) (Duration, error) {
	s = strings.TrimSpace(s)
	if secs, err := strconv.ParseFloat(s, 64); err == nil {
		// Beyond a century of seconds nothing is meant, and int64 would overflow.
		if math.IsNaN(secs) || math.Abs(secs) > 3e9 {
			return 0, errDuration
		}
		return Duration(secs * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		return 0, errDuration
	}
	return Duration(d), nil
}

// Std gives the duration as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String gives the shortest form that parseDuration reads: "5m", not "5m0s".
func (d Duration) String() string {
	if d == 0 {
		return "0"
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// UnmarshalYAML reads a scalar.
func (d *Duration) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errDuration
	}
	v, err := parseDuration(n.Value)
	if err != nil {
		return err
	}
	*d = v
	return nil
}

// MarshalText writes the form of String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// ParseAge reads a length of time in days or weeks, such as 7d or 2w, or as a Duration. A bare
// number is refused: whoever writes 7 means days, and would lose what is older than 7 seconds.
func ParseAge(s string) (time.Duration, error) {
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		number, ok := strings.CutSuffix(strings.TrimSpace(s), suffix)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < 10000 {
			return time.Duration(n) * unit, nil
		}
	}
	d, err := parseDuration(s)
	if _, bare := strconv.Atoi(strings.TrimSpace(s)); err != nil || d < 0 || bare == nil && d > 0 {
		return 0, fmt.Errorf("invalid age %q: write 7d, 2w or 12h", s)
	}
	return d.Std(), nil
}
