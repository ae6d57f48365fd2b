package stream

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestLinesThatDifferInNumbersAloneAreTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"[09:00:01] load 3 files in 0.02s", "[10:41:59] load 14 files in 1.5s", true},
		{"2026-11-28T14:41:32.09Z INFO ready", "2027-01-02T03:04:05.123Z INFO ready", true},
		{"worker 7f3a9c2e1 up", "worker 00b1e2 up", true},
		{"name      fine", "name fine", true},
		{"wrote /tmp/abXQ/out.txt", "wrote /tmp/zzQr/out.txt", true},
		{"errors: 0", "errors: 2", false},
		{"errors: 3", "errors: 2", true},
		{"took 0.00s", "took 0.31s", true},
		{"pot fine", "pot DIFFERS", false},
		{"größer", "grösser", false},
		{"\x1b[32mfine\x1b[0m", "fine", true},
	} {
		a := keysOf(CleanLine([]byte(c.a))).key
		b := keysOf(CleanLine([]byte(c.b))).key
		if got := a == b; got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
	for _, s := range []string{"", "  ", "12 + 30 = 42", "[2] = 3", "=====", "--- 17 ---"} {
		if keysOf(s).key != 0 {
			t.Errorf("%q has a key of its own", s)
		}
	}
}

func TestValuesOfALineThatChange(t *testing.T) {
	t.Parallel()
	s := NewSieve(DefaultLimits)
	s.Compare()
	const good = "[09:00:01] case 5: got 3, want 3\n2026-01-02 10:00:00,123 ERROR retry in 12ms, build 1.4.2\n"
	if err := s.ReadFrom(context.Background(), strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	seen := s.Finish().Seen
	for line, want := range map[string]bool{
		"[11:22:33] case 5: got 4, want 3":                         true,
		"[11:22:33] case 5: got 3, want 3":                         false,
		"2027-03-04 11:11:11,999 ERROR retry in 99ms, build 1.5.0": false,
		"something else 4":                                         false,
	} {
		if got := seen.changed(keysOf(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestComparisonIsBounded however many different lines there are.
func TestComparisonIsBounded(t *testing.T) {
	t.Parallel()
	s := NewSieve(DefaultLimits)
	s.Compare()
	var b strings.Builder
	word := func(n int) string { // without digits
		return strings.Map(func(r rune) rune { return 'a' + r%10 }, strings.Repeat("x", n%7)+"q") + string(rune('a'+n%26)) +
			string(rune('a'+n/26%26)) + string(rune('a'+n/676%26)) + string(rune('a'+n/17576%26))
	}
	for n := range maxSeen + 50_000 {
		b.WriteString(word(n) + " is a line\n")
	}
	if err := s.ReadFrom(context.Background(), strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	seen := s.Finish().Seen
	if len(seen.lines) > maxSeen || seen.bytes < maxSeenText || !seen.Has(word(0)+" is a line", false) {
		t.Errorf("%d lines, %d bytes", len(seen.lines), seen.bytes)
	}
	total := 0
	for _, l := range seen.last {
		total += len(l)
	}
	if total > maxSeenText {
		t.Errorf("%d bytes of lines", total)
	}
}

// TestALongLineIsNotCopied: neither whole nor at each of its paths.
func TestALongLineIsNotCopied(t *testing.T) {
	line := bytes.Repeat([]byte(`"/test/a","/var/b","/tmp/c",`), 1000)
	if n := testing.AllocsPerRun(10, func() { keysOf(line) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if keysOf(line) != keysOf(string(line)) {
		t.Error("a string of the same bytes has other keys")
	}
}
