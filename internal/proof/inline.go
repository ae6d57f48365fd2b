package proof

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
)

// WithOldTests gives product code as it is with the tests inside it as they stood.
// whole is false where there are tests inside that cannot be had alone, and that
// the change touches.
func WithOldTests(name string, old, now []byte) (spliced []byte, whole bool) {
	switch path.Ext(name) {
	case ".rs":
		return rust(old, now)
	case ".zig", ".d", ".py", ".ex", ".exs", ".ts", ".js", ".mjs", ".tsx", ".jsx", ".swift", ".nim":
		return now, bytes.Equal(marked(name, old), marked(name, now)) || !lost(marked(name, old), marked(name, now))
	}
	return now, true
}

// rustTests begins the tests of a source of Rust; by convention they are the last
// thing in the file.
var rustTests = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^#\[cfg\((?:all\()?test\b[^\n]*\n(?:#\[[^\n]*\n)*(?:pub )?mod \w+ \{`)
})

// rustCase is a case of Rust, wherever it stands.
var rustCase = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#\[(?:\w+::)*test\b`) })

// rust puts the old tests of a source under its new code.
func rust(old, now []byte) ([]byte, bool) {
	was, is := rustTests().FindAllIndex(old, -1), rustTests().FindAllIndex(now, -1)
	switch {
	case len(was) == 0 && len(is) == 0:
		return now, !rustCase().Match(old) || len(rustCase().FindAll(old, -1)) <= len(rustCase().FindAll(now, -1))
	case len(was) > 1 || len(is) > 1 || !endsFile(old, was) || !endsFile(now, is):
		return now, false
	}
	code, tests := now, []byte(nil)
	if len(is) == 1 {
		code = now[:is[0][0]]
	}
	if len(was) == 1 {
		tests = old[was[0][0]:]
	}
	if len(was) == 0 { // all are new
		return code, true
	}
	if len(is) == 0 && len(code) > 0 && !bytes.HasSuffix(code, []byte("\n")) {
		code = append(bytes.Clone(code), '\n')
	}
	return append(bytes.Clone(code), tests...), true
}

// endsFile reports whether a module of tests is the last thing in a file: what
// follows it stands within its braces.
func endsFile(text []byte, at [][]int) bool {
	if len(at) == 0 {
		return true
	}
	rest := string(text[at[0][1]:])
	end := strings.Index(rest, "\n}")
	return end >= 0 && strings.TrimSpace(rest[end+2:]) == ""
}

// inside begins a test inside product code, by extension.
var inside = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		".zig": regexp.MustCompile(`^test\b`), ".d": regexp.MustCompile(`^\s*unittest\b|\bassert\s*\(`),
		".py": regexp.MustCompile(`^\s*(>>>|\.\.\. )`), ".ex": regexp.MustCompile(`^\s*(iex|\.\.\.)(\(\d+\))?>`),
		".js": regexp.MustCompile(`import\.meta\.vitest`), ".nim": regexp.MustCompile(`^\s*(doAssert|runnableExamples)\b`),
	}
})

// marked gives the lines of a file by which its tests are known.
func marked(name string, text []byte) []byte {
	ext := path.Ext(name)
	switch ext {
	case ".ts", ".mjs", ".tsx", ".jsx":
		ext = ".js"
	case ".exs":
		ext = ".ex"
	}
	p := inside()[ext]
	if p == nil {
		return nil
	}
	var out []byte
	for line := range bytes.Lines(text) {
		if p.Match(bytes.TrimRight(line, "\r\n")) {
			out = append(out, line...)
		}
	}
	return out
}

// lost reports whether lines of before are not in after.
func lost(before, after []byte) bool {
	count := map[string]int{}
	for line := range bytes.Lines(after) {
		count[string(bytes.TrimSpace(line))]++
	}
	for line := range bytes.Lines(before) {
		key := string(bytes.TrimSpace(line))
		if count[key]--; count[key] < 0 {
			return true
		}
	}
	return false
}
