package agent

import (
	"errors"
	"regexp"
	"sync"
)

// ErrTransient is wrapped if an agent reports a temporary outage or limit: the same call may
// succeed later.
var ErrTransient = errors.New("it may pass")

// transientWords matches temporary failures of servers, networks and limits. A rejected key, an
// unknown model and missing credit are not temporary.
var transientWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:408|409|429|50[0234]|529)\b|rate.?limit|too many requests|overloaded|service unavailable|bad gateway|` +
		`gateway time-?out|temporarily unavailable|internal server error|at capacity|try again later|` +
		`timed out|time-?out|ECONN\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|connection (?:error|refused|reset|aborted|closed)|` +
		`could not resolve|no such host|name resolution|network (?:error|is unreachable)|fetch failed|socket hang up`)
})

// isTransient reports whether an agent's failure may be temporary.
func isTransient(text string) bool {
	return transientWords().MatchString(text) && !permanentWords().MatchString(text)
}

// permanentWords matches words of the same messages that mean that waiting is in vain.
var permanentWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)insufficient.?quota|billing|credit balance|payment required|` +
		`invalid.{0,10}(?:api.?key|token)|unauthori[sz]ed|not logged in|log ?in\b`)
})
