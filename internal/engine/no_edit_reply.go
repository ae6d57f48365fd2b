package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// A reply with nothing to check is no attempt. After so many, or two in a row for the same reason,
// the context is widened and the stronger model asked; if that does not help either, the run makes
// no progress.
const (
	maxNoEdit     = 3
	maxNoEditWide = 2
)

// errStuck marks the end of a run that made no progress.
var errStuck = errors.New("no progress")

// noEditReplies counts the replies of one attempt that gave nothing to check.
type noEditReplies struct {
	// n counts those since the view was widened, or from the start.
	n    int
	wide bool
	last string
	// all is their number, protected that of those refused for what they touch.
	all, protected int
	// empty is the number of those that proposed nothing at all.
	empty int
}

// add counts a reply; true says that more of the same kind is not worth asking for.
func (f *noEditReplies) add(p Proposal) (enough bool) {
	f.n++
	f.all++
	if p.nothing() {
		f.empty++
	}
	if len(p.Problems) == 0 && protected(p.Refused) {
		f.protected++
	}
	reason, most := p.reason(), maxNoEdit
	if f.wide {
		most = maxNoEditWide
	}
	again := f.all > 1 && reason == f.last
	f.last = reason
	return again || f.n >= most
}

// widen begins the second half.
func (f *noEditReplies) widen() { f.wide, f.n = true, 0 }

// reason identifies why a proposal has no changes.
func (p Proposal) reason() string {
	var b strings.Builder
	for _, x := range slices.Concat(p.Problems, p.Refused) {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", x.Kind, x.Path, x.Reason)
	}
	return b.String()
}

// protected reports whether parts were refused for what they touch, not for
// their size alone.
func protected(refused []event.Problem) bool {
	return slices.ContainsFunc(refused, func(p event.Problem) bool { return p.Kind != "limit" })
}

// KindEmpty is the kind of the problem that a reply holds no edit at all.
const KindEmpty = "empty"

// nothing says that the model proposed nothing at all.
func (p Proposal) nothing() bool {
	return len(p.Refused) == 0 &&
		!slices.ContainsFunc(p.Problems, func(x event.Problem) bool { return x.Kind != KindEmpty })
}

// emptyReply is what a request says of the last reply, if that had no edits.
func (v Verdict) emptyReply() event.Problem {
	text := "Your last reply changes nothing, and the checks fail, as shown. Answer with edits."
	if v.Green {
		text = "Your last reply changes nothing. Answer with edits, or, if the task is done already, say so once more."
	}
	return event.Problem{Kind: KindEmpty, Reason: text}
}

// endWithoutEdit ends a run whose model returns nothing to check.
func (r *run) endWithoutEdit(ctx context.Context, n int, p Proposal, f noEditReplies) error {
	if err := r.settleBest(ctx, nil); err != nil {
		return err
	}
	r.emit(event.AttemptFinished{Attempt: n, Outcome: event.Refused, Failing: r.m.Standing.Failing,
		Trouble: r.m.Standing.Words(),
		Known:   len(r.m.Standing.Known)})
	if err := r.save(ctx); err != nil {
		return err
	}
	return noEditError(p, f, &r.m, r.m.left(r.o.Refine))
}

// noEditError is the error of a run whose last proposal p has nothing to check. left says what the run
// leaves.
func noEditError(p Proposal, f noEditReplies, m *Memory, left string) error {
	said, words := "", p.Prose
	if p.nothing() {
		words = p.Said
	}
	if w := inOneLine(words, maxSaid); w != "" {
		said = fmt.Sprintf("; the model said: %q", w)
	} else if p.nothing() {
		said = "; its reply is empty"
	}
	const hint = "booty resume --hint TEXT adds detail; --model NAME asks another model"
	switch {
	case p.nothing() && m.Standing.Green && m.used() == 0:
		return fault.New(fault.NothingToDo, "", "the checks pass%s, and the model finds nothing to do%s",
			m.Standing.besides(), said)
	case p.nothing():
		return fault.New(fault.Exhausted, hint, "%w: the model proposes nothing, and %s%s", errStuck,
			left, said)
	case f.protected == f.all && m.used() == 0:
		return fault.New(fault.Refused, "see protected_paths and test_edits in .booty.yml",
			"every proposal was refused whole, the last for %s%s",
			p.lastProblem(), said)
	}
	return fault.New(fault.Exhausted, hint, "%w: no proposal could be applied, the last for %s%s", errStuck,
		p.lastProblem(), said)
}

// lastProblem returns the last reason why nothing of a proposal was applied.
func (p Proposal) lastProblem() string {
	all := slices.Concat(p.Problems, p.Refused)
	last := all[len(all)-1]
	reason := firstLine(last.Reason)
	if strings.HasSuffix(reason, ":") { // what it announces stands on the next lines
		if i := strings.LastIndex(reason, ". "); i > 0 {
			reason = reason[:i]
		}
	}
	if last.Path == "" {
		return reason
	}
	return last.Path + ": " + reason
}
