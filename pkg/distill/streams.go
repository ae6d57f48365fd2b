package distill

import "strings"

var (
	reAntTask   = lazy(`^ {2,}\[[\w:.-]+\] ?`)
	reCTestOut  = lazy(`^\d+: `)
	reBuildStep = lazy(`^#\d+ \[[^\]]*\d+/\d+\] (?:RUN|COPY|ADD|FROM|WORKDIR) `)
	reBuildOut  = lazy(`^#\d+ (?:\d+\.\d+(?: |$))?`)
	reBuildTime = lazy(`^\d+\.\d{2,4}(?: |$)`)
	reGrind     = lazy(`^==\d+== (Invalid (?:read|write|free).*|Conditional jump.*|Use of uninitialised.*|Mismatched free.*|[\d,]+ (?:\([^)]*\) )?bytes in .* (?:definitely|indirectly|possibly) lost.*|Process terminating.*|Source and destination overlap.*|Syscall param.*|Jump to the invalid.*|Stack overflow.*|Possible data race.*)$`)
	reDThrow    = lazy(`^(\S*(?:Exception|Error))@(\S+\.d)(?:\((\d+)\)|:(\d+)): ?(.*)$`)
)

// readStreams takes off what a tool puts in front of the lines of those it
// runs one after the other: ant's tasks, ctest -V and docker build.
func readStreams(d *doc, f *found) {
	ant, ctest, docker := false, false, false
	for i := range d.lines {
		s := d.lines[i].s
		ant = ant || strings.HasPrefix(s, "Buildfile: ")
		docker = docker || strings.HasPrefix(s, "#") && reBuildStep().MatchString(s)
		ctest = ctest || strings.Contains(s, ": Test command: ")
	}
	if !ant && !ctest && !docker {
		return
	}
	for i := range d.lines {
		l := &d.lines[i]
		switch {
		case ant && strings.HasPrefix(l.s, "  "):
			l.s = l.s[len(reAntTask().FindString(l.s)):]
		case docker && strings.HasPrefix(l.s, "#"):
			l.s = l.s[len(reBuildOut().FindString(l.s)):]
		case docker && l.s != "" && l.s[0] >= '0' && l.s[0] <= '9':
			l.s = l.s[len(reBuildTime().FindString(l.s)):]
		case ctest && l.s != "" && l.s[0] >= '0' && l.s[0] <= '9':
			l.s = l.s[len(reCTestOut().FindString(l.s)):]
		}
	}
}

// grindTrace reads a finding of valgrind.
func grindTrace(d *doc, f *found, i int) int {
	m := reGrind().FindStringSubmatch(d.lines[i].s)
	if m == nil {
		return i + 1
	}
	x := Failure{Message: m[1], Kind: KindCrash, runner: "valgrind"}
	j := i + 1
	for ; j < len(d.lines) && j < i+60; j++ {
		fr, ok := parseFrame(d.lines[j].s)
		if !ok && !strings.Contains(d.lines[j].s, " 0x") {
			break
		}
		if ok {
			x.Frames = append(x.Frames, fr)
		} else if strings.Contains(d.lines[j].s, "Address 0x") {
			x.detail = append(x.detail, d.lines[j].s[strings.Index(d.lines[j].s, "Address"):])
			x.related = nil
			for j++; j < len(d.lines) && strings.Contains(d.lines[j].s, " 0x"); j++ {
				if fr, ok := parseFrame(d.lines[j].s); ok {
					x.related = append(x.related, fr)
				}
			}
			break
		}
	}
	f.placeOf(&x)
	f.loose = append(f.loose, x)
	return j
}
