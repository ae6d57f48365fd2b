package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// cutPlaced takes a place of the tree off the name of a test: in front of it,
// behind it, or in brackets.
func cutPlaced(t *tree.Tree, name string) (rest string, at Frame) {
	d, from, to, ok := t.FindPlace(name)
	if head, rest, is := strings.Cut(name, " - "); is && !ok { // "name - file", "file - name"
		switch {
		case t.IsFile(rest):
			return head, at
		case t.IsFile(head):
			return rest, at
		}
	}
	for _, sep := range []string{" [", " (", " in "} { // "name [file]"
		if i := strings.LastIndex(name, sep); i > 2 && !ok && t.IsFile(strings.Trim(name[i+len(sep):], "])")) {
			return name[:i], at
		}
	}
	if !ok {
		return name, at
	}
	at = Frame{File: d.File, Line: d.Line, Column: d.Col}
	before := strings.TrimRight(name[:from], " ([{<#@:-=>→")
	if i := strings.LastIndex(before, " at "); i > 2 && name[from-1] == '(' &&
		!strings.Contains(before[i+4:], " ") {
		before = before[:i] // "name at Test.<anonymous> (file:3:5)"
	}
	for _, w := range []string{" at", " in", " line"} {
		before = strings.TrimSuffix(before, w)
	}
	after := strings.TrimLeft(name[to:], " )]}>:›»-·")
	switch {
	case strings.Trim(before, " 0123456789") == "" && nameLike(after+" "):
		return trimName(after), at
	case len(before) > 2:
		return trimName(before), at
	}
	return name, at
}
