package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// exchange is what one attempt asks the model, and is told: a brief goes in, a proposal comes out.
// It writes no file.
type exchange struct {
	reporter
	calls *calls
	// said is what has to outlive the exchange, if the run is interrupted.
	said *Conversation
	// tree is what replies are read against, trees where candidates are tried.
	tree  *worktree
	trees Trees
	// person answers questions; may be nil.
	person Person
	// candidates is how many proposals are asked for at once.
	candidates int
	// answered reports whether a reply that changes nothing is the answer; may be nil.
	answered func(reply string) bool
	// standing is the verdict that the attempt starts from; first says that there was no attempt before.
	standing Verdict
	first    bool

	// used counts the replies that were used, noEdit those of the last proposal that gave nothing to
	// check.
	used   int
	noEdit noEditReplies
	// looked is what the model has asked to see.
	looked looking
	// kept are the edits of the last refused reply that were fine.
	kept []edit.Edit
}

// Conversation is what an interrupted run must know of what was said.
type Conversation struct {
	// Replies are those of the attempt under way: a resumed run uses them again
	// instead of paying twice.
	Replies []Reply `json:"replies,omitempty"`
	// Answers are a person's answers to the model's questions, Question is one that ended the run.
	Answers  []Answered `json:"answers,omitempty"`
	Question string     `json:"question,omitempty"`
}

// propose asks, about the current tree, until a reply can be applied. One that cannot uses up a
// reply, not an attempt. If asking again is pointless, the returned proposal has no changes; wide
// says that more was in view from the start.
func (x *exchange) propose(ctx context.Context, b Brief, wide bool) (Proposal, error) {
	x.noEdit = noEditReplies{wide: wide}
	b.Wishes, b.Looks, b.Answers = x.looked.wishes, x.looked.left(), x.said.Answers
	defer func() { x.kept = nil }()
	for {
		p, err := x.proposeOnce(ctx, b)
		if err != nil {
			return p, err
		}
		if again, err := x.look(ctx, &b, &p); err != nil {
			return p, err
		} else if again {
			continue
		}
		if p.nothing() && len(p.Changes) == 0 && x.standing.Held.mayStand() {
			return p, nil // it stands by what was asked about
		}
		x.tellRefused(b.Attempt, &p)
		if len(p.Changes) > 0 {
			return p, nil
		}
		if p.nothing() && x.answered != nil && x.answered(p.Said) {
			return p, nil
		}
		if x.noEdit.add(p) {
			if x.noEdit.wide || p.nothing() && x.first && x.standing.Green {
				return p, nil
			}
			x.noEdit.widen()
			b.Wide, b.Escalate, p.View = true, true, nil
			x.notice("info", "no progress: asking once more, with more files shown")
		}
		x.kept = p.Kept
		b.Kept, b.View = keptPaths(p.Kept), p.View
		b.Problems = slices.Concat(p.Problems, p.Refused)
		if p.nothing() {
			b.Problems = append([]event.Problem{x.standing.emptyReply()}, b.Problems...)
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
func (x *exchange) tellRefused(n int, p *Proposal) {
	if problems := slices.Concat(p.Problems, p.Refused); len(problems) > 0 {
		x.emit(event.EditsRefused{Attempt: n, Problems: problems})
	}
	if len(p.Problems) > 0 {
		p.Changes = nil
	}
}

// proposeOnce asks for one proposal, or for several candidates and picks one.
func (x *exchange) proposeOnce(ctx context.Context, b Brief) (Proposal, error) {
	if x.candidates > 1 {
		return x.pickProposal(ctx, b)
	}
	reply, _, err := x.askCall(ctx, b)
	if err != nil {
		return Proposal{}, err
	}
	return x.resolve(ctx, reply)
}

// resolve reads a reply; half a reply is none, and one that asks to see more has
// nothing to apply.
func (x *exchange) resolve(ctx context.Context, reply Reply) (Proposal, error) {
	if reply.Cut {
		return Proposal{Problems: []event.Problem{{
			Kind: "parse", Reason: "The reply was cut off by the length limit: change less at once, and show only what changes.",
		}}}, nil
	}
	if wishes := x.looked.wishesIn(reply); len(wishes) > 0 {
		return Proposal{Wishes: wishes, View: reply.View, Said: reply.Text}, nil
	}
	reply.Kept = x.kept
	p, err := x.tree.workspace.Resolve(ctx, reply)
	p.Said, p.View = reply.Text, reply.View
	return p, err
}

// askCall makes one request and gets a whole reply to it: one that was cut off is
// continued. Each part is kept at once, for none is paid for twice. The request is nil
// where the whole reply was there already.
func (x *exchange) askCall(ctx context.Context, b Brief) (Reply, *Call, error) {
	reply, paid := x.paid()
	if paid && !reply.unfinished() {
		x.used++
		return reply, nil, nil
	}
	call, err := x.callFor(ctx, b)
	if err != nil {
		return Reply{}, nil, err
	}
	if !paid {
		keep := func(p Reply) {
			p.View = call.Prompt.Files
			x.said.Replies = append(x.said.Replies, p)
		}
		if _, err = x.calls.complete(ctx, &call, b, keep); err != nil {
			return Reply{}, &call, err
		}
	}
	if err := x.continueReply(ctx, call, b, x.used); err != nil {
		return Reply{}, &call, err
	}
	reply = x.said.Replies[x.used]
	x.used++
	return reply, &call, nil
}

// continueReply asks the model to continue the reply with this number where it was cut off.
func (x *exchange) continueReply(ctx context.Context, call Call, b Brief, n int) error {
	for x.said.Replies[n].unfinished() {
		call.SoFar = x.said.Replies[n].Text
		_, err := x.calls.complete(ctx, &call, b, func(rest Reply) {
			p := &x.said.Replies[n]
			p.Text, p.Cut, p.Ended, p.Continued = p.Text+rest.Text, rest.Cut, rest.Ended, p.Continued+1
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paid returns the reply that an interrupted run already received.
func (x *exchange) paid() (Reply, bool) {
	if x.used < len(x.said.Replies) {
		return x.said.Replies[x.used], true
	}
	return Reply{}, false
}

func (p Reply) unfinished() bool { return p.Cut && p.Continued < maxContinuations }

// callFor makes the request that a brief asks for.
func (x *exchange) callFor(ctx context.Context, b Brief) (Call, error) {
	prompt, err := x.compose(ctx, b)
	return Call{
		Attempt: b.Attempt, Role: b.Role, Prompt: prompt, Escalate: b.Escalate,
	}, err
}

func (x *exchange) compose(ctx context.Context, b Brief) (Prompt, error) {
	p, err := x.calls.prompts.Compose(ctx, b)
	if err != nil {
		return p, err
	}
	x.tellLooked(b, p.Answers)
	x.emit(event.ContextSelected{Attempt: b.Attempt, Files: p.Files, Tokens: p.Tokens, LeftOut: p.LeftOut})
	return p, nil
}
