// Package product looks in product code for what only serves to please tests: it
// notices that they run, ends their process, changes what they assert with.
package product

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/equality"
	"github.com/booty-cli/booty/internal/guard/internal/source"
	"github.com/booty-cli/booty/internal/lexer"
)

// Sign gives the first sign of such code that a change brings into a file, in words;
// "" where there is none.
func Sign(path string, was, is []byte) string {
	lang := lexer.Of(path)
	if lang == nil {
		return ""
	}
	after, before := source.Read(lang, diff.Split(string(is))), source.Read(lang, diff.Split(string(was)))
	if why := gainsSign(lang, before, after); why != "" {
		return why
	}
	for _, check := range []func(string, *source.Text) (int, string){ends, equality.Always} {
		now, why := check(path, after)
		if now == 0 {
			continue
		}
		if old, _ := check(path, before); now > old {
			return why
		}
	}
	return ""
}

// gainsSign tells the first sign that the lines of after show more often.
func gainsSign(lang *lexer.Language, before, after *source.Text) string {
	come, gone := differing(before.Live, after.Live)
	comeCode, goneCode := differing(before.Code, after.Code)
	for _, sg := range signsOf()(lang.Name) {
		now, first := sg.count(after.Code, comeCode)
		was, _ := sg.count(before.Code, goneCode)
		if sg.text {
			now, first = sg.count(after.Live, come)
			was, _ = sg.count(before.Live, gone)
		}
		if now > was {
			return fmt.Sprintf("The line %q %s.", diff.Shorten(after.Lines[first]), sg.why)
		}
	}
	return ""
}

// count tells how many of the lines at some positions show the sign, and which is
// the first.
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

// differing gives the lines that one text holds more often than the other, by
// their positions in after and in before.
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
