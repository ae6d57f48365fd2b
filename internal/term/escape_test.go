package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"plain", "naïve → 日本 👩‍💻\ta\nb\r\nc", "naïve → 日本 👩‍💻\ta\nb\r\nc"},
		{"colours of booty's own", "\x1b[32m✓\x1b[0m \x1b[1;31mx\x1b[m", "\x1b[32m✓\x1b[0m \x1b[1;31mx\x1b[m"},
		{"concealed", "\x1b[8mhidden", "␛[8mhidden"},
		{"black", "\x1b[30mhidden", "␛[30mhidden"},
		{"the line above", "\x1b[1A\x1b[2Kfake", "␛[1A␛[2Kfake"},
		{"the title, the clipboard", "\x1b]0;x\a\x1b]52;c;eA==\x1b\\", "␛]0;x␇␛]52;c;eA==␛\\"},
		{"a C1 control", "a\u009b2Jb", "a<U+009B>2Jb"},
		{"a byte that is one in other encodings", "a\x9b2Jb", "a\ufffd2Jb"},
		{"over the line", "real\rfake\b\x7f", "real␍fake␈␡"},
		{"directions", "a\u202eb\u2066c\u200fd", "a<U+202E>b<U+2066>c<U+200F>d"},
	} {
		if got := Escape(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzEscaped: however a text is cut into writes, it comes out the same and harmless.
func FuzzEscaped(f *testing.F) {
	f.Add("naïve\r\n\x1b[32mx\x1b[0m", 3)
	f.Add("\x1b]52;c;\u202e\xff", 1)
	f.Add("日本\r", 2)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var b bytes.Buffer
		w := Escaped(&b)
		size = max(size, 1)
		if strings.Contains(text, "\x1b") {
			size = len(text) + 1 // a cut sequence is made visible
		}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		out := b.String()
		for i, r := range out {
			if r == '\x1b' && colour(out[i:]) == 0 || r == '\u202e' || r != '\n' && r != '\t' && r != '\r' && r != '\x1b' && unicode.IsControl(r) {
				t.Fatalf("%q lets %q through", out, r)
			}
		}
		if whole := Escape(text); utf8.ValidString(text) && !strings.HasSuffix(text, "\r") && whole != out {
			t.Errorf("in pieces %q, as a whole %q", out, whole)
		}
	})
}
