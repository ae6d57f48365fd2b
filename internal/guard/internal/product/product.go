// Package product looks for product code that only serves to please tests: it detects that
// they run, ends their process, or changes their assertions.
package product

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/lexer"
)

// Sign returns the first sign of such code that a change adds to a file, in words, or "".
func Sign(path string, was, is []byte) string {
	lang := lexer.Of(path)
	if lang == nil {
		return ""
	}
	after, before := read(lang, is), read(lang, was)
	if why := gainsSign(lang, before, after); why != "" {
		return why
	}
	for _, check := range []func(*text) (int, string){ends, blind} {
		now, why := check(after)
		if now == 0 {
			continue
		}
		if old, _ := check(before); now > old {
			return why
		}
	}
	return ""
}

// text is a source file by lines: raw, without comments and strings, and without comments.
type text struct {
	lang              *lexer.Language
	lines, code, live []string
}

func read(lang *lexer.Language, file []byte) *text {
	s := lexer.Lex(lang, string(file))
	return &text{lang, diff.Split(string(file)), diff.Split(s.Code()), diff.Split(s.Live())}
}

func quoted(line string) string { return fmt.Sprintf("%q", diff.Shorten(line)) }

// gainsSign returns the first sign that after has more often.
func gainsSign(lang *lexer.Language, before, after *text) string {
	come, gone := differing(before.live, after.live)
	comeCode, goneCode := differing(before.code, after.code)
	for _, sg := range signsOf()(lang.Name) {
		now, first := sg.count(after.code, comeCode)
		was, _ := sg.count(before.code, goneCode)
		if sg.text {
			now, first = sg.count(after.live, come)
			was, _ = sg.count(before.live, gone)
		}
		if now > was {
			return "The line " + quoted(after.lines[first]) + " " + sg.why + "."
		}
	}
	return ""
}

// count counts the lines at some positions that match the sign, and returns the first.
func (s compiledSign) count(lines []string, at []int) (n, first int) {
	first = -1
	for _, i := range at {
		if s.regexp.MatchString(strings.TrimRight(lines[i], "\r\n")) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	return n, first
}

// differing returns the lines that one text has more often than the other, by their
// positions in after and before.
func differing(before, after []string) (come, gone []int) {
	count := make(map[string]int, len(before))
	for _, line := range before {
		count[line]++
	}
	for i, line := range after {
		if count[line]--; count[line] < 0 {
			come = append(come, i)
		}
	}
	clear(count)
	for _, line := range after {
		count[line]++
	}
	for i, line := range before {
		if count[line]--; count[line] < 0 {
			gone = append(gone, i)
		}
	}
	return come, gone
}
