package distill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// repeat is a reader that gives the same text n times without holding it.
type repeat struct {
	text []byte
	n    int
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at, r.n = 0, r.n-1
	}
	return n, nil
}

func TestMemoryStaysFlatHoweverLongTheOutput(t *testing.T) {
	peak := func(n int) uint64 {
		noise := bytes.Repeat([]byte("2026-11-21 12:00:00 GET /index.html 200 in 12 ms, error=nil, failed=false\n"), 1000)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, err := Read(context.Background(), io.MultiReader(
			&repeat{text: noise, n: n}, strings.NewReader("--- FAIL: TestDeep (0.00s)\n    deep_test.go:3: lost\n"), &repeat{text: noise, n: n},
			strings.NewReader("FAIL\texample.com/deep\t0.1s\n"),
		), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if len(r.Failures) != 1 || r.Failures[0].Line != 3 {
			t.Errorf("%d runs of noise: failures %+v", n, r.Failures)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := peak(30), peak(300)
	if large > small+small/2+8<<20 {
		t.Errorf("%d bytes allocated for 4 MB, %d for 44 MB", small, large)
	}
}

func TestLinesOfAnyLengthAreRead(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		mb         int
	}{
		{"of one letter", "a", 20},
		{"of escapes", "\x1b[", 20},
		{"of carriage returns", "x\r", 10},
		{"of places", "a.go:1:", 20},
		{"of brackets", "[(", 10},
		{"of colons", ": ", 10},
		{"of JSON", `{"Action":"output","Output":"`, 10},
		{"of XML", "<testsuite>", 10},
		{"of blanks", "  ", 10},
		{"of words that look like errors", "error: FAIL panic ", 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() { // the race detector makes it ten times as long
				c.mb = 2
			}
			n := c.mb << 20 / len(c.unit)
			text := []byte(strings.Repeat(c.unit, 64<<10/len(c.unit)))
			r, err := Read(context.Background(), io.MultiReader(&repeat{text: text, n: n * len(c.unit) / len(text)},
				strings.NewReader("\n--- FAIL: TestX (0.00s)\n    x_test.go:3: lost\nFAIL\texample.com/x\t0.1s\n")), Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Text) > DefaultBudget {
				t.Errorf("text of %d bytes", len(r.Text))
			}
			if len(r.Failures) == 0 {
				t.Error("the failure behind the line is lost")
			}
		})
	}
}

// TestManyLinesOfOneKindAreRead looks for quadratic time: each text is one that
// makes a format look ahead as far as it may.
func TestManyLinesOfOneKindAreRead(t *testing.T) {
	for _, unit := range []string{
		"  ● a › b\n", "_____ test_x _____\n", "not ok 1 - x\n", "  ---\n", "1) a(b)\n", "Traceback (most recent call last):\n", "  File \"a.py\", line 1, in f\n",
		"a.c:1:1: error: x\n", "a.c:1:1: note: x\n", "In file included from a.h:1:\n", "error: x\n --> a.rs:1:1\n", "panic: x\n", "--- FAIL: TestX (0.00s)\n", "[ RUN      ] A.B\n",
		" FAIL  a > b\n", "TypeError: x\n", "  1) a\n", "thread 'x' panicked at a.rs:1:1:\n", "======\nFAIL: a (b)\n------\n", "<testsuite><testcase name=\"x\"><failure/></testcase></testsuite>\n",
		"make: *** [x] Error 1\n", "---- x stdout ----\n", "#   Failed test 'x'\n", " ✘ a\n   │ b\n", "  ─\n", "-------------------\nx\n", "x FAILED\n", "FAIL x\n  y\n", "  1 failing\n  1) a:\n", "\n",
		"[\n", "[{\n", "{\"a\":[\n", "{\"a\":\"b\",\n", "[\n1,\n", "<checkstyle>\n", "<?xml version='1'?>\n<a>\n", "not ok 1 - x\n  ---\n  {\"message\":\n", "not ok 1\n  a\n\n", "│ Error: x\n", "✘ [ERROR] x\n\n", "a.c:1:1\n", "a.c:1:1\n  1 | x\n",
		"  [FAILED] x\n", "x\n  [FAILED] x\n", "[FAIL] a::b: (0.0s)\n", "==1== Invalid read of size 4\n", "--------------------\nFAILURE\n", "Buildfile: x\nTestcase: x took 1 sec\n\tFAILED\n", "• Failure [1]\nx\n", "######\n1) Scenario: x # a.feature:1\n", "Failing scenarios:\n  a.feature:1  x\n",
		"++++ Timeout ++++\n", "File \"a.ml\", line 1, characters 1-2:\n", "ERROR in ./a.js 1:1\n", "npm error code EX\n", "[  ERROR   ] --- x\n", "x at a.pm line 1.\n", "1/2 x FAIL 0.1s\n",
		"<note>\n", "WORD OTHER THIRD\n", "  1) a\n     b\n\n", "Failures:\n", " FAIL  a > b\n", "---- a stdout ----\n", "(fail) a\n", "  TRY 1 FAIL [   0.01s] (1/1) a b\n", " Summary [ 1s] x\n",
		"A > b FAILED\n", "1/2 Test #1: a ...***Failed 0.1 sec\n", "Failure:\na [b:1]:\n", "  ✖ a\n  ─\n  a\n",
	} {
		size := 1 << 16
		if testing.Short() {
			size = 1 << 15
		}
		in := strings.Repeat(unit, size/len(unit))
		r, err := Read(context.Background(), strings.NewReader(in), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, []byte(in), r, DefaultBudget)
	}
}

func TestErrorsOfTheReaderAreReturned(t *testing.T) {
	want := errors.New("broken pipe")
	if _, err := Read(context.Background(), iotest.ErrReader(want), Options{}); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, strings.NewReader("x"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSignatureSeesNoProgressAndProgress(t *testing.T) {
	out := func(name, msg, addr, took string) string {
		return fmt.Sprintf("--- FAIL: %s (%ss)\n    x_test.go:3: %s at %s in /tmp/go-build%s/x\nFAIL\texample.com/x\t%ss\n", name, took, msg, addr, addr[2:], took)
	}
	sign := func(s string) string {
		r, err := Read(context.Background(), strings.NewReader(s), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return r.Signature
	}
	a := sign(out("TestA", "lost", "0xc000012345", "0.01"))
	if b := sign(out("TestA", "lost", "0xc000099999", "1.73")); a != b {
		t.Error("times and addresses change the signature")
	}
	if b := sign(out("TestA", "found", "0xc000012345", "0.01")); a == b {
		t.Error("another message has the same signature")
	}
	if b := sign(out("TestB", "lost", "0xc000012345", "0.01")); a == b {
		t.Error("another test has the same signature")
	}
	two := out("TestA", "lost", "0xc000012345", "0.01") + out("TestB", "lost", "0xc000012345", "0.01")
	owt := out("TestB", "lost", "0xc000012345", "0.02") + out("TestA", "lost", "0xc000012345", "0.03")
	if sign(two) != sign(owt) {
		t.Error("the order of tests changes the signature")
	}
}

// Where a part of an output is not kept, fewer names than the sum counts are certain.
func TestNamesOfAnOutputThatIsCut(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "✗ pot %c%c holds\n    wanted 900 degrees\n", 'a'+i%26, 'a'+i/26)
	}
	b.WriteString("\n0 passed, 1000 failed\n")
	exit := 1
	for _, limits := range []stream.Limits{{Head: 3000, Hot: 3000, Tail: 3000, Line: 500}, stream.DefaultLimits} {
		r, err := settings{limits, format.Formats()}.read(t.Context(), strings.NewReader(b.String()), Options{Dir: t.TempDir(), ExitCode: &exit})
		if err != nil || len(r.Failures) == 0 {
			t.Errorf("%+v: %d failures, %v", limits, len(r.Failures), err)
		}
	}
}

// TestFailuresDoNotHoldTheOutput: a caller that keeps them keeps nothing else of it.
func TestFailuresDoNotHoldTheOutput(t *testing.T) {
	held := func() uint64 {
		runtime.GC()
		runtime.GC() // what the first one freed of pools
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var kept [][]Failure
	before := held()
	for range 16 {
		out := "=== RUN   TestA\n    a_test.go:3: bad\n--- FAIL: TestA (0.00s)\n" +
			strings.Repeat("a line of a log with words in it\n", 40_000) + "FAIL\nFAIL\tx/y\t0.1s\n"
		r, err := Read(t.Context(), strings.NewReader(out), Options{})
		if err != nil || len(r.Failures) == 0 {
			t.Fatalf("%v, %d failures", err, len(r.Failures))
		}
		kept = append(kept, r.Failures)
	}
	if n := int64(held()) - int64(before); n > 4<<20 {
		t.Errorf("the failures of 16 outputs hold %d KB", n>>10)
	}
	runtime.KeepAlive(kept)
}
