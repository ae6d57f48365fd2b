package core

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Lazy compiles a regular expression when it is first needed.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	reFramePython = Lazy(`^\s*File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	reFrameAt     = Lazy(`^\s*at (?:async )?(?:(.+?) )?\(?((?:file://|https?://|webpack[\w-]*://|[A-Za-z]:)?[^():]*?[^\s():][^():]*?):(\d+)(?::(\d+))?\)?(?: \{)?,?$`)
	reFrameTick   = Lazy(`^\s*❯ (?:(.+) )?((?:file://)?[^\s:]+(?: [^\s:]+)*?):(\d+):(\d+)$`)
	reFrameGecko  = Lazy(`^\s*([^\s@]*)@((?:file://|https?://[^/]+)?/?[^\s@:]+):(\d+):(\d+)$`)
	reFrameJava   = Lazy(`^\s*(?:at )?(?:[\w.-]+(?:@[\w.+-]+)?/+)*([\w.$<>-]+)\(([\w$-]+\.(?:java|kt|scala|groovy|clj)):(\d+)\)`)
	// Kotlin and Groovy have methods with blanks in their names.
	reFrameWords  = Lazy(`^\s*at (?:[\w.-]+(?:@[\w.+-]+)?/+)*([\w.$<>-][^():/]*)\(([\w$-]+\.(?:kt|groovy|scala|java)):(\d+)\)$`)
	reFrameRuby   = Lazy(`^\s*(?:# |from |\[?)?((?:[A-Za-z]:)?[^\s:'"` + "`" + `]+\.(?:rb|rake|ru|cr)):(\d+)(?::in [` + "`" + `'](.+?)')?`)
	reFramePHP    = Lazy(`^\s*(?:#\d+ |at |\d+\. |)((?:[A-Za-z]:)?[^\s:()]+\.php)(?:\((\d+)\)|:(\d+))(?:: (.+))?`)
	reFrameNet    = Lazy(`^\s*at (.+?) in (.+):line (\d+)`)
	reFrameElixir = Lazy(`^\s*(?:\([\w.-]+(?: [\w.+-]+)?\) )?((?:lib|test|apps|src|web|deps)/[^\s:]+\.exs?):(\d+): (.+)$`)
	ReFrameGo     = Lazy(`^\s+(/[^\s:]+\.go|[A-Za-z]:[^\s:]+\.go|\.?[\w./-]+\.go):(\d+)(?: \+0x[0-9a-f]+)?$`)
	reFrameC      = Lazy(`^\s*#\d+ +(?:0x[0-9a-f]+ (?:in )?)?(.+?) (?:at )?([^\s()]+\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm|swift|rs|zig)):(\d+)(?::(\d+))?`)
	reFrameErl    = Lazy(`^\s*(?:in (?:function|call from) )?(?:%% )?(.*?) ?\(([^\s(),]+\.(?:erl|hrl)), line (\d+)\)$`)
	reFrameVal    = Lazy(`^(?:==\d+==)?\s*(?:at|by) 0x[0-9A-Fa-f]+: (.+) \(([^\s():]+):(\d+)\)$`)
	reDartStack   = Lazy(`^#\d+\s+(.+) \(((?:file://)?[^()]+\.dart):(\d+)(?::(\d+))?\)$`)
	reFrameRust   = Lazy(`\bpanicked at ([^\s:']+\.rs):(\d+):(\d+):?$`)
	reFrameLua    = Lazy(`^\s*(?:\[C\]|)([^\s:\[]+\.lua):(\d+): in (.+)$`)
)

// ParseFrame reads one line of a stack trace of any language.
func ParseFrame(s string) (Frame, bool) {
	t := strings.TrimSpace(s)
	if len(t) < 5 || len(t) > 1000 {
		return Frame{}, false
	}
	num := func(m []string, file, line, col, fn int) (Frame, bool) {
		get := func(i int) string {
			if i <= 0 || i >= len(m) {
				return ""
			}
			return m[i]
		}
		f := Frame{File: get(file), Line: Atoi(get(line)), Column: Atoi(get(col)), Func: get(fn)}
		return f, f.File != "" && f.Line > 0
	}
	switch {
	case strings.HasSuffix(t, ")") && strings.Contains(t, ".erl, line "):
		if m := reFrameErl().FindStringSubmatch(s); m != nil {
			return num(m, 2, 3, 0, 1)
		}
	case strings.HasPrefix(t, "==") || strings.HasPrefix(t, "by 0x") || strings.HasPrefix(t, "at 0x"):
		if m := reFrameVal().FindStringSubmatch(s); m != nil {
			return num(m, 2, 3, 0, 1)
		}
	case strings.HasPrefix(t, "File \""):
		if m := reFramePython().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 3)
		}
	case strings.HasPrefix(t, "at "):
		if strings.Contains(t, ":line ") {
			if m := reFrameNet().FindStringSubmatch(s); m != nil {
				return num(m, 2, 3, 0, 1)
			}
		}
		if m := reFrameJava().FindStringSubmatch(s); m != nil {
			return javaFrame(m), true
		}
		if strings.HasSuffix(t, ")") {
			if m := reFrameWords().FindStringSubmatch(s); m != nil {
				return javaFrame(m), true
			}
		}
		if strings.Contains(t, ".php") {
			if m := reFramePHP().FindStringSubmatch(s); m != nil {
				f, ok := num(m, 1, 3, 0, 4)
				if m[2] != "" {
					f.Line, ok = Atoi(m[2]), true
				}
				return f, ok
			}
		}
		if m := reFrameAt().FindStringSubmatch(s); m != nil {
			f, ok := num(m, 2, 3, 4, 1)
			return f, ok && !strings.HasPrefix(f.File, "<")
		}
	case strings.HasPrefix(t, "❯ "):
		if m := reFrameTick().FindStringSubmatch(s); m != nil {
			return num(m, 2, 3, 4, 1)
		}
	}
	switch {
	case strings.Contains(t, ".rb:") || strings.Contains(t, ".rake:") || strings.Contains(t, ".ru:") || strings.Contains(t, ".cr:"):
		if m := reFrameRuby().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 3)
		}
	case strings.Contains(t, ".php"):
		if m := reFramePHP().FindStringSubmatch(s); m != nil {
			f, ok := num(m, 1, 3, 0, 4)
			if m[2] != "" {
				f.Line, ok = Atoi(m[2]), true
			}
			return f, ok
		}
	case strings.Contains(t, ".ex"):
		if m := reFrameElixir().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 3)
		}
	case strings.Contains(t, ".go:"):
		if m := ReFrameGo().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 0)
		}
	case strings.HasPrefix(t, "#") && strings.Contains(t, ".dart:"):
		if m := reDartStack().FindStringSubmatch(t); m != nil {
			return num(m, 2, 3, 4, 1)
		}
	case strings.HasPrefix(t, "#"):
		if m := reFrameC().FindStringSubmatch(s); m != nil {
			return num(m, 2, 3, 4, 1)
		}
	case strings.Contains(t, "panicked at "):
		if m := reFrameRust().FindStringSubmatch(t); m != nil {
			return num(m, 1, 2, 3, 0)
		}
	case strings.Contains(t, ".lua:"):
		if m := reFrameLua().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 3)
		}
	case strings.Contains(t, "@") && strings.Contains(t, ":"):
		if m := reFrameGecko().FindStringSubmatch(s); m != nil {
			return num(m, 2, 3, 4, 1)
		}
	case strings.Contains(t, "(") && strings.Contains(t, "."):
		if m := reFrameJava().FindStringSubmatch(s); m != nil {
			return javaFrame(m), true
		}
	}
	return Frame{}, false
}

// javaFrame gives the file the folders of its package, since the JVM prints the
// base name alone.
func javaFrame(m []string) Frame {
	fr := Frame{File: m[2], Line: Atoi(m[3]), Func: m[1]}
	for _, p := range []string{"java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "kotlin.", "scala.", "org.testng.", "org.scalatest.", "org.gradle.", "org.apache.maven.", "groovy.", "org.assertj.", "org.hamcrest.", "org.mockito.", "org.opentest4j."} {
		if strings.HasPrefix(fr.Func, p) {
			fr.File = "<" + p + ">"
			return fr
		}
	}
	var pkg []string
	for _, part := range strings.Split(fr.Func, ".") {
		if part == "" || part[0] >= 'A' && part[0] <= 'Z' || strings.ContainsAny(part, "$<") {
			break
		}
		pkg = append(pkg, part)
	}
	// Without a class, the last part is a method.
	if n := len(pkg); n > 0 && n == strings.Count(fr.Func, ".")+1 {
		pkg = pkg[:n-1]
	}
	if len(pkg) > 0 {
		fr.File = strings.Join(pkg, "/") + "/" + fr.File
	}
	return fr
}

func Atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// FramesOf reads all frames in a block of lines, in order.
func FramesOf(lines []string) []Frame {
	var out []Frame
	for _, s := range lines {
		if f, ok := ParseFrame(s); ok && len(out) < 64 {
			out = append(out, f)
		}
	}
	return out
}

// WithoutFrames drops the lines that are frames, and what code frames a tool
// printed stay.
func WithoutFrames(lines []string) []string {
	var out []string
	for _, s := range lines {
		if _, ok := ParseFrame(s); ok || isForeignFrame(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// isForeignFrame tells frames without a place of use, such as
// "at Array.map (<anonymous>)".
func isForeignFrame(s string) bool {
	t := strings.TrimSpace(s)
	return strings.HasPrefix(t, "at ") && (strings.Contains(t, "<anonymous>") || strings.Contains(t, "(native") || strings.Contains(t, "node:") || strings.Contains(t, "(Unknown Source)") || strings.Contains(t, "(Native Method)")) ||
		strings.HasPrefix(t, "... ") && strings.HasSuffix(t, " more") || t == "..."
}

// PlaceOf takes the first frame that lies inside the project as the place of a
// failure.
func (f *Found) PlaceOf(x *Failure) {
	if x.File != "" {
		return
	}
	for _, fr := range x.Frames {
		if rel, ok := f.Root.Resolve(fr.File, x.Pkg); ok {
			x.File, x.Line, x.Column = rel, fr.Line, fr.Column
			return
		}
	}
}
