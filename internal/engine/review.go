package engine

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// review lets the reviewer read green work. One that cannot be reached blocks
// nothing.
func (r *run) review(ctx context.Context) error {
	if r.Reviewer == nil || r.m.total() == 0 && r.o.Earlier == 0 { // no model has changed anything
		return nil
	}
	if r.m.Review != nil {
		return blocked(*r.m.Review, r.Reviewer)
	}
	failed := ""
	if b := r.before.verdict(); b != nil && b.TestsFailed {
		failed = b.Text
	}
	v, err := r.Reviewer.Review(ctx, r.m.Start.State, r.m.Current, failed, r.calls.ask(r.m.total()))
	switch {
	case err == nil:
	case cancelled(ctx):
		return ctx.Err()
	case fault.KindOf(err) == fault.Budget:
		return err
	default:
		r.notice("warning", "there is no review: "+err.Error())
		return nil // one that cannot be reached blocks nothing
	}
	r.m.Review = &v
	r.emit(v)
	if err := r.save(ctx); err != nil {
		return err
	}
	return blocked(*r.m.Review, r.Reviewer)
}

// objection is what a reviewer objects to in work that would be merged without a person. Reading
// decides nothing by itself: a person judges it.
func (m *Memory) objection(merges bool) []string {
	if m.Review == nil || m.Review.Verdict != "BLOCKED" || !merges {
		return nil
	}
	return []string{strings.TrimSuffix("the reviewer model advises against it: "+strings.TrimPrefix(firstLine(m.Review.Notes), "- "), ": ")}
}

// blocked returns an error if a review blocks the work.
func blocked(v event.ReviewFinished, by Reviewer) error {
	if v.Verdict == "BLOCKED" && by.Blocking() {
		return fault.New(fault.Exhausted, "read the reviewer's notes with: booty status latest",
			"the checks pass, but the reviewer blocked the change")
	}
	return nil
}
