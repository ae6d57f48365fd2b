package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// render writes the text of a report.
func render(r *Report, all []core.Failure, streams []*stream.Stream, root *tree.Tree, o Options) string {
	w := &page{budget: o.Budget}
	w.line(headline(r, len(all), o))
	switch {
	case len(all) > 0:
		renderFailures(w, all, root)
		retried(w, r)
		if len(all) == len(r.Failures) { // else it might show what was left out
			w.leftOver("Also in the output:",
				residue(streams, w.String(), min(w.budget/2, w.budget-w.size-60)))
		}
	case o.ExitCode != nil && *o.ExitCode == 0:
	case o.ExitCode == nil && r.Recognised && (r.Passed != nil || r.Failed != nil) &&
		(r.Failed == nil || *r.Failed == 0):
	case r.NoTests && o.ExitCode == nil:
	default:
		w.line("")
		lines := leftLines(streams, "", min(o.Budget-w.size-200, maxTelling), 20)
		if strings.TrimSpace(strings.Join(lines, "")) == "" {
			w.line("The output is empty.")
			break
		}
		w.line("These are the last and the most error-like lines:")
		for _, s := range lines {
			w.line(s)
		}
	}
	return w.String()
}

// retried names the tests that passed on retry: they are flaky.
func retried(w *page, r *Report) {
	var names []string
	for i := range r.Retried {
		if name := r.Retried[i].Test; !slices.Contains(names, name) && len(names) < 5 {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		w.line("")
		w.line("Passed when tried again: " + strings.Join(names, ", "))
	}
}

// leftOver writes lines below a title, if there are any.
func (p *page) leftOver(title string, lines []string) {
	if len(lines) == 0 || p.budget-p.size < len(title)+40 {
		return
	}
	p.line("")
	p.line(title)
	for _, s := range lines {
		p.line(s)
	}
}

// headline summarizes the run in one line.
func headline(r *Report, shown int, o Options) string {
	red := o.ExitCode != nil && *o.ExitCode != 0
	parts := counted(r, shown == 0 && !red)
	sum := strings.Join(parts, ", ")
	if n := r.named(); sum != "" && r.Failed != nil && n+r.NonTests < *r.Failed && shown > 0 {
		sum += fmt.Sprintf("; %d of %d understood", n, *r.Failed)
	} else if sum == "" && shown > 0 {
		sum = plural(shown, "problem")
	}
	said := ""
	switch {
	case red && shown == 0:
		if said = fmt.Sprintf("the command failed with exit code %d, but its output names no failure "+
			"that is understood here", *o.ExitCode); r.NoTests {
			said = fmt.Sprintf("no tests were run, exit code %d", *o.ExitCode)
		}
		if sum != "" {
			sum += ";"
		}
	case r.NoTests:
		said = "no tests were run"
	case o.ExitCode != nil && !red && len(parts) > 0:
		said = "(exit code 0)"
	case o.ExitCode != nil && !red:
		said = "passed (exit code 0)"
	case shown == 0 && !r.Recognised:
		said = "the format of this output is not known"
	case shown == 0 && r.Failed == nil && r.Passed == nil:
		said = "no failure found"
	}
	line := cmp.Or(r.Runner, "unknown runner") + ": " + sum
	return strings.TrimSuffix(strings.TrimSuffix(line, " ")+" "+said, " ")
}

// counted returns the counts worth mentioning; zero failures only if that is news.
func counted(r *Report, zero bool) []string {
	var parts []string
	for _, c := range []struct {
		n    *int
		what string
	}{{r.Failed, "failed"}, {r.Passed, "passed"}, {r.Skipped, "skipped"}} {
		if c.n != nil && (*c.n > 0 || c.what == "failed" && zero) {
			parts = append(parts, strconv.Itoa(*c.n)+" "+c.what)
		}
	}
	return parts
}

// named counts the failing tests that have a name.
func (r *Report) named() int {
	names := map[string]bool{}
	for i := range r.Failures {
		if x := &r.Failures[i]; x.Test != "" {
			names[x.Test] = true
		}
	}
	return len(names)
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
	s = text.Short(s, maxLine)
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

// maxTelling bounds what is shown of an output that no reader understood.
const maxTelling = 4000

// maxLine is the maximum length of a line of the text; longer lines are cut in the middle.
const maxLine = 400
