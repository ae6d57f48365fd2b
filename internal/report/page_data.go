package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// What the page holds at most of one stored text, and of all of them together: a
// browser has to take it, and what is left out is named with the way to it.
const (
	shownHead = 64 << 10
	shownTail = 192 << 10
	shownAll  = 8 << 20
)

// Page is a run as one page for the browser.
type Page struct {
	Detail record.Detail
	// Diff is the change as a whole; where it is empty, NoDiff says why.
	Diff, NoDiff string
	Read         Read
	// Hide are folders of this machine that nobody else needs to know of.
	Hide []Place
}

// pageAttempt is an attempt with its texts read.
type pageAttempt struct {
	record.Attempt
	Sum      sums
	Requests []record.Request
	Notes    []record.Note
	Diff     []fileDiff
	Checks   []pageCheck
	Said     []pageCall
	// Model and Tested are the times that the model and the checks took.
	Model, Tested int64
}

type pageCheck struct {
	record.Check
	Full string
	// Fresh are the failures that no check before it in the same attempt has told.
	Fresh []event.Failure
}

type pageCall struct {
	record.Call
	PromptText, ReplyText string
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
		text = fmt.Sprintf("%s\n\n[… %d of %d bytes are left out here …]\n\n%s", strings.TrimSuffix(head, "\n"), out,
			len(text), tail)
	}
	if t.left -= len(text); t.left < 0 {
		return fmt.Sprintf("(left out: the page would be too large; booty status %s --attempt N --show output, prompt or reply has it)", t.run)
	}
	return clean(text)
}

func (t *texts) checks(checks []record.Check) []pageCheck {
	var out []pageCheck
	type key struct {
		test, file, message string
		line                int
	}
	told := map[key]bool{}
	for _, c := range checks {
		pc := pageCheck{Check: c, Full: t.get(c.Log)}
		for _, f := range c.Failures {
			if k := (key{f.Test, f.File, f.Message, f.Line}); !told[k] {
				told[k] = true
				pc.Fresh = append(pc.Fresh, f)
			}
		}
		out = append(out, pc)
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

func (t *texts) attempts(d record.Detail) []pageAttempt {
	var out []pageAttempt
	for _, a := range d.Attempts {
		pa := pageAttempt{Attempt: a, Sum: sumOf(a), Checks: t.checks(a.Checks), Said: t.calls(a.Calls)}
		if text := t.get(a.Diff); text != "" {
			pa.Diff = parseDiff(text)
		}
		for _, r := range d.Requests {
			if r.Attempt == a.N && r.Role != "review" {
				pa.Requests = append(pa.Requests, r)
			}
		}
		for _, n := range d.Notes {
			if n.Attempt == a.N && n.Kind != "evidence" {
				pa.Notes = append(pa.Notes, n)
			}
		}
		for _, c := range a.Calls {
			pa.Model += c.DurationMS
		}
		for _, c := range a.Checks {
			pa.Tested += c.DurationMS
		}
		out = append(out, pa)
	}
	return out
}

// modelsOf names the models that were asked, in order.
func modelsOf(calls []record.Call) []string {
	var out []string
	for _, c := range calls {
		if name := modelName(c.Model); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// modelName is a model by its name; of a program that stands for one, the file's.
func modelName(s string) string {
	if strings.HasPrefix(s, "/") || len(s) > 2 && s[1] == ':' && s[2] == '\\' {
		return s[strings.LastIndexAny(s, `/\`)+1:]
	}
	return s
}

// headline says in a few words how a run ended.
func headline(r record.Run) string {
	words := map[string]string{
		event.Green: "The checks pass", event.Exhausted: "Attempts used up: the checks still fail",
		event.Stuck: "No progress: the checks still fail", event.NeedsReview: "A person must judge this",
		event.Question: "The model asks a question", event.Environment: "The checks cannot run here",
		event.Budget: "Stopped at a budget limit", event.ModelFailed: "The model could not be reached",
		event.NothingToDo: "Nothing to do", event.Declined: "Refused for safety", event.Errored: "Ended with an error",
		record.Running: "Still at work", record.Interrupted: "Interrupted",
	}
	name := outcomeName(r)
	if w := words[name]; w != "" {
		return w
	}
	return name
}
