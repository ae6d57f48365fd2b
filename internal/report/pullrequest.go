package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/shellword"
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
	// By names the model, "" to leave tool and model out.
	By string
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
	// Behind says that no attempt was better than what the run began at.
	Behind bool
	// Known names what failed before the work and still does.
	Known []string
	// LeftOut are gates that could not run.
	LeftOut []event.LeftOut
	// Claims are what may be said of the change, and by what it is shown.
	Claims []event.Claim
	// Survivors are small changes to it that no test notices.
	Survivors []event.Survivor
	// Challenge is what tests written against it say.
	Challenge *event.ChallengeFinished
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
	title = strings.TrimSpace(inert(oneLine(title, maxTitle)))
	if title == "" {
		title = "booty: " + p.Branch
	}
	return title
}

// Body gives the pull request's text, within GitHub's limit: what and why, what it closes,
// what proves it, what a person must look at; then folded whatever few will read.
func (p PullRequest) Body() string {
	text := func(output string) string {
		closes := ""
		if p.Closes > 0 {
			closes = fmt.Sprintf("Closes #%d\n", p.Closes)
		}
		parts := []string{strings.Join(p.Markers, "\n")}
		what, tests := p.words(), p.proofTable()
		filled, taken, ok := fillTemplate(p.Template,
			map[string]string{"what": what + "\n" + closes, "tests": tests, "closes": closes})
		switch {
		case !ok:
			parts = append(parts, p.standing(), what, closes, tests)
		case taken["what"] && taken["tests"]:
			parts = append(parts, p.standing(), filled)
		case taken["what"]:
			parts = append(parts, p.standing(), filled, tests)
		case taken["tests"]:
			parts = append(parts, p.standing(), what, filled)
		default:
			parts = append(parts, p.standing(), what, tests, filled)
		}
		parts = append(parts, p.forReview(), p.known(), p.leftOut(), p.failing(output), p.challenged(),
			p.unnoticed(), p.folded(), p.signature())
		return joined(parts)
	}
	limit := maxBody - len(blockBegin) - len(blockEnd) - 3
	output := strings.Trim(clean(p.Failure), "\n")
	if len(text(output)) > limit+len(output) {
		p.Template = "" // a template that leaves no room is of no use
	}
	return blockBegin + "\n" + strings.TrimRight(fitted(limit, output, text), "\n") + "\n" + blockEnd + "\n"
}

// joined puts a blank line between the parts that are there.
func joined(parts []string) string {
	var out []string
	for _, s := range parts {
		if s = strings.Trim(s, "\n"); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

// headed gives a text below a heading, nothing where there is none.
func headed(heading, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "## " + heading + "\n\n" + text
}

// words are what the change is and why, in the model's words. The title says the rest.
func (p PullRequest) words() string {
	text := strings.TrimSpace(p.Prose)
	if p.Past.Prose == "" || text != p.Past.Prose { // else it went through this already
		text = strings.TrimSpace(Prose(text))
	}
	if text == "" {
		return ""
	}
	return wordsBegin + "\n" + text + "\n" + wordsEnd + "\n"
}

// standing says first of all that a draft is none to be merged, and why.
func (p PullRequest) standing() string {
	if !p.Draft || p.Outcome == "" && p.Message == "" || p.Judge {
		return ""
	}
	switch p.Outcome {
	case event.NeedsReview:
		return "**Not ready**." + Sentence(p.Message) + "\n"
	case event.Green:
		return "**Draft**: the checks pass." + Sentence(p.Message) + "\n"
	}
	return "**Not ready**: the checks fail." + Sentence(p.Message) + "\n"
}

// failing shows what fails still.
func (p PullRequest) failing(output string) string {
	if !p.Draft || output == "" {
		return ""
	}
	return details("What fails", outputBlock(output, len(strings.Trim(clean(p.Failure), "\n")), p.Run))
}

// challenged folds the tests that were written against the change.
func (p PullRequest) challenged() string {
	text := ChallengeMarkdown(p.Challenge)
	if text == "" {
		return ""
	}
	return details("Tests written against the change", text)
}

// unnoticed folds the small changes that no test notices.
func (p PullRequest) unnoticed() string {
	if len(p.Survivors) == 0 {
		return ""
	}
	return details("What no test notices",
		Proven{ProofFinished: event.ProofFinished{Survivors: p.Survivors}}.survivorsMarkdown())
}

// folded is what is of use to whoever goes on with the work.
func (p PullRequest) folded() string {
	steps := p.local()
	inner := joined([]string{p.attemptsTable(), p.review(), bullets(p.Notes), steps})
	if strings.TrimSpace(inner) == "" {
		return ""
	}
	n := p.Past.Attempts() + CountOf(p.Attempts)
	title := "Next steps"
	if n > 0 {
		title = fmt.Sprintf("%s, %s", count(n, "attempt"), p.cost())
		if steps != "" {
			title += "; next steps"
		}
	}
	return details(title, inner)
}

// signature names tool and model, once.
func (p PullRequest) signature() string {
	if p.By == "" {
		return ""
	}
	return "<sub>Generated by [booty](https://github.com/booty-cli/booty) with " + Inline(p.By) + ".</sub>\n"
}

// forReview says what a person must look at.
func (p PullRequest) forReview() string {
	if len(p.Look) == 0 {
		return ""
	}
	intro := "**Please look at:**\n\n"
	if p.Judge {
		intro = "**Please review the last commit.** Everything passes with the tests as they are here, but the original tests fail: " +
			"the change alters what they expect. The last commit holds only the changes to existing tests.\n\n"
	}
	return intro + bullets(p.Look)
}

// proofTable says of each claim whether a run shows it, and what the checks said.
func (p PullRequest) proofTable() string {
	claims := p.Claims
	if e := p.Evidence; e != nil && len(claims) == 0 {
		state := map[string]string{event.Proven: event.StateProven,
			event.Vacuous: event.StateDisproven}[e.Verdict]
		claims = []event.Claim{{Claim: event.ClaimChange, State: cmp.Or(state, event.StateNotShown), Tests: e.Tests, Reason: e.Note}}
	}
	var b strings.Builder
	b.WriteString(claimTable(claims, givenNames{}))
	checks := p.Checks
	if checks == nil {
		checks = p.best().Checks
	}
	for i, c := range checks {
		if i == 0 && b.Len() == 0 {
			b.WriteString("| Check | Result | Details |\n|---|---|---|\n")
		}
		by := codeCell(c.Command)
		if n := c.Counts.Words(); n != "" {
			by += ": " + n
		}
		if c.Note != "" {
			by += ", " + cell(c.Note)
		}
		fmt.Fprintf(&b, "| check %s | %s | %s |\n", codeCell(c.Name), verdict(c), by)
	}
	return b.String()
}

// known names what the checks found before the change as well.
func (p PullRequest) known() string {
	if len(p.Known) == 0 {
		return ""
	}
	const most = 5
	var names []string
	for _, n := range p.Known[:min(len(p.Known), most)] {
		names = append(names, Code(n))
	}
	if more := len(p.Known) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "Already failing before this change: " + strings.Join(names, ", ") + ".\n"
}

// leftOut names the gates that could not run, and why.
func (p PullRequest) leftOut() string {
	var gates []string
	for _, g := range p.LeftOut {
		gates = append(gates, Code(g.Gate)+" ("+Inline(g.Reason)+")")
	}
	if len(gates) == 0 {
		return ""
	}
	return "Gates that could not run: " + strings.Join(gates, ", ") + ".\n"
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

// Sentence gives a message as a sentence that follows another.
func Sentence(message string) string {
	m := Inline(message)
	if m == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(m)
	return " " + string(unicode.ToUpper(first)) + strings.TrimSuffix(m[size:], ".") + "."
}

func (p PullRequest) review() string {
	if p.Review == nil {
		return ""
	}
	text := "Reviewer model: " + strings.ToLower(strings.ReplaceAll(Inline(p.Review.Verdict), "\\_", " ")) +
		".\n"
	if strings.TrimSpace(p.Review.Notes) != "" {
		text += "\n" + quote(cutRunes(p.Review.Notes, 3000))
	}
	return text
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

// cost sums up what all runs took.
func (p PullRequest) cost() string {
	usd, sure := p.CostUSD, p.Estimated
	for _, r := range p.Past.Runs {
		usd, sure = usd+r.CostUSD, sure || r.Estimated
	}
	return money(usd, sure)
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
	return !strings.HasPrefix(s, "-") && shellword.Plain(s)
}
