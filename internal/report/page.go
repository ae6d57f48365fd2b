package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

//go:embed page.html page.css
var pageFiles embed.FS

// Page is a run as one page for the browser.
type Page struct {
	Detail record.Detail
	// Diff is the change as a whole; where it is empty, NoDiff says why.
	Diff, NoDiff string
	Read         Read
	// Hide are folders of this machine that nobody else needs to know of.
	Hide []Place
}

// What the page holds at most of one stored text, and of all of them together: a
// browser has to take it, and what is left out is named with the way to it.
const (
	shownHead = 64 << 10
	shownTail = 192 << 10
	shownAll  = 8 << 20
	// openLines is how much of a diff is unfolded: the rest is a click away.
	openLines = 2000
	mostRows  = 12
	mostFails = 20
	allFails  = 1000
)

// Write writes the run as one page that needs nothing else: no script, no font,
// no request to anywhere, readable in light and dark, on paper and by ear.
func (g Page) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(funcs(hide(g.Hide))).ParseFS(pageFiles, "page.html")
	if err != nil {
		return fmt.Errorf("read the page's template: %w", err)
	}
	style, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return err
	}
	v := g.view()
	v.Style = template.CSS(style) //nolint:gosec // our own
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return fmt.Errorf("fill in the page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// folded is a text that is read on demand; rowsOf and checksOf are what a part of the
// page is called with.
type (
	folded struct{ Name, Text string }
	rowsOf struct {
		Caption string
		Rows    []proofRow
	}
	checksOf struct {
		When, Title string
		Checks      []pageCheck
	}
	size struct{ Added, Removed int }
)

// funcs are what the template may call. Foreign text goes through line or text, which
// take out control characters and the places of this machine; the package escapes it.
func funcs(places hidden) template.FuncMap {
	text := func(s string) string { return places.text(clean(s)) }
	return template.FuncMap{
		"text": text,
		"line": func(s string) string { return places.text(oneLine(s, 2000)) },

		"money": money, "tokens": tokens, "count": count, "counts": event.Counts.Words, "verdict": verdict, "model": modelName,
		"span":       func(ms int64) string { return span(msec(ms)) },
		"ranges":     ranges,
		"inc":        func(i int) int { return i + 1 },
		"join":       func(parts ...string) string { return strings.Join(nonEmpty(parts...), ", ") },
		"list":       func(s ...string) []string { return s },
		"pair":       func(name, text string) folded { return folded{name, clean(text)} },
		"proofTable": func(caption string, rows []proofRow) rowsOf { return rowsOf{caption, rows} },
	}
}

// pageView is what the template shows.
type pageView struct {
	story
	Style                     template.CSS
	Task, Headline, Class     string
	Message, Attempts, Branch string
	PullRequest               *pagePull
	FirstRows, MoreRows       []proofRow
	Files                     []fileView
	Size                      size
	DiffCut                   bool
	NoDiff                    string
	Before                    *checksOf
	Tries                     []tryView
	Extra                     []pageCall
	Notes                     []record.Note
}

// pagePull is a pull request; Link is empty where a browser should not be sent to it.
type pagePull struct {
	event.PullRequest
	Link string
}

// tryView is an attempt with its texts read.
type tryView struct {
	record.Attempt
	OutOf, Result, Class string
	Sum                  sums
	Size                 size
	Requests             []record.Request
	Notes                []record.Note
	Diff                 []fileView
	Checks               *checksOf
	Said                 []pageCall
	Again                []checksOf
	// Model and Tested are the times that the model and the checks took, All the whole.
	Model, Tested, All int64
}

type pageCheck struct {
	record.Check
	Full string
	// First and More are the failures that no check before it has shown; Beyond counts those
	// that a page cannot hold.
	First, More       []event.Failure
	MoreCount, Beyond int
}

type pageCall struct {
	record.Call
	PromptText, ReplyText string
}

// fileView is a file of a diff.
type fileView struct {
	fileDiff
	Name string
	Open bool
}

func (g Page) view() pageView {
	s := storyOf(g.Detail)
	r := s.Run
	v := pageView{story: s, Task: taskName(r.Task), Headline: headline(r), Class: cssClass(outcomeName(r)),
		Attempts: outOf(r.AttemptsTotal, r.MaxRetries), Branch: r.MadeBranch(), NoDiff: g.NoDiff,
		Notes: s.notes(0)}
	if !strings.EqualFold(strings.TrimSpace(r.Message), v.Headline) {
		v.Message = r.Message
	}
	if p := r.PullRequest; p != nil {
		v.PullRequest = &pagePull{*p, webLink(p.URL)}
	}
	v.FirstRows = s.Rows[:min(len(s.Rows), mostRows)]
	v.MoreRows = s.Rows[len(v.FirstRows):min(len(s.Rows), 2000)]
	diff := clean(g.Diff)
	if v.DiffCut = len(diff) > shownAll/4; v.DiffCut {
		diff = cutBytes(diff, shownAll/4)
	}
	v.Files = filesOf(diff, true)
	for _, f := range v.Files {
		v.Size.Added, v.Size.Removed = v.Size.Added+f.Added, v.Size.Removed+f.Removed
	}
	// The order is that of importance: what comes late is left out first.
	t := &texts{read: g.Read, run: r.ID, left: shownAll}
	for _, a := range s.Detail.Attempts {
		v.Tries = append(v.Tries, t.attempt(s, a))
	}
	if len(s.Before) > 0 {
		v.Before = &checksOf{"before the first attempt", "Before the first attempt", t.checks(s.Before)}
	}
	v.Extra = t.calls(s.Extra)
	return v
}

// webLink is an address that a browser may be sent to, else "".
func webLink(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return u.String()
}

// filesOf reads a diff; open unfolds as much of it as one may want to read on.
func filesOf(diff string, open bool) []fileView {
	if diff == "" {
		return nil
	}
	var out []fileView
	shown := 0
	for _, f := range parseDiff(diff) {
		shown += len(f.Lines) + len(f.Notes)
		v := fileView{fileDiff: f, Name: f.Path, Open: open && shown <= openLines}
		if v.Name == "" {
			v.Name = "(no file)"
		}
		out = append(out, v)
	}
	return out
}

// texts reads stored texts within the bound of the page.
type texts struct {
	read Read
	run  string
	left int
}

// get reads a stored text: its head and its end where it is long.
func (t *texts) get(ref string) string {
	if ref == "" {
		return ""
	}
	data, err := t.read(ref)
	if err != nil {
		return "(" + oneLine(err.Error(), 300) + ")"
	}
	text := string(data)
	if len(text) > shownHead+shownTail {
		head, tail := cutBytes(text, shownHead), text[len(text)-shownTail:]
		if i := strings.IndexByte(tail, '\n'); i >= 0 && i < shownTail/2 {
			tail = tail[i+1:]
		}
		out := len(text) - len(head) - len(tail)
		text = fmt.Sprintf("%s\n\n[… %d of %d bytes are left out here …]\n\n%s",
			strings.TrimSuffix(head, "\n"), out,
			len(text), tail)
	}
	if t.left -= len(text); t.left < 0 {
		return fmt.Sprintf("(left out: the page would be too large; booty status %s --attempt N --show output, prompt or "+
			"reply has it)", t.run)
	}
	return clean(text)
}

func (t *texts) checks(checks []record.Check) []pageCheck {
	var out []pageCheck
	for i, failures := range fresh(checks) {
		first := min(len(failures), mostFails)
		most := min(len(failures), allFails)
		out = append(out, pageCheck{Check: checks[i], Full: t.get(checks[i].Log), First: failures[:first],
			More: failures[first:most], MoreCount: len(failures) - first, Beyond: len(failures) - most})
	}
	return out
}

func (t *texts) calls(calls []record.Call) []pageCall {
	var out []pageCall
	for _, c := range calls {
		out = append(out, pageCall{Call: c, PromptText: t.get(c.Prompt), ReplyText: t.get(c.Reply)})
	}
	return out
}

func (t *texts) attempt(s story, a record.Attempt) tryView {
	v := tryView{Attempt: a, OutOf: outOf(a.N, s.Run.MaxRetries), Result: s.Result(a), Class: cssClass(a.Outcome),
		Sum: sumOf(a), Notes: s.notes(a.N)}
	if len(a.Checks) > 0 {
		v.Checks = &checksOf{When: fmt.Sprintf("of attempt %d", a.N), Checks: t.checks(a.Checks)}
	}
	v.Said = t.calls(a.Calls)
	v.Diff = filesOf(t.get(a.Diff), false)
	v.Size.Added, v.Size.Removed = lines(a.Files)
	for _, r := range s.Requests {
		if r.Attempt == a.N && r.Role != "review" {
			v.Requests = append(v.Requests, r)
		}
	}
	for _, c := range a.Calls {
		v.Model += c.DurationMS
	}
	for _, c := range a.Checks {
		v.Tested += c.DurationMS
	}
	v.All = max(v.Sum.DurationMS, v.Model+v.Tested)
	if again := s.Again[a.N]; len(again) > 0 {
		v.Again = []checksOf{{fmt.Sprintf("again after attempt %d", a.N), againTitle(a.N), t.checks(again)}}
	}
	return v
}

func cssClass(word string) string {
	switch meaning(word) {
	case green:
		return "good"
	case yellow:
		return "warn"
	}
	return "bad"
}
