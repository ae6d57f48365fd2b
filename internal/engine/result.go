package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// ending turns what a run leaves into its result: files, a commit, a pull request. The memory and the
// error go in; it makes no call and no attempt.
type ending struct {
	reporter
	workspace Workspace
	tree      *worktree
	verifier  *verifier
	// publisher may be nil.
	publisher Publisher
	before    before
	// refine and merges are the options Refine and Merges.
	refine, merges bool
	// unasked says that the model was not called, answers that somebody waits for an answer even if
	// there was nothing to do.
	unasked, answers bool
}

// wrapUp makes the best attempt the result and publishes it. Once it is published, nothing that
// comes after makes the run an interrupted one.
func (e ending) wrapUp(ctx context.Context, m *Memory, out *Outcome) (published bool, err error) {
	whole := context.WithoutCancel(ctx)
	best := m.best()
	if m.ForReview != nil {
		best = m.forReview()
	}
	switch {
	case best != nil:
		out.Commit, err = e.keep(whole, m, best)
	case e.tree.at != m.Current: // a proposal that was never checked
		err = e.tree.restore(whole, m.Current)
	}
	if err == nil && best == nil && out.Err == nil {
		out.Commit, err = e.keepAsItIs(whole, m)
	}
	if err != nil || e.publisher == nil || best == nil && out.Err != nil && !e.tells(m, out.Err) {
		return false, err
	}
	return e.publish(ctx, m, best, out)
}

// keep brings the best attempt's tree back and makes it the run's result.
func (e ending) keep(ctx context.Context, m *Memory, best *Attempt) (commit string, err error) {
	s, v := m.remains(best, e.refine)
	floor, _ := m.floor()
	if s == floor {
		e.notice("info", "no attempt was better than the start: the files are as they were")
	}
	if err := e.tree.goTo(ctx, s); err != nil {
		return "", err
	}
	m.Current, m.Standing = s, v
	if s == floor {
		return "", nil
	}
	words := m.wordsOf(best)
	k := Keep{Green: v.Green, Changed: v.changedNames(), Summary: words.Summary, Prose: words.Prose,
		Paths: m.Named(), Kept: m.Kept}
	return e.keepState(ctx, m, s, k, best.N)
}

// keepAsItIs makes a green result of what no attempt of this run has changed:
// the user's own tree, or earlier work.
func (e ending) keepAsItIs(ctx context.Context, m *Memory) (commit string, err error) {
	if m.From.Commit == "" {
		return m.Start.BaseCommit, nil
	}
	k := Keep{Green: true, Paths: m.Named()}
	if a := m.wordsOf(m.last()); a != nil {
		k.Summary, k.Prose = a.Summary, a.Prose
	}
	return e.keepState(ctx, m, m.From, k, m.total())
}

// keepState makes a state the result. What a pre-commit hook has made of it is checked
// like any other work, and the commit is tried once more.
func (e ending) keepState(ctx context.Context, m *Memory, s State, k Keep, n int) (string, error) {
	commit, err := e.commit(ctx, m, s, k)
	var hook *HookChanged
	if !errors.As(err, &hook) {
		return commit, err
	}
	e.notice("info", "the pre-commit hook changed "+list(hook.Paths)+": the checks run again")
	c, err := e.verifier.verify(ctx, VerifyInput{Attempt: n, Full: true}, hook.State, k.Paths)
	if err != nil {
		return "", err
	}
	if v := c.verdict; k.Green && !v.Green {
		return "", fault.New(fault.Git, "fix the hook, or the files it changes: "+list(hook.Paths),
			"the checks fail with what the pre-commit hook made of the change: %s", firstLine(v.Text+v.Environment))
	}
	e.tree.at, m.Current, m.Standing = c.state, c.state, c.verdict
	commit, err = e.commit(ctx, m, c.state, k)
	if errors.As(err, &hook) {
		err = fault.New(fault.Git,
			"run the hook by hand to see why it keeps changing files: git hook run pre-commit",
			"%w", err)
	}
	return commit, err
}

// commit makes a state the result, on the branch that is named from then on.
func (e ending) commit(ctx context.Context, m *Memory, s State, k Keep) (string, error) {
	k.Unasked = e.unasked
	commit, err := e.workspace.Keep(ctx, s, k)
	if name := e.workspace.Branch(); name != "" {
		m.Start.Branch = name
	}
	return commit, err
}

// wordsOf finds the attempt whose words are those of the change that best leaves: its
// own, or, where its reply had none, those of the one before it that is part of it.
func (m *Memory) wordsOf(best *Attempt) *Attempt {
	if best == nil {
		return nil
	}
	for _, a := range slices.Backward(m.Attempts) {
		if a.N <= best.N && (a.N == best.N || a.Outcome != event.RolledBack) && a.Summary != "" {
			return &a
		}
	}
	return best
}

// tells reports whether a run that changed nothing has something to publish: not if there was
// nothing to do, or booty could not begin.
func (e ending) tells(m *Memory, err error) bool {
	switch fault.KindOf(err) {
	case fault.NothingToDo:
		return m.used() > 0 || e.answers // else it is asked for again
	case fault.Bug, fault.Usage, fault.Git, fault.Environment:
		return m.used() > 0 && err != nil
	}
	return err != nil
}

// publish makes the result public.
func (e ending) publish(ctx context.Context, m *Memory, best *Attempt, out *Outcome) (
	published bool, err error) {
	pr, opened, err := e.publisher.Publish(ctx, e.publication(m, best, *out))
	if pr == nil {
		return err == nil, err
	}
	out.PullRequest = pr
	if opened {
		e.emit(event.PullRequestOpened(*pr))
	} else {
		e.emit(event.PullRequestUpdated(*pr))
	}
	return true, err
}

func (e ending) publication(m *Memory, best *Attempt, out Outcome) Publication {
	pub := Publication{
		Memory: *m, Green: out.Err == nil, Outcome: OutcomeOf(out.Err), Commit: out.Commit,
		Changed: out.Commit != "", Best: best, Main: m.wordsOf(best), Judge: m.ForReview != nil,
		Look: slices.Concat(m.Standing.reviewOf(), m.unresolved(e.merges), m.objection(e.merges)),
	}
	if best != nil && !pub.Green && m.Baseline != nil && m.ForReview == nil {
		_, v := m.floor()
		pub.Behind = worse(best.Verdict.withKnown(e.before.verdict()), v.withKnown(e.before.verdict()))
	}
	if !pub.Green && pub.Outcome != event.NeedsReview {
		pub.Claims, pub.Survivors, pub.Challenge = nil, nil, nil
	}
	if out.Err != nil {
		pub.Message = out.Err.Error()
	}
	return pub
}
