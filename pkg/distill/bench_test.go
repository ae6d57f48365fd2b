package distill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"testing"
)

// passingLog writes a log of about size bytes: tests that pass and chat, with
// ten failures among them.
func passingLog(w io.Writer, size int) {
	var b bytes.Buffer
	written, n, failed := 0, 0, 0
	for written < size {
		b.Reset()
		fmt.Fprintf(&b, "=== RUN   TestCase%d\n", n)
		for i := range 8 {
			fmt.Fprintf(&b, "2026/11/21 03:00:%02d request %d served in %d ms from cache, retries 0, user u%d\n", n%60, n*8+i, i*7%50, n%991)
		}
		if written > size/11*(failed+1) && failed < 10 {
			failed++
			fmt.Fprintf(&b, "    case_test.go:%d: total = %d, want %d\n--- FAIL: TestCase%d (0.00s)\n", failed, n, n+1, n)
		} else {
			fmt.Fprintf(&b, "--- PASS: TestCase%d (0.00s)\n", n)
		}
		n++
		written += b.Len()
		w.Write(b.Bytes())
	}
	fmt.Fprint(w, "FAIL\nFAIL\texample.com/case\t12.3s\nFAIL\n")
}

func BenchmarkRead(b *testing.B) {
	for _, mb := range []int{20, 200} {
		b.Run(fmt.Sprintf("passing-%dMB", mb), func(b *testing.B) {
			var log bytes.Buffer
			passingLog(&log, mb<<20)
			dir := b.TempDir()
			b.SetBytes(int64(log.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Read(context.Background(), bytes.NewReader(log.Bytes()), Options{Dir: dir})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Failures) != 10 {
					b.Fatalf("%d failures", len(r.Failures))
				}
			}
		})
	}
}

// BenchmarkReadFailures reads outputs that hold nothing but failures: as a tool
// without a reader prints them (with a sum that proves them, and without), as go test
// does, and as tracebacks.
func BenchmarkReadFailures(b *testing.B) {
	const unknown = "✗ glaze number %d melts\n      wanted 930 degrees, have %d at src/kiln.qx:5\n✓ plate holds\n"
	for name, c := range map[string]struct {
		one   string
		times int
		sum   string
	}{
		"unknown-10MB": {one: unknown, times: 100_000},
		"counted-10MB": {unknown, 100_000, "\n100000 failed, 100000 passed\n"},
		"go-10MB":      {one: "=== RUN   TestCase%d\n    case_test.go:7: total = %d, want 3\n--- FAIL: TestCase (0.00s)\n", times: 110_000},
		"tracebacks-800": {one: "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f(%d)\n" +
			"ValueError: no %d\n", times: 800},
	} {
		b.Run(name, func(b *testing.B) {
			var log bytes.Buffer
			for i := range c.times {
				fmt.Fprintf(&log, c.one, i, i+1)
			}
			log.WriteString(c.sum)
			dir := b.TempDir()
			b.SetBytes(int64(log.Len()))
			for b.Loop() {
				r, err := Read(context.Background(), bytes.NewReader(log.Bytes()), Options{Dir: dir})
				if err != nil || c.sum != "" && len(r.Failures) == 0 {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// TestWriteBenchmarkLog writes the log to the file that DISTILL_LOG names, for
// comparing with other programs.
func TestWriteBenchmarkLog(t *testing.T) {
	name := os.Getenv("DISTILL_LOG")
	if name == "" {
		t.Skip("DISTILL_LOG names no file")
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	passingLog(f, 200<<20)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkReadLines reads more and more lines of one kind: the time of each must not grow
// with their number.
func BenchmarkReadLines(b *testing.B) {
	for name, line := range map[string]func(i int) string{
		"capitals": func(i int) string { return fmt.Sprintf("WORD%d PLAIN%d THING\n", i, i*7) },
		"elements": func(int) string { return "<note>\n" },
		"marks":    func(i int) string { return fmt.Sprintf("  ✗ glaze %d melts\n    wanted %d\n", i, i) },
		"entries":  func(i int) string { return fmt.Sprintf("  %d) glaze %d melts\n     wanted %d\n\n", i+1, i, i) },
		"places":   func(i int) string { return fmt.Sprintf("src/a%d.c:%d:1: error: kiln %d\n", i%50, i, i) },
		"go":       func(i int) string { return fmt.Sprintf("--- FAIL: TestA%d (0.00s)\n    a_test.go:3: lost %d\n", i, i) },
	} {
		for n := 2000; n <= 64000; n *= 2 {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) {
				var in bytes.Buffer
				if name == "entries" {
					in.WriteString("Failures:\n\n")
				}
				for i := range n {
					in.WriteString(line(i))
				}
				dir := b.TempDir()
				b.SetBytes(int64(in.Len()))
				for b.Loop() {
					if _, err := Read(context.Background(), bytes.NewReader(in.Bytes()), Options{Dir: dir}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
