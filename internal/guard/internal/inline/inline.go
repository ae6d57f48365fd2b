// Package inline cuts out of product files the tests that stand in them.
package inline

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var rustTests = pattern.Lazy(`^\s*#\[\s*(cfg\(\s*(test|all\(\s*test\b.*\))\s*\)|test|\w+::test\b.*|` +
	`rstest.*|test_case.*|proptest.*|bench)`)

var jsTests = pattern.Lazy(`\bimport\.meta\.vitest\b`)

var dTests = pattern.Lazy(`^\s*(test\s*["\w{]|unittest\b)`)

var prompt = pattern.Lazy(`^\s*(>>>|\.\.\.)( |$)|^\s*(iex|\.\.\.)(\(\d+\))?>`)

var rustDoc = pattern.Lazy(`^\s*(///|//!)\s?(.*)$`)

var docFence = pattern.Lazy("^\\s*(```|~~~)(.*)$")

// Tests cuts the tests out of a product file: blocks of code, and the lines
// of documentation tests with their fences and expected values.
func Tests(lang *lexer.Language, content string) (code, docs []string) {
	switch lang.Name {
	case "rust":
		return blocksAfter(lang, content, rustTests()), rustDocTests(lang, content)
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
func blocksAfter(lang *lexer.Language, content string, start *pattern.Pattern) []string {
	if !start.MatchString(content) && !strings.Contains(content, "test") {
		return nil
	}
	t := source.Read(lang, diff.Split(content))
	var out []string
	for i := 0; i < len(t.Lines); i++ {
		if !start.MatchString(strings.TrimRight(t.Code[i], "\r\n")) {
			continue
		}
		base := t.Outline.At[i]
		end, opened := i+1, t.Outline.At[i+1] != base
		for end < len(t.Lines) {
			if t.Outline.At[end] != base {
				opened = true
			} else if opened || strings.HasSuffix(strings.TrimSpace(t.Code[end-1]), ";") {
				break
			}
			end++
		}
		first := i // attributes above the one that makes it a test
		for first > 0 && strings.HasPrefix(strings.TrimSpace(t.Live[first-1]), "#[") &&
			t.Outline.At[first-1] == base {
			first--
		}
		out = append(out, t.Lines[first:end]...)
		i = end - 1
	}
	return out
}

// Gains gives the tests of the code after a change, without product code that
// merely gained the attribute of a test: it stood before, and is no test's.
func Gains(lang *lexer.Language, before, after string) (code []string) {
	code, _ = Tests(lang, after)
	if lang.Name != "rust" {
		return code
	}
	tests, _ := Tests(lang, before)
	old := strings.Join(tests, "")
	var kept []string
	for len(code) > 0 {
		block := blockOf(lang, code)
		bare := block
		for len(bare) > 0 && strings.HasPrefix(strings.TrimSpace(bare[0]), "#[") {
			bare = bare[1:]
		}
		text := strings.Join(bare, "")
		if text == "" || !strings.Contains(before, text) || strings.Contains(old, text) {
			kept = append(kept, block...)
		}
		code = code[len(block):]
	}
	return kept
}

// blockOf is the first block of tests that were cut out one after the other.
func blockOf(lang *lexer.Language, code []string) []string {
	t := source.Read(lang, code)
	opened := false
	for i := 1; i <= len(code); i++ {
		opened = opened || t.Outline.At[i] != nil
		if t.Outline.At[i] == nil && (opened || strings.HasSuffix(strings.TrimSpace(t.Code[i-1]), ";")) {
			return code[:i]
		}
	}
	return code
}

// otherFence is that of text that rustdoc runs no test of.
var otherFence = pattern.Lazy(`^\s*(text|notrust|console|bash|sh|shell|toml|json|yaml|ya?ml|ini|html|xml|c|` +
	`cpp|python|py|` +
	`javascript|js|ts|plain|txt|none|markdown|md|sql|diff|powershell|fish|zsh|elvish|http)\s*$`)

// rustDocTests gives the code of documentation comments that cargo test runs, without
// remarks and blank lines.
func rustDocTests(lang *lexer.Language, content string) []string {
	var out, code []string
	inside, other := false, false
	end := func() {
		t := source.Read(lang, code)
		for i := range code {
			if !t.Blank(i) || i > 0 && t.EndsInString(i-1) {
				out = append(out, strings.TrimRight(t.Live[i], " \t\r\n")+"\n")
			}
		}
		code = nil
	}
	for _, line := range diff.Split(content) {
		m := rustDoc().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			if n := len(out); inside && len(code) == 0 && n > 0 {
				out = out[:n-1] // nothing stands behind the fence
			}
			end()
			inside, other = false, false
			continue
		}
		fence := docFence().FindStringSubmatch(m[2])
		switch {
		case fence != nil && !inside && otherFence().MatchString(fence[2]):
			other = true
		case fence != nil && other:
			other = false
		case other:
		case fence != nil:
			end()
			inside = !inside
			out = append(out, strings.TrimSuffix(m[2], "rust")+"\n") // which it is without the word, too
		case inside:
			code = append(code, m[2]+"\n")
		}
	}
	end()
	return out
}

// promptTests gives the lines that a documentation test enters, and the values
// that it expects, up to the next blank line.
func promptTests(content string) []string {
	var out []string
	inside := false
	for _, line := range diff.Split(content) {
		trimmed := strings.TrimSpace(line)
		switch {
		case prompt().MatchString(line) && (inside || !strings.HasPrefix(trimmed, "...")):
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
