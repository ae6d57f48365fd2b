package report

import (
	_ "embed"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

//go:embed page.css
var pageStyle markup

// markup is HTML of our own. Foreign text is a string, which the compiler does
// not take where markup is asked for; it reaches the page through text and line
// only, between tags or inside of double quotes.
type markup string

// page writes HTML. The calls chain, so that a row of a table is read as one.
type page struct{ b strings.Builder }

func (p *page) raw(m markup) *page {
	p.b.WriteString(string(m))
	return p
}

// text writes foreign text, line by line as it is.
func (p *page) text(s string) *page {
	p.b.WriteString(escapeHTML(s))
	return p
}

// line writes foreign text as one line of bounded length.
func (p *page) line(s string) *page { return p.text(oneLine(s, 2000)) }

func (p *page) num(n int) *page { return p.text(strconv.Itoa(n)) }

// moreHTML is what html.EscapeString leaves: a NUL is no character of HTML, and
// with + begins what a guessing reader may take for UTF-7.
var moreHTML = strings.NewReplacer("\x00", "\ufffd", "+", "&#43;")

func escapeHTML(s string) string { return moreHTML.Replace(html.EscapeString(s)) }

func (p *page) run(d pageData) {
	p.raw(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>booty run `).text(d.Run.ID).raw("</title>\n<style>\n").raw(pageStyle).raw("</style>\n</head>\n<body>\n")
	p.raw("<h1>Run ").text(d.Run.ID).raw(` <span class="`).raw(cssClass(d.Outcome)).raw(`">`).text(d.Outcome).raw("</span></h1>\n")
	p.raw("<p>").line(d.Task).raw("</p>\n")
	p.summary(d)
	if len(d.Baseline) > 0 {
		p.raw("\n<h2>Before the first attempt</h2>\n")
		p.checks(d.Baseline)
	}
	for _, a := range d.Attempts {
		p.attempt(a)
	}
	if len(d.Notes) > 0 {
		p.raw("\n<h2>Notes</h2>")
	}
	for _, n := range d.Notes {
		p.raw("\n<details open><summary>").line(n.Kind).raw("</summary><pre>").text(clean(n.Text)).raw("</pre></details>")
	}
	p.raw("\n</body>\n</html>\n")
}

func (p *page) summary(d pageData) {
	p.raw("<table>\n<tbody>\n")
	p.row("Repository").line(d.Run.RepoName).raw(` <span class="dim">`).line(d.Run.Repo).raw("</span></td></tr>\n")
	p.row("Branch").raw("<code>").line(d.Run.Branch).raw("</code>")
	if d.Run.Base != "" {
		p.raw(" into <code>").line(d.Run.Base).raw("</code>")
	}
	p.raw("</td></tr>")
	if pr := d.Run.PullRequest; pr != nil {
		p.raw("\n").row("Pull request").pullRequest(*pr).raw("</td></tr>")
	}
	p.raw("\n").row("Started").text(d.Started)
	if d.Took != "" {
		p.raw(", took ").text(d.Took)
	}
	p.raw("</td></tr>\n")
	p.row("Attempts").text(d.OutOf).raw("</td></tr>\n")
	p.row("Cost").text(d.Cost).raw("</td></tr>")
	if d.Run.Message != "" {
		p.raw("\n").row("Message").line(d.Run.Message).raw("</td></tr>")
	}
	p.raw("\n</tbody>\n</table>")
}

func (p *page) row(name markup) *page {
	return p.raw(`<tr><th scope="row">`).raw(name).raw("</th><td>")
}

// pullRequest links to where a browser may be sent, and to nothing else.
func (p *page) pullRequest(pr event.PullRequest) *page {
	u, err := url.Parse(pr.URL)
	link := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if link {
		p.raw(`<a href="`).text(u.String()).raw(`" rel="noreferrer">`)
	}
	p.raw("#").num(pr.Number)
	if link {
		p.raw("</a>")
	}
	if pr.Draft {
		p.raw(" draft")
	}
	return p
}

func (p *page) attempt(a pageAttempt) {
	p.raw("\n" + `<h2 id="attempt-`).num(a.N).raw(`">Attempt `).num(a.N).raw(` <span class="`).raw(cssClass(a.Outcome)).raw(`">`).text(a.Result).raw("</span></h2>\n")
	p.raw("<p>").line(a.Summary).raw(`<br><span class="dim">`).text(a.Facts).raw("</span></p>")
	p.files(a.Files)
	for _, r := range a.Refused {
		p.raw("\n" + `<p class="warn">Refused: <code>`).line(r.Path).raw("</code> ").line(r.Reason).raw("</p>")
	}
	if len(a.Diff) > 0 {
		p.raw("\n<details><summary>Diff</summary><pre>")
		for _, l := range a.Diff {
			p.raw(`<span class="`).raw(l.Class).raw(`">`).text(l.Text).raw("</span>")
		}
		p.raw("</pre></details>")
	}
	p.raw("\n")
	p.checks(a.Checks)
	for _, c := range a.Calls {
		p.said("Prompt", c, c.Prompt)
		p.said("Reply", c, c.Reply)
	}
}

func (p *page) files(files []event.File) {
	if len(files) == 0 {
		return
	}
	p.raw("\n<table>\n<thead><tr><th>file</th><th>change</th><th>lines</th></tr></thead>\n<tbody>")
	for _, f := range files {
		p.raw("\n<tr><td><code>").line(f.Path).raw("</code>")
		if f.From != "" {
			p.raw(" (was <code>").line(f.From).raw("</code>)")
		}
		p.raw("</td><td>").line(f.Op).raw(`</td><td><span class="good">+`).num(f.Added).raw(`</span> <span class="bad">-`).num(f.Removed).raw("</span></td></tr>")
	}
	p.raw("\n</tbody>\n</table>")
}

func (p *page) said(what markup, c pageCall, text string) {
	if text == "" {
		return
	}
	p.raw("\n<details><summary>").raw(what).raw(` <span class="dim">`).line(c.Role).raw(", ").line(c.Model).raw("</span></summary><pre>").text(text).raw("</pre></details>")
}

func (p *page) checks(checks []pageCheck) {
	if len(checks) == 0 {
		return
	}
	p.raw("\n<table>\n<thead><tr><th>check</th><th>result</th><th>tests</th><th>time</th></tr></thead>\n<tbody>")
	for _, c := range checks {
		p.raw("\n<tr><td>").line(c.Name)
		if c.Command != "" {
			p.raw(" <code>").line(c.Command).raw("</code>")
		}
		result := markup("bad")
		if c.Passed {
			result = "good"
		}
		p.raw(`</td><td class="`).raw(result).raw(`">`).text(c.Verdict)
		if c.Note != "" {
			p.raw(` <span class="dim">`).line(c.Note).raw("</span>")
		}
		p.raw("</td><td>").text(c.Counts).raw("</td><td>").text(c.Time).raw("</td></tr>")
	}
	p.raw("\n</tbody>\n</table>")
	for _, c := range checks {
		p.failures(c.Failures)
		if c.Output != "" {
			p.raw("\n<details><summary>Output of ").line(c.Name).raw("</summary><pre>").text(c.Output).raw("</pre></details>")
		}
	}
}

func (p *page) failures(failures []event.Failure) {
	if len(failures) == 0 {
		return
	}
	p.raw("\n<ul>")
	for _, f := range failures {
		p.raw("\n<li><code>").line(f.Test).raw(`</code> <span class="dim">`).line(f.File)
		if f.Line != 0 {
			p.raw(":").num(f.Line)
		}
		p.raw("</span> ").line(f.Message).raw("</li>")
	}
	p.raw("\n</ul>")
}
