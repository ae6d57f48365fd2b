// Package stream turns the bytes of an output into streams of clean lines.
// Bytes of any number come in; a bounded number of lines goes out, without
// escape sequences, encodings, time stamps and labels of build services. It
// knows nothing of tests, but for the words by which a line is worth keeping.
package stream

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Line is one line of output, ready to be read: no escape sequences, no
// carriage returns, valid UTF-8, without what a build service put in front.
type Line struct {
	S    string
	No   int64
	Used bool // a reader has made sense of it
	// Guessed is set with Used where the reader does not know the tool.
	Guessed bool
}

// Doc is one stream of lines. Where several programs write at the same time
// behind a prefix each ("web:test: ", "[api] "), each prefix is a stream.
type Doc struct {
	Label string
	Lines []Line
}

// Begins tells whether a line begins with w.
func (d *Doc) Begins(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.HasPrefix(l.S, w) })
}

// Holds tells whether w stands in a line.
func (d *Doc) Holds(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.Contains(l.S, w) })
}

// Normalise turns raw lines into streams. The stream without a prefix comes
// first, the others in the order of their first line.
func Normalise(k *Kept) []*Doc {
	d := &Doc{Lines: make([]Line, 0, len(k.lines))}
	for _, r := range k.lines {
		s := CleanLine(r.text)
		d.Lines = append(d.Lines, Line{S: s, No: r.no})
	}
	d.stripStamps()
	d.outdent()
	docs := d.split()
	for _, x := range docs[1:len(docs):len(docs)] {
		x.stripStamps()
		if inner := x.split(); len(inner) > 1 { // turbo inside docker compose
			*x = *inner[0]
			docs = append(docs, inner[1:]...)
		}
	}
	return docs
}

// outdent takes off a margin that someone put in front of all lines. Runners
// indent by one to three columns themselves, so it goes in steps of four.
func (d *Doc) outdent() {
	margin, lines := -1, 0
	for i := range d.Lines {
		s := d.Lines[i].S
		if s == "" {
			continue
		}
		n := len(s) - len(strings.TrimLeft(s, " "))
		if margin < 0 || n < margin {
			margin = n
		}
		if lines++; margin < 4 {
			return
		}
	}
	if lines < 3 {
		return
	}
	margin -= margin % 4
	for i := range d.Lines {
		if s := d.Lines[i].S; len(s) >= margin {
			d.Lines[i].S = s[margin:]
		}
	}
}

// CleanLine resolves what a terminal would: escapes go, and of a line that was
// redrawn the last state stays.
func CleanLine(b []byte) string {
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.IndexByte(b, 0x9b) >= 0 || bytes.IndexByte(b, '\b') >= 0 {
		b = StripANSI(b)
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = lastDrawn(b)
	}
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	s = strings.TrimPrefix(s, "\uFEFF")
	return strings.TrimRight(s, " \t\r")
}

// lastDrawn gives the last segment between carriage returns that is not blank.
func lastDrawn(b []byte) []byte {
	for len(b) > 0 {
		i := bytes.LastIndexByte(b, '\r')
		if i < 0 {
			return b
		}
		if seg := b[i+1:]; len(bytes.TrimSpace(seg)) > 0 {
			return seg
		}
		b = b[:i]
	}
	return b
}

// StripANSI removes control sequences: CSI (colours, cursor), OSC (titles,
// links) and the two-byte ones. Going back with backspaces is undone as well.
func StripANSI(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '\b':
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case c == 0x1b && i+1 < len(b):
			end := skipEscape(b, i)
			if b[i+1] == '[' && b[end] == 'G' { // the cursor moves within the line
				if col, _ := strconv.Atoi(string(b[i+2 : end])); col <= 2 {
					out = append(out, '\r')
				} else {
					out = append(out, ' ')
				}
			}
			i = end
		case c == 0x1b:
		default:
			out = append(out, c)
		}
	}
	return out
}

// skipEscape gives the index of the last byte of the sequence that begins at i.
func skipEscape(b []byte, i int) int {
	switch b[i+1] {
	case '[':
		for j := i + 2; j < len(b); j++ {
			if b[j] >= 0x40 && b[j] <= 0x7e {
				return j
			}
			if b[j] < 0x20 || b[j] > 0x7e { // not a sequence after all
				return j - 1
			}
		}
		return len(b) - 1
	case ']', 'P', '_', '^':
		for j := i + 2; j < len(b); j++ {
			if b[j] == 7 {
				return j
			}
			if b[j] == 0x1b && j+1 < len(b) && b[j+1] == '\\' {
				return j + 1
			}
		}
		return i + 1
	case '(', ')', '#', '%':
		return min(i+2, len(b)-1)
	}
	return i + 1
}

// split takes a stream apart by the prefixes of tools that run several
// programs side by side. The first doc is what has no prefix.
func (d *Doc) split() []*Doc {
	for _, kind := range []func(string) int{pipePrefix, bracketPrefix, taskPrefix, workspacePrefix} {
		if docs := d.splitBy(kind); docs != nil {
			return docs
		}
	}
	return []*Doc{d}
}

const maxStreams = 64

func (d *Doc) splitBy(length func(string) int) []*Doc {
	labels := d.labels(length)
	have, all := 0, 0
	for _, l := range d.Lines {
		if l.S == "" {
			continue
		}
		all++
		if n := length(l.S); n > 0 && labels[label(l.S, n)] {
			have++
		}
	}
	// A few lines in brackets are no stream, unless there are no others.
	single := have == all && have >= 2 && len(labels) == 1 || have > 0 && d.composed()
	if !single && (have < 4 || have*10 < all*6 || len(labels) > maxStreams || len(labels)*3 > have) {
		return nil
	}
	plain := &Doc{}
	docs := []*Doc{plain}
	byLabel := map[string]*Doc{}
	for _, l := range d.Lines {
		n := length(l.S)
		if n == 0 || !labels[label(l.S, n)] {
			plain.Lines = append(plain.Lines, l)
			continue
		}
		name := label(l.S, n)
		x := byLabel[name]
		if x == nil {
			x = &Doc{Label: name}
			byLabel[name] = x
			docs = append(docs, x)
		}
		l.S = strings.TrimRight(l.S[n:], " ")
		x.Lines = append(x.Lines, l)
	}
	return docs
}

func label(s string, n int) string { return strings.TrimRight(s[:n], " ") }

// labels finds those beginnings of lines that are labels of streams. A heading
// ("Failures:") is none, and neither is a word that begins every line of a log
// ("TEMPERATURE: pot 1 is warm"): what stands behind a label is a stream, with
// lines that are indented or empty.
func (d *Doc) labels(length func(string) int) map[string]bool {
	type use struct {
		lines  int
		stream bool
	}
	uses := map[string]*use{}
	whole := 0 // lines that are not empty
	for _, l := range d.Lines {
		n := length(l.S)
		if l.S != "" {
			whole++
		}
		if n == 0 {
			continue
		}
		name := label(l.S, n)
		u := uses[name]
		if u == nil {
			if len(uses) >= 4*maxStreams {
				continue
			}
			u = &use{}
			uses[name] = u
		}
		u.lines++
		u.stream = u.stream || n >= len(l.S) || l.S[n] == ' ' || l.S[n] == '\t'
	}
	// A colon alone is the weakest sign of a label.
	most := 0
	for _, u := range uses {
		most = max(most, u.lines)
	}
	out := map[string]bool{}
	for name, u := range uses {
		weak := strings.HasSuffix(name, ":") && strings.Count(name, ":") == 1 && !strings.ContainsAny(name, "/ @") && u.lines < whole
		if !weak || u.lines >= min(3, most) && u.stream {
			out[name] = true
		}
	}
	return out
}

// composed tells the output of docker compose, which says what it attaches to.
func (d *Doc) composed() bool {
	for i := range d.Lines[:min(len(d.Lines), 200)] {
		if strings.HasPrefix(d.Lines[i].S, "Attaching to ") {
			return true
		}
	}
	return false
}

// labelLen is the length of a name of a service or package at the start of s.
func labelLen(s string, extra string) int {
	i := 0
	for i < len(s) && i < 80 {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '@' || c == '/' ||
			strings.IndexByte(extra, c) >= 0 {
			i++
			continue
		}
		break
	}
	return i
}

// pipePrefix is that of docker compose: "web-1  | text".
func pipePrefix(s string) int {
	n := labelLen(s, ".")
	if n == 0 {
		return 0
	}
	i := n
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == n || i >= len(s) || s[i] != '|' || OnlyDigits(s[:n]) {
		return 0
	}
	if i+1 < len(s) && s[i+1] != ' ' {
		return 0
	}
	return min(i+2, len(s))
}

// bracketPrefix is that of concurrently and others: "[api] text".
func bracketPrefix(s string) int {
	if len(s) < 3 || s[0] != '[' {
		return 0
	}
	n := labelLen(s[1:], ".: #")
	if n == 0 || 1+n >= len(s) || s[1+n] != ']' {
		return 0
	}
	name := s[1 : 1+n]
	if strings.TrimSpace(name) != name || name == strings.ToUpper(name) && !OnlyDigits(name) || isSeverity(name) {
		return 0 // [INFO], [ERROR]: levels of Maven and others; [ RUN ] of gtest
	}
	if 2+n < len(s) && s[2+n] != ' ' {
		return 0
	}
	return min(3+n, len(s))
}

// taskPrefix is that of turbo and nx: "web:test: text".
func taskPrefix(s string) int {
	n := labelLen(s, "")
	if n == 0 || n+2 >= len(s) || s[n] != ':' {
		return 0
	}
	m := labelLen(s[n+1:], "")
	if m == 0 || s[n+1] >= '0' && s[n+1] <= '9' {
		return 0
	}
	for j := n + 1 + m; j < len(s) && s[j] == ':'; { // "web:test:unit: "
		k := labelLen(s[j+1:], "")
		if k == 0 {
			break
		}
		m += 1 + k
		j += 1 + k
	}
	end := n + 1 + m
	if end >= len(s) || s[end] != ':' || end+1 < len(s) && s[end+1] != ' ' {
		return 0
	}
	return min(end+2, len(s))
}

// workspacePrefix is that of lerna ("pkg: text") and pnpm ("packages/a test: text").
func workspacePrefix(s string) int {
	n := labelLen(s, "")
	if n == 0 || n >= len(s) {
		return 0
	}
	name := s[:n]
	if s[n] == ' ' { // pnpm: folder, script, colon
		m := labelLen(s[n+1:], ":")
		if m == 0 {
			return 0
		}
		script := strings.TrimSuffix(s[n+1:n+1+m], ":")
		end := n + 1 + len(script)
		if end < len(s) && (s[end] == ':' || s[end] == '$') && (end+1 == len(s) || s[end+1] == ' ') && (strings.ContainsAny(name, "/") || slices.Contains([]string{"test", "build", "lint", "check", "typecheck"}, script)) && strings.Count(s[:end], " ") == 1 {
			return min(end+2, len(s))
		}
		return 0
	}
	if s[n] != ':' || n+1 < len(s) && s[n+1] != ' ' || isSeverity(name) || OnlyDigits(name) {
		return 0
	}
	return min(n+2, len(s))
}

func OnlyDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func isSeverity(s string) bool {
	switch strings.ToLower(s) {
	case "error", "errors", "warning", "warn", "info", "note", "fatal", "debug", "help", "fail", "failed", "ok", "trace", "notice", "hint", "make", "panic", "expected", "actual", "got", "want", "received",
		"start", "started", "done", "pass", "passed", "skip", "skipped", "run", "running", "end", "ended", "begin", "success", "good", "bad", "broken", "test", "case":
		return true
	}
	return false
}
