package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Explain reads the block of a failing test of any tool: frames, the message, and what else
// is worth showing. It keeps what the failure already has. Of a chain of exceptions the
// last one is what the test saw; the earlier ones become causes, with their frames after
// its own.
func Explain(x *Failure, block []string) {
	body := withoutTracebacks(block)
	if len(x.Frames) == 0 {
		x.Frames = innermostFirst(block)
	}
	body = text.TrimBlock(WithoutFrames(WithoutSource(body)))
	for len(body) > 0 && (rule(body[0]) || strings.TrimSpace(body[0]) == "") {
		body = body[1:]
	}
	body = slices.DeleteFunc(body, func(s string) bool { return len(s) > 19 && rule(s) })
	for len(body) > 1 && x.Message == "" && placeAlone(body[0]) {
		x.Output, body = append(x.Output, body[0]), body[1:]
	}
	if len(body) > 0 && x.Message == "" {
		x.Message, body = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(body[0]), "=> ")), body[1:]
	}
	if x.Message == "Failure/Error:" && len(body) > 0 { // what it says goes on below
		x.Message, body = x.Message+" "+strings.TrimSpace(body[0]), body[1:]
	}
	x.Detail = append(x.Detail, body...)
}

// placeAlone reports whether a line is only a place.
func placeAlone(s string) bool {
	t := strings.TrimSpace(s)
	return t == "" || placeOnly(t) || strings.HasPrefix(t, "(in test file ") ||
		strings.HasPrefix(t, "File \"") && strings.HasSuffix(t, ":")
}

// withoutTracebacks removes Python tracebacks and the lines above them: of a chain the last
// error counts.
func withoutTracebacks(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i], "Traceback (most recent call last)") {
			out = append(out, lines[i])
			continue
		}
		out = nil
		indent := text.IndentOf(lines[i])
		for i+1 < len(lines) && (lines[i+1] == "" || text.IndentOf(lines[i+1]) > indent) {
			i++
		}
	}
	return out
}

// innermostFirst reads the frames of a block. Python prints the innermost last,
// traceback by traceback.
func innermostFirst(lines []string) []Frame {
	var out []Frame
	first, turned := 0, false // where the frames of the open traceback begin, or if they are in order
	for i, s := range lines {
		if i > 2000 || len(out) >= 64 {
			break
		}
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "Traceback (") {
			first = len(out)
		}
		fr, ok := ParseFrame(s)
		turned = turned || strings.HasSuffix(t, "(most recent call first):")
		outer := ok && !turned && strings.HasPrefix(t, `File "`)
		if !ok {
			fr, ok = lastInnermost(t)
			outer = ok
		}
		switch {
		case outer:
			out = slices.Insert(out, first, fr)
		case ok:
			out = append(out, fr)
			first = len(out)
		}
	}
	return out
}

var (
	reLastFrame = text.Lazy(`^([^\s:]+\.\w{1,5}):(\d+):(?: in (\S.*)| \w+(?:\.\w+)*)?$`)
	// reNumberedCall is a function of a stack whose place stands in the line below.
	reNumberedCall = text.Lazy(`^ +\d{1,3}: +(<?&?\w\S*::.*|<.+>::\S+)$`)
)

// lastInnermost reads a frame of a trace whose last line is the innermost: "a.py:3: in
// total", "a.py:3: ValueError", "a.py:3:".
func lastInnermost(t string) (Frame, bool) {
	if len(t) < 6 || len(t) > 300 || !strings.Contains(t, ":") {
		return Frame{}, false
	}
	m := reLastFrame().FindStringSubmatch(t)
	if m == nil {
		return Frame{}, false
	}
	return Frame{File: m[1], Line: text.Atoi(m[2]), Func: m[3]}, true
}

// WithoutSource drops the source printed around a place, except for the marked line.
func WithoutSource(lines []string) []string {
	var out []string
	for i, s := range lines {
		pointed := i+1 < len(lines) && caret(lines[i+1])
		if caret(s) || sourceLine(s) && !pointed {
			continue
		}
		out = append(out, s)
	}
	return out
}

// sourceLine reports whether a line is numbered source, as tools print it around a place.
func sourceLine(s string) bool {
	t := strings.TrimLeft(s, " \t")
	n := text.LeadingDigits(t)
	if n == 0 || n == len(t) {
		return false
	}
	t = strings.TrimLeft(t[n:], " ")
	for _, bar := range []string{"|", "│", "▕"} {
		if rest, ok := strings.CutPrefix(t, bar); ok {
			return rest == "" || rest[0] == ' '
		}
	}
	rest, ok := strings.CutPrefix(t, ":")
	return ok && (rest == "" || strings.HasPrefix(rest, "  ") ||
		rest[0] == ' ' && strings.ContainsAny(rest[len(rest)-1:], "({;"))
}

// caret reports whether a line points at a column of the source above it.
func caret(s string) bool {
	t := strings.TrimLeft(s, " \t")
	for _, bar := range []string{"|", "│"} {
		t = strings.TrimLeft(strings.TrimPrefix(t, bar), " ")
	}
	return strings.Contains(t, "^") && strings.Trim(t, "^~") == ""
}

// WithoutFrames drops frames and the lines that introduce them.
func WithoutFrames(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(s string) bool {
		_, ok := ParseFrame(s)
		return ok && !reRubyError().MatchString(s) || isForeignFrame(s)
	})
}

// reRubyError is a line with the place of a syntax error, which has the form of a frame.
var reRubyError = text.Lazy(`\.(?:rb|ru|rake):\d+: \S`)

// stackTitles introduce a stack or a message, or explain how to see more of it.
var stackTitles = []string{"Stack Trace:", "Failed example:", "stack backtrace:", "Error Message:",
	"StackTrace:", "note: run with `RUST_BACKTRACE", "note: Some details are omitted, run with"}

// isForeignFrame reports frames without a useful place, such as "at Array.map
// (<anonymous>)", and the titles of stacks.
func isForeignFrame(s string) bool {
	t := strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(t, "at "):
		return slices.ContainsFunc([]string{"<anonymous>", "<Jasmine>", "(native", "node:", "(Unknown Source)",
			"(Native Method)"},
			func(w string) bool { return strings.Contains(t, w) })
	case strings.HasSuffix(t, "(Native Method)"), t == "[...]", t == "Message:", t == "Stack:",
		strings.HasPrefix(t, "==") && (strings.Contains(t, "  at 0x") || strings.Contains(t, "  by 0x")):
		return true
	case strings.HasPrefix(t, "..."):
		return t == "..." || strings.HasSuffix(t, " more")
	case slices.ContainsFunc(stackTitles, func(w string) bool { return strings.HasPrefix(t, w) }):
		return true
	}
	return strings.HasPrefix(s, " ") && strings.Contains(s, "::") && reNumberedCall().MatchString(s)
}
