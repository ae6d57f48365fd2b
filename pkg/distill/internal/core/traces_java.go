package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reException = Lazy(`^\s*(?:Caused by: |Exception in thread "[^"]*" |Suppressed: )?((?:[a-z_][\w]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure|Failed\w*|Throwable|Assert\w*|Comparison\w*)[\w$]*)(?:: (.*))?$`)
	ReJavaWant  = Lazy(`expected: ?<(.*?)> but was: ?<(.*)>`)
)

// JavaBlock reads an exception and its stack, with the causes.
func JavaBlock(f *Found, x *Failure, lines []string) {
	if len(lines) == 0 {
		return
	}
	var msg []string
	var causes []string
	stack := false
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "at ") || strings.HasPrefix(t, "... ") {
			if fr, ok := ParseFrame(s); ok {
				x.Frames = append(x.Frames, fr)
			}
			stack = true
			continue
		}
		if strings.HasPrefix(t, "[...]") || strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") && stack {
			continue
		}
		if fr, ok := ParseFrame(s); ok && strings.Contains(t, ".java:") || strings.Contains(t, ".kt:") && ok {
			x.Frames = append(x.Frames, fr)
			stack = true
			continue
		}
		if strings.HasPrefix(t, "Caused by: ") {
			causes = append(causes, t)
			continue
		}
		if !stack {
			msg = append(msg, s)
		}
	}
	msg = TrimBlock(msg)
	if len(msg) > 0 {
		x.Message = strings.TrimPrefix(strings.TrimSpace(msg[0]), "=> ")
		x.Detail = append(msg[1:], causes...)
	}
	if len(causes) > 0 {
		// The innermost cause is what went wrong; its frames are the last.
		x.Frames = causeFirst(lines, x.Frames)
	}
	if m := ReJavaWant().FindStringSubmatch(strings.Join(msg, " ")); m != nil {
		x.Expected, x.Actual = m[1], m[2]
	}
}

// causeFirst puts the frames of the last "Caused by" in front.
func causeFirst(lines []string, all []Frame) []Frame {
	last := 0
	for i, s := range lines {
		if strings.HasPrefix(strings.TrimSpace(s), "Caused by: ") {
			last = i
		}
	}
	inner := FramesOf(lines[last:])
	return append(inner, all...)
}

var (
	reJavaMain = Lazy(`^Exception in thread "[^"]*" (.+)$`)
)

func javaTrace(d *stream.Doc, f *Found, i int) int {
	j := i + 1
	lines := []string{d.Lines[i].S}
	if m := reJavaMain().FindStringSubmatch(d.Lines[i].S); m != nil {
		lines[0] = m[1]
	}
	for ; j < len(d.Lines) && j < i+300; j++ {
		t := strings.TrimSpace(d.Lines[j].S)
		if !strings.HasPrefix(t, "at ") && !strings.HasPrefix(t, "Caused by: ") && !strings.HasPrefix(t, "... ") && !strings.HasPrefix(t, "Suppressed: ") {
			break
		}
		lines = append(lines, d.Lines[j].S)
	}
	x := Failure{Kind: KindCrash, Runner: "java"}
	JavaBlock(f, &x, lines)
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	return j
}
