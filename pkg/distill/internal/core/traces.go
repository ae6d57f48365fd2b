package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reJSException = text.Lazy(`^\s*(?:error: )?(?:Uncaught (?:\(in promise\) )?|Exception during run: |\[?Unhandled\w*\]?:? )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?:: .*)?)$`)
	reRubyError   = text.Lazy(`^((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+):in [` + "`" + `'](.+?)': (.+)$`)
	reRubySyntax  = text.Lazy(`^((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+): (.*(?:syntax error|SyntaxError).*)$`)
	ReCAssert     = text.Lazy(`^(?:[^\s:]+: )?((?:[A-Za-z]:)?[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp)):(\d+): (?:.+: )?Assertion [` + "`" + `'](.+)' failed\.`)
	reLuaError    = text.Lazy(`^lua[\d.]*: ([^\s:]+\.lua):(\d+): (.+)$`)
	RePerlDie     = text.Lazy(`^(.+) at (\S+\.(?:pl|pm|t)) line (\d+)\.$`)
)

// ReadTraces reads bare stack traces: errors that no framework caught. A
// passing run may log them, so they count only where nothing else failed and
// no runner says that all went well.
func ReadTraces(d *stream.Doc, f *Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "==") && strings.Contains(s, "== "):
			if strings.Contains(s, "Sanitizer: ") {
				i = sanitizerTrace(d, f, i) - 1
			} else {
				i = grindTrace(d, f, i) - 1
			}
		case strings.Contains(s, ".d") && strings.Contains(s, "@") && strings.Contains(s, ": "):
			if m := reDThrow().FindStringSubmatch(s); m != nil {
				f.Loose = append(f.Loose, Failure{File: m[2], Line: text.Atoi(m[3] + m[4]), Message: m[1] + ": " + m[5], Kind: KindCrash, Runner: "D"})
			}
		case strings.Contains(s, "Sanitizer: "):
			i = sanitizerTrace(d, f, i) - 1
		case strings.Contains(s, "Traceback (most recent call last)"):
			i = pythonTrace(d, f, i) - 1
		case strings.Contains(s, "Error") || strings.Contains(s, "Exception"):
			if strings.HasPrefix(s, "Exception in thread ") {
				i = javaTrace(d, f, i) - 1
			} else if m := reRubyError().FindStringSubmatch(s); m != nil {
				i = rubyTrace(d, f, i, m) - 1
			} else if pythonSyntax(d, f, i) {
				continue
			} else if m := reJSException().FindStringSubmatch(s); m != nil {
				i = jsTrace(d, f, i, m[1]) - 1
			} else if reException().MatchString(s) && i+1 < len(d.Lines) && strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].S), "at ") {
				i = javaTrace(d, f, i) - 1
			} else if m := reRubySyntax().FindStringSubmatch(s); m != nil {
				f.Loose = append(f.Loose, Failure{File: m[1], Line: text.Atoi(m[2]), Message: m[3], Kind: KindCompile, Runner: "ruby"})
			}
		case strings.Contains(s, "Assertion "):
			if m := ReCAssert().FindStringSubmatch(s); m != nil {
				f.Loose = append(f.Loose, Failure{File: m[1], Line: text.Atoi(m[2]), Message: s, Kind: KindCrash, Runner: "assert"})
			}
		case strings.Contains(s, "runtime error: "):
			if m := reUBSan().FindStringSubmatch(s); m != nil {
				f.Loose = append(f.Loose, Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]), Message: m[4], Kind: KindCrash, Runner: "sanitizer"})
			}
		case strings.HasPrefix(s, "thread '") && strings.Contains(s, "panicked at") && i+1 < len(d.Lines):
			x := Failure{Message: d.Lines[i+1].S, Kind: KindCrash, Runner: "rust", Detail: []string{s}}
			x.Frames = append(framesBelow(d, i-1), framesBelow(d, i+1)...)
			f.Loose = append(f.Loose, x)
			i++
		case strings.HasPrefix(s, "lua"):
			if m := reLuaError().FindStringSubmatch(s); m != nil {
				f.Loose = append(f.Loose, Failure{File: m[1], Line: text.Atoi(m[2]), Message: m[3], Kind: KindCrash, Runner: "lua", Frames: framesBelow(d, i)})
			}
		case strings.Contains(s, " line ") && strings.HasSuffix(s, "."):
			if m := RePerlDie().FindStringSubmatch(s); m != nil && !strings.HasPrefix(s, "#") {
				f.Loose = append(f.Loose, Failure{File: m[2], Line: text.Atoi(m[3]), Message: m[1], Kind: KindCrash, Runner: "perl"})
			}
		case strings.HasPrefix(s, "/") || strings.Contains(s, ".rb:"):
			if m := reRubyError().FindStringSubmatch(s); m != nil {
				i = rubyTrace(d, f, i, m) - 1
			}
		}
	}
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
		if g, ok := CutPlace(strings.TrimPrefix(d.Lines[k].S, "file://"), f.Root); ok && g.Text == "" && g.Line > 0 {
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
	x := Failure{Message: m[4], Kind: KindCrash, Runner: "ruby", Frames: []Frame{{File: m[1], Line: text.Atoi(m[2]), Func: m[3]}}}
	x.Frames = append(x.Frames, framesBelow(d, i)...)
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	return i + 1
}
