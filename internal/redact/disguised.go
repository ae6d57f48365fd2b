package redact

import (
	"encoding/base64"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// Secrets that the table of formats does not see as they stand: inside base64, cut
// in two by the width of a terminal, the end of a key block without its beginning.

// encodedRuns finds runs of base64 that hold secrets, such as a token in a Kubernetes manifest.
// What is encoded twice over is not looked for.
func (r *Redactor) encodedRuns(s string) []span {
	var found []span
	for i := 0; i < len(s); {
		n := encodedSet.run(s, i)
		if n >= minEncoded && r.hides(s[i:i+n]) {
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

// hides reports whether a run is base64, at any of its four places, of a text that
// holds a secret.
func (r *Redactor) hides(run string) bool {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(run, "="))
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

// minWidth is the least width of a terminal that is thought of.
const minWidth = 40

// cutInTwo finds tokens that go on in the next line, where a line is long enough to
// have been cut by a terminal: two spans each.
func (r *Redactor) cutInTwo(s string) []span {
	var found []span
	begin := 0
	for {
		n := strings.IndexByte(s[begin:], '\n')
		if n < 0 {
			return found
		}
		end := begin + n // the newline
		long := n >= minWidth
		begin = end + 1
		if !long {
			continue
		}
		stop := end
		if s[stop-1] == '\r' {
			stop--
		}
		from := stop
		for from > 0 && end-from < 200 && tokenSet.has(s[from-1]) {
			from--
		}
		behind := tokenSet.run(s, begin)
		if from == stop || behind == 0 || stop-from+behind < 20 {
			continue
		}
		spans, _ := r.scan(s[from:stop] + s[begin:begin+behind])
		alone, _ := r.scan(s[from:stop])
		if n := len(alone); n > 0 && alone[n-1].end == stop-from && !random(s[begin:begin+behind]) {
			continue // it was whole, and an ordinary word follows
		}
		for _, p := range spans {
			if seam := stop - from; p.start < seam && p.end > seam {
				found = append(found, span{start: from + p.start, end: stop, kind: p.kind},
					span{start: begin, end: begin + p.end - seam, kind: p.kind})
			}
		}
	}
}

// random says of what follows a token in the next line that it is no word.
func random(s string) bool {
	return len(s) >= 4 && strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, unicode.IsLetter)
}

var tokenSet = chars("A-Za-z0-9_.\x2d")

// endsOfKeys finds the last lines of private keys whose first line is not there, as
// in the tail of an output.
func endsOfKeys(s string) []span {
	var found []span
	for at := 0; ; {
		i := strings.Index(s[at:], "-----END ")
		if i < 0 {
			return found
		}
		end := at + i
		at = end + len("-----END ")
		label, _, ok := strings.Cut(s[at:min(len(s), at+60)], "-----")
		if !ok || !partOfLabel(label) || !strings.HasSuffix(label, "PRIVATE KEY") && label != "PGP PRIVATE KEY BLOCK" {
			continue
		}
		start := end
		if line := strings.LastIndexByte(s[:end], '\n') + 1; strings.Trim(s[line:end], "+|> \t") == "" {
			start = line
		}
		first := start
		for start > 0 {
			line := strings.LastIndexByte(s[:start-1], '\n') + 1
			text := strings.TrimLeft(strings.TrimSpace(s[line:start]), "+|> ")
			if text == "" || b64.run(text, 0) < len(text) {
				break
			}
			start = line
		}
		if start < first {
			found = append(found, span{start: start, end: at + len(label) + len("-----"), kind: keyBlock})
		}
	}
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
