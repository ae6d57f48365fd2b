package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// maxShown bounds each text on the page: a browser has to hold them all.
const maxShown = 512 << 10

// HTML writes a run as one page that needs nothing else: no script, no font, no
// request to anywhere, readable in light and dark. Blobs that are gone are left
// out and said to be.
func HTML(w io.Writer, d record.Detail, read Read) error {
	var p page
	p.run(pageOf(d, read))
	_, err := io.WriteString(w, p.b.String())
	return err
}

type pageData struct {
	Run                                record.Run
	Outcome, Task, Started, Took, Cost string
	OutOf                              string
	Baseline                           []pageCheck
	Attempts                           []pageAttempt
	Notes                              []record.Note
}

type pageAttempt struct {
	N                               int
	Outcome, Result, Summary, Facts string
	Files                           []event.File
	Refused                         []event.Problem
	Diff                            []diffLine
	Checks                          []pageCheck
	Calls                           []pageCall
}

type pageCheck struct {
	Name, Command, Verdict, Note, Counts, Time, Output string
	Passed                                             bool
	Failures                                           []event.Failure
}

type pageCall struct{ Role, Model, Prompt, Reply string }

type diffLine struct {
	Class markup
	Text  string
}

func pageOf(d record.Detail, read Read) pageData {
	r := d.Run
	p := pageData{
		Run: r, Outcome: outcomeName(r), Task: taskName(r.Task), Started: r.Started.Format("2006-01-02 15:04:05 MST"),
		Cost:  fmt.Sprintf("%s, %s tokens in, %s out", money(r.CostUSD, r.Estimated), tokens(r.InputTokens), tokens(r.OutputTokens)),
		OutOf: outOf(r.AttemptsTotal, r.MaxRetries), Baseline: pageChecks(d.Baseline, read), Notes: d.Notes,
	}
	if !r.Finished.IsZero() {
		p.Took = span(r.Finished.Sub(r.Started))
	}
	for _, a := range d.Attempts {
		s := sumOf(a)
		at := pageAttempt{
			N: a.N, Outcome: a.Outcome, Result: attemptResult(a), Summary: a.Summary, Files: a.Files, Refused: a.Refused,
			Facts: fmt.Sprintf("%s, %s, %s tokens in, %s out, %s", a.Role, span(msec(s.DurationMS)), tokens(s.InputTokens),
				tokens(s.OutputTokens), money(s.CostUSD, s.Estimated)),
			Diff: diffLines(blob(a.Diff, "", read)), Checks: pageChecks(a.Checks, read),
		}
		for _, c := range a.Calls {
			at.Calls = append(at.Calls, pageCall{c.Role, c.Model, blob(c.Prompt, "", read), blob(c.Reply, "", read)})
		}
		p.Attempts = append(p.Attempts, at)
	}
	return p
}

func pageChecks(checks []record.Check, read Read) []pageCheck {
	var out []pageCheck
	for _, c := range checks {
		out = append(out, pageCheck{
			Name: c.Name, Command: c.Command, Verdict: verdict(c), Note: c.Note, Counts: countsText(c.Counts), Time: span(msec(c.DurationMS)),
			Output: blob(c.Log, c.Distilled, read), Passed: c.Passed, Failures: c.Failures,
		})
	}
	return out
}

// blob reads a stored text for the page; instead stands for one that is gone.
func blob(ref, instead string, read Read) string {
	if ref == "" {
		return clean(instead)
	}
	data, err := read(ref)
	if err != nil {
		return strings.TrimSpace(clean(instead) + "\n(" + clean(err.Error()) + ")")
	}
	text := clean(string(data))
	if len(text) > maxShown {
		text = cutBytes(text, maxShown) + fmt.Sprintf("\n(cut: %d of %d bytes shown)", maxShown, len(text))
	}
	return text
}

func diffLines(diff string) []diffLine {
	var out []diffLine
	for l := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		class := markup("same")
		switch {
		case diff == "":
			return nil
		case strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "+++ "):
			class = "add"
		case strings.HasPrefix(l, "-") && !strings.HasPrefix(l, "--- "):
			class = "del"
		case l == "":
			l = " " // an empty block has no height
		}
		out = append(out, diffLine{class, l})
	}
	return out
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
