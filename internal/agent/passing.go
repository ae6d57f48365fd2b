package agent

import (
	"errors"
	"regexp"
	"sync"
)

// ErrPassing is wrapped where an agent's own words tell of an outage or a limit
// that passes: the same call may do later.
var ErrPassing = errors.New("it may pass")

// passing are the words of servers, networks and limits that pass. A refused key,
// an unknown model and an empty purse do not.
var passing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:408|409|429|50[0234]|529)\b|rate.?limit|too many requests|overloaded|service unavailable|bad gateway|` +
		`gateway time-?out|temporarily unavailable|internal server error|at capacity|try again later|` +
		`timed out|time-?out|ECONN\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|connection (?:error|refused|reset|aborted|closed)|` +
		`could not resolve|no such host|name resolution|network (?:error|is unreachable)|fetch failed|socket hang up`)
})

// passes reports whether what an agent says of its failure may pass.
func passes(text string) bool {
	return passing().MatchString(text) && !lasting().MatchString(text)
}

// lasting are words of the same messages that say that waiting is in vain.
var lasting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)insufficient.?quota|billing|credit balance|payment required|` +
		`invalid.{0,10}(?:api.?key|token)|unauthori[sz]ed|not logged in|log ?in\b`)
})
