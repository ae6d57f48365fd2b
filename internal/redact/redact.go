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
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
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

// mark begins every replacement.
const mark = "[REDACTED:"

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

// secretWords in a variable's name make its value secret.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL",
	"PRIVATE", "_PWD", "_PASS", "_AUTH", "DSN", "DATABASE_URL", "CONNECTION_STRING", "COOKIE", "WEBHOOK"}

// otherKeys are words with "key" in them that name no secret.
var otherKeys = []string{"KEYBOARD", "KEYCLOAK", "KEYMAP", "KEYCHAIN", "KEYRING", "KEYSPACE", "KEYWORD",
	"HOTKEY", "MONKEY", "TURKEY", "DONKEY", "HOCKEY", "WHISKEY", "JOCKEY"}

// secretName reports whether a variable's name promises a secret.
func secretName(name string) bool {
	name = strings.ToUpper(name)
	for _, w := range otherKeys {
		name = strings.ReplaceAll(name, w, "")
	}
	switch {
	case strings.HasSuffix(name, "_FILE"), strings.HasSuffix(name, "_PATH"), strings.HasSuffix(name, "_DIR"),
		strings.HasPrefix(name, "PUBLIC_"), strings.Contains(name, "PUBLIC_KEY"),
		strings.HasSuffix(name, "_SOCK"),
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

// kindName makes a variable's name fit for the replacement, which must stay shorter
// than maxMark.
func kindName(name string) string {
	name = name[:min(len(name), maxMark/2)]
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
}

// String gives s without its secrets.
func (r *Redactor) String(s string) string {
	for {
		spans, _ := r.scan(s)
		if spans = joined(append(spans, r.encodedRuns(s)...)); len(spans) == 0 {
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
	if secretName(a.Key) && a.Value.Kind() == slog.KindString && len(a.Value.String()) >= minValue &&
		!strings.HasPrefix(a.Value.String(), mark) && secretish(a.Value.String(), true) {
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
	last := 0 // nothing before it is looked at again for what only looks like a secret
	known := r.exact.Load()
	var values []span
	known.find.each(s, func(pattern, end int) {
		start := end - known.find.length(pattern)
		if pattern < len(known.values) {
			if known.isAt(s, pattern, start, end) {
				values = append(values, span{start: start, end: end, kind: known.kinds[pattern]})
			}
			return
		}
		l := literals[pattern-len(known.values)]
		if start < last || !foldEqual(s[start:end], l.text, l.fold) {
			return
		}
		if l.text == mark {
			if n := markLength(s[start:]); n > 0 {
				last = start + n
			}
			return
		}
		found, ok := l.match(s, start, end)
		if found.open && open < 0 {
			open = found.start
		}
		if ok && found.start >= last {
			spans = append(spans, found)
			last = found.end
		}
	})
	if len(values) == 0 {
		return spans, open
	}
	return joined(append(values, spans...)), open
}

func foldEqual(got, want string, fold bool) bool {
	return got == want || fold && strings.EqualFold(got, want)
}
