package stream

import (
	"slices"
	"strings"
)

// split splits a stream by the prefixes of tools that run several programs at once. The
// first stream has no prefix.
func (d *Stream) split() []*Stream {
	for _, kind := range []func(string) int{pipePrefix, bracketPrefix, taskPrefix, workspacePrefix} {
		if streams := d.splitBy(kind); streams != nil {
			return streams
		}
	}
	return []*Stream{d}
}

func (d *Stream) splitBy(length func(string) int) []*Stream {
	labels, have, all := d.labels(length)
	// A few lines in brackets are not a stream, unless there are no others.
	single := have == all && have >= 2 && len(labels) == 1
	if !single && (have < 4 || have*10 < all*6 || len(labels) > maxStreams || len(labels)*3 > have) {
		return nil
	}
	plain := &Stream{}
	streams := []*Stream{plain}
	byLabel := map[string]*Stream{}
	for _, l := range d.Lines {
		n := length(l.S)
		if n == 0 || !labels[label(l.S, n)] {
			plain.Lines = append(plain.Lines, l)
			continue
		}
		name := label(l.S, n)
		x := byLabel[name]
		if x == nil {
			x = &Stream{Label: name}
			byLabel[name] = x
			streams = append(streams, x)
		}
		l.S = strings.TrimRight(l.S[n:], " ")
		x.Lines = append(x.Lines, l)
	}
	return streams
}

func label(s string, n int) string { return strings.TrimRight(s[:n], " ") }

// labels finds the line beginnings that are labels of streams. A heading ("Failures:") is
// not one, nor is a word that begins every line of a log ("TEMPERATURE: pot 1 is warm"):
// after a label comes a stream, with lines that are indented or empty. It also returns how many lines
// have a label, of those that are not empty.
func (d *Stream) labels(length func(string) int) (found map[string]bool, have, whole int) {
	type use struct {
		lines  int
		stream bool
	}
	uses := map[string]*use{}
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
	found = map[string]bool{}
	for name, u := range uses {
		weak := strings.HasSuffix(name, ":") && strings.Count(name, ":") == 1 &&
			!strings.ContainsAny(name, "/ @") && u.lines < whole
		if !weak || u.lines >= min(3, most) && u.stream {
			found[name] = true
			have += u.lines
		}
	}
	return found, have, whole
}

// labelLen is the length of a name of a service or package at the start of s.
func labelLen(s string, extra string) int {
	n := 0
	for n < min(len(s), 80) &&
		(s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= '0' && s[n] <= '9' ||
			strings.IndexByte("_-@/", s[n]) >= 0 || strings.IndexByte(extra, s[n]) >= 0) {
		n++
	}
	return n
}

// pipePrefix is the prefix of docker compose: "web-1  | text".
func pipePrefix(s string) int {
	n := labelLen(s, ".")
	if n == 0 {
		return 0
	}
	i := len(s) - len(strings.TrimLeft(s[n:], " "))
	if i == n || i >= len(s) || s[i] != '|' || OnlyDigits(s[:n]) {
		return 0
	}
	if i+1 < len(s) && s[i+1] != ' ' {
		return 0
	}
	return min(i+2, len(s))
}

// bracketPrefix is the prefix of concurrently and others: "[api] text".
func bracketPrefix(s string) int {
	if len(s) < 3 || s[0] != '[' {
		return 0
	}
	n := labelLen(s[1:], ".: #")
	if n == 0 || 1+n >= len(s) || s[1+n] != ']' {
		return 0
	}
	name := s[1 : 1+n]
	if strings.TrimSpace(name) != name || name == strings.ToUpper(name) && !OnlyDigits(name) ||
		isSeverity(name) {
		return 0 // [INFO], [ERROR]: levels of Maven and others; [ RUN ] of gtest
	}
	if 2+n < len(s) && s[2+n] != ' ' {
		return 0
	}
	return min(3+n, len(s))
}

// taskPrefix is the prefix of turbo and nx: "web:test: text".
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

// workspacePrefix is the prefix of lerna ("pkg: text") and pnpm ("packages/a test: text").
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
		if end < len(s) && (s[end] == ':' || s[end] == '$') && (end+1 == len(s) || s[end+1] == ' ') &&
			(strings.ContainsAny(name, "/") ||
				slices.Contains([]string{"test", "build", "lint", "check", "typecheck"}, script)) &&
			strings.Count(s[:end], " ") == 1 {
			return min(end+2, len(s))
		}
		return 0
	}
	if s[n] != ':' || n+1 < len(s) && s[n+1] != ' ' || isSeverity(name) || OnlyDigits(name) {
		return 0
	}
	return min(n+2, len(s))
}

func isSeverity(s string) bool {
	switch strings.ToLower(s) {
	case "error", "errors", "warning", "warn", "info", "note", "fatal", "debug", "help", "fail", "failed",
		"ok", "trace", "notice", "hint", "make", "panic", "expected", "actual", "got", "want", "received",
		"start", "started", "done", "pass", "passed", "skip", "skipped", "run", "running", "end", "ended",
		"begin", "success", "good", "bad", "broken", "test", "case":
		return true
	}
	return false
}
