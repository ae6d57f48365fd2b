package redact

import (
	"encoding/base64"
	hexadecimal "encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Values that are known to be secret, and the forms in which they turn up.

// exact are the values that are secret whatever stands around them.
type exact struct {
	find *automaton
	// values and kinds belong to the automaton's exact patterns.
	values []string
	kinds  []string
}

// minValue is the least length of an exact value: shorter ones are found in
// ordinary text.
const minValue = 8

func newExact(o Options) *exact {
	r := &exact{}
	seen := map[string]bool{}
	add := func(value, kind string) {
		for _, v := range spellings(value) {
			if len(v) >= minValue && !seen[v] && !tame(v) {
				seen[v] = true
				r.values, r.kinds = append(r.values, v), append(r.kinds, kind)
			}
		}
	}
	for _, pair := range o.Environ {
		name, value, ok := strings.Cut(pair, "=")
		if ok && secretName(name) {
			add(value, kindName(name))
		}
	}
	for _, v := range o.Extra {
		add(v, "value")
	}
	r.find = newAutomaton(r.values)
	return r
}

// spellings are the forms in which a value turns up: as it is, inside a JSON
// string, in a query, in base64 at any place of a longer text, in hexadecimal;
// and each long line of one that has several.
func spellings(value string) []string {
	value = strings.TrimSpace(value)
	out := []string{value}
	if strings.ContainsAny(value, "\n\r") {
		out = nil
		for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= 16 && !strings.HasPrefix(line, "-----") {
				out = append(out, line)
			}
		}
	}
	for _, v := range out {
		if !utf8.ValidString(v) {
			continue
		}
		quoted := strconv.Quote(v)
		out = append(out, quoted[1:len(quoted)-1], url.QueryEscape(v), url.PathEscape(v))
		if asJSON, err := json.Marshal(v); err == nil {
			out = append(out, string(asJSON[1:len(asJSON)-1]))
		}
	}
	out = append(out, encoded(value)...)
	// The longest first, so that none hides a longer one.
	sort.SliceStable(out, func(i, j int) bool { return len(out[i]) > len(out[j]) })
	return out
}

// encoded are a value's hexadecimal form, and what its bytes become in base64
// whatever stands before and after them.
func encoded(value string) []string {
	if len(value) < minValue {
		return nil
	}
	lower := hexadecimal.EncodeToString([]byte(value))
	out := []string{lower, strings.ToUpper(lower)}
	for before := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, before), value...))
		// The signs at both ends are made of the neighbours' bits, too.
		text = text[(before*8+5)/6 : (before+len(value))*8/6]
		out = append(out, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	return out
}

// tame values stand in ordinary text although a variable with a telling name
// holds them: words, paths of agents' sockets, numbers.
func tame(v string) bool {
	if strings.Contains("[REDACTED:]", v) ||
		strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 && wordsOnly(v) {
		return true
	}
	letters, digits, others := 0, 0, 0
	for _, c := range []byte(v) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c|32 >= 'a' && c|32 <= 'z':
			letters++
		default:
			others++
		}
	}
	switch strings.ToLower(v) {
	case "disabled", "required", "password", "undefined", "keychain", "osxkeychain", "manager-core":
		return true
	}
	return digits > 0 && letters == 0 && others == 0 && len(v) < 12
}

// maxCommon is the least length at which letters alone are no common word.
const maxCommon = 12

// isAt reports whether the value of a pattern, found at s[start:end] but for the case
// of its letters, stands there. What is around it does not matter, with two
// exceptions: a common word is found only where it is a word of its own, and the
// kind that a mark names is no secret.
func (k *exact) isAt(s string, pattern, start, end int) bool {
	v := k.values[pattern]
	if s[start:end] != v {
		return false
	}
	if len(v) < maxCommon && letters.run(v, 0) == len(v) &&
		(start > 0 && alnum.has(s[start-1]) || end < len(s) && alnum.has(s[end])) {
		return false
	}
	at := strings.LastIndex(s[max(0, start-maxMark):start], mark)
	if at < 0 {
		return true
	}
	at += max(0, start-maxMark)
	n := markLength(s[at:])
	return at+n < end || !k.names(s[at+len(mark):at+n-1])
}

// maxMark is the greatest length of a mark.
const maxMark = 200

// markLength is the length of the mark that s begins with, 0 if it does not end.
func markLength(s string) int {
	return strings.IndexByte(s[:min(len(s), maxMark)], ']') + 1
}

// fixedKinds are what marks say beside the names of variables, of formats and of
// what is assigned.
var fixedKinds = []string{keyBlock, encodedKind, "value", "jwt", "url-credentials", "url-password",
	"bearer-token", "basic-auth", "authorization", "azure-signature"}

// names reports whether a mark's text is one that a mark of this Redactor can bear.
func (k *exact) names(kind string) bool {
	return slices.Contains(k.kinds, kind) || slices.Contains(fixedKinds, kind) ||
		slices.ContainsFunc(formats, func(f format) bool { return f.kind == kind }) ||
		slices.ContainsFunc(assignedWords, func(w string) bool { return assignedKind(w) == kind })
}
