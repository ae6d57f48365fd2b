package redact

import (
	"encoding/base64"
	"slices"
	"sort"
	"strings"
)

// Secrets that the table of formats does not see as they stand: inside base64.

// encodedRuns finds runs of base64 that hold secrets, such as a token in a Kubernetes manifest.
// What is encoded twice over is not looked for.
func (r *Redactor) encodedRuns(s string) []span {
	var found []span
	for i := 0; i+minEncoded <= len(s); {
		// Look back from the last byte that the shortest run would have, and go on behind the first
		// byte that belongs to no run: most text has one.
		k := i + minEncoded - 1
		for k >= i && encodedSet.has(s[k]) {
			k--
		}
		if k >= i {
			i = k + 1
			continue
		}
		n := minEncoded + encodedSet.run(s, i+minEncoded)
		if r.hides(s[i : i+n]) {
			found = append(found, span{start: i, end: i + n, kind: encodedKind})
		}
		i += n + 1
	}
	return found
}

const encodedKind = "encoded"

// minEncoded is the least length of a run that is decoded: the shortest token that
// is known has 16 characters behind its prefix.
const minEncoded = 28

var encodedSet = chars("A-Za-z0-9+/_=\x2d")

// standardSigns replaces the signs of base64url.
var standardSigns = strings.NewReplacer("-", "+", "_", "/")

// hides reports whether a run is base64, at any of its four places, of a text that
// holds a secret.
func (r *Redactor) hides(run string) bool {
	run = standardSigns.Replace(strings.TrimRight(run, "="))
	for skip := range min(4, len(run)) { // a ruler of equals signs leaves nothing
		part := run[skip:]
		plain, err := base64.StdEncoding.DecodeString(part[:len(part)-len(part)%4])
		if err != nil || !readable(plain) {
			continue
		}
		if spans, _ := r.scan(string(plain)); len(spans) > 0 {
			return true
		}
	}
	return false
}

// readable reports whether bytes begin like text; what comes later may be anything.
func readable(b []byte) bool {
	return !slices.ContainsFunc(b[:min(len(b), 12)], func(c byte) bool {
		return c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r'
	})
}

// joined merges spans that overlap, in order; the first that says more than that it
// was encoded names the kind.
func joined(spans []span) []span {
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	var out []span
	for _, p := range spans {
		if n := len(out); n > 0 && p.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, p.end)
			if out[n-1].kind == encodedKind {
				out[n-1].kind = p.kind
			}
			continue
		}
		out = append(out, p)
	}
	return out
}
