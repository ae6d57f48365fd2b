package report

import (
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// course is how the run went: a picture, and a row for each attempt.
func (p *page) course(d record.Detail, attempts []pageAttempt) {
	p.raw(`<section id="course" aria-labelledby="h-course">` + "\n" + `<h2 id="h-course">Attempts</h2>` + "\n")
	if len(attempts) == 0 {
		p.raw("<p>No attempt was made.</p>\n</section>\n")
		return
	}
	p.plot(d)
	longest := int64(1)
	for _, a := range attempts {
		longest = max(longest, a.Sum.DurationMS, a.Model+a.Tested)
	}
	p.raw(`<div class="scroll" role="region" aria-label="Timeline of the attempts" tabindex="0"><table>
<caption>Timeline: <span class="key model"></span> model, <span class="key tests"></span> checks, <span class="key rest"></span> the rest</caption>
<thead><tr><th scope="col">#</th><th scope="col">What was tried</th><th scope="col">Change</th><th scope="col">Result</th>`)
	p.raw(`<th scope="col">Time</th><th scope="col">Tokens in / out</th><th scope="col">Cost</th></tr></thead>` + "\n<tbody>\n")
	for _, a := range attempts {
		added, removed := lines(a.Files)
		p.raw(`<tr><th scope="row"><a href="#attempt-`).num(a.N).raw(`">`).num(a.N).raw("</a></th><td>").line(a.Summary)
		p.raw("</td><td>").text(count(len(a.Files), "file")).raw(" ").plusMinus(added, removed)
		p.raw(`</td><td class="`).raw(cssClass(a.Outcome)).raw(`">`).line(attemptResult(a.Attempt)).raw("</td><td>")
		p.bar(a, longest)
		p.raw("</td><td>").text(tokens(a.Sum.InputTokens) + " / " + tokens(a.Sum.OutputTokens))
		p.raw("</td><td>").text(money(a.Sum.CostUSD, a.Sum.Estimated)).raw("</td></tr>\n")
	}
	p.raw("</tbody>\n</table></div>\n</section>\n")
}

// bar is an attempt's time as a line: the model's part, the checks', the rest.
func (p *page) bar(a pageAttempt, longest int64) {
	all := max(a.Sum.DurationMS, a.Model+a.Tested)
	p.text(span(msec(all))).raw(` <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="model `)
	p.text(span(msec(a.Model))).raw(", checks ").text(span(msec(a.Tested))).raw(`">`)
	at := 0
	for _, part := range []struct {
		class markup
		ms    int64
	}{{"model", a.Model}, {"tests", a.Tested}, {"rest", all - a.Model - a.Tested}} {
		width := int(part.ms * 100 / longest)
		if part.ms > 0 {
			width = max(width, 1)
		}
		if width > 0 {
			p.raw(`<rect class="`).raw(part.class).raw(`" x="`).num(at).raw(`" y="0" width="`).num(width).raw(`" height="6"/>`)
		}
		at += width
	}
	p.raw("</svg>")
}

// point is a number of failing tests; N is -1 where there is none to tell.
type point struct {
	label   string
	n       int
	outcome string
}

func pointsOf(d record.Detail) []point {
	start := point{label: "before", n: len(testsOf(d.Baseline)), outcome: event.Failing}
	if d.Found != nil {
		start.n = d.Found.Failing
		if d.Found.Trouble != "" {
			start.n = -1
		}
	}
	if start.n == 0 {
		start.outcome = event.Green
	}
	points := []point{start}
	for _, a := range d.Attempts {
		if a.Outcome == "" || a.Outcome == event.Refused || a.Outcome == event.Question {
			continue
		}
		pt := point{label: fmt.Sprint(a.N), n: a.Failing, outcome: a.Outcome}
		if a.Trouble != "" {
			pt.n = -1
		}
		points = append(points, pt)
	}
	return points
}

// plot draws the failing tests over the attempts.
func (p *page) plot(d record.Detail) {
	points := pointsOf(d)
	if len(points) < 2 {
		return
	}
	const left, top, height, step = 40, 24, 110, 80
	width := left + step*(len(points)-1) + 60
	most, words := 1, ""
	for i, pt := range points {
		most = max(most, pt.n)
		if i > 0 {
			words += ", "
		}
		what := fmt.Sprint(pt.n)
		if pt.n < 0 {
			what = "unknown"
		}
		if i == 0 {
			words += what + " before the first attempt"
		} else {
			words += what + " after attempt " + pt.label
		}
	}
	x := func(i int) int { return left + step*i }
	y := func(n int) int { return top + height - height*n/most }
	p.raw(`<figure><figcaption>Failing tests over the attempts</figcaption><svg class="plot" viewBox="0 0 `).num(width).raw(" ").
		num(top + height + 40).raw(`" style="max-width:`).num(width).raw(`px" role="img" aria-label="Failing tests: `).text(words).raw(`">`)
	p.raw(`<line class="axis" x1="`).num(left - 20).raw(`" y1="`).num(y(0)).raw(`" x2="`).num(width - 20).raw(`" y2="`).num(y(0)).raw(`"/>`)
	last := -1
	for i, pt := range points {
		if pt.n < 0 {
			continue
		}
		if last >= 0 {
			p.raw(`<line class="course" x1="`).num(x(last)).raw(`" y1="`).num(y(points[last].n)).raw(`" x2="`).num(x(i)).raw(`" y2="`).num(y(pt.n)).raw(`"/>`)
		}
		last = i
	}
	for i, pt := range points {
		at, label := pt.n, fmt.Sprint(pt.n)
		if pt.n < 0 {
			at, label = 0, "?"
		}
		p.raw(`<circle class="`).raw(cssClass(pt.outcome)).raw(`" cx="`).num(x(i)).raw(`" cy="`).num(y(at)).raw(`" r="5"/>`)
		p.raw(`<text x="`).num(x(i)).raw(`" y="`).num(y(at) - 10).raw(`">`).text(label).raw("</text>")
		p.raw(`<text class="dim" x="`).num(x(i)).raw(`" y="`).num(top + height + 22).raw(`">`).text(pt.label).raw("</text>")
	}
	p.raw("</svg></figure>\n")
}

// calls is what each request to a model took and cost.
func (p *page) calls(d record.Detail) {
	p.raw(`<section id="calls" aria-labelledby="h-calls">` + "\n" + `<h2 id="h-calls">Calls and cost</h2>` + "\n")
	calls := append([]record.Call{}, d.Extra...)
	for i := len(d.Attempts) - 1; i >= 0; i-- {
		calls = append(append([]record.Call{}, d.Attempts[i].Calls...), calls...)
	}
	if len(calls) == 0 {
		p.raw("<p>No call was made.</p>\n</section>\n")
		return
	}
	p.raw(`<div class="scroll" role="region" aria-label="Calls to the model" tabindex="0"><table>
<caption>Every call to a model; ~ marks what the provider did not say</caption>
<thead><tr><th scope="col">Call</th><th scope="col">Attempt</th><th scope="col">Role</th><th scope="col">Model</th><th scope="col">Tokens in</th>`)
	p.raw(`<th scope="col">Cached</th><th scope="col">Out</th><th scope="col">Time</th><th scope="col">Cost</th></tr></thead>` + "\n<tbody>\n")
	for i, c := range calls {
		p.raw(`<tr><th scope="row">`).num(i + 1).raw("</th><td>")
		if c.Attempt > 0 {
			p.num(c.Attempt)
		} else {
			p.raw("none")
		}
		p.raw("</td><td>").line(c.Role)
		if c.Error != "" {
			p.raw(` <span class="bad">`).line(c.Error).raw("</span>")
		}
		p.raw("</td><td>").line(modelName(c.Model)).raw("</td><td>").text(tokens(c.InputTokens)).raw("</td><td>").text(tokens(c.CachedTokens))
		p.raw("</td><td>").text(tokens(c.OutputTokens)).raw("</td><td>").text(span(msec(c.DurationMS)))
		p.raw("</td><td>").text(money(c.CostUSD, c.Estimated)).raw("</td></tr>\n")
	}
	r := d.Run
	p.raw(`</tbody>` + "\n" + `<tfoot><tr><th scope="row" colspan="4">All</th><td>`).text(tokens(r.InputTokens)).raw("</td><td></td><td>").
		text(tokens(r.OutputTokens)).raw("</td><td></td><td>").text(money(r.CostUSD,
		r.Estimated)).raw("</td></tr></tfoot>\n</table></div>\n</section>\n")
}
