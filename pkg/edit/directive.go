package edit

import "strings"

// directive reads DELETE and RENAME lines. The whole line must be one, in
// capitals, so that no sentence can delete a file.
func (p *parser) directive(t string, i int) bool {
	t, _ = cutDecoration(t)
	if s, ok := unquote(t); ok && strings.Contains(s, " ") {
		t = s
	}
	t = strings.TrimPrefix(t, "**")
	word, rest, ok := strings.Cut(t, " ")
	if !ok {
		return false
	}
	word = strings.TrimRight(word, ":*")
	rest = strings.TrimSpace(strings.TrimLeft(rest, "*: "))
	switch word {
	case "DELETE", "REMOVE":
		if f, ok := strings.CutPrefix(rest, "FILE "); ok {
			rest = strings.TrimSpace(f)
		}
		names := operands(rest, word == "DELETE")
		if len(names) == 0 && word == "DELETE" && isToken(rest) {
			p.add(Edit{Kind: Remove, Path: rest, Line: i + 1, Tentative: true, surety: aWord})
			break
		}
		if len(names) == 0 {
			return false
		}
		for _, name := range names {
			p.add(Edit{Kind: Remove, Path: name, Line: i + 1})
		}
	case "RENAME", "MOVE":
		from, to, ok := twoOperands(rest)
		words := !ok && (isToken(from) || isToken(to)) && from != "" && to != ""
		if !ok && !words {
			return false
		}
		p.add(Edit{Kind: Move, From: from, Path: to, Line: i + 1, Tentative: words, surety: aWord})
	default:
		return false
	}
	p.pend = nil
	return true
}

// operand is a path that stands alone. Without back-ticks it has no blanks, and
// nothing that only addresses on the web have. A single word, which is no path
// by its looks, has to be in back-ticks and the caller to allow it.
func operand(t string, word bool) (string, bool) {
	s, quoted := unquote(t)
	s = cleanPath(s)
	if strings.ContainsAny(s, "{}:*`") {
		return "", false
	}
	if looksLikePath(s, quoted) || quoted && word && s != "" && !strings.ContainsAny(s, " \x00") {
		return s, true
	}
	if !isToken(s) {
		s = ""
	}
	return s, false
}

// operands are the paths of a line, of which some name several, or give a reason.
func operands(t string, word bool) []string {
	for _, sep := range []string{" # ", " // ", " - ", " -- ", " – ", " — ", " ("} {
		if a, _, ok := strings.Cut(t, sep); ok {
			t = strings.TrimSpace(a)
		}
	}
	if s, ok := operand(t, word); ok {
		return []string{s}
	}
	var out []string
	for _, w := range strings.FieldsFunc(t, func(r rune) bool { return r == ' ' || r == ',' }) {
		if w == "and" || w == "&" {
			continue
		}
		s, ok := operand(w, false)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

func twoOperands(t string) (from, to string, ok bool) {
	for _, arrow := range []string{" -> ", " => ", " → ", " --> ", " TO ", " to "} {
		a, b, found := strings.Cut(t, arrow)
		if !found {
			continue
		}
		from, ok1 := operand(strings.TrimSpace(a), true)
		to, ok2 := operand(strings.TrimSpace(b), true)
		return from, to, ok1 && ok2
	}
	return "", "", false
}
