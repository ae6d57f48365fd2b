package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reAntTask  = text.Lazy(`^ {2,}\[[\w:.-]+\] ?`)
	reBuildOut = text.Lazy(`^#\d+ (?:\d+\.\d+(?: |$))?`)
	reCTestOut = text.Lazy(`^\d+: `)
)

// readStreams removes the prefixes of tools that run others one after the other: ant's
// tasks, ctest -V and docker build.
func readStreams(d *stream.Stream, _ *core.Result) {
	ant, ctest, docker := false, false, false
	for i := range d.Lines {
		s := d.Lines[i].S
		ant = ant || strings.HasPrefix(s, "Buildfile: ")
		docker = docker || strings.HasPrefix(s, "#") && strings.Contains(s, "] RUN ")
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
		case ctest && l.S != "" && l.S[0] >= '0' && l.S[0] <= '9':
			l.S = l.S[len(reCTestOut().FindString(l.S)):]
		}
	}
}
