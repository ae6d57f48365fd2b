// Package text has what all parts of distill need to read and write lines. It knows no
// tool.
package text

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Lazy compiles a regular expression when it is first needed.
//
// Inlined, each expression would bring its own copy of the closures.
//
//go:noinline
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// LazyWith is Lazy for an expression in which some words stand for others.
//
//go:noinline
func LazyWith(words func() *strings.Replacer, expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(words().Replace(expr)) })
}

// Groups returns the named groups of the first match, or nil. A name in several
// alternatives has the text of the one that matched.
func Groups(re *regexp.Regexp, s string) map[string]string {
	m := re.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	out := map[string]string{}
	for i, name := range re.SubexpNames() {
		if name != "" && (m[i] != "" || out[name] == "") {
			out[name] = m[i]
		}
	}
	return out
}

// Atoi is strconv.Atoi with 0 for errors.
func Atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// IndentOf counts leading spaces and tabs.
func IndentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// Natural compares numbers by value: test[2] comes before test[10].
func Natural(a, b string) int {
	for a != "" && b != "" {
		da, db := LeadingDigits(a), LeadingDigits(b)
		if da > 0 && db > 0 {
			if na, nb := Atoi(a[:min(da, 9)]), Atoi(b[:min(db, 9)]); na != nb {
				return na - nb
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// HasDigit reports whether s has a digit.
func HasDigit(s string) bool {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			return true
		}
	}
	return false
}

// LeadingDigits counts the digits at the start.
func LeadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// FirstLine returns the text before the first line end.
func FirstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// Place writes file:line:column, as far as known.
func Place(file string, line, col int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return file
	case col == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, col)
}

// Indent prefixes each non-empty line.
func Indent(lines []string, by string) []string {
	out := make([]string, len(lines))
	for i, s := range lines {
		if out[i] = ""; s != "" {
			out[i] = by + s
		}
	}
	return out
}

// TrimBlock removes the common indentation and empty lines at both ends, and merges
// consecutive empty lines.
func TrimBlock(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	common := -1
	for _, s := range lines {
		if strings.TrimSpace(s) == "" {
			continue
		}
		n := len(s) - len(strings.TrimLeft(s, " "))
		if common < 0 || n < common {
			common = n
		}
	}
	out := make([]string, 0, len(lines))
	blank := false
	for _, s := range lines {
		if strings.TrimSpace(s) == "" {
			if !blank {
				out = append(out, "")
			}
			blank = true
			continue
		}
		blank = false
		out = append(out, strings.TrimRight(s[max(common, 0):], " "))
	}
	return out
}

// CutAny is strings.CutPrefix with the first matching prefix.
func CutAny(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if v, ok := strings.CutPrefix(s, p); ok {
			return v, true
		}
	}
	return "", false
}

// Short cuts out the middle of a text longer than n bytes.
func Short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n*2/3, n/3-5
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	from := len(s) - tail
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[:head] + " … " + s[from:]
}
