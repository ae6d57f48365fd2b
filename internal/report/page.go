package report

import (
	_ "embed"
	"html"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

//go:embed page.css
var pageStyle markup

// markup is HTML of our own. Foreign text is a string, which the compiler does
// not take where markup is asked for; it reaches the page through text and line
// only, between tags or inside of double quotes.
type markup string

// page writes HTML. The calls chain, so that a row of a table is read as one.
type page struct {
	b    strings.Builder
	hide hidden
}

func (p *page) raw(m markup) *page {
	p.b.WriteString(string(m))
	return p
}

// text writes foreign text, line by line as it is, without the places of this machine.
func (p *page) text(s string) *page {
	p.b.WriteString(escapeHTML(p.hide.text(s)))
	return p
}

// exact writes the lines of a change: they go to others as they are.
func (p *page) exact(s string) *page {
	p.b.WriteString(escapeHTML(s))
	return p
}

// line writes foreign text as one line of bounded length.
func (p *page) line(s string) *page { return p.text(oneLine(s, 2000)) }

// code writes foreign text as one line of code.
func (p *page) code(s string) *page { return p.raw("<code>").line(s).raw("</code>") }

func (p *page) num(n int) *page { return p.text(strconv.Itoa(n)) }

// moreHTML is what html.EscapeString leaves: a NUL is no character of HTML, and
// with + begins what a guessing reader may take for UTF-7.
var moreHTML = strings.NewReplacer("\x00", "\ufffd", "+", "&#43;")

func escapeHTML(s string) string { return moreHTML.Replace(html.EscapeString(s)) }

// Write writes the run as one page that needs nothing else: no script, no font,
// no request to anywhere, readable in light and dark, on paper and by ear.
func (g Page) Write(w io.Writer) error {
	p := &page{hide: hide(g.Hide)}
	t := &texts{read: g.Read, run: g.Detail.Run.ID, left: shownAll}
	d := g.Detail
	proof := proofOf(d)
	// The order is that of importance: what comes late is left out first.
	attempts := t.attempts(d)
	baseline, extra := t.checks(d.Baseline), t.calls(d.Extra)

	p.head(d.Run)
	p.verdict(d, proof)
	p.raw("<div class=\"first\">\n")
	p.proof(proof)
	p.change(g)
	p.raw("</div>\n")
	p.course(d, attempts)
	if len(baseline) > 0 {
		p.raw(`<section id="before" aria-labelledby="h-before">` + "\n" +
			`<h2 id="h-before">Before the first attempt</h2>` + "\n")
		p.checks("before the first attempt", baseline)
		p.raw("</section>\n")
	}
	for _, a := range attempts {
		p.attempt(a, d.Run)
	}
	p.calls(d)
	p.talk("Prompts and replies of no attempt", extra)
	p.notes(d)
	p.raw("</main>\n<footer><p>Written by booty from the records of run ").code(d.Run.ID).raw(".</p></footer>\n</body>\n</html>\n")
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *page) head(r record.Run) {
	p.raw(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>`).line(headline(r)).raw(": ").line(taskName(r.Task)).raw(" (booty run ").line(r.ID).raw(")</title>\n<style>\n").
		raw(pageStyle).raw("</style>\n</head>\n<body>\n")
	p.raw(`<a class="skip" href="#verdict">Skip to the verdict</a>` + "\n<header>\n<p class=\"dim\">booty run ").code(r.ID)
	if r.RepoName != "" {
		p.raw(" in ").line(r.RepoName)
	}
	p.raw("</p>\n<h1>").line(taskName(r.Task)).raw("</h1>\n")
	p.raw(`<nav aria-label="On this page"><ul>
<li><a href="#proof">Evidence</a></li>
<li><a href="#change">Diff</a></li>
<li><a href="#course">Attempts</a></li>
<li><a href="#calls">Cost</a></li>
</ul></nav>
</header>
<main>
`)
}

// verdict is what is read first: how it ended, and what it cost.
func (p *page) verdict(d record.Detail, proof proof) {
	r := d.Run
	class := cssClass(outcomeName(r))
	p.raw(`<section id="verdict" aria-labelledby="h-verdict" class="verdict `).raw(class).raw("\">\n" +
		`<h2 id="h-verdict">`)
	p.raw(sign(class)).line(headline(r)).raw("</h2>\n")
	if r.Message != "" && !strings.EqualFold(strings.TrimSpace(r.Message), headline(r)) {
		p.raw("<p>").line(r.Message).raw("</p>\n")
	}
	if r.Hint != "" {
		p.raw(`<p class="dim">Next: `).line(r.Hint).raw("</p>\n")
	}
	p.raw("<dl>\n")
	p.fact("Attempts").text(outOf(r.AttemptsTotal, r.MaxRetries)).raw("</dd></div>\n")
	p.fact("Cost").text(money(r.CostUSD, r.Estimated)).raw("</dd></div>\n")
	p.fact("Tokens").text(tokens(r.InputTokens)).raw(" in, ").text(tokens(r.OutputTokens)).raw(" out</dd></div>\n")
	if !r.Finished.IsZero() {
		p.fact("Time").text(span(r.Finished.Sub(r.Started))).raw("</dd></div>\n")
	}
	if models := modelsOf(calls(d)); len(models) > 0 {
		p.fact("Model").line(strings.Join(models, ", ")).raw("</dd></div>\n")
	}
	p.fact("Tests").text(proof.tests()).raw("</dd></div>\n")
	if r.MadeBranch() != "" {
		p.fact("Branch").code(r.Branch)
		if r.Base != "" && r.Base != r.Branch {
			p.raw(" into ").code(r.Base)
		}
		p.raw("</dd></div>\n")
	}
	if pr := r.PullRequest; pr != nil {
		p.fact("Pull request").pullRequest(*pr).raw("</dd></div>\n")
	}
	p.fact("Started").text(r.Started.Format("2006-01-02 15:04 MST")).raw("</dd></div>\n</dl>\n</section>\n")
}

func (p *page) fact(name markup) *page {
	return p.raw("<div><dt>").raw(name).raw("</dt><dd>")
}

func (p proof) tests() string {
	switch {
	case p.After != "" && p.Before != "":
		return p.Before + " before; " + p.After + " after"
	case p.After != "":
		return p.After
	}
	return "not counted by the runner"
}

// sign tells a meaning without colour.
func sign(class markup) markup {
	word := map[markup]markup{"good": "&#10003;", "warn": "!", "bad": "&#10007;"}[class]
	return `<span class="sign" aria-hidden="true">` + word + "</span> "
}

// proof is the table of what fails before the change and passes after it.
func (p *page) proof(f proof) {
	const most = 12
	p.raw(`<section id="proof" aria-labelledby="h-proof">` + "\n" + `<h2 id="h-proof">What it proves</h2>` +
		"\n<p>").line(f.Claim).raw("</p>\n")
	rows := f.Rows
	if len(rows) > 0 {
		p.proofTable("Tests before and after the change", rows[:min(len(rows), most)])
	}
	if len(rows) > most {
		p.raw("<details><summary>").text(count(len(rows)-most, "more test")).raw("</summary>\n")
		p.proofTable("More tests before and after the change", rows[most:min(len(rows), 2000)])
		p.raw("</details>\n")
	}
	p.raw("</section>\n")
}

func (p *page) proofTable(caption markup, rows []proofRow) {
	p.raw("<table class=\"proof\">\n<caption>").raw(caption).raw("</caption>\n<thead><tr>" +
		`<th scope="col">Test</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>` + "\n<tbody>\n")
	for _, r := range rows {
		p.raw(`<tr><th scope="row">`).code(r.Test).raw(`</th><td class="bad">`).text(r.Before)
		p.raw(`</td><td class="`).raw(cssGood(r.Good)).raw(`">`).text(r.After).raw("</td></tr>\n")
	}
	p.raw("</tbody>\n</table>\n")
}

func cssGood(good bool) markup {
	if good {
		return "good"
	}
	return "bad"
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

// notes are those of the run: an attempt's stand with it, evidence in its table.
func (p *page) notes(d record.Detail) {
	var told []record.Note
	for _, n := range d.Notes {
		mine := slices.ContainsFunc(d.Attempts, func(a record.Attempt) bool { return a.N == n.Attempt })
		if n.Kind != "evidence" && !mine {
			told = append(told, n)
		}
	}
	if len(told) == 0 {
		return
	}
	p.raw(`<section id="notes" aria-labelledby="h-notes">` + "\n" + `<h2 id="h-notes">Notes</h2>` +
		"\n<dl class=\"notes\">\n")
	for _, n := range told {
		p.raw("<div><dt>").line(n.Kind).raw("</dt><dd>").text(clean(n.Text)).raw("</dd></div>\n")
	}
	p.raw("</dl>\n</section>\n")
}

func cssClass(word string) markup {
	switch meaning(word) {
	case green:
		return "good"
	case yellow:
		return "warn"
	}
	return "bad"
}
