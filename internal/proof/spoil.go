package proof

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// belong is how many lines behind one that compares something are of the same comparison.
const belong = 2

// Spoil returns a test file with what it expects made wrong, and in how many places. It alters one
// literal of each comparison, since input and result altered alike would agree again: the last
// number, boolean or bare word or, with texts, the last string. If only is not nil, it names the
// lines to look at.
func Spoil(text []byte, only map[int]bool, texts bool) (out []byte, n int) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	left := 0 // lines in which the comparison may go on
	for i, line := range lines {
		if only != nil && !only[i+1] || comment().Match(line) {
			continue
		}
		if compares().Match(line) {
			left = belong + 1
		}
		if left--; left < 0 || frame().Match(line) {
			continue
		}
		if spoilt := spoilLine(line, texts); spoilt != nil {
			lines[i], left = spoilt, 0
			n++
		}
	}
	return bytes.Join(lines, nil), n
}

// spoilEach makes one literal wrong in each of some lines, whatever the line says.
func spoilEach(text []byte, only map[int]bool) (out []byte, n int) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if !only[i+1] || comment().Match(line) || frame().Match(line) {
			continue
		}
		spoilt := spoilLine(line, false)
		if spoilt == nil {
			spoilt = spoilLine(line, true)
		}
		if spoilt != nil {
			lines[i] = spoilt
			n++
		}
	}
	return bytes.Join(lines, nil), n
}

// spoilLine makes one literal of a line wrong; nil if there is none.
func spoilLine(line []byte, texts bool) []byte {
	if word := bareWord().FindSubmatchIndex(line); word != nil && !texts {
		return slices.Concat(line[:word[3]], []byte("x"), line[word[3]:])
	}
	at := literals(string(line))
	slices.Reverse(at)
	for _, span := range at {
		was := string(line[span[0]:span[1]])
		now, text := wrong(was)
		if now != "" && text == texts {
			return slices.Concat(line[:span[0]], []byte(now), line[span[1]:])
		}
	}
	return nil
}

// negated inverts the last comparison in some lines of a test file; n is in how many.
func negated(text []byte, only map[int]bool) (out []byte, n int) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if !only[i+1] || comment().Match(line) {
			continue
		}
		all := equals().FindAllIndex(line, -1)
		if len(all) == 0 {
			continue
		}
		at := all[len(all)-1]
		now := bytes.Clone(line[at[0]:at[1]])
		if now[0] = '='; line[at[0]] == '=' {
			now[0] = '!'
		}
		lines[i] = slices.Concat(line[:at[0]], now, line[at[1]:])
		n++
	}
	return bytes.Join(lines, nil), n
}

var (
	// equals are the operators that compare in most languages.
	equals = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[=!]==?`) })
	// compares is a line that seems to say what is expected. What it misses stays as it is.
	compares = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[!=]=|\b(is|ok|eq|ne|cmp|like)\b|-(eq|ne|gt|lt)\b|\[ .* =|assert|expect|should|must|equal|verify|check|diff|want|raise|throw`)
	})
	// bareWord is what a shell compares with.
	bareWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`= ?([A-Za-z][\w.-]*) \]`) })
)
