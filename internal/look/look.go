// Package look reads what a model asks for instead of answering with edits: a
// file or some lines of it (SHOW), places that hold a word or a name (FIND), or
// the word of a person (ASK). Text comes in, plain data goes out. It never
// decides what may be shown: the loop does, and the room that knows the files.
package look

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Kind is what an Ask wants.
type Kind string

// The kinds, as they are written.
const (
	Show Kind = "SHOW"
	Find Kind = "FIND"
	Ask  Kind = "ASK"
)

// MaxRequests is how many of them one reply may hold; the others are passed over.
const MaxRequests = 12

// Request is one line of a reply.
type Request struct {
	Kind Kind `json:"kind"`
	// What is all that stands behind the word: for Show the path as it is
	// meant, for Find what is sought, for Ask the question.
	What string `json:"what"`
	// From and To are lines of the file, from 1, both included; 0 is all of it.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// String writes a wish as a reply does.
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

// The answers to a wish, and to a question: Kept is one that came beside other wishes,
// and is put to nobody before the model has seen what those show.
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
	// maxWhat bounds a wish, in bytes: a longer one is no path and no name.
	maxWhat = 300
	// maxQuestion bounds a question, which may go on over several lines.
	maxQuestion = 2000
)

var (
	// wish is a line that asks: bare, as an item of a list, or as code.
	wish = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(?:[-*•>]\\s+|\\d+[.)]\\s+)?[`*_]{0,3}(SHOW|FIND|ASK)[`*_]{0,3}:?[ \t]+(.+)$")
	})
	// span is what may follow a path: lines of the file.
	span = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(.+?)(?::|#L?|\s+\(?(?:lines?|L)\s*)(\d{1,7})(?:\s*(?:-|–|:|to|\.\.)\s*L?(\d{1,7}))?\)?$`)
	})
)

// In returns the wishes of a reply in their order, each once. Whether the reply
// holds edits besides, which makes them prose, is for the caller to know.
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
			w.What = bare(w.What)
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

// shown reads the path and the lines of a SHOW.
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

// bare takes off the signs that models put around names.
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

// question is the rest of the line with those that follow it up to a blank one
// or another wish.
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
