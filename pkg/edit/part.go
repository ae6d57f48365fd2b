package edit

import (
	"regexp"
	"strings"
	"sync"
)

// A path with a range of lines ("x.go:5-7", "x.go (lines 5-7)", "```5:7:x.go")
// heads a quotation, not a file's complete content.

var lineRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)(?::\\d+(?:[-–:]\\d+)?|#L\\d+(?:-L?\\d+)?)(`?:?)$")
})

var linesRemark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i),?\s+\(?(?:around\s+|at\s+)?(?:lines?\s+~?\d+(?:\s*(?:[-–]|to|and)\s*\d+)?|L\d+(?:-L?\d+)?)\)?(:?)$`)
})

var citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+:\d+:(.+)$`) })

// cutLines takes a range of lines off a path line.
func cutLines(t string) (rest string, part bool) {
	if !strings.ContainsAny(t, "0123456789") {
		return t, false
	}
	for _, r := range []*regexp.Regexp{linesRemark(), lineRange()} {
		if at := r.FindStringSubmatchIndex(t); at != nil && at[0] > 0 {
			t, part = t[:at[0]]+t[at[2]:at[3]], true
		}
	}
	return t, part
}

// quotes tells content that stands in the file already: it only explains.
func (n *node) quotes(content string) bool {
	return n != nil && strings.Contains(squeezed(string(n.data)), squeezed(content))
}
