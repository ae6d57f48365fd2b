package distill

import "strings"

// readPyTimeout reads the stacks that pytest-timeout and faulthandler print
// before they end the process: no line names the test then, but the stack does.
func readPyTimeout(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		s := d.lines[i].s
		title := strings.Trim(s, "+~ ")
		if s == "" || s[0] != '+' || title != "Timeout" {
			if strings.HasPrefix(s, "Fatal Python error: ") {
				i = faultStack(d, f, i) - 1
			}
			continue
		}
		x := Failure{Kind: KindTimeout, Message: "Timeout", runner: "pytest-timeout"}
		j := i + 1
		for ; j < len(d.lines) && j < i+2000; j++ {
			if strings.Contains(d.lines[j].s, "Stack of MainThread") {
				j++
				break
			}
			if s := d.lines[j].s; strings.HasPrefix(s, "+++") && strings.Trim(s, "+ ") == "Timeout" {
				break
			}
		}
		for ; j < len(d.lines) && !strings.HasPrefix(d.lines[j].s, "++++") && !strings.HasPrefix(d.lines[j].s, "~~~~"); j++ {
			if fr, ok := parseFrame(d.lines[j].s); ok {
				x.Frames = append([]Frame{fr}, x.Frames...)
			}
		}
		if len(x.Frames) == 0 {
			continue
		}
		f.stackTest(&x)
		f.fail(x)
		i = j
	}
}

// faultStack reads "Fatal Python error", whose stack has the innermost first.
func faultStack(d *doc, f *found, i int) int {
	x := Failure{Kind: KindCrash, Message: d.lines[i].s, runner: "python"}
	j := i + 1
	for ; j < len(d.lines) && j < i+200; j++ {
		s := d.lines[j].s
		if fr, ok := parseFrame(strings.Replace(s, " in ", ", in ", 1)); ok {
			x.Frames = append(x.Frames, fr)
		} else if len(x.Frames) > 0 {
			break
		}
	}
	if len(x.Frames) > 0 {
		f.stackTest(&x)
		f.fail(x)
	}
	return j
}

// stackTest names the test after the frame of a test function.
func (f *found) stackTest(x *Failure) {
	f.placeOf(x)
	for _, fr := range x.Frames {
		rel, ok := f.root.resolve(fr.File, "")
		if ok && isTestFile(rel) && strings.HasPrefix(fr.Func, "test") {
			x.Test = rel + "::" + fr.Func
			return
		}
	}
}
