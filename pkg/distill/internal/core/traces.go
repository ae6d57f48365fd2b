package core

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reJSException = text.Lazy(`^\s*(?:error: )?(?:Uncaught (?:\(in promise\) )?|Exception during run: |` +
		`\[?Unhandled\w*\]?:? )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?:: .*)?)$`)
	reRubyError = text.Lazy(`^((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+):in [` + "`" + `'](.+?)': (.+)$`)
	ReCAssert   = text.Lazy(`^(?:[^\s:]+: )?(?P<file>(?:[A-Za-z]:)?[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp))` +
		`:(?P<line>\d+): (?:.+: )?Assertion [` + "`" + `'](.+)' failed\.`)
)

// oneLine is an error that a language prints in one line, with its place.
type oneLine struct {
	holds  string // must be there; saves the expression
	expr   func() *regexp.Regexp
	kind   string
	runner string
	whole  bool // the message is the whole line
}

var oneLines = []oneLine{
	{".d", text.Lazy(`^(?P<msg>\S*(?:Exception|Error)@(?P<file>\S+\.d)(?:\((?P<line>\d+)\)|:(?P<line>\d+)` +
		`): ?.*)$`), KindCrash, "D", false},
	{"Assertion ", ReCAssert, KindCrash, "assert", true},
	{"runtime error: ", text.Lazy(`^(?P<file>(?:[A-Za-z]:)?[^\s:]+\.\w+):(?P<line>\d+):(?P<col>\d+)` +
		`: (?P<msg>runtime error: .+)$`),
		KindCrash, "sanitizer", false},
	{"lua", text.Lazy(`^lua[\d.]*: (?P<file>[^\s:]+\.lua):(?P<line>\d+): (?P<msg>.+)$`), KindCrash, "lua",
		false},
	{" line ", text.Lazy(`^(?P<msg>[^#].*) at (?P<file>\S+\.(?:pl|pm|t)) line (?P<line>\d+)\.$`), KindCrash,
		"perl", false},
	{".rb:", text.Lazy(`^(?P<file>(?:[A-Za-z]:)?[^\s:]+\.rb):(?P<line>\d+): (?P<msg>.*(?:syntax error|` +
		`SyntaxError).*)$`), KindCompile, "ruby", false},
}

// read makes a failure of a line.
func (x *oneLine) read(s string) (Failure, bool) {
	if !strings.Contains(s, x.holds) {
		return Failure{}, false
	}
	m := text.Groups(x.expr(), s)
	if m == nil {
		return Failure{}, false
	}
	y := Failure{Kind: x.kind, Runner: x.runner, File: m["file"], Line: text.Atoi(m["line"]),
		Column: text.Atoi(m["col"]), Message: m["msg"]}
	if x.whole {
		y.Message = s
	}
	return y, true
}

// ReadTraces reads bare stack traces: errors that no framework caught. A
// passing run may log them, so they count only where nothing else failed and
// no runner says that all went well.
func ReadTraces(d *stream.Doc, f *Found) {
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; l.Used || l.S == "" {
			continue
		}
		if end := traceAt(d, f, i); end > i {
			i = end - 1
			continue
		}
		for k := range oneLines {
			if x, ok := oneLines[k].read(d.Lines[i].S); ok {
				x.Frames = framesBelow(d, i)
				f.Loose = append(f.Loose, x)
				break
			}
		}
	}
}

// traceAt reads the trace that begins at line i and gives the line behind it, 0 if
// there is none.
func traceAt(d *stream.Doc, f *Found, i int) int {
	s := d.Lines[i].S
	switch {
	case strings.Contains(s, "Sanitizer: "):
		return sanitizerTrace(d, f, i)
	case strings.HasPrefix(s, "==") && strings.Contains(s, "== "):
		return grindTrace(d, f, i)
	case strings.Contains(s, "Traceback (most recent call last)"):
		return pythonTrace(d, f, i)
	case strings.HasPrefix(s, "Exception in thread "):
		return javaTrace(d, f, i)
	case strings.HasPrefix(s, "thread '") && strings.Contains(s, "panicked at") && i+1 < len(d.Lines):
		x := Failure{Message: d.Lines[i+1].S, Kind: KindCrash, Runner: "rust", Detail: []string{s}}
		x.Frames = append(framesBelow(d, i-1), framesBelow(d, i+1)...)
		f.Loose = append(f.Loose, x)
		return i + 2
	}
	if strings.Contains(s, ".rb:") {
		if m := reRubyError().FindStringSubmatch(s); m != nil {
			return rubyTrace(d, f, i, m)
		}
	}
	if !strings.Contains(s, "Error") && !strings.Contains(s, "Exception") {
		return 0
	}
	if pythonSyntax(d, f, i) {
		return i + 1
	}
	if m := reJSException().FindStringSubmatch(s); m != nil {
		return jsTrace(d, f, i, m[1])
	}
	if reException().MatchString(s) && i+1 < len(d.Lines) &&
		strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].S), "at ") {
		return javaTrace(d, f, i)
	}
	return 0
}

// framesBelow reads the frames in the lines after i, up to a line that is none.
func framesBelow(d *stream.Doc, i int) []Frame {
	var out []Frame
	misses := 0
	for k := i + 1; k < len(d.Lines) && k < i+80; k++ {
		if fr, ok := ParseFrame(d.Lines[k].S); ok {
			out = append(out, fr)
			misses = 0
		} else if misses++; misses > 2 {
			break
		}
	}
	return out
}

func jsTrace(d *stream.Doc, f *Found, i int, msg string) int {
	x := Failure{Message: msg, Kind: KindCrash, Runner: "node"}
	if strings.Contains(d.Lines[i].S, "Exception during run") {
		x.Runner, x.Kind = "mocha", KindLoad
		f.Saw("mocha")
	}
	frames, j := 0, i+1
	for ; j < len(d.Lines) && j < i+120; j++ {
		s := d.Lines[j].S
		if fr, ok := ParseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), "at ") {
			x.Frames = append(x.Frames, fr)
			frames++
			continue
		}
		if isForeignFrame(s) {
			frames++
			continue
		}
		if frames > 0 {
			break
		}
		if j > i+25 {
			break
		}
		if s != "" {
			x.Detail = append(x.Detail, s)
		}
	}
	if frames == 0 {
		return i + 1
	}
	// "file:12", the source and a caret stand above a syntax error.
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if g, ok := CutPlace(strings.TrimPrefix(d.Lines[k].S, "file://"), f.Root); ok && g.Text == "" &&
			g.Line > 0 {
			if _, in := f.Root.Resolve(g.File, ""); in {
				x.File, x.Line = g.File, g.Line
			}
			break
		}
	}
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	return j
}

func rubyTrace(d *stream.Doc, f *Found, i int, m []string) int {
	x := Failure{Message: m[4], Kind: KindCrash, Runner: "ruby",
		Frames: []Frame{{File: m[1], Line: text.Atoi(m[2]), Func: m[3]}}}
	x.Frames = append(x.Frames, framesBelow(d, i)...)
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	return i + 1
}
