package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
)

// If the task itself asks that an old test expects something else, the model says so, in a line for
// each test with the sentence that asks for it, and a reviewer who has not seen the change must
// agree. If only these tests fail as they stood, the work is green then.

// TestReviewer reports whether a task asks for what makes tests fail.
type TestReviewer interface {
	// ReviewTests shows a reviewer the task, the tests as they stood and how they fail, and
	// nothing else; ask makes the request. said is the sentence of the task, or why not.
	ReviewTests(ctx context.Context, failures []event.Failure, ask Ask) (agrees bool, said string, err error)
	// InTask reports whether the task contains a sentence.
	InTask(sentence string) bool
}

var changesTest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^[ \t>*-]*CHANGES TEST:?[ \t]+`?([^\n`]+?)`?:[ \t]*[\"“](.+?)[\"”][ \t.]*$")
})

// changesIn returns the tests that the task changes according to a reply, and the rest of the
// reply.
func changesIn(reply string) (changed []event.ChangedTest, rest string) {
	for _, m := range changesTest().FindAllStringSubmatch(reply, -1) {
		changed = append(changed, event.ChangedTest{Test: strings.TrimSpace(m[1]), Quote: strings.TrimSpace(m[2])})
	}
	return changed, strings.TrimSpace(changesTest().ReplaceAllString(reply, ""))
}

// changedTests settles whether the task changes what tests expect.
type changedTests struct {
	reporter
	// reviewer is nil if there is no model to ask.
	reviewer TestReviewer
	calls    *calls
}

// settle makes a verdict green if the tests as they stood fail by the task's own word. said is
// the reply that leads to it.
func (t changedTests) settle(ctx context.Context, attempt int, v Verdict, said string) (Verdict, error) {
	if v.Held != HeldStood || t.reviewer == nil {
		return v, nil
	}
	claims, _ := changesIn(said)
	if len(claims) == 0 {
		return v, nil
	}
	changed, why := t.matched(claims, v.StoodFailures)
	if why != "" {
		t.notice("warning", "not taken for a change that the task asks for: "+why)
		return v, nil
	}
	agrees, reason, err := t.reviewer.ReviewTests(ctx, v.StoodFailures, t.calls.ask(attempt))
	switch {
	case err == nil && agrees:
		t.notice("info", "the reviewer agrees that the task changes "+list(v.Stood)+": "+reason)
		return v.withChanged(changed), nil
	case err == nil:
		t.notice("warning", "the reviewer does not agree that the task changes "+list(v.Stood)+": "+reason)
	case cancelled(ctx):
		return v, ctx.Err()
	case fault.KindOf(err) == fault.Budget:
		return v, err
	default: // one that cannot be reached agrees to nothing
		t.notice("warning", "no reviewer could be asked about the changed tests: "+err.Error())
	}
	return v, nil
}

// matched compares what the model says with the tests that fail: exactly these must be named, each
// with a sentence of the task.
func (t changedTests) matched(claims []event.ChangedTest, failures []event.Failure) (
	changed []event.ChangedTest, why string) {
	used := map[int]bool{}
	for _, f := range failures {
		i := slices.IndexFunc(claims, func(c event.ChangedTest) bool {
			return f.Test == c.Test || failure.NamedIn(f.Test, []string{c.Test}) ||
				failure.NamedIn(failure.FunctionOf(f.Test), []string{c.Test})
		})
		if i < 0 {
			return nil, f.Test + " fails as well, and is not named"
		}
		if used[i] = true; !t.reviewer.InTask(claims[i].Quote) {
			return nil, fmt.Sprintf("the task does not say %q", claims[i].Quote)
		}
		if !slices.ContainsFunc(changed, func(c event.ChangedTest) bool { return c.Test == f.Test }) {
			changed = append(changed, event.ChangedTest{Test: f.Test, Quote: claims[i].Quote, Expected: expected(f)})
		}
	}
	for i, c := range claims {
		if !used[i] {
			return nil, c.Test + " is named, and does not fail as it stood"
		}
	}
	return changed, ""
}

// expected is what a test expected, according to its failure.
func expected(f event.Failure) string {
	if f.Expected != "" {
		return firstLine(f.Expected)
	}
	return firstLine(f.Message)
}

// withChanged is the verdict of an attempt by which old tests fail because the task asks for it.
func (v Verdict) withChanged(changed []event.ChangedTest) Verdict {
	v.Green, v.Held, v.Unproven, v.Signature, v.Text, v.Stood = true, "", "", "", "", nil
	v.Changed, v.Review = changed, slices.Clone(v.Review)
	for _, c := range slices.Backward(changed) {
		v.Review = slices.Insert(v.Review, 0, fmt.Sprintf(
			"%s is changed, since the task says %q; as it stood it fails with: %s", c.Test, c.Quote, c.Expected))
	}
	return v
}

// changedNames names the tests that fail as they stood, whoever has to agree to it.
func (v Verdict) changedNames() []string {
	names := slices.Clone(v.Stood)
	for _, c := range v.Changed {
		names = append(names, c.Test)
	}
	return names
}
