package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reAntTask   = text.Lazy(`^ {2,}\[[\w:.-]+\] ?`)
	reCTestOut  = text.Lazy(`^\d+: `)
	reBuildStep = text.Lazy(`^#\d+ \[[^\]]*\d+/\d+\] (?:RUN|COPY|ADD|FROM|WORKDIR) `)
	reBuildOut  = text.Lazy(`^#\d+ (?:\d+\.\d+(?: |$))?`)
	// A report in one line shows no label, since labels show themselves by repeating.
	reLabelled = text.Lazy(`^(?:[\w.@/-]+ +\| |\[[\w.@/-]+\] |[\w.@/-]+(?:[: ][\w:-]+)?: )` +
		`([\[{]["\[{].*|<\?xml .*)$`)
	reBuildTime = text.Lazy(`^\d+\.\d{2,4}(?: |$)`)
)

// minReport is the length of a line from which on it may be a whole report.
const minReport = 150

// readStreams takes off what a tool puts in front of the lines of those it
// runs one after the other: ant's tasks, ctest -V and docker build.
func readStreams(d *stream.Stream, f *core.Result) {
	ant, ctest, docker := false, false, false
	for i := range d.Lines {
		s := d.Lines[i].S
		if len(s) > minReport && strings.ContainsAny(s[len(s)-1:], "]}>") {
			if m := reLabelled().FindStringSubmatch(s); m != nil {
				s = m[1]
				d.Lines[i].S = s
			}
		}
		ant = ant || strings.HasPrefix(s, "Buildfile: ")
		docker = docker || strings.HasPrefix(s, "#") && reBuildStep().MatchString(s)
		ctest = ctest || strings.Contains(s, ": Test command: ")
	}
	if !ant && !ctest && !docker {
		return
	}
	for i := range d.Lines {
		l := &d.Lines[i]
		switch {
		case ant && strings.HasPrefix(l.S, "  "):
			l.S = l.S[len(reAntTask().FindString(l.S)):]
		case docker && strings.HasPrefix(l.S, "#"):
			l.S = l.S[len(reBuildOut().FindString(l.S)):]
		case docker && l.S != "" && l.S[0] >= '0' && l.S[0] <= '9':
			l.S = l.S[len(reBuildTime().FindString(l.S)):]
		case ctest && l.S != "" && l.S[0] >= '0' && l.S[0] <= '9':
			l.S = l.S[len(reCTestOut().FindString(l.S)):]
		}
	}
}
