package distill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// BenchmarkReadNoise reads what a test prints that logs much: two megabytes with one failure, or none,
// next to the same of a good run.
func BenchmarkReadNoise(b *testing.B) {
	dir := b.TempDir()
	for i := range 500 {
		name := filepath.Join(dir, "src", fmt.Sprintf("part%d", i%20), fmt.Sprintf("item_%d.js", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("module.exports = {};\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	bad, good := noisyLog(2<<20, true), noisyLog(2<<20, false)
	for name, c := range map[string]struct {
		log, before []byte
		exit        int
	}{"passed": {good, nil, 0}, "failed": {bad, nil, 1}, "compared": {bad, good, 1}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.log)))
			b.ReportAllocs()
			for b.Loop() {
				o := Options{Dir: dir, ExitCode: &c.exit}
				if c.before != nil {
					o.Before = readGood(b, string(c.before))
				}
				r, err := Read(context.Background(), bytes.NewReader(c.log), o)
				if err != nil || len(r.Failures) != c.exit {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// noisyLog is the log of a test of a server: requests, warnings, colors, JSON and traces.
func noisyLog(size int, fails bool) []byte {
	var b bytes.Buffer
	told := !fails
	n := 0
	for ; b.Len() < size; n++ {
		if b.Len() > size/2 && !told {
			told = true
			b.WriteString("not ok - hello\nAssertionError: expected 'hello, world' but got 'bye'\n" +
				"    at test (test.js:15:3)\n")
		}
		switch (n*7 + n>>3) % 9 {
		case 0:
			fmt.Fprintf(&b, "[2026-03-0%dT10:00:%02dZ] INFO  server: request %d handled in %d ms\n", n%9+1, n%60, n, n%97)
		case 1:
			fmt.Fprintf(&b, "\x1b[32mPASS\x1b[0m src/part1/item_%d.test.js\n", n)
		case 2:
			fmt.Fprintf(&b, "  at Object.load (/srv/app/src/cart/load/item.js:%d:12)\n", n%300)
		case 3:
			fmt.Fprintf(&b, "WARN deprecated option \"foo%d\" used; see https://example.com/docs/%d\n", n, n)
		case 4:
			fmt.Fprintf(&b, "{\"level\":\"info\",\"msg\":\"item stored\",\"id\":%d,\"took\":%d}\n", n, n%33)
		case 5:
			fmt.Fprintf(&b, "downloading package-%d ... %d%%\n", n, n%100)
		case 6:
			fmt.Fprintf(&b, "    expected value of cart %d is within limits (error count: 0)\n", n)
		case 7:
			b.WriteByte('\n')
		default:
			fmt.Fprintf(&b, "DEBUG retry %d: connection error, trying again\n", n)
		}
	}
	failed := 0
	if fails {
		failed = 1
	}
	fmt.Fprintf(&b, "%d checks, %d failed\n", n, failed)
	return b.Bytes()
}
