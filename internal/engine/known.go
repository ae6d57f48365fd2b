package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// known are the old failures: the same test with the same signature, the same finding of a gate.
// Work with only these is green.
type known struct {
	tests []failure.Signature
	// now are those that were seen to come without the change.
	now []failure.Signature
	// findings of gates, without their lines, and how many of each there were.
	findings map[string]int
}

func (k known) none() bool { return len(k.tests)+len(k.now)+len(k.findings) == 0 }

func findingKey(f event.Failure) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s", f.Check, f.File, f.Kind, failure.Normalize(f.Message))
}

// has reports whether a failure is known, for a text that leaves it out.
func (k known) has(f event.Failure) bool {
	if f.Test != "" {
		return failure.SignatureOf(f).Known(slices.Concat(k.tests, k.now))
	}
	return k.findings[findingKey(f)] > 0
}

// excludeKnown removes old failures from a verdict: if nothing else is wrong, it is green.
func (v Verdict) excludeKnown(k known) Verdict {
	if v.Green || v.Partial || v.outside() || k.none() {
		return v
	}
	omitted := k // what the text was made without
	k.tests = v.untouched(k.tests)
	left := map[string]int{}
	for key, n := range k.findings {
		left[key] = n
	}
	var news []event.Failure
	newTests, newFindings := false, false
	for _, f := range v.Failures {
		isFinding := slices.ContainsFunc(v.Findings, f.Same)
		switch {
		case isFinding && left[findingKey(f)] > 0:
			left[findingKey(f)]--
			v.Old = append(v.Old, idOf(f))
			continue
		case isFinding:
			newFindings = true
		case f.Test != "" && k.has(f):
			v.Old = append(v.Old, idOf(f))
			continue
		default:
			newTests = true
		}
		news = append(news, f)
		if f.Test != "" && omitted.has(f) {
			v.Text += inWords(f)
		}
	}
	// A test with one message of its own is the change's, whatever else it says.
	changed := failure.IDs(news)
	v.Old = slices.DeleteFunc(v.Old, func(id failure.ID) bool { return id.Among(changed) })
	v.Known, v.Failures = failure.Names(v.Old, changed...), news
	slices.Sort(v.Known)
	v.TestsFailed = v.TestsFailed && (newTests || v.Tally >= failure.Unnamed)
	v.GatesFailed = v.GatesFailed && (newFindings || len(v.UnnamedGates) > 0)
	if v.Failing = failure.CountTests(news); !v.TestsFailed && !v.GatesFailed {
		v.Green, v.Text, v.Signature, v.Files = true, "", "", nil
	}
	return v
}

// withKnown counts the known tests that still fail again: a baseline counts them, and
// what is compared with it has to.
func (v Verdict) withKnown(before *Verdict) Verdict {
	if before == nil {
		return v
	}
	still := slices.DeleteFunc(slices.Clone(before.Failures),
		func(f event.Failure) bool { return !v.knows(f) })
	n := failure.CountTests(still)
	v.Failing, v.TestsFailed = v.Failing+n, v.TestsFailed || n > 0
	return v
}

// untouched leaves out the rows of tests of which another row failed before and passes now: the
// work concerns the test, and so all of its rows.
func (v Verdict) untouched(before []failure.Signature) []failure.Signature {
	failing := failure.IDs(v.Failures)
	var fixed []failure.ID
	for _, s := range before {
		if !s.Among(failing) {
			fixed = append(fixed, s.Function())
		}
	}
	return slices.DeleteFunc(slices.Clone(before),
		func(s failure.Signature) bool { return s.Function().Among(fixed) })
}

// idOf is which failure one is: a test, or a finding by its words.
func idOf(f event.Failure) failure.ID {
	if f.Test != "" {
		return f.ID()
	}
	return failure.ID{Check: f.Check, Place: f.File, Name: nameOf(f)}
}

// knows reports whether a failure is among those from before the work that still fail.
func (v Verdict) knows(f event.Failure) bool {
	if len(v.Old) == 0 { // recorded by an older release
		return slices.Contains(v.Known, nameOf(f))
	}
	return idOf(f).Among(v.Old)
}

// nameOf is what a known failure is called.
func nameOf(f event.Failure) string {
	switch {
	case f.Test != "":
		return f.Test
	case f.File != "":
		return f.Check + ": " + f.File + ": " + firstLine(f.Message)
	}
	return f.Check + ": " + firstLine(f.Message)
}

// inWords describes a failure in full.
func inWords(f event.Failure) string {
	var b strings.Builder
	if f.Test != "" {
		fmt.Fprintf(&b, "%s failed", f.Test)
	} else {
		fmt.Fprintf(&b, "%s complains", f.Check)
	}
	if f.File != "" {
		fmt.Fprintf(&b, " at %s:%d", f.File, f.Line)
	}
	fmt.Fprintf(&b, ":\n%s\n", strings.TrimRight(f.Message, "\n"))
	if f.Expected != "" || f.Actual != "" {
		fmt.Fprintf(&b, "expected: %s\nactual:   %s\n", f.Expected, f.Actual)
	}
	for _, call := range f.Frames {
		fmt.Fprintf(&b, "  %s:%d %s\n", call.File, call.Line, call.Func)
	}
	return b.String()
}

// unnamed reports whether something fails of which no test or finding is known.
func (v Verdict) unnamed() bool {
	return !v.Green && (v.TestsFailed && v.Tally >= failure.Unnamed || len(v.UnnamedGates) > 0)
}
