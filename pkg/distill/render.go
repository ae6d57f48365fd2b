package distill

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// render writes the text of a report.
func render(r *Report, all []core.Failure, docs []*stream.Doc, root *core.Tree, o Options) string {
	failed := o.ExitCode != nil && *o.ExitCode != 0
	w := &page{budget: o.Budget}
	w.line(headline(r, len(all), o))
	if len(all) > 0 {
		renderFailures(w, all, root)
		return w.String()
	}
	passed := o.ExitCode != nil && *o.ExitCode == 0 || o.ExitCode == nil && r.Recognised && (r.Passed != nil || r.Failed != nil) && !r.NoTests
	if passed {
		return w.String()
	}
	if !r.NoTests || failed {
		w.line("")
		lines := fitLines(telling(docs, 60), o.Budget-w.size-200)
		if strings.TrimSpace(strings.Join(lines, "")) == "" {
			w.line("The output is empty.")
			return w.String()
		}
		w.line("These are the last and the most error-like lines:")
		for _, s := range lines {
			w.line(s)
		}
	}
	return w.String()
}

// headline sums the run up in one line.
func headline(r *Report, shown int, o Options) string {
	var b strings.Builder
	name := r.Runner
	if name == "" {
		name = "unknown runner"
	}
	b.WriteString(name + ":")
	var parts []string
	for _, c := range []struct {
		n    *int
		what string
	}{{r.Failed, "failed"}, {r.Passed, "passed"}, {r.Skipped, "skipped"}} {
		if c.n != nil && (*c.n > 0 || c.what == "failed" && shown == 0 && (o.ExitCode == nil || *o.ExitCode == 0)) {
			parts = append(parts, strconv.Itoa(*c.n)+" "+c.what)
		}
	}
	if len(parts) > 0 {
		b.WriteString(" " + strings.Join(parts, ", "))
	} else if n := shown; n > 0 {
		b.WriteString(" " + plural(n, "problem"))
	}
	switch {
	case o.ExitCode != nil && *o.ExitCode != 0 && shown == 0:
		if len(parts) > 0 {
			b.WriteString(";")
		}
		if r.NoTests {
			fmt.Fprintf(&b, " no tests were run, exit code %d", *o.ExitCode)
		} else {
			fmt.Fprintf(&b, " the command failed with exit code %d, but its output names no failure that is understood here", *o.ExitCode)
		}
	case r.NoTests:
		b.WriteString(" no tests were run")
	case o.ExitCode != nil && *o.ExitCode == 0:
		b.WriteString(" passed (exit code 0)")
	case shown == 0 && !r.Recognised:
		b.WriteString(" the format of this output is not known")
	case shown == 0 && r.Failed == nil && r.Passed == nil:
		b.WriteString(" no failure found")
	}
	return b.String()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// page collects lines up to a budget. A line that does not fit is left out
// whole.
type page struct {
	budget, size int
	b            strings.Builder
	full         bool
}

func (p *page) line(s string) bool {
	s = core.Short(s, maxLine)
	if p.size+len(s)+1 > p.budget {
		p.full = true
		return false
	}
	p.b.WriteString(s)
	p.b.WriteByte('\n')
	p.size += len(s) + 1
	return true
}

func (p *page) String() string { return p.b.String() }

// maxLine is the longest line of the text; of a longer one the middle goes.
const maxLine = 400

// fitLines takes as many of the last lines as fit.
func fitLines(lines []string, room int) []string {
	out := []string{}
	for i := len(lines) - 1; i >= 0; i-- {
		s := steady(core.Short(lines[i], maxLine))
		if room -= len(s) + 1; room < 0 {
			break
		}
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}
