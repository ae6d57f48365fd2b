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
// ten failures among them. It is what docs/benchmarks-distill.md speaks of.
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
	const unknown = "NOPE  glaze number %d melts\n      wanted 930 degrees, have %d at src/kiln.qx:5\nOK    plate holds\n"
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
