package distill

import (
	"strings"
)

var (
	reJSException = lazy(`^\s*(?:error: )?(?:Uncaught (?:\(in promise\) )?|Exception during run: |\[?Unhandled\w*\]?:? )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?:: .*)?)$`)
	reRubyError   = lazy(`^((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+):in [` + "`" + `'](.+?)': (.+)$`)
	reRubySyntax  = lazy(`^((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+): (.*(?:syntax error|SyntaxError).*)$`)
	reJavaMain    = lazy(`^Exception in thread "[^"]*" (.+)$`)
	reCAssert     = lazy(`^(?:[^\s:]+: )?((?:[A-Za-z]:)?[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp)):(\d+): (?:.+: )?Assertion [` + "`" + `'](.+)' failed\.`)
	reSanitizer   = lazy(`^(?:==\d+==)?\s*(?:ERROR|WARNING): ((?:Address|Leak|Thread|Memory|UndefinedBehavior)Sanitizer: .+)$`)
	reUBSan       = lazy(`^((?:[A-Za-z]:)?[^\s:]+\.\w+):(\d+):(\d+): (runtime error: .+)$`)
	reLuaError    = lazy(`^lua[\d.]*: ([^\s:]+\.lua):(\d+): (.+)$`)
	rePerlDie     = lazy(`^(.+) at (\S+\.(?:pl|pm|t)) line (\d+)\.$`)
)

// readTraces reads bare stack traces: errors that no framework caught. A
// passing run may log them, so they count only where nothing else failed and
// no runner says that all went well.
func readTraces(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "==") && strings.Contains(s, "== "):
			if strings.Contains(s, "Sanitizer: ") {
				i = sanitizerTrace(d, f, i) - 1
			} else {
				i = grindTrace(d, f, i) - 1
			}
		case strings.Contains(s, ".d") && strings.Contains(s, "@") && strings.Contains(s, ": "):
			if m := reDThrow().FindStringSubmatch(s); m != nil {
				f.loose = append(f.loose, Failure{File: m[2], Line: atoi(m[3] + m[4]), Message: m[1] + ": " + m[5], Kind: KindCrash, runner: "D"})
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
			} else if reException().MatchString(s) && i+1 < len(d.lines) && strings.HasPrefix(strings.TrimSpace(d.lines[i+1].s), "at ") {
				i = javaTrace(d, f, i) - 1
			} else if m := reRubySyntax().FindStringSubmatch(s); m != nil {
				f.loose = append(f.loose, Failure{File: m[1], Line: atoi(m[2]), Message: m[3], Kind: KindCompile, runner: "ruby"})
			}
		case strings.Contains(s, "Assertion "):
			if m := reCAssert().FindStringSubmatch(s); m != nil {
				f.loose = append(f.loose, Failure{File: m[1], Line: atoi(m[2]), Message: s, Kind: KindCrash, runner: "assert"})
			}
		case strings.Contains(s, "runtime error: "):
			if m := reUBSan().FindStringSubmatch(s); m != nil {
				f.loose = append(f.loose, Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: m[4], Kind: KindCrash, runner: "sanitizer"})
			}
		case strings.HasPrefix(s, "lua"):
			if m := reLuaError().FindStringSubmatch(s); m != nil {
				f.loose = append(f.loose, Failure{File: m[1], Line: atoi(m[2]), Message: m[3], Kind: KindCrash, runner: "lua", Frames: framesBelow(d, i)})
			}
		case strings.Contains(s, " line ") && strings.HasSuffix(s, "."):
			if m := rePerlDie().FindStringSubmatch(s); m != nil && !strings.HasPrefix(s, "#") {
				f.loose = append(f.loose, Failure{File: m[2], Line: atoi(m[3]), Message: m[1], Kind: KindCrash, runner: "perl"})
			}
		case strings.HasPrefix(s, "/") || strings.Contains(s, ".rb:"):
			if m := reRubyError().FindStringSubmatch(s); m != nil {
				i = rubyTrace(d, f, i, m) - 1
			}
		}
	}
}

// framesBelow reads the frames in the lines after i, up to a line that is none.
func framesBelow(d *doc, i int) []Frame {
	var out []Frame
	misses := 0
	for k := i + 1; k < len(d.lines) && k < i+80; k++ {
		if fr, ok := parseFrame(d.lines[k].s); ok {
			out = append(out, fr)
			misses = 0
		} else if misses++; misses > 2 {
			break
		}
	}
	return out
}

func pythonTrace(d *doc, f *found, i int) int {
	end := min(len(d.lines), i+400)
	lines := make([]string, 0, 64)
	for k := i; k < end; k++ {
		if d.lines[k].used || k > i && strings.Contains(d.lines[k].s, "Traceback (most recent") || k > i && d.lines[k].s == "" && len(lines) > 2 && !strings.HasPrefix(lines[len(lines)-1], " ") {
			break
		}
		lines = append(lines, d.lines[k].s)
	}
	tb := readTraceback(lines, 0)
	if tb.message == "" || len(tb.frames) == 0 {
		return i + 1
	}
	x := Failure{Message: tb.message, detail: tb.rest[:min(len(tb.rest), 20)], Frames: tb.frames, Kind: KindCrash, runner: "python"}
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	for k := i; k < i+len(lines) && k < i+tb.end-len(tb.rest); k++ {
		d.lines[k].used = true
	}
	return max(i+1, i+tb.end-len(tb.rest))
}

// pythonSyntax reads a syntax error without a traceback: the place stands
// above it.
func pythonSyntax(d *doc, f *found, i int) bool {
	t := strings.TrimSpace(d.lines[i].s)
	if t = strings.TrimPrefix(t, "*** "); !strings.HasPrefix(t, "SyntaxError: ") && !strings.HasPrefix(t, "IndentationError: ") && !strings.HasPrefix(t, "TabError: ") {
		return false
	}
	for k := i - 1; k >= 0 && k > i-6; k-- {
		if fr, ok := parseFrame(d.lines[k].s); ok && strings.HasPrefix(strings.TrimSpace(d.lines[k].s), `File "`) {
			var src []string
			for _, l := range d.lines[k+1 : i] {
				src = append(src, l.s)
			}
			f.loose = append(f.loose, Failure{File: fr.File, Line: fr.Line, Message: strings.TrimSpace(d.lines[i].s), detail: src, Kind: KindCompile, runner: "python"})
			return true
		}
	}
	return false
}

func jsTrace(d *doc, f *found, i int, msg string) int {
	x := Failure{Message: msg, Kind: KindCrash, runner: "node"}
	if strings.Contains(d.lines[i].s, "Exception during run") {
		x.runner, x.Kind = "mocha", KindLoad
		f.saw("mocha")
	}
	frames, j := 0, i+1
	for ; j < len(d.lines) && j < i+120; j++ {
		s := d.lines[j].s
		if fr, ok := parseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), "at ") {
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
			x.detail = append(x.detail, s)
		}
	}
	if frames == 0 {
		return i + 1
	}
	// "file:12", the source and a caret stand above a syntax error.
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if g, ok := cutPlace(strings.TrimPrefix(d.lines[k].s, "file://"), f.root); ok && g.text == "" && g.line > 0 {
			if _, in := f.root.resolve(g.file, ""); in {
				x.File, x.Line = g.file, g.line
			}
			break
		}
	}
	for k := i; k < j; k++ {
		d.lines[k].used = true
	}
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	return j
}

func javaTrace(d *doc, f *found, i int) int {
	j := i + 1
	lines := []string{d.lines[i].s}
	if m := reJavaMain().FindStringSubmatch(d.lines[i].s); m != nil {
		lines[0] = m[1]
	}
	for ; j < len(d.lines) && j < i+300; j++ {
		t := strings.TrimSpace(d.lines[j].s)
		if !strings.HasPrefix(t, "at ") && !strings.HasPrefix(t, "Caused by: ") && !strings.HasPrefix(t, "... ") && !strings.HasPrefix(t, "Suppressed: ") {
			break
		}
		lines = append(lines, d.lines[j].s)
	}
	x := Failure{Kind: KindCrash, runner: "java"}
	javaBlock(f, &x, lines)
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	for k := i; k < j; k++ {
		d.lines[k].used = true
	}
	return j
}

func rubyTrace(d *doc, f *found, i int, m []string) int {
	x := Failure{Message: m[4], Kind: KindCrash, runner: "ruby", Frames: []Frame{{File: m[1], Line: atoi(m[2]), Func: m[3]}}}
	x.Frames = append(x.Frames, framesBelow(d, i)...)
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	return i + 1
}

func sanitizerTrace(d *doc, f *found, i int) int {
	m := reSanitizer().FindStringSubmatch(d.lines[i].s)
	if m == nil {
		return i + 1
	}
	x := Failure{Message: m[1], Kind: KindCrash, runner: "sanitizer", Frames: framesBelow(d, i)}
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	return i + 1
}
