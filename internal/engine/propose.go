package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// briefFor returns the brief of attempt n's first request.
func (r *run) briefFor(n int) Brief {
	g := allowanceFor(n, r.m.Progress)
	b := Brief{Role: r.role(), Attempt: n, Max: r.max(), Wide: g.wide, Escalate: g.escalate,
		RolledBack: r.m.RolledBack}
	b.Failure, b.Before, b.Old = r.lastFailure(), r.fromBefore(), r.m.Standing.Known
	if a := r.m.last(); a != nil {
		b.LookedAt = a.LookedAt
		if g.reasoning {
			b.LastSummary = a.Summary
		}
	}
	if a := r.m.lastChange(); a != nil {
		b.LastFiles = paths(a.Files)
	}
	if a := r.m.last(); a != nil && r.m.Standing.Held == HeldStood && len(r.m.Standing.StoodFailures) > 0 {
		// It is about that attempt, and an attempt of its own only if it answers with edits.
		b.Attempt, b.Stood, b.From, b.To = a.N, r.m.Standing.StoodFailures, r.m.Start.State, r.m.Current
	}
	b.LastFiles = union(b.LastFiles, r.m.Theirs) // what the user did between belongs in view
	return b
}

// fromBefore reports whether the current failures are from before the work, and not what the task
// is about.
func (r *run) fromBefore() bool {
	if r.o.Refine || r.o.AllGreen || r.continued() || r.m.lastChange() != nil {
		return false
	}
	return r.Named == nil || !slices.ContainsFunc(r.m.Standing.Failures, r.Named)
}

// lastFailure is the failure of the tree's current state; nil if there is none to show.
func (r *run) lastFailure() *failure.Verdict {
	v := r.m.Standing
	if v.Green || v.Text == "" {
		return nil
	}
	return &v.Verdict
}

// qualityBrief is that of a round in which only gates fail.
func (r *run) qualityBrief(a Attempt) Brief {
	return Brief{
		Role: FixQuality, Attempt: a.N, Max: r.max(), Escalate: allowanceFor(a.N, r.m.Progress).escalate,
		LastFiles: paths(a.Files), RolledBack: r.asking.takenBack, Old: a.Verdict.Known,
		Failure: &a.Verdict.Verdict,
	}
}

// propose asks, about the current tree, until a reply can be applied. One that cannot uses up a
// reply, not an attempt. If asking again is pointless, the returned proposal has no changes.
func (r *run) propose(ctx context.Context, b Brief, f noEditReplies) (Proposal, noEditReplies, error) {
	b.Wishes, b.Looks, b.Answers = r.asking.looked.wishes, r.looksLeft(), r.m.Answers
	defer func() { r.asking.kept = nil }()
	for {
		p, err := r.proposeOnce(ctx, b)
		if err != nil {
			return p, f, err
		}
		if again, err := r.look(ctx, &b, &p); err != nil {
			return p, f, err
		} else if again {
			continue
		}
		if p.nothing() && len(p.Changes) == 0 && r.m.Standing.Held.mayStand() {
			return p, f, nil // it stands by what was asked about
		}
		r.tellRefused(b.Attempt, &p)
		if len(p.Changes) > 0 {
			return p, f, nil
		}
		if p.nothing() && r.o.Answered != nil && r.o.Answered(p.Said) {
			return p, f, nil
		}
		if f.add(p) {
			if f.wide || p.nothing() && r.idle() {
				return p, f, nil
			}
			f.widen()
			b.Wide, b.Escalate, p.View = true, true, nil
			r.notice("info", "no progress: asking once more, with more files shown")
		}
		r.asking.kept = p.Kept
		b.Kept, b.View = keptPaths(p.Kept), p.View
		b.Problems = slices.Concat(p.Problems, p.Refused)
		if p.nothing() {
			b.Problems = append([]event.Problem{r.emptyReply()}, b.Problems...)
		}
	}
}

// keptPaths names the files of edits, each once.
func keptPaths(edits []edit.Edit) []string {
	var out []string
	for _, e := range edits {
		if !slices.Contains(out, e.Path) {
			out = append(out, e.Path)
		}
	}
	return out
}

// tellRefused emits what of a proposal is not applied. If a part does not parse or match, nothing
// is.
func (r *run) tellRefused(n int, p *Proposal) {
	if problems := slices.Concat(p.Problems, p.Refused); len(problems) > 0 {
		r.emit(event.EditsRefused{Attempt: n, Problems: problems})
	}
	if len(p.Problems) > 0 {
		p.Changes = nil
	}
}

// proposeOnce asks for one proposal, or for several candidates and picks one.
func (r *run) proposeOnce(ctx context.Context, b Brief) (Proposal, error) {
	if r.o.Candidates > 1 {
		return r.candidates(ctx, b)
	}
	reply, _, err := r.askCall(ctx, b)
	if err != nil {
		return Proposal{}, err
	}
	return r.resolve(ctx, reply)
}

// resolve reads a reply; half a reply is none, and one that asks to see more has
// nothing to apply.
func (r *run) resolve(ctx context.Context, reply Reply) (Proposal, error) {
	if reply.Cut {
		return Proposal{Problems: []event.Problem{{
			Kind: "parse", Reason: "The reply was cut off by the length limit: change less at once, and show only what changes.",
		}}}, nil
	}
	if wishes := r.wishesIn(reply); len(wishes) > 0 {
		return Proposal{Wishes: wishes, View: reply.View, Said: reply.Text}, nil
	}
	reply.Kept = r.asking.kept
	p, err := r.Workspace.Resolve(ctx, reply)
	p.Said, p.View = reply.Text, reply.View
	return p, err
}

// askCall makes one request and gets a whole reply to it: one that was cut off is
// continued. Each part is kept at once, for none is paid for twice. The request is nil
// where the whole reply was there already.
func (r *run) askCall(ctx context.Context, b Brief) (Reply, *Call, error) {
	reply, paid := r.paid()
	if paid && !reply.unfinished() {
		r.asking.calls++
		return reply, nil, nil
	}
	call, err := r.callFor(ctx, b)
	if err != nil {
		return Reply{}, nil, err
	}
	if !paid {
		keep := func(p Reply) {
			p.View = call.Prompt.Files
			r.m.Replies = append(r.m.Replies, p)
		}
		if _, err = r.complete(ctx, &call, b, keep); err != nil {
			return Reply{}, &call, err
		}
	}
	if err := r.continueReply(ctx, call, b, r.asking.calls); err != nil {
		return Reply{}, &call, err
	}
	reply = r.m.Replies[r.asking.calls]
	r.asking.calls++
	return reply, &call, nil
}

// continueReply asks the model to continue the reply with this number where it was cut off.
func (r *run) continueReply(ctx context.Context, call Call, b Brief, n int) error {
	for r.m.Replies[n].unfinished() {
		call.SoFar = r.m.Replies[n].Text
		_, err := r.complete(ctx, &call, b, func(rest Reply) {
			p := &r.m.Replies[n]
			p.Text, p.Cut, p.Ended, p.Continued = p.Text+rest.Text, rest.Cut, rest.Ended, p.Continued+1
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paid returns the reply that an interrupted run already received.
func (r *run) paid() (Reply, bool) {
	if r.asking.calls < len(r.m.Replies) {
		return r.m.Replies[r.asking.calls], true
	}
	return Reply{}, false
}

func (p Reply) unfinished() bool { return p.Cut && p.Continued < maxContinuations }

// callFor makes the request that a brief asks for.
func (r *run) callFor(ctx context.Context, b Brief) (Call, error) {
	prompt, err := r.compose(ctx, b)
	return Call{
		Attempt: b.Attempt, Role: b.Role, Prompt: prompt, Escalate: b.Escalate,
	}, err
}

func (r *run) compose(ctx context.Context, b Brief) (Prompt, error) {
	p, err := r.Prompts.Compose(ctx, b)
	if err != nil {
		return p, err
	}
	r.tellLooked(b, p.Answers)
	r.emit(event.ContextSelected{Attempt: b.Attempt, Files: p.Files, Tokens: p.Tokens, LeftOut: p.LeftOut})
	return p, nil
}

// complete makes a call; one that is too long for the model is made once more
// with less in view, where something can be left out.
func (r *run) complete(ctx context.Context, c *Call, b Brief, keep func(Reply)) (Reply, error) {
	reply, err := r.calls.send(ctx, *c, keep)
	if !errors.Is(err, ErrContextLength) || !r.shrink(ctx, c, b) {
		return reply, err
	}
	return r.calls.send(ctx, *c, keep)
}

// shrink makes a request that was too long smaller, once; false if nothing can be left out, or it
// would not be smaller.
func (r *run) shrink(ctx context.Context, c *Call, b Brief) bool {
	if !c.Prompt.Shrinkable {
		return false
	}
	b.Below = c.Prompt.Tokens
	p, err := r.Prompts.Compose(ctx, b)
	if err != nil || p.Tokens >= c.Prompt.Tokens {
		return false
	}
	p.Shrinkable = false // once only
	r.emit(event.ContextSelected{Attempt: b.Attempt, Files: p.Files, Tokens: p.Tokens, LeftOut: p.LeftOut})
	c.Prompt = p
	return true
}

// paths returns the files of an attempt, without deleted ones.
func paths(fs []event.File) []string {
	var out []string
	for _, f := range fs {
		if f.Op != "delete" {
			out = append(out, f.Path)
		}
	}
	return out
}
