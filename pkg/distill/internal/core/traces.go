package core

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reException = text.Lazy(`^\s*(?:Caused by: |Suppressed: )?(?P<msg>(?:[a-z_][\w]*\.)+[A-Z][\w$]*(?:Error|` +
		`Exception|Failure|Failed\w*|Throwable|Assert\w*|Comparison\w*)[\w$]*(?:: .*)?)$`)
	reUncaught = text.Lazy(`^\s*(?:error: )?(?:Uncaught (?:\(in promise\) )?|\[?Unhandled\w*\]?:? )?` +
		`(?P<msg>(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?:: .*)?)$`)
	reTraceback = text.Lazy(`Traceback \(most recent call last\)`)
)

// traceHead matches the line with which a runtime reports an uncaught error; the group msg
// is the message. Frames are below it.
type traceHead struct {
	holds        string // must be there; saves the expression
	expr         func() *regexp.Regexp
	kind, runner string
	sure         bool // it needs no frames
}

var traceHeads = []traceHead{
	{"Traceback (most recent call last)", reTraceback, KindCrash, "python", false},
	{"Sanitizer: ", text.Lazy(`^(?:==\d+==)?\s*(?:ERROR|WARNING): (?P<msg>(?:Address|Leak|Thread|Memory|` +
		`UndefinedBehavior)Sanitizer: .+)$`), KindCrash, "sanitizer", true},
	{"== ", text.Lazy(`^==\d+== (?P<msg>Invalid (?:read|write|free).*|Conditional jump.*|` +
		`Use of uninitialised.*|Mismatched free.*|[\d,]+ (?:\([^)]*\) )?bytes in .* (?:definitely|` +
		`indirectly|possibly) lost.*|Process terminating.*|Source and destination overlap.*|` +
		`Syscall param.*|Jump to the invalid.*|Stack overflow.*|Possible data race.*)$`), KindCrash, "valgrind", true},
	{"Fatal Python error: ", text.Lazy(`^(?P<msg>Fatal Python error: .+)$`), KindCrash, "python", true},
	{"Exception in thread ", text.Lazy(`^Exception in thread "[^"]*" (?P<msg>.+)$`), KindCrash, "java", false},
	{"panicked at", text.Lazy(`^thread '.*panicked at`), KindCrash, "rust", true},
	{".rb:", text.Lazy(`^(?:[A-Za-z]:)?[^\s:]+\.rb:\d+:in [` + "`" + `'].+?': (?P<msg>.+)$`), KindCrash, "ruby", true},
	{"Exception during run: ", text.Lazy(`^\s*Exception during run: (?P<msg>.*)$`), KindLoad, "mocha", false},
	{"Error", reUncaught, KindCrash, "node", false},
	{"Exception", reUncaught, KindCrash, "node", false},
	{".", reException, KindCrash, "java", false},
}

// ReadTraces reads bare stack traces: errors that no framework caught. A passing run may
// log them, so they count only if nothing else failed and no runner says that all went
// well.
func ReadTraces(d *stream.Stream, f *Result) {
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; l.Used || l.S == "" {
			continue
		}
		had := len(f.Loose)
		if end := traceAt(d, f, i); end > i {
			if !slices.ContainsFunc(d.Lines[i:end], func(l stream.Line) bool { return !l.Old }) {
				f.Loose = f.Loose[:had] // the last good run logged it, too
			}
			i = end - 1
		}
	}
}

// traceAt reads the trace that begins at line i and returns the line after it, or 0.
func traceAt(d *stream.Stream, f *Result, i int) int {
	s := d.Lines[i].S
	for k := range traceHeads {
		h := &traceHeads[k]
		if !strings.Contains(s, h.holds) {
			continue
		}
		m := text.Groups(h.expr(), s)
		if m == nil {
			continue
		}
		end, frames := traceEnd(d, i, h.expr())
		over, isOver := frameOver(d, i)
		if !frames && !h.sure && !isOver {
			continue
		}
		x := Failure{Message: m["msg"], Kind: h.kind, Runner: h.runner, At: d.Lines[i].No}
		lines := []string{s}
		for _, l := range d.Lines[i+1 : end] {
			lines = append(lines, l.S)
		}
		if x.Message != "" {
			lines = lines[1:]
		}
		Explain(&x, lines)
		if fr, ok := ParseFrame(s); ok && x.Message == m["msg"] {
			x.Frames = append([]Frame{fr}, x.Frames...)
		}
		if isOver && len(x.Frames) == 0 {
			x.Frames = []Frame{over}
			if strings.HasSuffix(over.File, ".py") {
				x.Runner = "python"
			}
		}
		placeOver(&x, d, f, i)
		f.PlaceOf(&x)
		f.Loose = append(f.Loose, x)
		for n := i; n < end; n++ {
			d.Lines[n].Used, d.Lines[n].Guessed = true, true // it may not be reported
		}
		return end
	}
	return 0
}

// traceEnd returns the line after the frames below line i, up to the next head, and whether
// there are any.
func traceEnd(d *stream.Stream, i int, next *regexp.Regexp) (end int, frames bool) {
	end = i + 1
	python := reTraceback().MatchString(d.Lines[i].S)
	for j := i + 1; j < len(d.Lines) && j < i+300; j++ {
		s := d.Lines[j].S
		t := strings.TrimSpace(s)
		if python && frames && t != "" && text.IndentOf(s) <= text.IndentOf(d.Lines[i].S) { // the message
			return j + 1, true
		}
		_, ok := ParseFrame(s)
		ok = ok || isForeignFrame(s) || strings.HasPrefix(s, "==") && strings.Contains(s, " Address 0x")
		if ok || end > i+1 && (strings.HasPrefix(t, "Caused by: ") || strings.HasPrefix(t, "Suppressed: ")) {
			end, frames = j+1, true
		} else if d.Lines[j].Used || next.MatchString(s) || !frames && j > i+25 || frames && j-end > 1 && !python {
			break
		}
	}
	return end, frames
}

// frameOver reads the frame above a caret, under which Python reports a syntax error.
func frameOver(d *stream.Stream, i int) (Frame, bool) {
	if i < 2 || !caret(d.Lines[i-1].S) {
		return Frame{}, false
	}
	for k := i - 2; k >= 0 && k > i-5; k-- {
		if fr, ok := ParseFrame(d.Lines[k].S); ok {
			return fr, true
		}
	}
	return Frame{}, false
}

// placeOver takes the place above a syntax error, with the source and a caret.
func placeOver(x *Failure, d *stream.Stream, f *Result, i int) {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if g, ok := CutPlace(strings.TrimPrefix(d.Lines[k].S, "file://"), f.Root); ok && g.Text == "" &&
			g.Line > 0 {
			if _, in := f.Root.Resolve(g.File, ""); in {
				x.File, x.Line = g.File, g.Line
			}
			return
		}
	}
}
