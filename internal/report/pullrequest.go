package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// PullRequest is all that a pull request, or a comment about a failed run, says.
type PullRequest struct {
	// TitleOverride is used as the title as it is; the queue of specs has its own form.
	TitleOverride string
	Task          event.Task
	// Summary is the model's line on the change, "fix(parser): accept an empty list".
	Summary string
	// Prose are its sentences on what and why.
	Prose string
	// Files are those of the whole change; nil: those of the best attempt.
	Files []event.File
	// Past are the runs that this one went on from.
	Past Past
	// Checks of the tree as it is, where no attempt was made.
	Checks []record.Check
	// Closes is the issue that a merge closes; 0 for none.
	Closes int
	Draft  bool
	Run    string
	Branch string
	// Number of the pull request, 0 as long as it is not known; URL likewise.
	Number int
	URL    string

	// Outcome of the run and its message, for a draft.
	Outcome string
	Message string

	Attempts   []record.Attempt
	MaxRetries int
	// Best is the attempt that the branch holds; 0 means the last.
	Best int
	// Failure is the distilled output of what fails still.
	Failure  string
	Evidence *event.EvidenceFinished
	Review   *event.ReviewFinished
	// Notes are further lines for the reader: by-products, refused parts, a note
	// on auto-merge.
	Notes []string

	InputTokens, OutputTokens int
	CostUSD                   float64
	Estimated                 bool

	// Template is the repository's own pull request template.
	Template string
	// Markers are hidden comments to put first; see Marker.
	Markers []string
	// Look is what a person must look at; Judge says that the tests as they stood fail.
	Look  []string
	Judge bool
	// Known names what failed before the work and still does.
	Known []string
	// Claims are what may be said of the change, and by what it is shown.
	Claims []event.Claim
	// Survivors are small changes to it that no test notices.
	Survivors []event.Survivor
}

// Title gives the pull request's title.
func (p PullRequest) Title() string {
	if p.TitleOverride != "" {
		return oneLine(p.TitleOverride, 250)
	}
	title := p.Summary
	if strings.TrimSpace(clean(title)) == "" {
		title = p.Task.Title
	}
	// A merge makes the title a commit message, where references count as well.
	title = inert(oneLine(title, maxTitle))
	if title == "" {
		title = "booty: " + p.Branch
	}
	return title
}

// Body gives the pull request's text, within GitHub's limit.
func (p PullRequest) Body() string {
	d := document{head: p.Markers, template: p.Template, run: p.Run}
	d.add("what", "For a person to look at", p.forReview(), "")
	d.add("what", "", p.what(), "")
	if p.Closes > 0 {
		d.add("why", "", fmt.Sprintf("Closes #%d\n", p.Closes), "")
	}
	if p.Draft {
		d.add("tests", "Test failures", p.failureIntro(), p.Failure)
	}
	checks := p.Checks
	if checks == nil {
		checks = p.best().Checks
	}
	d.add("tests", "Proof", p.proofTable(), "")
	d.add("tests", "No test notices", survivorsMarkdown(p.Survivors), "")
	d.add("tests", "Checks", checksTable(checks), "")
	d.add("tests", "Known failures", p.known(), "")
	d.add("tests", "Evidence", p.evidence(), "")
	d.add("", "Attempts", p.attemptsTable(), "")
	d.add("", "Review", p.review(), "")
	d.add("", "Notes", bullets(p.Notes), "")
	d.add("", "Cost", p.cost(), "")
	d.add("", "Go on locally", p.local(), "")
	return d.block()
}

// forReview says what a person must look at.
func (p PullRequest) forReview() string {
	if len(p.Look) == 0 {
		return ""
	}
	intro := ""
	if p.Judge {
		intro = "Everything passes with the tests as they are here, but not with the tests as they stood before: the change alters what they " +
			"expect. If the task asks for that, it is right; if not, it is not. The last commit holds the changes of old tests alone.\n\n"
	}
	return intro + bullets(p.Look)
}

// proofTable says of each claim whether a run shows it.
func (p PullRequest) proofTable() string { return claimTable(p.Claims) }

// known lists what the checks found before the change as well.
func (p PullRequest) known() string {
	if len(p.Known) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("These failed before the change too, and have nothing to do with it:\n\n")
	const most = 50
	for i, name := range p.Known {
		if i == most {
			fmt.Fprintf(&b, "- and %d more\n", len(p.Known)-most)
			break
		}
		b.WriteString("- " + Code(name) + "\n")
	}
	return b.String()
}

// best gives the attempt whose tree the branch holds.
func (p PullRequest) best() record.Attempt {
	for _, a := range p.Attempts {
		if a.N == p.Best {
			return a
		}
	}
	if n := len(p.Attempts); n > 0 {
		return p.Attempts[n-1]
	}
	return record.Attempt{}
}

func (p PullRequest) what() string {
	var b strings.Builder
	if s := Inline(p.Summary); s != "" {
		b.WriteString(s + "\n")
	}
	if t := paragraphs(p.Prose); t != "" {
		b.WriteString("\n" + t)
	}
	if t := Inline(p.Task.Title); t != "" {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("Task: " + t + "\n")
	}
	files := p.Files
	if files == nil {
		files = p.best().Files
	}
	if len(files) > 0 {
		b.WriteString("\n" + fileList(files))
	}
	return b.String()
}

// paragraphs gives foreign prose as literal text, its line breaks kept as
// paragraphs or not at all.
func paragraphs(s string) string {
	var out []string
	for _, part := range strings.Split(strings.TrimSpace(clean(cutRunes(s, maxProse))), "\n\n") {
		if t := Inline(part); t != "" {
			out = append(out, t+"\n")
		}
	}
	return strings.Join(out, "\n")
}

// maxEvidence is how many tests are named as evidence.
const maxEvidence = 50

func fileList(files []event.File) string {
	const most = 30
	var b strings.Builder
	for i, f := range files {
		if i == most {
			fmt.Fprintf(&b, "- and %d more\n", len(files)-most)
			break
		}
		from := ""
		if f.From != "" {
			from = " (was " + Code(f.From) + ")"
		}
		fmt.Fprintf(&b, "- %s%s %s, +%d -%d\n", Code(f.Path), from, Inline(f.Op), f.Added, f.Removed)
	}
	return b.String()
}

func (p PullRequest) failureIntro() string {
	var b strings.Builder
	b.WriteString("The checks do not pass yet; this draft holds the best attempt.")
	b.WriteString(Sentence(p.Message) + "\n")
	return b.String()
}

// Sentence gives a message as a sentence that follows another.
func Sentence(message string) string {
	m := Inline(message)
	if m == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(m)
	return " " + string(unicode.ToUpper(first)) + strings.TrimSuffix(m[size:], ".") + "."
}

func checksTable(checks []record.Check) string {
	if len(checks) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| check | result | tests | time |\n|---|---|---|---|\n")
	for _, c := range checks {
		name := codeCell(c.Name)
		if c.Command != "" {
			name += " " + codeCell(c.Command)
		}
		result := verdict(c)
		if c.Note != "" {
			result += ": " + cell(c.Note)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, result, countsText(c.Counts), span(msec(c.DurationMS)))
	}
	return b.String()
}

func countsText(c event.Counts) string {
	var parts []string
	for _, x := range []struct {
		n    *int
		word string
	}{{c.Passed, "passed"}, {c.Failed, "failed"}, {c.Skipped, "skipped"}} {
		if x.n != nil && (*x.n > 0 || x.word == "passed") {
			parts = append(parts, fmt.Sprintf("%d %s", *x.n, x.word))
		}
	}
	return strings.Join(parts, ", ")
}

func (p PullRequest) evidence() string {
	if p.Evidence == nil {
		return ""
	}
	var b strings.Builder
	switch p.Evidence.Verdict {
	case event.Proven:
		b.WriteString("These tests fail without the change and pass with it; whatever passed before passes still.\n")
	case event.Vacuous:
		b.WriteString("**The new tests pass on the old code too: they do not show that the task is done.**\n")
	case event.NoTests:
		b.WriteString("**No new test fails without this change: that the tests are green says nothing about the task.**\n")
	default:
		b.WriteString("What the new tests prove could not be found out.\n")
	}
	if tests := p.Evidence.Tests; len(tests) > 0 {
		const most = maxEvidence
		before := "fails"
		if p.Evidence.Verdict == event.Vacuous {
			before = "passes"
		}
		b.WriteString("\n| test | before | after |\n|---|---|---|\n")
		for i, t := range tests {
			if i == most {
				fmt.Fprintf(&b, "| and %d more | | |\n", len(tests)-most)
				break
			}
			fmt.Fprintf(&b, "| %s | %s | passes |\n", codeCell(t), before)
		}
	}
	if n := Inline(p.Evidence.Note); n != "" {
		b.WriteString("\n" + n + "\n")
	}
	return b.String()
}

func (p PullRequest) review() string {
	if p.Review == nil {
		return ""
	}
	s := Code(p.Review.Verdict) + "\n"
	if strings.TrimSpace(p.Review.Notes) != "" {
		s += "\n" + quote(cutRunes(p.Review.Notes, 6000))
	}
	return s
}

func bullets(notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		if t := Inline(n); t != "" {
			b.WriteString("- " + t + "\n")
		}
	}
	return b.String()
}

func (p PullRequest) cost() string {
	sum := PastRun{InputTokens: p.InputTokens, OutputTokens: p.OutputTokens, CostUSD: p.CostUSD, Estimated: p.Estimated}
	for _, r := range p.Past.Runs {
		sum.InputTokens += r.InputTokens
		sum.OutputTokens += r.OutputTokens
		sum.CostUSD += r.CostUSD
		sum.Estimated = sum.Estimated || r.Estimated
	}
	s := fmt.Sprintf("%s for %s tokens in and %s out", money(sum.CostUSD, sum.Estimated), tokens(sum.InputTokens),
		tokens(sum.OutputTokens))
	runs := len(p.Past.Runs)
	if p.InputTokens > 0 { // else this one asked nothing
		runs++
	}
	if runs > 1 {
		s += fmt.Sprintf(", over %s", count(runs, "run"))
	}
	if sum.Estimated {
		s += " (partly estimated: the provider did not say)"
	}
	return s + "\n"
}

// local says how to go on by hand. The names are booty's own, still nothing is
// put into a command that a shell could take for more than a word.
func (p PullRequest) local() string {
	var b strings.Builder
	switch {
	case p.Number > 0:
		fmt.Fprintf(&b, "gh pr checkout %d\n", p.Number)
	case p.Branch != "" && shellWord(p.Branch):
		fmt.Fprintf(&b, "git fetch origin && git switch %s\n", p.Branch)
	}
	if p.Run != "" && shellWord(p.Run) {
		fmt.Fprintf(&b, "booty status %s    # what was tried, on the machine that ran it\n", p.Run)
		if p.Draft {
			fmt.Fprintf(&b, "booty resume %s    # go on from here\n", p.Run)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return Fence("sh", b.String())
}

func shellWord(s string) bool {
	return s != "" && !strings.HasPrefix(s, "-") &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+@") == ""
}
