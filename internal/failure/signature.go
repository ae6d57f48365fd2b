package failure

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Signature tells a failure from the same test failing otherwise: who failed, and
// the message without what differs from run to run.
type Signature struct {
	ID
	// Words are the pieces of the normalized message. An empty piece stands for one
	// that differed between two runs of the same code.
	Words []string `json:"words,omitempty"`
	// Any says that two runs of the same code told it in different words altogether.
	Any bool `json:"any,omitempty"`
}

// SignatureOf gives the signature of a failing test.
func SignatureOf(f Failure) Signature {
	said := f.Message
	if f.Expected != "" || f.Actual != "" {
		said += "\nexpected " + f.Expected + "\nactual " + f.Actual
	}
	return Signature{ID: f.ID(), Words: pieces(Normalize(said))}
}

// Known reports whether a failure is one of those that known tells.
func (s Signature) Known(known []Signature) bool {
	return slices.ContainsFunc(known, s.fits)
}

// Steady reports whether two runs of the same code told it alike, word for word.
func (s Signature) Steady() bool { return !s.Any && !slices.Contains(s.Words, "") }

// fits reports whether s is what known tells, but for the pieces that vary.
func (s Signature) fits(known Signature) bool {
	if !s.Same(known.ID) {
		return false
	}
	return known.Any || slices.EqualFunc(s.Words, known.Words,
		func(now, was string) bool { return was == "" || now == was })
}

// Signatures gives those of the failing tests of two runs of the same code: what
// differs between them is left out. again may be empty.
func Signatures(failures, again []Failure) []Signature {
	second := make([]Signature, len(again))
	for i, f := range again {
		second[i] = SignatureOf(f)
	}
	var out []Signature
	for _, f := range failures {
		if f.Test == "" {
			continue
		}
		s := SignatureOf(f)
		if i := slices.IndexFunc(second, func(o Signature) bool { return s.Same(o.ID) }); i >= 0 {
			s = s.common(second[i])
			second = slices.Delete(second, i, i+1) // the next message of the test is another's
		}
		out = append(out, s)
	}
	return out
}

// common leaves out of a signature what another run of the same code told otherwise.
func (s Signature) common(other Signature) Signature {
	if len(s.Words) != len(other.Words) {
		s.Words, s.Any = nil, true
		return s
	}
	s.Words = slices.Clone(s.Words)
	for i := range s.Words {
		if s.Words[i] != other.Words[i] {
			s.Words[i] = ""
		}
	}
	return s
}

// Normalize takes out of a message what differs from run to run whatever the code
// does: addresses, times and dates, durations, temporary paths, process numbers,
// and the lines of a file, which move with any edit above them.
func Normalize(message string) string {
	for _, v := range variable() {
		message = v.pattern.ReplaceAllString(message, v.with)
	}
	return strings.Join(strings.Fields(message), " ")
}

type replacement struct {
	pattern *regexp.Regexp
	with    string
}

var variable = sync.OnceValue(func() []replacement {
	var list []replacement
	for _, row := range [][2]string{
		{`\x1b\[[0-9;]*m`, ""},
		{`\b0[xX][0-9a-fA-F]+\b`, "<address>"},
		{`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`, "<uuid>"},
		{`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?\b`, "<time>"},
		{`\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b`, "<time>"},
		{`(?:[A-Za-z]:)?[\\/](?:(?:private[\\/])?(?:var[\\/]folders|tmp|var[\\/]tmp)|Users[\\/][^\\/\s]+[\\/]AppData[\\/]Local[\\/]Temp)[\\/][^\s"'` + "`" + `,;:)\]}>]+`, "<temporary>"},
		{`\b\d+(?:\.\d+)?\s?(?:ns|[µμu]s|ms|secs?|seconds?|milliseconds?|minutes?)\b`, "<duration>"},
		{`\b\d+(?:\.\d+)?s\b`, "<duration>"},
		{`(?i)\b(pid|process|thread|goroutine|worker)([ =:#]+)\d+\b`, "$1$2<number>"},
		{`(\.[A-Za-z][A-Za-z0-9]{0,4}):\d+(?::\d+)?\b`, "$1:<line>"},
		{`(?i)\b(line|lines)\s+\d+\b`, "$1 <line>"},
		{`(localhost|127\.0\.0\.1|\[::1\]):\d+`, "$1:<port>"},
	} {
		list = append(list, replacement{regexp.MustCompile(row[0]), row[1]})
	}
	return list
})

// pieces parts a text into numbers, words and what stands between them.
func pieces(s string) []string {
	return piece().FindAllString(s, -1)
}

var piece = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d+(?:\.\d+)?|<?\pL[\pL\d_]*>?|\s+|[^\pL\d\s]`)
})
