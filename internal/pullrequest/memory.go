package pullrequest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/report"
)

// pullMemory is the state stored in booty's comment on a pull request.
type pullMemory struct {
	// Attempts counts attempts since a person last did something. CostUSD covers all runs.
	Attempts int
	CostUSD  float64
	Runs     int
	// Commit is the result of the last run, Done are the items that were dealt with.
	Commit string
	Done   []string
}

var memoryMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<!-- booty:state attempts=(\d{1,4}) runs=(\d{1,4}) usd=(\d{1,6}\.\d{1,6}) commit=([0-9a-f]*) done=([rt0-9 ]*) -->`)
})

func (m pullMemory) marker() string {
	return fmt.Sprintf("<!-- booty:state attempts=%d runs=%d usd=%.4f commit=%s done=%s -->", m.Attempts,
		m.Runs,
		m.CostUSD, m.Commit, strings.Join(m.Done[max(0, len(m.Done)-maxDone):], " "))
}

// after returns the memory after a run with its cost and attempts. from is the commit that it began
// at: another one than that of the last run is a person's. pushed is its result, "" if there is none.
func (m pullMemory) after(usd float64, attempts int, from, pushed string, answered []item) pullMemory {
	m.Runs, m.CostUSD = m.Runs+1, m.CostUSD+usd
	if m.Commit != from {
		m.Attempts = 0
	}
	m.Attempts += attempts
	m.Commit, m.Done = cmp.Or(pushed, from), slices.Clone(m.Done)
	for _, it := range answered {
		if id := it.id(); !slices.Contains(m.Done, id) {
			m.Done = append(m.Done, id)
		}
	}
	return m
}

func pullMarker(n int) string { return report.Marker("pr", strconv.Itoa(n)) }

// maxDone bounds the remembered items.
const maxDone = 200

func memoryIn(body string) pullMemory {
	m := memoryMark().FindStringSubmatch(body)
	if m == nil {
		return pullMemory{}
	}
	out := pullMemory{Commit: m[4], Done: strings.Fields(m[5])}
	out.Attempts, _ = strconv.Atoi(m[1])
	out.Runs, _ = strconv.Atoi(m[2])
	out.CostUSD, _ = strconv.ParseFloat(m[3], 64)
	return out
}
