package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/charmbracelet/lipgloss"
)

// Proven is what booty prove says of a change.
type Proven struct {
	event.ProofFinished
	// Numbers are those by which survivors can be dismissed in a pull request; nil elsewhere.
	Numbers Numbered
	// All has Write name every changed file.
	All bool
}

// verdicts are the words of the verdicts, and whether they are good news.
var verdicts = map[string]struct {
	words string
	color lipgloss.Color
}{
	event.VerdictProven: {"Proven", green}, event.VerdictPartly: {"Partly proven", yellow},
	event.VerdictNotShown: {"Not shown", yellow}, event.VerdictWeakened: {"Existing tests not intact", red},
	event.VerdictKept: {"Behavior kept", green}, event.VerdictChanged: {"Expectations changed", yellow},
	event.VerdictFailing: {"Tests fail", red}, event.VerdictUntried: {"Could not be tried", yellow},
	event.VerdictNothing: {"Nothing to prove", gray}, event.VerdictCaught: {"Caught by a challenge", red},
}

// claims are the words of the claims; states those of what was found. Judge gives the order.
var (
	claims = map[string]string{
		event.ClaimChange:     "a test fails without the change and passes with it",
		event.ClaimUnharmed:   "existing tests are intact",
		event.ClaimCanFail:    "the proving test can fail",
		event.ClaimMutants:    "small changes to the new code make tests fail",
		event.ClaimChallenged: "tests written against the change hold",
	}
	states = map[string]string{
		event.StateProven: "proven", event.StateNotShown: "not shown", event.StateUntried: "not tried",
		event.StateDisproven: "no",
	}
)

// Verdict is the verdict in one line.
func (p Proven) Verdict() string {
	return verdicts[p.ProofFinished.Verdict].words + ": " + p.Reason
}

// Write writes it as text: for a terminal with r, plainly without. width is where words
// are wrapped, 0 for nowhere.
func (p Proven) Write(w io.Writer, r *lipgloss.Renderer, width int) error {
	out := &paint{w: w, r: r, width: width}
	v := verdicts[p.ProofFinished.Verdict]
	if p.Subject != "" {
		out.wrapped("", clean(p.Subject+between(p.Base, p.Head)))
	}
	out.wrapped(out.bold(out.color(v.color, v.words))+": ", clean(p.Reason))
	if len(p.Claims) > 0 {
		out.line("")
	}
	n := givenNames{}
	for _, c := range p.shownClaims() {
		mark, color := "✓", green
		switch c.State {
		case event.StateDisproven:
			mark, color = "✗", red
		case event.StateNotShown, event.StateUntried:
			mark, color = "-", yellow
		}
		out.wrapped("  "+out.color(color, mark)+" ", claims[c.Claim]+": "+states[c.State])
		if by := n.by(c); by != "" {
			out.wrapped("      ", clean(by))
		}
	}
	p.writeExpectations(out)
	p.writeChallenge(out)
	p.writeFiles(out, n)
	p.writeSurvivors(out)
	list := func(head string, lines []string) {
		if len(lines) == 0 {
			return
		}
		out.line("")
		out.line(out.bold(head))
		for _, l := range lines {
			out.wrapped("  - ", clean(l))
		}
	}
	list("Dismissed in the pull request", survivorLines(p.Dismissed))
	list("Fail before the change as well", p.OldFailures)
	list("Fail only sometimes, and show nothing", p.Flaky)
	list("For a person to look at", p.Look)
	list("Left out", p.LeftOut)
	if took := p.took(); took != "" {
		out.line("")
		out.line(out.dim(took))
	}
	return out.err
}

// shownClaims are the claims as a report shows them: who noticed mutants stands beside the files.
func (p Proven) shownClaims() []event.Claim {
	list := slices.Clone(p.Claims)
	for i, c := range list {
		if c.Claim == event.ClaimMutants && len(p.Files) > 0 {
			list[i].Tests = nil
		}
	}
	return list
}

// by says what shows a claim, or why nothing does. A claim names its tests even where another
// one did: without them it says nothing.
func (n givenNames) by(c event.Claim) string {
	if len(c.Tests) == 0 {
		return c.Reason
	}
	n.some(c.Tests)
	if c.Reason != "" && (c.Claim == event.ClaimMutants || c.Claim == event.ClaimUnharmed ||
		c.Claim == event.ClaimChallenged) {
		return c.Reason + ": " + Some(c.Tests)
	}
	return strings.TrimSuffix(Some(c.Tests)+": "+c.Reason, ": ")
}

func between(base, head string) string {
	if base == "" {
		return ""
	}
	short := func(s string) string { return s[:min(len(s), 10)] }
	if head == "" {
		return " (since " + short(base) + ")"
	}
	return " (" + short(base) + ".." + short(head) + ")"
}

func (p Proven) writeExpectations(out *paint) {
	if len(p.Expectations) == 0 {
		return
	}
	out.line("")
	out.line(out.bold("What the tests expect"))
	var l listedLines
	for _, e := range p.Expectations {
		out.line(strings.TrimRight("  "+clean(l.at(e.File, e.Line))+"  "+clean(l.test(e.Test)), " "))
		out.line("    " + out.color(red, "- "+oneLine(e.Was, 200)))
		out.line("    " + out.color(green, "+ "+oneLine(e.Now, 200)))
	}
}

// expectationsMarkdown lists what tests expected, and expect.
func expectationsMarkdown(list []event.Expectation) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("```diff\n")
	var l listedLines
	for _, e := range list {
		head := strings.TrimRight(plainCode(l.at(e.File, e.Line))+"  "+plainCode(l.test(e.Test)), " ")
		fmt.Fprintf(&b, "@@ %s @@\n-%s\n+%s\n", head, plainCode(e.Was), plainCode(e.Now))
	}
	return b.String() + "```\n"
}

// listedLines are places in a list, which names the file and the test of several only once.
type listedLines struct{ file, name string }

func (l *listedLines) at(file string, line int) string {
	if file == l.file {
		return fmt.Sprintf("line %d", line)
	}
	l.file = file
	return fmt.Sprintf("%s:%d", file, line)
}

func (l *listedLines) test(name string) string {
	if name == l.name {
		return ""
	}
	l.name = name
	return name
}

func (p Proven) writeSurvivors(out *paint) {
	if len(p.Survivors) == 0 {
		return
	}
	out.line("")
	out.line(out.bold("Changes that no test notices"))
	var l listedLines
	for _, s := range p.Survivors {
		out.line(fmt.Sprintf("  %s  %s", clean(l.at(s.File, s.Line)), s.What))
		out.line("    " + out.color(red, "- "+oneLine(s.Was, 200)))
		out.line("    " + out.color(green, "+ "+oneLine(orNothing(s.Now), 200)))
	}
}

// orNothing has something to show for a line that was removed.
func orNothing(now string) string {
	if now == "" || now == ";" {
		return "(removed)"
	}
	return now
}

// took says how long the proof took, and as how many runs of the tests.
func (p Proven) took() string {
	if p.SuiteMS == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %.1f times one test run", span(time.Duration(p.DurationMS)*time.Millisecond),
		float64(p.DurationMS)/float64(p.SuiteMS))
}

// ProofMarker is the hidden mark of the one comment that booty prove keeps up to date.
const ProofMarker = "<!-- booty:prove -->"

// Markdown is the proof as a comment.
func (p Proven) Markdown() string {
	n := givenNames{}
	table := claimTable(p.shownClaims(), n) // before what gives names below it
	took := p.took()
	if took != "" {
		took = "<sub>booty prove, " + took + "</sub>"
	}
	return cutBytes(joined([]string{ProofMarker,
		"**" + verdicts[p.ProofFinished.Verdict].words + "**: " + Inline(p.Reason), Inline(p.Subject + between(p.Base, p.Head)),
		headed("Proof", table), headed("What the tests expect", expectationsMarkdown(p.Expectations)),
		headed("Tests written against the change", ChallengeMarkdown(p.Challenge)),
		headed("Changes that no test notices", p.survivorsMarkdown()), p.dismissedMarkdown(),
		headed("Fail before the change as well", bullets(p.OldFailures)),
		headed("Fail only sometimes, and show nothing", bullets(p.Flaky)),
		headed("For a person to look at", bullets(p.Look)), headed("Changed files", p.filesMarkdown(n)),
		headed("Left out", bullets(p.LeftOut)), took, p.Numbers.mark()}), maxBody)
}

// claimTable says of each claim whether a run shows it.
func claimTable(list []event.Claim, n givenNames) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Claim | Result | Evidence |\n|---|---|---|\n")
	for _, c := range list {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", claims[c.Claim], states[c.State],
			strings.ReplaceAll(Inline(n.by(c)), "|", "\\|"))
	}
	return b.String()
}

// survivorsMarkdown lists small changes that no test notices.
func (p Proven) survivorsMarkdown() string {
	if len(p.Survivors) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("With each of these changes to the changed code, all tests still pass:\n\n```diff\n")
	var l listedLines
	for _, s := range p.Survivors {
		number := ""
		if n := p.Numbers[SurvivorKey(s)]; n > 0 {
			number = fmt.Sprintf("%d. ", n)
		}
		fmt.Fprintf(&b, "@@ %s%s  %s @@\n-%s\n+%s\n", number, plainCode(l.at(s.File, s.Line)), s.What, plainCode(s.Was), plainCode(orNothing(s.Now)))
	}
	b.WriteString("```\n")
	if p.Numbers != nil {
		n := p.Numbers[SurvivorKey(p.Survivors[0])]
		fmt.Fprintf(&b, "\nIf one makes no difference that matters, comment `/booty dismiss %d`; it stays dismissed while its line is unchanged.\n", n)
	}
	return b.String()
}

func (p Proven) dismissedMarkdown() string {
	if len(p.Dismissed) == 0 {
		return ""
	}
	return details("Dismissed in the pull request", bullets(survivorLines(p.Dismissed)))
}

// survivorLines are survivors in a line each.
func survivorLines(list []event.Survivor) (out []string) {
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s:%d %s", s.File, s.Line, s.What))
	}
	return out
}

// plainCode is foreign text for a line within a fence.
func plainCode(s string) string { return strings.ReplaceAll(oneLine(s, 200), "```", "'''") }
