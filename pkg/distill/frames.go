package distill

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// lazy compiles a regular expression when it is first needed.
//
// Inlined, each of the hundreds of expressions would bring its own copy of the
// closures: 0.3 MB of a program.
//
//go:noinline
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	reFramePython = lazy(`^\s*File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	reFrameAt     = lazy(`^\s*at (?:async )?(?:(.+?) )?\(?((?:file://|https?://|webpack[\w-]*://|[A-Za-z]:)?[^():]*?[^\s():][^():]*?):(\d+)(?::(\d+))?\)?(?: \{)?,?$`)
	reFrameTick   = lazy(`^\s*❯ (?:(.+) )?((?:file://)?[^\s:]+(?: [^\s:]+)*?):(\d+):(\d+)$`)
	reFrameGecko  = lazy(`^\s*([^\s@]*)@((?:file://|https?://[^/]+)?/?[^\s@:]+):(\d+):(\d+)$`)
	reFrameJava   = lazy(`^\s*(?:at )?(?:[\w.-]+(?:@[\w.+-]+)?/+)*([\w.$<>-]+)\(([\w$-]+\.(?:java|kt|scala|groovy|clj)):(\d+)\)`)
	// Kotlin and Groovy have methods with blanks in their names.
	reFrameWords  = lazy(`^\s*at (?:[\w.-]+(?:@[\w.+-]+)?/+)*([\w.$<>-][^():/]*)\(([\w$-]+\.(?:kt|groovy|scala|java)):(\d+)\)$`)
	reFrameRuby   = lazy(`^\s*(?:# |from |\[?)?((?:[A-Za-z]:)?[^\s:'"` + "`" + `]+\.(?:rb|rake|ru|cr)):(\d+)(?::in [` + "`" + `'](.+?)')?`)
	reFramePHP    = lazy(`^\s*(?:#\d+ |at |\d+\. |)((?:[A-Za-z]:)?[^\s:()]+\.php)(?:\((\d+)\)|:(\d+))(?:: (.+))?`)
	reFrameNet    = lazy(`^\s*at (.+?) in (.+):line (\d+)`)
	reFrameElixir = lazy(`^\s*(?:\([\w.-]+(?: [\w.+-]+)?\) )?((?:lib|test|apps|src|web|deps)/[^\s:]+\.exs?):(\d+): (.+)$`)
	reFrameGo     = lazy(`^\s+(/[^\s:]+\.go|[A-Za-z]:[^\s:]+\.go|\.?[\w./-]+\.go):(\d+)(?: \+0x[0-9a-f]+)?$`)
	reFrameC      = lazy(`^\s*#\d+ +(?:0x[0-9a-f]+ (?:in )?)?(.+?) (?:at )?([^\s()]+\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm|swift|rs|zig)):(\d+)(?::(\d+))?`)
	reFrameErl    = lazy(`^\s*(?:in (?:function|call from) )?(?:%% )?(.*?) ?\(([^\s(),]+\.(?:erl|hrl)), line (\d+)\)$`)
	reFrameVal    = lazy(`^(?:==\d+==)?\s*(?:at|by) 0x[0-9A-Fa-f]+: (.+) \(([^\s():]+):(\d+)\)$`)
	reDartStack   = lazy(`^#\d+\s+(.+) \(((?:file://)?[^()]+\.dart):(\d+)(?::(\d+))?\)$`)
	reFrameLua    = lazy(`^\s*(?:\[C\]|)([^\s:\[]+\.lua):(\d+): in (.+)$`)
)

// parseFrame reads one line of a stack trace of any language.
func parseFrame(s string) (Frame, bool) {
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
		f := Frame{File: get(file), Line: atoi(get(line)), Column: atoi(get(col)), Func: get(fn)}
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
					f.Line, ok = atoi(m[2]), true
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
				f.Line, ok = atoi(m[2]), true
			}
			return f, ok
		}
	case strings.Contains(t, ".ex"):
		if m := reFrameElixir().FindStringSubmatch(s); m != nil {
			return num(m, 1, 2, 0, 3)
		}
	case strings.Contains(t, ".go:"):
		if m := reFrameGo().FindStringSubmatch(s); m != nil {
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
	fr := Frame{File: m[2], Line: atoi(m[3]), Func: m[1]}
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

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// framesOf reads all frames in a block of lines, in order.
func framesOf(lines []string) []Frame {
	var out []Frame
	for _, s := range lines {
		if f, ok := parseFrame(s); ok && len(out) < 64 {
			out = append(out, f)
		}
	}
	return out
}

// withoutFrames drops the lines that are frames, and what code frames a tool
// printed stay.
func withoutFrames(lines []string) []string {
	var out []string
	for _, s := range lines {
		if _, ok := parseFrame(s); ok || isForeignFrame(s) {
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

// placeOf takes the first frame that lies inside the project as the place of a
// failure.
func (f *found) placeOf(x *Failure) {
	if x.File != "" {
		return
	}
	for _, fr := range x.Frames {
		if rel, ok := f.root.resolve(fr.File, x.pkg); ok {
			x.File, x.Line, x.Column = rel, fr.Line, fr.Column
			return
		}
	}
}
