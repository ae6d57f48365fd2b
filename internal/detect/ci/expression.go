package ci

import (
	"strconv"
	"strings"
)

// unknown stands in a text for what is not known here.
const unknown = "\x00"

// scope gives the values of names like matrix.os; ok is false for one that
// cannot be known here.
type scope func(name string) (text string, ok bool)

// expand puts values in place of ${{ expressions }}.
func expand(text string, s scope) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return b.String()
		}
		if v, ok := evaluate(inner, s); ok {
			b.WriteString(v)
		} else {
			b.WriteString(unknown)
		}
		text = after
	}
}

// holds says whether a condition may be true: only what is known to be false
// is not.
func holds(condition string, s scope) bool {
	condition = strings.TrimSpace(condition)
	if condition == "" {
		return true
	}
	if rest, ok := strings.CutPrefix(condition, "${{"); ok {
		condition = strings.TrimSuffix(strings.TrimSpace(rest), "}}")
	}
	v, ok := evaluate(condition, s)
	return !ok || truthy(v)
}

func truthy(s string) bool { return s != "" && s != "false" && s != "0" }

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// evaluate reads an expression of GitHub's language; what it does not know is
// unknown, and so is what follows from it.
func evaluate(text string, s scope) (string, bool) {
	e := expression{tokens: tokens(text), scope: s}
	v, ok := e.or(0)
	return v, ok && e.at == len(e.tokens)
}

type expression struct {
	tokens []string
	at     int
	scope  scope
}

const maxNesting = 40

func (e *expression) next(token string) bool {
	if e.at < len(e.tokens) && e.tokens[e.at] == token {
		e.at++
		return true
	}
	return false
}

func (e *expression) or(depth int) (string, bool) {
	v, ok := e.and(depth)
	for e.next("||") {
		w, wok := e.and(depth)
		if ok && !truthy(v) {
			v, ok = w, wok
		}
	}
	return v, ok
}

func (e *expression) and(depth int) (string, bool) {
	v, ok := e.equal(depth)
	for e.next("&&") {
		w, wok := e.equal(depth)
		switch {
		case ok && truthy(v):
			v, ok = w, wok
		case !ok && wok && !truthy(w):
			v, ok = w, true // false, whatever the other is
		}
	}
	return v, ok
}

func (e *expression) equal(depth int) (string, bool) {
	v, ok := e.operand(depth)
	for e.at < len(e.tokens) {
		op := e.tokens[e.at]
		if op != "==" && op != "!=" && op != "<" && op != ">" && op != "<=" && op != ">=" {
			break
		}
		e.at++
		w, wok := e.operand(depth)
		ok = ok && wok
		if ok {
			v = truth(compare(op, v, w))
		}
	}
	return v, ok
}

// compare is without regard to case, as GitHub's is; numbers are numbers.
func compare(op, a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	numbers := errX == nil && errY == nil
	switch op {
	case "==":
		return strings.EqualFold(a, b)
	case "!=":
		return !strings.EqualFold(a, b)
	case "<":
		return numbers && x < y
	case ">":
		return numbers && x > y
	case "<=":
		return numbers && x <= y
	}
	return numbers && x >= y
}

func (e *expression) operand(depth int) (string, bool) {
	if e.at >= len(e.tokens) || depth > maxNesting {
		e.at = len(e.tokens) + 1
		return "", false
	}
	token := e.tokens[e.at]
	e.at++
	switch {
	case token == "!":
		v, ok := e.operand(depth + 1)
		return truth(!truthy(v)), ok
	case token == "(":
		v, ok := e.or(depth + 1)
		if !e.next(")") {
			ok = false
		}
		return v, ok
	case token[0] == '\'':
		return strings.ReplaceAll(strings.Trim(token, "'"), "''", "'"), true
	case token == "true" || token == "false" || token[0] >= '0' && token[0] <= '9':
		return token, true
	}
	if e.next("(") {
		return e.call(token, depth)
	}
	return e.scope(token)
}

func (e *expression) call(name string, depth int) (string, bool) {
	var args []string
	known := true
	for !e.next(")") {
		if e.at >= len(e.tokens) {
			return "", false
		}
		v, ok := e.or(depth + 1)
		known = known && ok
		args = append(args, v)
		e.next(",")
	}
	switch strings.ToLower(name) {
	case "always", "success":
		return "true", true
	case "failure", "cancelled":
		return "false", true
	}
	if !known || len(args) == 0 {
		return "", false
	}
	return apply(strings.ToLower(name), args)
}

func apply(name string, args []string) (string, bool) {
	switch {
	case name == "format":
		for i, a := range args[1:] {
			args[0] = strings.ReplaceAll(args[0], "{"+strconv.Itoa(i)+"}", a)
		}
		return args[0], true
	case len(args) != 2:
		return "", false
	}
	whole, part := strings.ToLower(args[0]), strings.ToLower(args[1])
	switch name {
	case "contains":
		return truth(strings.Contains(whole, part)), true
	case "startswith":
		return truth(strings.HasPrefix(whole, part)), true
	case "endswith":
		return truth(strings.HasSuffix(whole, part)), true
	}
	return "", false
}

// tokens cuts an expression up: names with their dots and indexes, 'texts',
// operators.
func tokens(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			i++
			continue
		case c == '\'':
			for n = 1; i+n < len(s); n++ {
				if s[i+n] != '\'' {
					continue
				}
				if i+n+1 >= len(s) || s[i+n+1] != '\'' {
					break
				}
				n++
			}
			n = min(n+1, len(s)-i)
		case nameByte(c):
			for i+n < len(s) && (nameByte(s[i+n]) || s[i+n] == '[' || s[i+n] == ']' || s[i+n] == '*') {
				n++
			}
		case i+1 < len(s) && (s[i:i+2] == "&&" || s[i:i+2] == "||" || s[i+1] == '=' && strings.IndexByte("=!<>", c) >= 0):
			n = 2
		}
		out = append(out, s[i:i+n])
		i += n
	}
	return out
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}
