package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

var reQualify = text.Lazy(`^(.+?) ?\(([A-Za-z_][\w$]*(?:\.[\w$<>]+)*)\)((?: [(\[][^()]*[)\]])?)$`)

// Qualified brings "name (mod.Class)" into a uniform order.
func Qualified(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, " › ", " > "), " ... ", " > ")
	if !strings.Contains(s, "(") {
		return s
	}
	m := reQualify().FindStringSubmatch(s)
	if m == nil || !strings.Contains(m[2], ".") && m[2] == strings.ToLower(m[2]) {
		return s
	}
	if strings.HasSuffix(m[2], "."+m[1]) || m[2] == m[1] {
		return strings.TrimPrefix(m[2], "unittest.loader._FailedTest.") + m[3]
	}
	return m[2] + "." + m[1] + m[3]
}

// cutPlaced removes a place from the name of a test: before it, after it, or in brackets.
func cutPlaced(t *tree.Tree, name string) (rest string, at Frame) {
	d, from, to, ok := t.FindPlace(name)
	if !ok {
		i := max(strings.LastIndex(name, " ["), strings.LastIndex(name, " ("))
		if i > 2 && t.IsFile(strings.Trim(name[i+2:], "])")) {
			name = name[:i]
		}
		return name, at
	}
	at = Frame{File: d.File, Line: d.Line, Column: d.Col}
	before := strings.TrimRight(name[:from], " ([{<#@:-=>→")
	for _, w := range []string{" at", " in", " line", " failed"} {
		before = strings.TrimSuffix(before, w)
	}
	after := strings.TrimLeft(name[to:], " )]}>:›»-·")
	if len(before) < 3 {
		before = after
	}
	return trimName(before), at
}

var rePlaceOnly = text.Lazy(`^(?:-> |→ |at |in |--- |` +
	`@ )?\[?"?(?:[A-Za-z]:)?[^\s:()"]+\.\w{1,12}"?(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)| @ \d+|, line \d+|` +
	`" line \d+)\]?:?$|^unknown (?:file|location)`)

// placeOnly reports whether a text is a place and nothing else.
func placeOnly(s string) bool {
	return strings.ContainsAny(s, ":(@,") && strings.Count(s, " ") < 4 && rePlaceOnly().MatchString(s)
}

// named reports whether a text can be a test name in a place where one is certain.
func named(s string) bool {
	if s == "" || len(s) > 240 || strings.ContainsAny(s[:1], ">$<{}(") || strings.Contains(s, "://") ||
		placeOnly(s) {
		return false
	}
	if n := len(countsIn(s)); n > 1 || n > 0 && strings.ContainsAny(s[:1], "0123456789") {
		return false // "2 failed, 1 skipped"
	}
	return strings.ContainsFunc(s,
		func(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 0xbf })
}

// nameLike reports whether the text next to a word can be a test name: no sentence, and
// more than words of headings ("TEST RUN").
func nameLike(s string) bool {
	return named(s) && len(s) > 1 && !(strings.HasSuffix(s, ".") && strings.Count(s, " ") > 3) &&
		slices.ContainsFunc(strings.Fields(strings.ToLower(s)), func(w string) bool {
			_, known := sectionWords()[strings.Trim(w, ":()!")]
			return !known
		})
}
