package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/event"
)

// Numbered are the survivors that the comment on a pull request has given numbers, by their
// keys. A number is never given twice.
type Numbered map[string]int

// SurvivorKey is the same as long as the line and what is done to it are.
func SurvivorKey(s event.Survivor) string {
	h := sha256.Sum256([]byte(strings.Join([]string{s.File, strings.TrimSpace(s.Was),
		strings.TrimSpace(s.Now), s.What}, "\x00")))
	return hex.EncodeToString(h[:6])
}

var (
	numberMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:survivors ([0-9a-f= ]*)-->`) })
	dismissal  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^/booty dismiss((?:[ ,]+#?\d+)+)\s*$`) })
	digits     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })
)

// NumberedIn reads the numbers that an earlier comment gave.
func NumberedIn(comment string) Numbered {
	n := Numbered{}
	if m := numberMark().FindStringSubmatch(comment); m != nil {
		for _, pair := range strings.Fields(m[1]) {
			key, number, _ := strings.Cut(pair, "=")
			if i, err := strconv.Atoi(number); err == nil && i > 0 {
				n[key] = i
			}
		}
	}
	return n
}

// Dismissed are the keys of the survivors whose numbers some comments dismiss, a line each:
// /booty dismiss 2.
func (n Numbered) Dismissed(comments []string) map[string]bool {
	out := map[string]bool{}
	for _, c := range comments {
		for _, m := range dismissal().FindAllStringSubmatch(strings.ReplaceAll(c, "\r", ""), -1) {
			for _, d := range digits().FindAllString(m[1], -1) {
				for key, number := range n {
					out[key] = out[key] || strconv.Itoa(number) == d
				}
			}
		}
	}
	return out
}

// With gives each survivor a number that has none.
func (n Numbered) With(list ...event.Survivor) Numbered {
	next := 0
	out := Numbered{}
	for key, number := range n {
		out[key], next = number, max(next, number)
	}
	for _, s := range list {
		if key := SurvivorKey(s); out[key] == 0 {
			next++
			out[key] = next
		}
	}
	return out
}

// mark is the numbers for the next run to read.
func (n Numbered) mark() string {
	if len(n) == 0 {
		return ""
	}
	var pairs []string
	for key, number := range n {
		pairs = append(pairs, fmt.Sprintf("%s=%d", key, number))
	}
	slices.Sort(pairs)
	return "<!-- booty:survivors " + strings.Join(pairs, " ") + " -->"
}
