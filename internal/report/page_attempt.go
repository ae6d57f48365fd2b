package report

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// attempt is one attempt: what was seen, what was changed, what came of it.
func (p *page) attempt(a pageAttempt, r record.Run) {
	class := cssClass(a.Outcome)
	p.raw(`<section id="attempt-`).num(a.N).raw(`" aria-labelledby="h-attempt-`).num(a.N).raw("\">\n" +
		`<h2 id="h-attempt-`).num(a.N).raw(`">Attempt `).
		text(outOf(a.N, r.MaxRetries)).raw(` <span class="`).raw(class).raw(`">`).raw(sign(class)).line(attemptResult(a.Attempt)).raw("</span></h2>\n")
	if a.Summary != "" {
		p.raw("<p>").line(a.Summary).raw("</p>\n")
	}
	for i, q := range a.Requests {
		p.request(i+1, q)
	}
	for _, n := range a.Notes {
		p.raw(`<p class="dim">`).line(n.Kind).raw(": ").line(n.Text).raw("</p>\n")
	}
	for _, x := range a.Refused {
		p.raw(`<p class="warn">Refused: `).code(x.Path).raw(" ").line(x.Reason).raw("</p>\n")
	}
	if len(a.Diff) > 0 {
		p.raw("<h3>What it changed</h3>\n")
		p.files(a.Diff, false)
	}
	if len(a.Checks) > 0 {
		p.raw("<h3>What the checks said</h3>\n")
		p.checks(fmt.Sprintf("of attempt %d", a.N), a.Checks)
	}
	p.talk("", a.Said)
	p.raw("</section>\n")
}

// request is what a request put before the model, and why.
func (p *page) request(n int, q record.Request) {
	if len(q.Files) == 0 {
		return
	}
	p.raw("<details><summary>Request ").num(n).raw(" showed ").text(count(len(q.Files), "file")).raw(` <span class="dim">`)
	p.line(strings.Join(nonEmpty(q.Role, modelName(q.Model), tokens(q.Tokens)+" tokens in all"),
		", ")).raw("</span></summary>\n")
	p.raw("<table>\n<thead><tr>" + `<th scope="col">File</th><th scope="col">Part</th><th scope="col">Tokens</th><th scope="col">Why</th></tr></thead>` + "\n<tbody>\n")
	for _, f := range q.Files {
		p.raw(`<tr><th scope="row">`).code(f.Path).raw("</th><td>").line(f.Part +
			linesText(f.Lines)).raw("</td><td>").text(tokens(f.Tokens)).raw("</td><td>")
		p.line(f.Why).raw("</td></tr>\n")
	}
	p.raw("</tbody>\n</table>\n</details>\n")
}

func linesText(lines [][2]int) string {
	var parts []string
	for _, l := range lines {
		parts = append(parts, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", lines " + strings.Join(parts, ", ")
}

// checks is a row for each check, and below it what failed and what it printed.
// what tells the tables of the page apart for who does not see them.
func (p *page) checks(what string, checks []pageCheck) {
	p.raw("<table>\n<caption>Checks ").line(what).raw("</caption>\n<thead><tr>" +
		`<th scope="col">Check</th><th scope="col">Result</th><th scope="col">Tests</th><th scope="col">Time</th></tr></thead>` + "\n<tbody>\n")
	for _, c := range checks {
		p.raw(`<tr><th scope="row">`).line(c.Name)
		if c.Command != "" {
			p.raw(" ").code(c.Command)
		}
		p.raw(`</th><td class="`).raw(cssGood(c.Passed)).raw(`">`).text(verdict(c.Check))
		if c.Note != "" {
			p.raw(` <span class="dim">`).line(c.Note).raw("</span>")
		}
		p.raw("</td><td>").text(countsText(c.Counts)).raw("</td><td>").text(span(msec(c.DurationMS))).raw("</td></tr>\n")
	}
	p.raw("</tbody>\n</table>\n")
	for _, c := range checks {
		p.failures(c.Fresh)
		p.folded("What the model reads of "+c.Name+" (distilled)", c.Distilled)
		p.folded("Full output of "+c.Name, c.Full)
	}
}

// failures lists what failed; a run of thousands is not read as a list.
func (p *page) failures(failures []event.Failure) {
	const most, all = 20, 1000
	if len(failures) == 0 {
		return
	}
	p.list(failures[:min(len(failures), most)])
	if len(failures) <= most {
		return
	}
	p.raw("<details><summary>").text(count(len(failures)-most, "more failure")).raw("</summary>\n")
	p.list(failures[most:min(len(failures), all)])
	if len(failures) > all {
		p.raw("<p>and ").text(count(len(failures)-all, "more failure")).raw(", which the full output has</p>\n")
	}
	p.raw("</details>\n")
}

func (p *page) list(failures []event.Failure) {
	p.raw("<ul>\n")
	for _, f := range failures {
		p.raw("<li>")
		if f.Test != "" {
			p.code(f.Test).raw(" ")
		}
		if f.File != "" {
			p.raw(`<span class="dim">`).line(f.File)
			if f.Line != 0 {
				p.raw(":").num(f.Line)
			}
			p.raw("</span> ")
		}
		p.line(f.Message).raw("</li>\n")
	}
	p.raw("</ul>\n")
}

// talk is what was asked of the model and what it replied.
func (p *page) talk(heading markup, calls []pageCall) {
	if heading != "" && len(calls) > 0 {
		p.raw("<section>\n<h2>").raw(heading).raw("</h2>\n")
		defer p.raw("</section>\n")
	}
	for i, c := range calls {
		of := fmt.Sprintf(" %d: ", i+1) + strings.Join(nonEmpty(c.Role, modelName(c.Model)), ", ")
		p.folded("Prompt"+of, c.PromptText)
		p.folded("Reply"+of, c.ReplyText)
	}
}

// folded is a text that is read on demand.
func (p *page) folded(name, text string) {
	if text = clean(text); text == "" {
		return
	}
	p.raw("<details><summary>").line(name).raw("</summary><pre>").text(text).raw("</pre></details>\n")
}
