package report

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
)

// challengeWords say what it means how a test of a challenge ended.
var challengeWords = map[challenge.State]string{
	challenge.Proves:     "fails without the change and passes with it",
	challenge.Guards:     "passes without the change and with it",
	challenge.Regression: "passes without the change and fails with it",
	challenge.Open:       "fails with the change, and without it",
	challenge.NotRun:     "did not run",
	challenge.Flaky:      "does not end the same way each time; not counted",
	challenge.CannotFail: "passes with a wrong expectation too; not counted",
	challenge.OldFailure: "fails for the reason of an old failure; not counted",
	challenge.Dropped:    "was disputed, and the reviewer finds nothing that asks for it; not counted",
	challenge.Unfounded:  "rests on a sentence that is not in the task or the code; not counted",
}

// ChallengeWords say what a test of a challenge means.
func ChallengeWords(t event.ChallengeTest) string {
	s := challenge.State(t.State)
	switch {
	case s == challenge.Open && t.Old == string(challenge.Unbuilt):
		return "fails with the change; does not build without it"
	case s == challenge.Guards && t.Old == string(challenge.Unbuilt):
		return "passes with the change; does not build without it"
	case s.Caught() && t.New != string(challenge.Fails):
		return "does not run with the change, and ran without it"
	}
	return challengeWords[s]
}

// noticesWords say what no other test notices.
func noticesWords(t event.ChallengeTest) string {
	return "worth keeping: it notices what no other test does, a small change to " +
		clean(strings.Join(t.Notices, ", "))
}

// Caught are the tests of a challenge that speak against the change.
func Caught(c *event.ChallengeFinished) (caught []event.ChallengeTest) {
	if c == nil {
		return nil
	}
	for _, t := range c.Tests {
		if challenge.State(t.State).Caught() {
			caught = append(caught, t)
		}
	}
	return caught
}

// writeChallenge lists the tests that were written against the change, with the code of those
// that it does not pass.
func (p Proven) writeChallenge(out *paint) {
	c := p.Challenge
	if c == nil || len(c.Tests) == 0 {
		return
	}
	out.line("")
	out.line(out.bold("Tests written against the change"))
	for _, t := range c.Tests {
		mark, color := "-", yellow
		switch s := challenge.State(t.State); {
		case s.Holds():
			mark, color = "✓", green
		case s.Caught():
			mark, color = "✗", red
		}
		out.wrapped("  "+out.color(color, mark)+" ", clean(t.Name)+": "+ChallengeWords(t))
		if t.Quote != "" {
			quote := "“" + oneLine(t.Quote, 300) + "”"
			if t.OfCode {
				quote = "as in the old code: " + oneLine(t.Quote, 300)
			}
			out.wrapped("      ", quote)
		}
		if len(t.Notices) > 0 {
			out.wrapped("      ", noticesWords(t))
		}
		if !challenge.State(t.State).Caught() && len(t.Notices) == 0 {
			continue
		}
		for line := range strings.Lines(cutRunes(clean(t.Message), 600)) {
			out.line("      " + out.dim(strings.TrimRight(line, "\n")))
		}
		for line := range strings.Lines(clean(t.Code)) {
			out.line("      " + strings.TrimRight(line, "\n"))
		}
	}
}

// ChallengeMarkdown lists the tests that the change does not pass, each with its code, ready to
// be pasted; the others in a line.
func ChallengeMarkdown(c *event.ChallengeFinished) string {
	if c == nil || len(c.Tests) == 0 {
		return ""
	}
	var b strings.Builder
	caught := Caught(c)
	for _, t := range caught {
		fmt.Fprintf(&b, "- %s %s", Code(t.Name), ChallengeWords(t))
		switch {
		case t.OfCode:
			fmt.Fprintf(&b, ". It rests on the old code: %s", Code(t.Quote))
		case t.Quote != "":
			fmt.Fprintf(&b, ". It rests on: “%s”", Inline(t.Quote))
		}
		b.WriteString("\n")
	}
	var rest []string
	var worth []event.ChallengeTest
	for _, t := range c.Tests {
		if !challenge.State(t.State).Caught() {
			rest = append(rest, Code(t.Name)+" "+ChallengeWords(t))
		}
		if len(t.Notices) > 0 {
			fmt.Fprintf(&b, "- %s is %s\n", Code(t.Name), Inline(noticesWords(t)))
			worth = append(worth, t)
		}
	}
	if len(caught) > 0 {
		var messages strings.Builder
		for _, t := range caught {
			fmt.Fprintf(&messages, "%s\n%s\n\n", t.Name, cutRunes(t.Message, 1500))
		}
		b.WriteString("\n" + details("The code of what fails, ready to paste ("+c.File+")",
			Fence("", codeOf(c, caught))+"\nHow it fails:\n\n"+Fence("", messages.String())))
	}
	if len(worth) > 0 {
		b.WriteString("\n" + details("The code of what is worth keeping", Fence("", codeOf(c, worth))))
	}
	if len(rest) > 0 {
		b.WriteString("\n" + details(count(len(rest), "other test"), "- "+strings.Join(rest, "\n- ")))
	}
	return b.String()
}

// codeOf is the code of some tests of a challenge, ready to be pasted.
func codeOf(c *event.ChallengeFinished, tests []event.ChallengeTest) string {
	code := c.Head
	for _, t := range tests {
		code += strings.TrimRight(t.Code, "\n") + "\n\n"
	}
	return code
}
