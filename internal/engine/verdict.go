package engine

import (
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Verdict is the verdict of the checks on the tree, with the engine's own findings.
type Verdict struct {
	failure.Verdict
	// Known names the old failures that are still there, Old identifies them.
	Known []string     `json:"known,omitempty"`
	Old   []failure.ID `json:"old,omitempty"`
	// Held is why it is not green although the checks pass, Unproven says so in words.
	Held     Held   `json:"held,omitempty"`
	Unproven string `json:"unproven,omitempty"`
	// Stood names the tests that fail as they stood before the work, if it is held for that.
	// StoodPassed says that they ran and pass. Review is what a person must look at before it is
	// merged.
	Stood       []string `json:"stood,omitempty"`
	StoodPassed bool     `json:"stood_passed,omitempty"`
	Review      []string `json:"review,omitempty"`
	// StoodFailures are their failures; Changed are those whose expectations the task changes.
	StoodFailures []event.Failure     `json:"stood_failures,omitempty"`
	Changed       []event.ChangedTest `json:"changed,omitempty"`
	// Skipped says that setup did not need to run.
	Skipped bool `json:"-"`
}

// Held is why a tree is not green although its checks pass; "" where they fail or it is green.
type Held string

// The reasons.
const (
	// HeldAsked: the model was shown what else the task may be about. It may confirm its work
	// without an edit.
	HeldAsked Held = "asked"
	// HeldStood: the tests as they stood fail. A person may judge it.
	HeldStood Held = "stood"
	// HeldLost: tests that ran before did not.
	HeldLost Held = "lost"
	// HeldUncounted: nothing shows that the test command runs tests. The model cannot change that.
	HeldUncounted Held = "uncounted"
	// HeldChallenged: tests of a challenge fail; the model may dispute them.
	HeldChallenged Held = "challenged"
	// HeldUnproven: the evidence for the change is missing or shows nothing.
	HeldUnproven Held = "unproven"
)

// mayStand reports whether a reply without edits is an answer.
func (h Held) mayStand() bool { return h == HeldAsked || h == HeldStood || h == HeldChallenged }

// held is the verdict on a tree whose checks pass, and which is not green: short says why,
// text says it to the model.
func (v Verdict) held(by Held, short, signature, text string) Verdict {
	v.Green, v.Held, v.Unproven, v.Signature, v.Text = false, by, short, signature, text
	return v
}

// gatesOnly says that the tests pass and quality gates fail.
func (v Verdict) gatesOnly() bool { return v.GatesFailed && !v.TestsFailed }

// rank orders verdicts before any number: passing, failing tests that are
// counted, code that does not build, and output of which nothing is understood.
func (v Verdict) rank() int {
	switch {
	case v.Green:
		return 0
	case v.Tally < failure.Uncounted:
		return 1
	case v.Tally < failure.Unparsed:
		return 2
	}
	return 3
}

// failingTests leaves out gates.
func (v Verdict) failingTests() int {
	if !v.TestsFailed {
		return 0
	}
	return v.Failing
}

// besides describes what the number of failing tests does not include.
func (v Verdict) besides() string {
	switch n := len(v.Known); n {
	case 0:
		return ""
	case 1:
		return ", besides one that failed before"
	default:
		return fmt.Sprintf(", besides %d that failed before", n)
	}
}

// atLeast precedes a number of failures if only a part of the tests ran.
func (v Verdict) atLeast() string {
	if v.Partial {
		return "at least "
	}
	return ""
}

// Words replace the number of failing tests where there is none.
func (v Verdict) Words() string {
	switch {
	case v.Unproven != "":
		return v.Unproven
	case v.gatesOnly():
		return "the quality gates fail"
	}
	return v.Trouble
}
