// Package challenge is the pure part of a challenge: tests that a model writes against a
// change which it does not see. It says where such tests go, reads a reply into tests, and says
// what a test means by how it ended on the code before the change and after it.
//
// In come a reply, paths and outcomes; out come tests and their meanings. It runs nothing, asks
// nobody, and takes no path from a reply: where the tests go is decided here.
package challenge

import "strings"

// MaxTests is how many tests of a challenge count.
const MaxTests = 8

// Test is one test of a challenge.
type Test struct {
	// Name is the test's in the code: a function, or a title. Quote is the sentence that it
	// rests on.
	Name, Quote string
}

// Suite is what a reply holds: tests, and the file that they stand in.
type Suite struct {
	Tests []Test
	Text  string
	// None is why there is nothing to test; then there are no tests.
	None string
}

// Outcome is how a test ended on one side of a change.
type Outcome string

// The outcomes. A test is unbuilt where its file does not load or build, and missing where the
// file does, and nothing says that the test ran.
const (
	Passes  Outcome = "passes"
	Fails   Outcome = "fails"
	Unbuilt Outcome = "unbuilt"
	Missing Outcome = "missing"
)

// State is what a test means.
type State string

// The states. The first two hold; the next two are caught; all others count for nothing.
const (
	Proves     State = "proves"     // fails before the change, passes with it
	Guards     State = "guards"     // passes on both sides
	Regression State = "regression" // passes before the change, fails with it
	Open       State = "open"       // fails with it and did before: not done, or the test is wrong
	NotRun     State = "not_run"    // nothing says that it ran on the new code
	Flaky      State = "flaky"      // does not end the same way each time
	CannotFail State = "cannot_fail"
	OldFailure State = "old_failure" // fails for the reason of a test that failed before
	Dropped    State = "dropped"     // disputed, and a reviewer agrees that nothing asks for it
	Unfounded  State = "unfounded"   // the sentence it rests on was not among what was shown
)

// Meaning is the table: what it means how a test ended before the change and with it. A test
// that does not build before it says nothing of the old code, but may hold all the same. One
// that ran before the change and does not with it was not passed.
func Meaning(old, now Outcome) State {
	ranBefore := old == Passes || old == Fails
	switch {
	case now == Passes && old == Fails:
		return Proves
	case now == Passes:
		return Guards
	case now != Fails && !ranBefore:
		return NotRun
	case old == Passes:
		return Regression
	}
	return Open
}

// Holds reports whether it speaks for the change.
func (s State) Holds() bool { return s == Proves || s == Guards }

// Caught reports whether it speaks against the change.
func (s State) Caught() bool { return s == Regression || s == Open }

// Founded reports whether a sentence stands in a text, word for word. Case, blanks, quotation
// marks, the marks of comments and parts left out with an ellipsis make no difference.
func Founded(quote, text string) bool {
	text = plain(text)
	rest := text
	found := 0
	for _, part := range strings.Split(strings.ReplaceAll(quote, "…", "..."), "...") {
		part = plain(part)
		if part == "" {
			continue
		}
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest, found = rest[i+len(part):], found+len(part)
	}
	return found >= minQuote
}

// minQuote is how long a sentence must be, in bytes, to ask for anything.
const minQuote = 8

// plain is a text in words, without the marks of comments.
func plain(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, strings.TrimLeft(line, " \t/#*-;>!"))
	}
	s = strings.NewReplacer("`", "", "*", "", "\"", "", "“", "", "”", "", "'", "", "’", "").Replace(strings.Join(lines, " "))
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".")
}
