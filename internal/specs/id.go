package specs

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// leadingID matches an ID at the start of a title, such as API-TABLES-001.
var leadingID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]+(?:$|[^A-Za-z0-9_-])`)
})

// maxID bounds an ID made of file and title.
const maxID = 60

// idOf returns the ID at the start of a spec's title, or else a slug of file and title.
func idOf(s Spec) string {
	if id := leadingID().FindString(s.Title); id != "" {
		return strings.TrimRightFunc(id, func(r rune) bool { return !unicode.IsDigit(r) })
	}
	name := path.Base(s.File)
	name = strings.TrimSuffix(name, path.Ext(name))
	title := s.Title
	if title == "" {
		title = s.Test
	}
	return slug(name + " " + title)
}

// slug converts a text to lower-case ASCII words, as many as fit.
func slug(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	words := strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	id := ""
	for _, w := range words {
		if id == "" {
			id = w[:min(len(w), maxID)]
			continue
		}
		if len(id)+1+len(w) > maxID {
			break
		}
		id += "-" + w
	}
	if id == "" {
		return "spec"
	}
	return id
}

// tidyTitle puts a title on one line.
func tidyTitle(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

func lineAt(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte("\n")) }
