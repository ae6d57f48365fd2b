package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/event"
)

var hostile = []string{
	"", "```", "````\n```", "~~~", "</details>", "-->", "--!>", "<!--", "@user", "#1", "x|y", "\\|", "`", "``a`", "a\rb", "a\u2028```", "\x1b]0;t\x07", "\x1b[",
	"https://github.com/a/b/issues/1", "www.evil.com", "GH-12", "1. x", "1) x", "- x", "# h", "a\n===", "[x](javascript:1)", "![x](http://e/p)", "<img src=x>", "&lt;", "\xff\xfe",
	"\u202eevil", "@\u200bx", "*b* _i_ ~s~ $m$", "a\x1b@b", "#\x001", "\\", "a\\",
}

var (
	mention   = regexp.MustCompile(`@[\pL\pN]`)
	reference = regexp.MustCompile(`(?i)#\d|gh-\d|://|www\.`)
	// bare finds signs without a backslash before them, or before an even number.
	bare = regexp.MustCompile("(^|[^\\\\])(\\\\\\\\)*[`*_\\[\\]|~$<>]")
)

// FuzzInline wants foreign text to stay one literal line that means nothing.
func FuzzInline(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, got := range map[string]string{"Inline": Inline(s), "Cell": cell(s)} {
			switch {
			case strings.ContainsAny(got, "\n\r\x1b\x00"):
				t.Errorf("%s(%q) = %q breaks the line", name, s, got)
			case mention.MatchString(got):
				t.Errorf("%s(%q) = %q mentions", name, s, got)
			case reference.MatchString(got):
				t.Errorf("%s(%q) = %q refers", name, s, got)
			case bare.MatchString(got):
				t.Errorf("%s(%q) = %q has a sign", name, s, got)
			case strings.HasSuffix(got, `\`) && !strings.HasSuffix(got, `\\`):
				t.Errorf("%s(%q) = %q escapes what follows", name, s, got)
			case !utf8.ValidString(got):
				t.Errorf("%s(%q) = %q is not UTF-8", name, s, got)
			}
		}
		if m := mention.MatchString(htmlText(s)); m || strings.ContainsAny(htmlText(s), "<>\n") {
			t.Errorf("htmlText(%q) = %q", s, htmlText(s))
		}
	})
}

// FuzzFence wants the only line that can close a fence to be its last.
func FuzzFence(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Fence("text", s)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		fence := strings.TrimSuffix(lines[0], "text")
		if strings.Trim(fence, "`") != "" || len(fence) < 3 || lines[len(lines)-1] != fence {
			t.Fatalf("Fence(%q) = %q", s, got)
		}
		for _, l := range lines[1 : len(lines)-1] {
			if strings.Contains(l, fence) || strings.ContainsAny(l, "\r\x1b") {
				t.Errorf("Fence(%q): line %q can close it", s, l)
			}
		}
		code := Code(s)
		if code == "" {
			return
		}
		n := len(code) - len(strings.TrimLeft(code, "`"))
		if inside := code[n : len(code)-n]; longestRun(inside, '`') >= n || strings.ContainsAny(inside, "\n\r") || inside == "" {
			t.Errorf("Code(%q) = %q can be left", s, code)
		}
	})
}

// FuzzMarker wants a hidden comment to stay hidden, and to be one line.
func FuzzMarker(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Marker("run", s)
		inside := strings.TrimSuffix(strings.TrimPrefix(got, "<!-- "), " -->")
		if len(inside)+9 != len(got) || strings.Contains(inside, "--") || strings.ContainsAny(inside, "<>\n\r") {
			t.Errorf("Marker(%q) = %q", s, got)
		}
	})
}

// FuzzBody wants every body within the limit, its folds closed, and nobody
// outside code mentioned, whatever the parts say.
func FuzzBody(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+7)%len(hostile)], strings.Repeat(s, 3000))
	}
	f.Fuzz(func(t *testing.T, a, b, long string) {
		p := draft()
		p.Summary, p.Task.Title, p.Message, p.Failure = a, b, a+b, long
		p.Review = &event.ReviewFinished{Verdict: b, Notes: a + "\n" + long}
		p.Notes = []string{a, b}
		p.Attempts[0].Summary, p.Attempts[0].Files[0].Path = b, a
		body := p.Body()
		if len(body) > maxBody || !utf8.ValidString(body) {
			t.Fatalf("%d bytes", len(body))
		}
		if mention.MatchString(outsideCode(body)) {
			t.Errorf("someone is mentioned:\n%s", outsideCode(body))
		}
		if open, closed := strings.Count(outsideCode(body), "<details>"), strings.Count(outsideCode(body), "</details>"); open != closed {
			t.Errorf("%d folds opened, %d closed", open, closed)
		}
	})
}

// FuzzTemplate wants our own text in every body, once, whatever the repository's template.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "## What\n## Why\n## Tests", "<!--\n# Summary\n-->", "```\n# Tests\n```\n# Tests", "#What", "####### Tests", "# Summary #\r\n- [ ] x", "<!-- a --> <!-- b\n# Why"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, template string) {
		p := ready()
		p.Prose, p.Template = "UNIQUE words", template
		body := p.Body()
		if strings.Contains(template, "UNIQUE") || strings.Contains(template, "Closes #42") || strings.Contains(template, "fails before") {
			return
		}
		for _, want := range []string{"UNIQUE words", "Closes #42", "without the change"} {
			if strings.Count(body, want) != 1 {
				t.Errorf("%q stands %d times in\n%s", want, strings.Count(body, want), body)
			}
		}
	})
}

// outsideCode drops fenced blocks and code spans, as a Markdown reader sees them.
func outsideCode(body string) string {
	var out []string
	fence := ""
	for _, l := range strings.Split(body, "\n") {
		ticks := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3 && !strings.Contains(l[len(ticks):], "`"):
			fence = ticks
		case fence != "" && len(ticks) >= len(fence) && strings.Trim(l, "`") == "":
			fence = ""
		case fence == "":
			out = append(out, withoutSpans(l))
		}
	}
	return strings.Join(out, "\n")
}

// withoutSpans drops code spans: a run of backticks up to the next of equal length.
func withoutSpans(l string) string {
	var b strings.Builder
	for i := 0; i < len(l); {
		if l[i] == '\\' && i+1 < len(l) {
			b.WriteString(l[i : i+2])
			i += 2
			continue
		}
		if l[i] != '`' {
			b.WriteByte(l[i])
			i++
			continue
		}
		n := len(l[i:]) - len(strings.TrimLeft(l[i:], "`"))
		end := closing(l[i+n:], n)
		if end < 0 {
			b.WriteString(l[i : i+n])
			i += n
			continue
		}
		i += n + end + n
	}
	return b.String()
}

func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		m := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if m == n {
			return i
		}
		i += m
	}
	return -1
}
