package core

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// frameForm is how a language or runtime prints a stack frame. The groups of the expression
// are named after the fields of a [Frame].
type frameForm struct {
	starts, holds, ends string // must be there, blanks aside; saves the expression
	expr                func() *regexp.Regexp
	java                bool // the file is the base name alone
}

var frameForms = []frameForm{
	{starts: "==", holds: "0x", expr: reFrameVal},
	{starts: "by 0x", expr: reFrameVal},
	{starts: "at 0x", expr: reFrameVal},
	{starts: `File "`, expr: text.Lazy(`^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)` +
		`(?:,? in (?P<fn>.+))?$`)},
	{starts: "at ", holds: ":line ", expr: text.Lazy(`^\s*at (?P<fn>.+?) in (?P<file>.+)` +
		`:line (?P<line>\d+)`)},
	{starts: "at ", holds: "(", expr: reFrameJava, java: true},
	{starts: "at ", ends: ")", java: true, // Kotlin and Groovy have methods with blanks in their names
		expr: text.Lazy(`^\s*at (?:[\w.-]+(?:@[\w.+-]+)?/+)*(?P<fn>[\w.$<>-][^():/]*)` +
			`\((?P<file>[\w$-]+\.(?:kt|groovy|scala|java)):(?P<line>\d+)\)$`)},
	{starts: "at ", holds: ".php", expr: reFramePHP},
	{starts: "at ", expr: text.Lazy(`^\s*at (?:async )?(?:(?P<fn>.+?) )?\(?(?P<file>(?:file://|https?://|` +
		`webpack[\w-]*://|[A-Za-z]:)?` +
		`[^():]*?[^\s():<][^():]*?):(?P<line>\d+)(?::(?P<col>\d+))?\)?(?: \{)?,?$`)},
	{starts: "❯ ", expr: reFrameArrow}, {starts: "› ", expr: reFrameArrow},
	{holds: ".rb:", expr: reFrameRuby}, {holds: ".rake:", expr: reFrameRuby},
	{holds: ".ru:", expr: reFrameRuby}, {holds: ".cr:", expr: reFrameRuby},
	{holds: ".php", expr: reFramePHP},
	{holds: ".ex", expr: text.Lazy(`^\s*(?:\([\w.-]+(?: [\w.+-]+)?\) )?(?P<file>(?:lib|test|apps|src|web|` +
		`deps)/[^\s:]+\.exs?):(?P<line>\d+): (?P<fn>.+)$`)},
	{holds: ".go:", expr: ReFrameGo},
	{starts: "#", holds: ".dart:", expr: text.Lazy(`^\s*#\d+\s+(?P<fn>.+)` +
		` \((?P<file>(?:file://)?[^()]+\.dart):(?P<line>\d+)(?::(?P<col>\d+))?\)$`)},
	{holds: ".dart ", expr: text.Lazy(`^\s+(?P<file>\S+\.dart) (?P<line>\d+):(?P<col>\d+)\s+(?P<fn>.+)$`)},
	{starts: "#", expr: text.Lazy(`^\s*#\d+ +(?:0x[0-9a-f]+ (?:in )?)?(?P<fn>.+?) (?:at )?` +
		`(?P<file>[^\s()]+\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm|swift|rs|zig)):(?P<line>\d+)(?::(?P<col>\d+))?`)},
	{holds: "panicked at ", expr: text.Lazy(`\bpanicked at (?P<file>[^\s:']+\.rs):(?P<line>\d+)` +
		`:(?P<col>\d+):?\s*$`)},
	{holds: ".lua:", expr: text.Lazy(`^\s*(?P<file>[^\s:\[]+\.lua):(?P<line>\d+): in (?P<fn>.+)$`)},
	{holds: "(", expr: reFrameJava, java: true},
}

// Forms of more than one beginning.
var (
	reFrameVal = text.Lazy(`^(?:==\d+==)?\s*(?:at|by) 0x[0-9A-Fa-f]+: (?P<fn>.+) \((?P<file>[^\s():]+)` +
		`:(?P<line>\d+)\)$`)
	reFrameArrow = text.Lazy(`^\s*[❯›] (?:(?P<fn>.+?) )?\(?(?P<file>(?:file://)?[^\s:(]+(?: [^\s:]+)*?)` +
		`:(?P<line>\d+):(?P<col>\d+)\)?$`)
	reFrameJava = text.Lazy(`^\s*(?:at )?(?:[\w.-]+(?:@[\w.+-]+)?/+)*(?P<fn>[\w.$<>-]+)` +
		`\((?P<file>[\w$-]+\.(?:java|kt|scala|groovy|clj)):(?P<line>\d+)\)`)
	reFrameRuby = text.Lazy(`^\s*(?:# |from |\[?)?(?P<file>(?:[A-Za-z]:)?[^\s:'"` + "`" +
		`]+\.(?:rb|rake|ru|cr)):(?P<line>\d+)(?::in [` + "`" + `'](?P<fn>.+?)'|[^ ]|$)`)
	reFramePHP = text.Lazy(`^\s*(?:#\d+ |at |\d+\. |)(?P<file>(?:[A-Za-z]:)?[^\s:()]+\.php)` +
		`(?:\((?P<line>\d+)\)|:(?P<line>\d+))(?:: (?P<fn>.+))?`)
	ReFrameGo = text.Lazy(`^\s+(?P<file>/[^\s:]+\.go|[A-Za-z]:[^\s:]+\.go|\.?[\w./-]+\.go):(?P<line>\d+)` +
		`(?: \+0x[0-9a-f]+)?$`)
)

// ParseFrame reads one line of a stack trace of any language.
func ParseFrame(s string) (Frame, bool) {
	t := strings.TrimSpace(s)
	if len(t) < 5 || len(t) > 1000 || !text.HasDigit(t) || !strings.ContainsAny(t, ":(,") {
		return Frame{}, false
	}
	for i := range frameForms {
		x := &frameForms[i]
		if !strings.HasPrefix(t, x.starts) || !strings.Contains(t, x.holds) || !strings.HasSuffix(t, x.ends) {
			continue
		}
		if fr, ok := x.read(s); ok {
			return fr, true
		}
	}
	return Frame{}, false
}

func (x *frameForm) read(s string) (Frame, bool) {
	m := x.expr().FindStringSubmatch(s)
	if m == nil {
		return Frame{}, false
	}
	var fr Frame
	for i, name := range x.expr().SubexpNames() {
		switch said := m[i]; {
		case said == "":
		case name == "file":
			fr.File = said
		case name == "line":
			fr.Line = text.Atoi(said)
		case name == "col":
			fr.Column = text.Atoi(said)
		case name == "fn":
			fr.Func = said
		}
	}
	if x.java {
		fr = javaFrame(fr)
	}
	return fr, fr.File != "" && fr.Line > 0
}

// javaLibraries are packages of libraries.
var javaLibraries = []string{"java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "kotlin.",
	"scala.", "org.testng.", "org.scalatest.", "org.gradle.", "org.apache.maven.", "groovy.", "org.assertj.",
	"org.hamcrest.", "org.mockito.", "org.opentest4j."}

// javaFrame adds the folders of its package to a file, since the JVM prints only the base
// name.
func javaFrame(fr Frame) Frame {
	for _, p := range javaLibraries {
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

// PlaceOf takes the first frame that lies inside the project as the place of a
// failure.
func (f *Result) PlaceOf(x *Failure) {
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
