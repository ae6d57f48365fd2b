package challenge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// line forms of a reply.
var (
	testLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^[ \t>*+-]*[`*_]*TEST[`*_]*:?[ \t]+(.+?)[ \t]*:[ \t]*[`*_]*[\"“](.+?)[\"”]?[`*_ \t]*$")
	})
	noneLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[`*_]*NONE[`*_]*:[ \t]*(.+)$") })
	fence    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[ \t]{0,3}(```+|~~~+)[ \t]*([^`]*)$") })
	// edits are the marks of a reply that edits files instead.
	edits = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(<{7} SEARCH|\*{3} (Begin Patch|Update File|Add File|Delete File)|DELETE \S+|RENAME \S+ -> \S+|(---|\+\+\+) [ab]/\S+)`)
	})
)

// Parse reads a reply; path is where its tests go. The problems are for the model: with one
// the reply is of no use.
func Parse(reply, path string) (s Suite, problems []string) {
	blocks, rest := fences(reply)
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		if m := testLine().FindStringSubmatch(line); m != nil {
			t := Test{Name: strings.Trim(m[1], "`*_ \t\"'()"), Quote: strings.TrimSpace(m[2])}
			if t.Name != "" && t.Quote != "" && !slices.ContainsFunc(s.Tests, func(o Test) bool { return o.Name == t.Name }) && len(s.Tests) < MaxTests {
				s.Tests = append(s.Tests, t)
			}
		}
		if m := noneLine().FindStringSubmatch(strings.TrimSpace(line)); m != nil && len(blocks) == 0 {
			s.None = strings.TrimSpace(m[1])
		}
	}
	if s.None != "" && len(s.Tests) == 0 {
		return s, nil
	}
	s.None = ""
	switch {
	case len(blocks) == 0:
		return s, []string{"there is no file in a fence"}
	case len(blocks) > 1:
		return s, []string{"there are several fences: give one file"}
	}
	b := blocks[0]
	s.Text = b.text
	if other := otherPath(b.above, path); other != "" {
		problems = append(problems, fmt.Sprintf("%s cannot be written: your tests go into %s", other, path))
	}
	if edits().MatchString(rest) || edits().MatchString(b.text) {
		problems = append(problems, "it edits files: give the tests alone, as one new file")
	}
	if !b.closed {
		problems = append(problems, "the fence is not closed")
	}
	if len(s.Tests) == 0 {
		problems = append(problems, `no line names a test: TEST name: "sentence"`)
	}
	for _, t := range s.Tests {
		if !strings.Contains(s.Text, t.Name) {
			problems = append(problems, fmt.Sprintf("the file has no test %s", t.Name))
		}
	}
	return s, problems
}

// block is the text of a fence.
type block struct {
	// above is the last line before it that is not blank.
	above, text string
	closed      bool
}

// fences takes the fences out of a reply.
func fences(reply string) (blocks []block, rest string) {
	var out, in strings.Builder
	mark, above := "", ""
	for line := range strings.Lines(reply) {
		m := fence().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case mark == "" && m != nil:
			mark = m[1]
			in.Reset()
		case mark == "":
			out.WriteString(line)
			if strings.TrimSpace(line) != "" {
				above = strings.TrimSpace(line)
			}
		case m != nil && strings.HasPrefix(m[1], mark) && strings.TrimSpace(m[2]) == "":
			blocks = append(blocks, block{above, in.String(), true})
			mark, above = "", ""
		default:
			in.WriteString(line)
		}
	}
	if mark != "" {
		blocks = append(blocks, block{above: above, text: in.String()})
	}
	return slices.DeleteFunc(blocks, func(b block) bool { return strings.TrimSpace(b.text) == "" }), out.String()
}

// otherPath is the path that a line above a fence names, where that is not the file of the
// tests; "" where it is, or the line is none.
func otherPath(above, path string) string {
	if testLine().MatchString(above) {
		return ""
	}
	name := strings.Trim(strings.TrimPrefix(strings.TrimSpace(above), "File:"), "`*_# \t:")
	if strings.ContainsAny(name, " \t") || !strings.ContainsAny(name, "/.\\") ||
		strings.HasSuffix(name, ".") {
		return ""
	}
	if name == path || strings.HasSuffix(path, "/"+name) {
		return ""
	}
	return name
}

// CodeOf gives the lines of a test.
func (s Suite) CodeOf(t Test) string {
	from, to := s.LinesOf(t)
	if to == 0 {
		return ""
	}
	lines := strings.Split(s.Text, "\n")
	return strings.TrimRight(strings.Join(lines[from-1:to], "\n"), "\n ") + "\n"
}

// LinesOf gives the first and the last line of a test, from 1: from the line that names it,
// with the comments and decorators right above it, to the end of its block; 0 where it is not there.
func (s Suite) LinesOf(t Test) (from, to int) {
	lines := strings.Split(strings.TrimRight(s.Text, "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, t.Name) })
	if at < 0 {
		return 0, 0
	}
	depth, end := indent(lines[at]), at+1
	for ; end < len(lines); end++ {
		if bare := strings.TrimSpace(lines[end]); bare != "" && indent(lines[end]) <= depth {
			if strings.Trim(bare, "})];,") == "" || bare == "end" {
				end++
			}
			break
		}
	}
	for at > 0 && attached(lines[at-1]) {
		at--
	}
	return at + 1, end
}

// Head is the text above the first test: imports, and what tests share.
func (s Suite) Head() string {
	first := 0
	for _, t := range s.Tests {
		if from, _ := s.LinesOf(t); from > 0 && (first == 0 || from < first) {
			first = from
		}
	}
	return strings.Join(strings.SplitAfter(s.Text, "\n")[:max(first-1, 0)], "")
}

// attached reports whether a line belongs to the test below it: a comment, a decorator.
func attached(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "@")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
