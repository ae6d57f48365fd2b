// Package placeholder reads short texts of the user's with places to be filled
// in, such as the name of a branch or a command: "booty/issue-{{.Number}}".
//
// A place is a name between two pairs of braces; the dot and spaces around the
// name may be left out. That is the whole language: there are no conditions,
// functions or calls, and what is filled in is never read again. A name that is
// not known and a {{ that begins no place are errors, so that a slip is seen
// when the settings are read and not when a branch is made.
//
// The package says what stands where; how a value is made to fit there (a
// shell's quotes, git's rules for names) is for the caller to know. It stands
// in for text/template, which through reflection keeps every method of every
// type in the program.
package placeholder

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Part is a piece of a text: a place with its name, or literal text.
type Part struct {
	Name string // of the place; "" for literal text
	Text string // as it stands in the source
}

var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{\s*\.?([A-Za-z]+)\s*\}\}`) })

// Parse splits a text into its parts, in order; all their Texts joined are the
// text again. The names are those that may stand in it.
func Parse(text string, names ...string) ([]Part, error) {
	var parts []Part
	for rest := text; rest != ""; {
		at := place().FindStringSubmatchIndex(rest)
		literal := rest
		if at != nil {
			literal = rest[:at[0]]
		}
		if strings.Contains(literal, "{{") {
			return nil, fmt.Errorf("a {{ is not closed, or not one of %s", List(names...))
		}
		if literal != "" {
			parts = append(parts, Part{Text: literal})
		}
		if at == nil {
			break
		}
		p := Part{Name: rest[at[2]:at[3]], Text: rest[at[0]:at[1]]}
		if !slices.Contains(names, p.Name) {
			return nil, fmt.Errorf("%s is unknown; there are %s", p.Text, List(names...))
		}
		parts = append(parts, p)
		rest = rest[at[1]:]
	}
	return parts, nil
}

// Uses reports whether a text that was parsed has a place, of that name if one is given.
func Uses(parts []Part, name string) bool {
	for _, p := range parts {
		if p.Name != "" && (name == "" || p.Name == name) {
			return true
		}
	}
	return false
}

// Fill puts the values in their places. A name without a value gives nothing.
func Fill(parts []Part, values map[string]string) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Name == "" {
			b.WriteString(p.Text)
			continue
		}
		b.WriteString(values[p.Name])
	}
	return b.String()
}

// List names places for a reader: "{{.A}}, {{.B}} and {{.C}}".
func List(names ...string) string {
	var b strings.Builder
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString("{{." + n + "}}")
	}
	return b.String()
}
