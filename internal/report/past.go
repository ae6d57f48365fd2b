package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Past is what a pull request's text remembers of the runs behind it, hidden in
// the text itself: the next run may be on another machine, with no records.
type Past struct {
	// Title is the one that booty wrote: another one is a person's.
	Title string `json:"title"`
	// Summary and Prose are the words for the change, Evidence what its tests prove.
	Summary  string                  `json:"summary"`
	Prose    string                  `json:"prose,omitempty"`
	Evidence *event.EvidenceFinished `json:"evidence,omitempty"`
	// Green says that the checks passed, Commit is what they ran on.
	Green  bool   `json:"green"`
	Commit string `json:"commit"`
	// Judge says that a person must judge the last commit, Look that one must look at
	// the change before it is merged.
	Judge bool      `json:"judge,omitempty"`
	Look  bool      `json:"look,omitempty"`
	Runs  []PastRun `json:"runs"`
}

// PastRun is one of these runs.
type PastRun struct {
	ID           string        `json:"id"`
	InputTokens  int           `json:"in"`
	OutputTokens int           `json:"out"`
	CostUSD      float64       `json:"usd"`
	Estimated    bool          `json:"est,omitempty"`
	Attempts     []PastAttempt `json:"attempts"`
}

// PastAttempt is an attempt as the table of attempts tells it.
type PastAttempt struct {
	Summary string   `json:"s"`
	Files   int      `json:"f"`
	Added   int      `json:"a"`
	Removed int      `json:"d"`
	Outcome string   `json:"o"`
	Failing int      `json:"x,omitempty"`
	Known   int      `json:"k,omitempty"`
	Trouble string   `json:"w,omitempty"`
	Tests   []string `json:"t,omitempty"`
	sums
}

// pastOf makes an attempt short.
func pastOf(a record.Attempt) PastAttempt {
	added, removed := lines(a.Files)
	return PastAttempt{
		Summary: oneLine(a.Summary, 160), Files: len(a.Files), Added: added, Removed: removed,
		Outcome: a.Outcome, Failing: a.Failing, Known: a.Known, Trouble: a.Trouble,
		Tests: failingTests(a.Checks), sums: sumOf(a),
	}
}

// RunOf makes a run short, for the memory of a pull request.
func RunOf(r record.Run, attempts []record.Attempt) PastRun {
	out := PastRun{ID: r.ID, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
		Estimated: r.Estimated}
	for _, a := range attempts {
		out.Attempts = append(out.Attempts, pastOf(a))
	}
	return out
}

// Attempts counts those of all runs that were checked.
func (p Past) Attempts() int {
	n := 0
	for _, r := range p.Runs {
		for _, a := range r.Attempts {
			if record.Checked(a.Outcome) {
				n++
			}
		}
	}
	return n
}

// CountOf counts the attempts that were checked.
func CountOf(attempts []record.Attempt) int {
	n := 0
	for _, a := range attempts {
		if record.Checked(a.Outcome) {
			n++
		}
	}
	return n
}

// Without gives the past without a run, which tells its own part anew.
func (p Past) Without(run string) Past {
	p.Runs = slices.DeleteFunc(slices.Clone(p.Runs), func(r PastRun) bool { return r.ID == run })
	return p
}

// maxPast bounds what is remembered, in attempts: ten are the most that one
// run may make, and the older a row, the less it says.
const maxPast = 30

// Marker hides the past in a text. redact is applied to each of its words: as a
// whole it could not be read by whoever looks for secrets.
func (p Past) Marker(redact func(string) string) string {
	p.Runs = slices.Clone(p.Runs)
	p.Title, p.Summary, p.Prose = redact(p.Title), redact(p.Summary), redact(p.Prose)
	if p.Evidence != nil {
		e := *p.Evidence
		e.Note, e.Tests = redact(e.Note), redactAll(e.Tests[:min(len(e.Tests), maxEvidence)], redact)
		p.Evidence = &e
	}
	left := maxPast
	for i := len(p.Runs) - 1; i >= 0; i-- {
		r := &p.Runs[i]
		r.Attempts = slices.Clone(r.Attempts[max(0, len(r.Attempts)-left):])
		left -= len(r.Attempts)
		for j := range r.Attempts {
			a := &r.Attempts[j]
			a.Summary, a.Tests = redact(a.Summary), redactAll(a.Tests, redact)
		}
	}
	data, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(data)
	_ = w.Close()
	return Marker("past", base64.StdEncoding.EncodeToString(b.Bytes()))
}

func redactAll(words []string, redact func(string) string) []string {
	var out []string
	for _, w := range words {
		out = append(out, redact(w))
	}
	return out
}

var pastMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:past ([A-Za-z0-9+/=]+) -->`) })

// PastOf reads what a text remembers, nil where it remembers nothing. Whoever
// may write the text may write this too: it is shown like all foreign words.
func PastOf(body string) *Past {
	m := pastMark().FindStringSubmatch(body)
	if m == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		return nil
	}
	data, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), 1<<20))
	if err != nil {
		return nil
	}
	var p Past
	if json.Unmarshal(data, &p) != nil {
		return nil
	}
	return &p
}

// failingTests names the tests that an attempt's checks saw fail.
func failingTests(checks []record.Check) []string {
	const most = 3 // one more than is shown
	var names []string
	for _, c := range checks {
		for _, f := range c.Failures {
			if f.Test != "" && !slices.Contains(names, f.Test) && len(names) < most {
				names = append(names, oneLine(f.Test, 100))
			}
		}
	}
	return names
}

// The lines between which a text is booty's own.
const (
	blockBegin = "<!-- booty:begin -->"
	blockEnd   = "<!-- booty:end -->"
)

// Shown gives a text as its readers see it, without what is hidden in it.
func Shown(body string) string {
	lines := strings.SplitAfter(body, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "<!-- booty:") }), "")
}

// mine says whether a text holds what booty wrote.
func mine(body string) bool { return strings.Contains(body, "<!-- booty:") }

// Replace puts own, the text of a pull request, in the place of the one that
// booty wrote before; what people wrote around it stays. A text without such a
// place is theirs, unless it is from before there were any.
func Replace(body, own string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n") // GitHub's own form for editing has it so
	begin, end := strings.Index(body, blockBegin), strings.LastIndex(body, blockEnd)
	switch {
	case begin >= 0 && end > begin:
		return within(body[:begin], ticked(body[begin:end], own), body[end+len(blockEnd):])
	case mine(body) || strings.TrimSpace(body) == "":
		return own
	}
	return within(strings.TrimRight(body, "\n")+"\n\n", own, "")
}

// ticked carries over the boxes that people ticked, such as those of the
// repository's template.
func ticked(old, own string) string {
	done := map[string]bool{}
	for _, l := range strings.Split(old, "\n") {
		if b := box().FindStringSubmatch(l); b != nil && b[2] != " " {
			done[b[1]+b[3]] = true
		}
	}
	lines := strings.Split(own, "\n")
	for i, l := range lines {
		if b := box().FindStringSubmatch(l); b != nil && b[2] == " " && done[b[1]+b[3]] {
			lines[i] = b[1] + "[x]" + b[3]
		}
	}
	return strings.Join(lines, "\n")
}

var box = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*[-*+] )\[([ xX])\](\s.*)$`) })

// within leaves out what is too long for GitHub at the end of own, its details.
func within(before, own, after string) string {
	if room := maxBody - len(before) - len(after); len(own) > room {
		own = cutBytes(strings.TrimSuffix(strings.TrimRight(own, "\n"), blockEnd), max(0, room-len(blockEnd)-1)) +
			"\n" + blockEnd
	}
	return before + strings.TrimRight(own, "\n") + after
}
