package edit

import "strings"

// directive reads DELETE and RENAME lines.
func directive(t text, i int, c context) *found {
	e, ok := directed(t.trimmed(i), c)
	if !ok {
		return nil
	}
	f := c.begin()
	f.next, f.titled = i+1, false
	e.Line = t.number(i)
	f.edit(e)
	return f
}

// directed returns the edit that a line demands. The whole line must do so, in capitals, so
// that no sentence can delete a file.
func directed(t string, c context) (e Edit, ok bool) {
	t, _ = undecorated(t)
	t = strings.ReplaceAll(t, "**", "")
	if s, ok := unquote(t); ok && strings.Contains(s, " ") {
		t = s
	}
	word, rest, _ := strings.Cut(t, " ")
	switch strings.TrimRight(word, ":") {
	case "DELETE", "REMOVE":
		rest, reason := cutReason(strings.TrimPrefix(rest, "FILE "))
		if name, ok := operand(rest, word[0] == 'D', c); ok &&
			(reason == "" || c.isFile(name) && len(pathsIn(reason)) == 0) {
			return Edit{Op: Delete, Path: name}, true
		}
	case "RENAME", "MOVE":
		a, b, _ := strings.Cut(arrow().ReplaceAllString(rest, "\x00"), "\x00")
		from, ok := operand(a, true, c)
		if to, sure := operand(b, true, c); ok && (sure || isToken(to)) {
			return Edit{Op: Rename, From: from, Path: to}, true
		}
	}
	return e, false
}

var arrow = pattern(` (?:-+>|=>|→|TO|to) `)

// operand returns a path that stands alone. A single word, or a name with spaces, counts if
// such a file exists, or in backticks.
func operand(t string, word bool, c context) (string, bool) {
	s, quoted := unquote(strings.TrimSpace(t))
	s = cleanPath(s)
	switch {
	case strings.ContainsAny(s, "{}:*`"):
		return "", false
	case looksLikePath(s, quoted), quoted && word && s != "" && !strings.ContainsAny(s, " \x00"):
		return s, true
	case !isToken(s) && !looksLikePath(s, true):
		return "", false
	}
	return s, c.isFile(s)
}
