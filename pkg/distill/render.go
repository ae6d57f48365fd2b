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
			lines, left := residue(streams, w.String(), min(w.budget/2, w.budget-w.size-60))
			w.leftOver("Also in the output:", withFold(lines, left))
		}
	case r.green || r.NoTests && !r.red:
		lines := r.suspicious
		if r.moreSuspicious > 0 {
			lines = append(slices.Clone(lines), fmt.Sprintf("(and %d more like these)", r.moreSuspicious))
		}
		w.leftOver("These lines read like errors all the same:", lines)
	default:
		w.line("")
		title, lines := r.fallback(streams, min(o.Budget-w.size-200, maxTelling))
		if strings.TrimSpace(strings.Join(lines, "")) == "" && len(r.missing) == 0 {
			w.line("The output is empty.")
			break
		}
		w.line(title)
		for _, s := range lines {
			w.line(s)
		}
		w.absent(r.missing)
		if r.cut {
			w.leftOver("It was ended from outside after:", lastLines(streams, 6))
		}
	}
	return w.String()
}

// fallback returns lines of a failed run in which no failure was understood, and their title.
func (r *Report) fallback(streams []*stream.Stream, room int) (title string, lines []string) {
	if r.compared {
		lines, left := newLines(streams, room)
		if len(lines) > 0 {
			return "New since the last good run, each with the line above it:", withFold(lines, left)
		}
		return "All that it printed stands in the last good run, too. It ended with:", lastLines(streams, 5)
	}
	lines, left := leftLines(streams, "", room, 20)
	return "These are the last and the most error-like lines:", withFold(lines, left)
}

// withFold adds how many lines are left out.
func withFold(lines []string, left int) []string {
	if left == 0 || len(lines) == 0 {
		return lines
	}
	return append(slices.Clone(lines), folded(left))
}

// lastLines returns the last n lines as they are, such as the name of the test that ran.
func lastLines(streams []*stream.Stream, n int) []string {
	var all []stream.Line
	for _, d := range streams {
		for _, l := range d.Lines[max(0, len(d.Lines)-3*n):] {
			if strings.TrimSpace(l.S) != "" {
				all = append(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b stream.Line) int { return cmp.Compare(a.No, b.No) })
	var out []string
	for _, l := range all[max(0, len(all)-n):] {
		out = append(out, l.S)
	}
	return out
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

// absent names lines of the last good run that a failed one does not have, the first of which may tell
// where it ended.
func (p *page) absent(lines []string) {
	lines = slices.DeleteFunc(slices.Clone(lines),
		func(s string) bool { return len(strings.TrimSpace(s)) < 3 })
	more := len(lines) - maxAbsent
	lines = lines[:min(len(lines), maxAbsent)]
	if more > 0 {
		lines = append(lines, fmt.Sprintf("(and %d more)", more))
	}
	p.leftOver("The last good run also printed:", lines)
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
	parts := counted(r, shown == 0 && r.green && !r.NoTests && len(r.suspicious) == 0)
	sum := strings.Join(parts, ", ")
	if n := r.named(); sum != "" && r.Failed != nil && n+r.NonTests < *r.Failed && shown > 0 {
		sum += fmt.Sprintf("; %d of %d understood", n, *r.Failed)
	} else if shown > 0 && (r.Failed == nil || *r.Failed == 0) {
		sum = strings.TrimSuffix(plural(shown, "problem")+", "+sum, ", ")
	}
	said := outcome(r, shown, o)
	if said != "" && sum != "" && said[0] != '(' {
		sum += ";"
	}
	line := cmp.Or(r.Runner, "unknown runner") + ": " + sum
	return strings.TrimSuffix(strings.TrimSuffix(line, " ")+" "+said, " ")
}

// outcome is how the run ended, where the counts do not say it.
func outcome(r *Report, shown int, o Options) string {
	known := o.ExitCode != nil
	switch {
	case shown > 0:
		return ""
	case known && *o.ExitCode != 0 && r.NoTests:
		return fmt.Sprintf("no tests were run, exit code %d", *o.ExitCode)
	case known && *o.ExitCode != 0:
		return fmt.Sprintf("the command failed with exit code %d, but its output names no failure "+
			"that is understood here", *o.ExitCode)
	case r.NoTests && !r.red:
		return "no tests were run"
	case known && (r.Failed != nil || r.Passed != nil):
		return "(exit code 0)"
	case known:
		return "passed (exit code 0)"
	case r.red && r.Recognised:
		return "this reads like a failed run, but no failure in it is understood here"
	case !r.Recognised:
		return "the format of this output is not known"
	case r.Failed == nil && r.Passed == nil && !r.red:
		return "no failure found"
	}
	return ""
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

// named counts the failing tests that have a name, in two files those of one name each.
func (r *Report) named() int {
	names := map[[2]string]bool{}
	for i := range r.Failures {
		if x := &r.Failures[i]; x.Test != "" {
			names[[2]string{x.Test, x.File}] = true
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

// maxSuspicious bounds the lines shown of a run that counts no failure.
const maxSuspicious = 8

// maxAbsent bounds the lines shown of those that only the last good run has.
const maxAbsent = 6

// maxLine is the maximum length of a line of the text; longer lines are cut in the middle.
const maxLine = 400
