// Package look reads what a model asks for instead of answering with edits: a file or some
// of its lines (SHOW), places with a word or name (FIND), or an answer from a person (ASK).
// Text comes in, plain data goes out. It never decides what may be shown.
package look

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Kind is the kind of a request.
type Kind string

// The kinds, as written in a reply.
const (
	Show Kind = "SHOW"
	Find Kind = "FIND"
	Ask  Kind = "ASK"
)

// MaxRequests is how many requests one reply may hold; the others are ignored.
const MaxRequests = 12

// Request is one line of a reply.
type Request struct {
	Kind Kind `json:"kind"`
	// What is the text after the keyword: the path of a Show, the words of a Find or its text
	// in double quotes, the question of an Ask.
	What string `json:"what"`
	// From and To are lines of the file, from 1, inclusive; 0 means all of it.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// String returns a request as a reply writes it.
func (w Request) String() string {
	s := string(w.Kind) + " " + w.What
	switch {
	case w.From > 0 && w.To > w.From:
		s += ":" + strconv.Itoa(w.From) + "-" + strconv.Itoa(w.To)
	case w.From > 0:
		s += ":" + strconv.Itoa(w.From)
	}
	return s
}

// The answers to a request. Kept is the answer to a question that came along with other
// requests: the model first sees what those show.
const (
	Shown    = "shown"
	NotFound = "not_found"
	Refused  = "refused"
	TooLarge = "too_large"
	Answered = "answered"
	Asked    = "asked"
	Kept     = "kept"
)

const (
	// maxWhat bounds a request, in bytes: anything longer is not a path or name.
	maxWhat = 300
	// maxQuestion bounds a question, which may span several lines.
	maxQuestion = 2000
)

var (
	// wish matches a line with a request: plain, as a list item, or as code.
	wish = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(?:[-*•>]\\s+|\\d+[.)]\\s+)?[`*_]{0,3}(SHOW|FIND|ASK)[`*_]{0,3}:?[ \t]+(.+)$")
	})
	// severalQuoted matches what lies between two quoted texts.
	severalQuoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["'](?:\s|,|\s+(?:and|or)\s+)+["']`) })
	// span matches what may follow a path: a range of lines.
	span = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(.+?)(?::|#L?|\s+\(?(?:lines?|L)\s*)(\d{1,7})(?:\s*(?:-|–|:|to|\.\.)\s*L?(\d{1,7}))?\)?$`)
	})
)

// In returns the requests of a reply in order, without duplicates. If the reply also holds
// edits, the caller treats them as prose.
func In(reply string) []Request {
	var out []Request
	seen := map[Request]bool{}
	lines := strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n")
	for i, line := range lines {
		m := wish().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		w := Request{Kind: Kind(m[1]), What: strings.TrimSpace(m[2])}
		switch w.Kind {
		case Show:
			w = shown(w)
		case Find:
			w.What = sought(w.What)
		case Ask:
			w.What = question(w.What, lines[i+1:])
		}
		if w.What == "" || w.Kind != Ask && len(w.What) > maxWhat || seen[w] {
			continue
		}
		if seen[w] = true; len(out) < MaxRequests {
			out = append(out, w)
		}
	}
	return out
}

// shown parses the path and lines of a SHOW.
func shown(w Request) Request {
	w.What = bare(w.What)
	if m := span().FindStringSubmatch(w.What); m != nil {
		w.What = bare(m[1])
		w.From, _ = strconv.Atoi(m[2])
		w.To, _ = strconv.Atoi(m[3])
		w.To = max(w.To, w.From)
		if w.From == 0 {
			w.To = 0
		}
	}
	w.What = strings.TrimPrefix(w.What, "./")
	return w
}

// sought is the search text of a FIND. One in quotes is meant literally and keeps them.
func sought(s string) string {
	s = strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "`*"))
	for _, quote := range []string{`"`, "'"} {
		text, ok := strings.CutPrefix(strings.TrimRight(s, ",;. "), quote)
		text, closed := strings.CutSuffix(text, quote)
		switch {
		case !ok || !closed || strings.TrimSpace(text) == "":
		case severalQuoted().MatchString(text):
			return strings.Join(strings.Fields(severalQuoted().ReplaceAllString(text, " ")), " ")
		default:
			return `"` + text + `"`
		}
	}
	return bare(s)
}

// Literal returns the text that a FIND wants exactly as it is; false where it gives words.
func (w Request) Literal() (string, bool) {
	text, ok := strings.CutPrefix(w.What, `"`)
	text, closed := strings.CutSuffix(text, `"`)
	return text, w.Kind == Find && ok && closed
}

// bare removes the quotes that models put around names.
func bare(s string) string {
	s = strings.TrimSpace(s)
	for {
		t := strings.TrimSpace(strings.Trim(s, "`\"*'"))
		if len(t) > 1 && (strings.HasSuffix(t, ",") || strings.HasSuffix(t, ";")) {
			t = t[:len(t)-1]
		}
		if t == s {
			return s
		}
		s = t
	}
}

// question returns the rest of the line and the following ones, up to an empty line or
// another request.
func question(first string, rest []string) string {
	text := strings.TrimRight(first, "`* ")
	for _, line := range rest {
		line = strings.TrimSpace(line)
		if line == "" || wish().MatchString(line) || strings.HasPrefix(line, "```") {
			break
		}
		text += "\n" + line
	}
	if len(text) > maxQuestion {
		text = strings.ToValidUTF8(text[:maxQuestion], "") + "…"
	}
	return text
}
