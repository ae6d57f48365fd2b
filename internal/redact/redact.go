// Package redact replaces secrets in text by [REDACTED:kind] before the text
// leaves: prompts, comments, pull requests, logs, cassettes, the journal.
//
// A secret is one of three things: an exact value that the user's own
// environment holds under a name such as API_KEY; text in a format that only
// credentials have (the table in formats.go); or a value of high entropy that
// is assigned to a name such as password or client_secret.
//
// Promises. Redacting twice changes nothing more. What a Writer lets through
// does not depend on how the text was cut into writes. Clean text is read once
// and comes back as the same string. Hashes, UUIDs and checksums that stand
// under no telling name are left alone: an altered file in a prompt makes the
// model's edits miss.
//
// It is no scanner for repositories, and it cannot know a secret that looks
// like ordinary words.
package redact

import (
	"encoding/base64"
	hexadecimal "encoding/hex"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Options say what is secret beside the known formats.
type Options struct {
	// Environ are NAME=value pairs, such as os.Environ(); those with a telling
	// name and a value of at least 8 bytes are secret.
	Environ []string
	// Extra are exact values that are secret too.
	Extra []string
}

// Redactor replaces secrets. It is safe for use by several goroutines.
type Redactor struct {
	given Options
	exact atomic.Pointer[exact]
	learn sync.Mutex
}

// exact are the values that are secret whatever stands around them.
type exact struct {
	find *automaton
	// values and kinds belong to the automaton's exact patterns.
	values []string
	kinds  []string
}

// mark begins every replacement.
const mark = "[REDACTED:"

// minValue is the least length of an exact value: shorter ones are found in
// ordinary text.
const minValue = 8

// New makes a Redactor.
func New(o Options) *Redactor {
	r := &Redactor{given: o}
	r.exact.Store(newExact(o))
	return r
}

// Learn makes one more value secret, for all who hold the Redactor: a token that
// came to light only later.
func (r *Redactor) Learn(value string) {
	r.learn.Lock()
	defer r.learn.Unlock()
	r.given.Extra = append(r.given.Extra, value)
	r.exact.Store(newExact(r.given))
}

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
// string, in a query, in base64 at any place of a longer text, in hexadecimal, and
// in these twice over;
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
	once := encoded(value)
	out = append(out, once...)
	for _, v := range once { // a header that a request's record has encoded again
		out = append(out, encoded(v)...)
	}
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
	if strings.Contains("[REDACTED:]", v) || strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 && wordsOnly(v) {
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

// secretWords in a variable's name make its value secret.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "PRIVATE", "_PWD", "_PASS", "_AUTH", "DSN", "DATABASE_URL", "CONNECTION_STRING", "COOKIE", "WEBHOOK"}

// otherKeys are words with "key" in them that name no secret.
var otherKeys = []string{"KEYBOARD", "KEYCLOAK", "KEYMAP", "KEYCHAIN", "KEYRING", "KEYSPACE", "KEYWORD", "HOTKEY", "MONKEY", "TURKEY", "DONKEY", "HOCKEY", "WHISKEY", "JOCKEY"}

// secretName says whether a variable's name promises a secret.
func secretName(name string) bool {
	name = strings.ToUpper(name)
	for _, w := range otherKeys {
		name = strings.ReplaceAll(name, w, "")
	}
	switch {
	case strings.HasSuffix(name, "_FILE"), strings.HasSuffix(name, "_PATH"), strings.HasSuffix(name, "_DIR"),
		strings.HasPrefix(name, "PUBLIC_"), strings.Contains(name, "PUBLIC_KEY"), strings.HasSuffix(name, "_SOCK"),
		strings.HasSuffix(name, "_TOKENS"), strings.HasSuffix(name, "_ENV"):
		return false
	}
	for _, w := range secretWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return name == "PASS" || name == "AUTH"
}

// kindName makes a variable's name fit for the replacement.
func kindName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
}

// String gives s without its secrets.
func (r *Redactor) String(s string) string {
	s = r.whole(s)
	if ends := endsOfKeys(s); len(ends) > 0 {
		return r.whole(replace(s, ends))
	}
	return s
}

// whole is String for a text of which nothing is missing in front.
func (r *Redactor) whole(s string) string {
	for {
		spans, _ := r.scan(s)
		if spans = joined(slices.Concat(spans, r.encodedRuns(s), r.cutInTwo(s))); len(spans) == 0 {
			return s
		}
		// What was between two secrets may have become one; each round
		// leaves less text outside of replacements, so this ends.
		s = replace(s, spans)
	}
}

// Bytes gives b without its secrets; b itself is not changed.
func (r *Redactor) Bytes(b []byte) []byte {
	s := string(b)
	if out := r.String(s); out != s {
		return []byte(out)
	}
	return b
}

// ReplaceAttr is for slog.HandlerOptions.
func (r *Redactor) ReplaceAttr(_ []string, a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(r.String(a.Value.String()))
	case slog.KindAny:
		// An error or a struct could be printed in any way: it becomes its text when that is not clean.
		if text := a.Value.String(); r.String(text) != text {
			a.Value = slog.StringValue(r.String(text))
		}
	}
	if secretName(a.Key) && a.Value.Kind() == slog.KindString && len(a.Value.String()) >= minValue && !strings.HasPrefix(a.Value.String(), mark) && secretish(a.Value.String(), true) {
		a.Value = slog.StringValue(mark + kindName(a.Key) + "]")
	}
	return a
}

// span is a secret at s[start:end].
type span struct {
	start, end int
	kind       string
	// open: what follows the text may belong to it.
	open bool
}

func replace(s string, spans []span) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.start])
		b.WriteString(mark + p.kind + "]")
		at = p.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// scan finds the secrets of s, in order and apart. open is where a key block
// begins that has no end yet, else -1.
func (r *Redactor) scan(s string) (spans []span, open int) {
	open = -1
	last := 0 // nothing before it is looked at again
	known := r.exact.Load()
	known.find.each(s, func(pattern, end int) (skip int) {
		start := end - known.find.length(pattern)
		if start < last {
			return 0
		}
		var found span
		var ok bool
		switch {
		case pattern < len(known.values):
			found, ok = span{start: start, end: end, kind: known.kinds[pattern]}, s[start:end] == known.values[pattern]
		default:
			l := literals[pattern-len(known.values)]
			if l.text == mark {
				if close := strings.IndexByte(s[start:min(len(s), start+200)], ']'); close >= 0 {
					last = start + close + 1
					return last
				}
				return 0
			}
			if foldEqual(s[start:end], l.text, l.fold) {
				found, ok = l.match(s, start, end)
				if found.open && open < 0 {
					open = found.start
				}
			}
		}
		if !ok || found.start < last {
			return 0
		}
		spans = append(spans, found)
		last = found.end
		return last
	})
	return spans, open
}

func foldEqual(got, want string, fold bool) bool {
	return got == want || fold && strings.EqualFold(got, want)
}
