package guard

import (
	"fmt"
	"slices"
	"strings"
)

// Some tests stand inside product files: a #[cfg(test)] module, a doctest. Their
// old lines stay, and what is added to them is bound as in a test file.

var (
	rustTests  = lazy(`^\s*#\[\s*(cfg\(\s*(test|all\(\s*test\b.*\))\s*\)|test|\w+::test\b.*|rstest.*|test_case.*|proptest.*|bench)`)
	jsTests    = lazy(`\bimport\.meta\.vitest\b`)
	dTests     = lazy(`^\s*(test\s*["\w{]|unittest\b)`)
	prompt     = lazy(`^\s*(>>>|\.\.\.)( |$)|^\s*(iex|\.\.\.)(\(\d+\))?>`)
	rustDoc    = lazy(`^\s*(///|//!)\s?(.*)$`)
	docFence   = lazy("^\\s*(```|~~~)(.*)$")
	doctestOpt = lazy(`doctest:\s*\+(SKIP|IGNORE)|ELLIPSIS`)
)

// judgeInline compares the tests inside a product file before and after.
func (g *Guard) judgeInline(s step) objection {
	lang := languageOf(s.path)
	if lang == nil {
		return objection{}
	}
	before, docsBefore := inlineTests(lang, string(s.before))
	after, docsAfter := inlineTests(lang, string(s.after))
	old := len(before)+len(docsBefore) > 0
	switch {
	case g.policy.TestEdits == Deny && !(slices.Equal(before, after) && slices.Equal(docsBefore, docsAfter)):
		return setAside(denied)
	case old && !s.stays:
		return setAside("The file holds tests that stood before; deleting or renaming it takes them away.")
	}
	if _, lost := greedyAdditions(docsBefore, docsAfter); lost != "" {
		return setAside(fmt.Sprintf("The line %q of a documentation test stood before.", shorten(lost)))
	}
	for _, line := range docsAfter {
		if old && doctestOpt().MatchString(line) && !slices.Contains(docsBefore, line) {
			return refuse(fmt.Sprintf("The line %q keeps a documentation test from telling.", shorten(line)))
		}
	}
	switch {
	case len(after) == 0 && len(before) == 0 || !s.stays:
		return objection{}
	case len(before) == 0:
		return refuse(g.judgeNewTest(step{path: s.path, after: []byte(strings.Join(after, "")), stays: true}))
	}
	p := splitTest(lang, s.path, strings.Join(before, ""), strings.Join(after, ""))
	switch {
	case len(p.refused) > 0:
		return refuse(p.refused[0])
	case !p.whole():
		return setAside(p.why)
	}
	return objection{}
}

// inlineTests cuts the tests out of a product file: blocks of code, and the lines
// of documentation tests with their fences and expected values.
func inlineTests(lang *language, content string) (code, docs []string) {
	switch lang.name {
	case "rust":
		return blocksAfter(lang, content, rustTests()), rustDocTests(content)
	case "js":
		return blocksAfter(lang, content, jsTests()), nil
	case "zig", "d":
		return blocksAfter(lang, content, dTests()), nil
	case "python", "elixir":
		return nil, promptTests(content)
	}
	return nil, nil
}

// blocksAfter gives the lines from each line that fits to the end of the block
// that it opens, attributes before the block included.
func blocksAfter(lang *language, content string, start *pattern) []string {
	if !start.MatchString(content) && !strings.Contains(content, "test") {
		return nil
	}
	t := readText(lang, splitLines(content))
	var out []string
	for i := 0; i < len(t.lines); i++ {
		if !start.MatchString(strings.TrimRight(t.live[i], "\r\n")) {
			continue
		}
		base := t.outline.at[i]
		end, opened := i+1, t.outline.at[i+1] != base
		for end < len(t.lines) {
			if t.outline.at[end] != base {
				opened = true
			} else if opened || strings.HasSuffix(strings.TrimSpace(t.code[end-1]), ";") {
				break
			}
			end++
		}
		first := i // attributes above the one that makes it a test
		for first > 0 && strings.HasPrefix(strings.TrimSpace(t.live[first-1]), "#[") && t.outline.at[first-1] == base {
			first--
		}
		out = append(out, t.lines[first:end]...)
		i = end - 1
	}
	return out
}

// rustDocTests gives the code of documentation comments that cargo test runs.
func rustDocTests(content string) []string {
	var out []string
	inside := false
	for _, line := range splitLines(content) {
		m := rustDoc().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			inside = false
			continue
		}
		fence := docFence().FindStringSubmatch(m[2])
		switch {
		case fence != nil:
			inside = !inside
			out = append(out, m[2]+"\n")
		case inside:
			out = append(out, m[2]+"\n")
		}
	}
	return out
}

// promptTests gives the lines that a documentation test enters, and the values
// that it expects, up to the next blank line.
func promptTests(content string) []string {
	var out []string
	inside := false
	for _, line := range splitLines(content) {
		trimmed := strings.TrimSpace(line)
		switch {
		case prompt().MatchString(line):
			inside = true
			out = append(out, trimmed+"\n")
		case inside && (trimmed == "" || trimmed == `"""` || trimmed == "'''"):
			inside = false
			out = append(out, "\n")
		case inside:
			out = append(out, trimmed+"\n")
		}
	}
	return out
}
