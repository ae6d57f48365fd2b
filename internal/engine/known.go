package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Kin tells which failing tests have to do with the task or with a change.
type Kin interface {
	// Own gives those of failures that are the task's own: named in it, or of
	// tests that use a file of those changed, or of which that cannot be told.
	Own(ctx context.Context, failures []event.Failure, changed []string) ([]event.Failure, error)
	// Named says that the task names what a failure is about.
	Named(f event.Failure) bool
}

// known are failures that were there before and have nothing to do with the
// change: they do not stand in the way of green.
type known struct {
	tests map[string]bool
	// findings of gates, without their lines, and how many of each there were.
	findings map[string]int
}

func (k known) none() bool { return len(k.tests)+len(k.findings) == 0 }

func testKey(f event.Failure) string { return f.Check + "\x00" + f.Test }

func findingKey(f event.Failure) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s", f.Check, f.File, f.Kind, f.Message)
}

// has tells a failure that is known, for a text that leaves it out.
func (k known) has(f event.Failure) bool {
	if f.Test != "" {
		return k.tests[testKey(f)]
	}
	return k.findings[findingKey(f)] > 0
}

// before gives the verdict that tells what failed before the work on the task:
// the baseline's, or, where earlier work is gone on with, that of the old code.
func (r *run) before() *Verdict {
	if r.o.Continued {
		return r.m.Old
	}
	return r.m.Baseline
}

// knownFor says which failures are known to a change of these paths.
func (r *run) knownFor(ctx context.Context, changed []string) (known, error) {
	k := known{tests: map[string]bool{}, findings: map[string]int{}}
	b := r.before()
	if r.o.AllGreen || r.o.Refine || r.Kin == nil || b == nil || b.Green {
		return k, nil
	}
	for _, f := range b.Findings {
		if !slices.Contains(b.UnnamedGates, f.Check) && !r.Kin.Named(f) {
			k.findings[findingKey(f)]++
		}
	}
	if !b.TestsFailed || b.UnnamedTests {
		return k, nil
	}
	var tests []event.Failure
	for _, f := range b.Failures {
		if f.Test != "" && !slices.Contains(b.Unsteady, f.Test) {
			tests = append(tests, f)
			k.tests[testKey(f)] = true
		}
	}
	own, err := r.Kin.Own(ctx, tests, changed)
	if err != nil {
		return k, err
	}
	for _, f := range own {
		delete(k.tests, testKey(f))
	}
	return k, nil
}

// settle takes what is known out of a verdict: where nothing else is wrong, it
// is green.
func (v Verdict) settle(k known) Verdict {
	if v.Green || v.Partial || v.outside() || k.none() {
		return v
	}
	omitted := k
	k = k.without(touched(k, v))
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
			v.Known = append(v.Known, nameOf(f))
			continue
		case isFinding:
			newFindings = true
		case f.Test != "" && k.tests[testKey(f)]:
			v.Known = append(v.Known, nameOf(f))
			continue
		default:
			newTests = true
		}
		news = append(news, f)
		if f.Test != "" && omitted.has(f) { // the text was made without it
			v.Text += fmt.Sprintf("%s fails still, at %s:%d: %s\n", f.Test, f.File, f.Line, f.Message)
		}
	}
	slices.Sort(v.Known)
	v.Known, v.Failures = slices.Compact(v.Known), news
	v.TestsFailed = v.TestsFailed && (newTests || v.UnnamedTests)
	v.GatesFailed = v.GatesFailed && (newFindings || len(v.UnnamedGates) > 0)
	if v.Failing = failure.CountTests(news); !v.TestsFailed && !v.GatesFailed {
		v.Green, v.Text, v.Signature, v.Files = true, "", "", nil
	}
	return v
}

// touched are the tests of which rows pass now and failed before: the change has
// to do with them, and so with the rows that fail still.
func touched(k known, v Verdict) map[string]bool {
	failing := map[string]bool{}
	for _, f := range v.Failures {
		failing[testKey(f)] = true
	}
	whole := map[string]bool{}
	for key := range k.tests {
		if !failing[key] {
			whole[wholeTest(key)] = true
		}
	}
	return whole
}

// wholeTest is the test that a row of it belongs to: Go's TestA/row, pytest's
// test_a[row].
func wholeTest(key string) string {
	check, name, _ := strings.Cut(key, "\x00")
	from := strings.LastIndex(name, ".Test") // a Go package has slashes of its own
	if i := strings.IndexAny(name[max(from, 0):], "["); i > 0 {
		name = name[:max(from, 0)+i]
	} else if i := strings.IndexByte(name[max(from, 0):], '/'); i > 0 && (from >= 0 || strings.HasPrefix(name, "Test")) {
		name = name[:max(from, 0)+i]
	}
	return check + "\x00" + name
}

// without leaves out the rows of tests.
func (k known) without(whole map[string]bool) known {
	out := known{tests: map[string]bool{}, findings: k.findings}
	for key := range k.tests {
		if !whole[wholeTest(key)] {
			out.tests[key] = true
		}
	}
	return out
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

// tellBefore says, after the baseline, how what fails already is dealt with.
func (r *run) tellBefore() {
	b := r.m.Baseline
	if r.o.AllGreen || r.o.Refine || r.Kin == nil || b.Green {
		return
	}
	if b.TestsFailed && b.UnnamedTests || len(b.UnnamedGates) > 0 {
		r.notice("info", "what fails already has no names: all must pass")
	}
}

// mended names the tests that failed before and pass in a green verdict.
func (r *run) mended(v Verdict) []string {
	return slices.DeleteFunc(failure.Tests(r.m.Baseline.Failures),
		func(name string) bool { return slices.Contains(v.Known, name) })
}
