package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/runner"
)

// Turn is the result of a turn.
type Turn struct {
	// Result is the result of the run, nil if there was none.
	Result *runner.Result
	// Merging is set if GitHub merges a pull request by itself, after which another turn
	// can continue.
	Merging bool
	// Person is set if a person has to act.
	Person bool
}

// maxSteps bounds what a turn fixes before it works on a spec.
const maxSteps = 200

// Turn fixes what needs fixing, then works on one spec. If there is none, it returns a
// fault.NothingToDo error.
func (q *Queue) Turn(ctx context.Context) (Turn, error) {
	situation, err := q.look(ctx)
	if err != nil {
		return Turn{}, err
	}
	if err := q.sweep(ctx, &situation); err != nil {
		return Turn{}, err
	}
	for n := 0; n < maxSteps; n++ {
		step := next(situation)
		switch step.Kind {
		case Continue, Begin:
			turn, err := q.work(ctx, step)
			if !errors.Is(err, errChanged) {
				return turn, err
			}
			if situation, err = q.look(ctx); err != nil {
				return Turn{}, err
			}
			continue
		case AwaitMerge:
			if situation, err = q.awaitMerge(ctx, step); err != nil {
				return Turn{}, err
			}
			n = 0
			continue
		case Wait, Idle:
			return Turn{Merging: step.Merging, Person: step.Person}, q.idleError(step)
		case Unknown:
			return Turn{}, fault.New(fault.Usage, "booty status --queue lists the specs", "%s", step.Why)
		}
		if err := q.fix(ctx, &situation, step); err != nil {
			return Turn{}, err
		}
	}
	return Turn{}, fmt.Errorf("the queue does not settle after %d steps", maxSteps)
}

// work continues a spec that is under way, or begins one.
func (q *Queue) work(ctx context.Context, step Step) (Turn, error) {
	if step.Kind == Continue {
		return q.continueSpec(ctx, step)
	}
	if q.resumed != nil {
		return Turn{}, q.pullClosed()
	}
	return q.begin(ctx, step)
}

// idleError is the error of a turn that waits.
func (q *Queue) idleError(step Step) error {
	err := fault.New(fault.NothingToDo, "booty status --queue lists the specs", "%s", step.Why)
	if step.Pull.Number == 0 {
		return err
	}
	return pullrequest.About(err, event.PullRequest{Number: step.Pull.Number, URL: step.Pull.URL,
		Draft: step.Pull.Draft})
}

// fix takes one step that fixes something, and records it in the situation.
func (q *Queue) fix(ctx context.Context, situation *Situation, step Step) error {
	if step.Kind != Merge { // a merge has several possible results
		situation.take(step)
	}
	switch step.Kind {
	case Ask:
		return q.ask(ctx, situation, step.IDs)
	case Tidy:
		ps, err := q.loadPull(ctx, step)
		if err != nil {
			return err
		}
		return errors.Join(ps.closeIssue(ctx), q.removeLabels(ctx, step.Pull, q.labels.States()))
	case Relabel:
		q.s.Say("booty: pull request #%d had lost its label %s", step.Pull.Number, q.labels.Queue())
		return q.client.AddLabels(ctx, step.Pull.Number, []string{q.labels.Queue()})
	case Merge:
		how, err := q.merge(ctx, step.Pull)
		if err != nil {
			return err
		}
		switch how {
		case github.Merged:
			*situation, err = q.look(ctx) // the base has moved
			return err
		case github.Waiting:
			change(situation, step.Pull.Number, func(p *Pull) { p.AutoMerge = true })
		default:
			situation.NoAutoMerge = true
		}
		return nil
	case Orphaned, PendingAgain:
		return q.leaveUnlessChanged(ctx, situation, step)
	}
	return fmt.Errorf("the queue knows no step %q", step.Kind)
}

// leaveUnlessChanged leaves a spec to a person if its pull request and marker disagree,
// unless another machine changed either in the meantime.
func (q *Queue) leaveUnlessChanged(ctx context.Context, situation *Situation, step Step) error {
	p, err := q.client.PullRequest(ctx, step.Pull.Number)
	if err != nil {
		return err
	}
	_, now, err := q.up.Base(ctx)
	if err != nil {
		return err
	}
	if now != q.commit || p.Draft != step.Pull.Draft && step.Kind == Orphaned ||
		p.Merged != step.Pull.Merged {
		*situation, err = q.look(ctx)
		return err
	}
	if step.Kind == Orphaned {
		return q.leave(ctx, step, "The test is not pending on "+q.base+
			" any more: somebody activated, changed or removed it. Close this pull request if it is done.")
	}
	err = q.leave(ctx, step,
		"This is merged, and the test is pending again on "+q.base+": somebody took the "+
			"work back, or a pattern of specs.patterns matches what it puts in a marker's place.")
	if err != nil {
		return err
	}
	return q.client.UpdatePullRequest(ctx, p.Number, p.Title, p.Body+"\n"+setAside+"\n")
}

// leave leaves a spec to a person for review.
func (q *Queue) leave(ctx context.Context, step Step, why string) error {
	ps, err := q.loadPull(ctx, step)
	if err != nil {
		return err
	}
	return ps.apply(ctx, Ending{State: ForReview, Add: []string{q.labels.Review()}, Why: why})
}

func change(situation *Situation, number int, f func(*Pull)) {
	for i := range situation.Open {
		if situation.Open[i].Number == number {
			f(&situation.Open[i])
		}
	}
}

func (q *Queue) removeLabels(ctx context.Context, p Pull, labels []string) error {
	for _, l := range labels {
		if !p.has(l) {
			continue
		}
		if err := q.client.RemoveLabel(ctx, p.Number, l); err != nil {
			return err
		}
	}
	return nil
}

// merge asks GitHub to merge a ready pull request.
func (q *Queue) merge(ctx context.Context, p Pull) (github.Merging, error) {
	pull, err := q.client.PullRequest(ctx, p.Number)
	if err != nil {
		return github.NotAllowed, err
	}
	if asksForReview(pull.Body) {
		q.s.Say("booty: pull request #%d waits for a person to merge it: its text says what to look at",
			p.Number)
		return github.NotAllowed, nil
	}
	how, why, err := q.client.AutoMerge(ctx, pull, p.Commit)
	if err != nil {
		return how, err
	}
	switch how {
	case github.Merged:
		q.s.Say("booty: pull request #%d is merged", p.Number)
	case github.Waiting:
		q.s.Say("booty: pull request #%d is merged once its checks pass", p.Number)
	default:
		q.s.Say("booty: pull request #%d waits for a person to merge it: %s", p.Number, why)
	}
	return how, nil
}

// All takes turns until nothing is left. It waits for GitHub's merges, but not for people.
func (q *Queue) All(ctx context.Context) (Turn, error) {
	worked, person, wait, waited := 0, false, time.Second, time.Duration(0)
	for {
		turn, err := q.Turn(ctx)
		switch kind := fault.KindOf(err); {
		case err == nil || turn.affectsOneSpec(kind):
			if err != nil {
				q.s.Say("booty: %v", err)
			}
			worked, person, wait, waited = worked+1, person || err != nil, time.Second, 0
			continue
		case kind != fault.NothingToDo:
			return turn, err
		case turn.Merging && waited < maxMerge:
			if err := q.s.Wait.For(ctx, "GitHub", err.Error(), wait); err != nil {
				return Turn{}, err
			}
			wait, waited = min(2*wait, maxPoll), waited+wait
			continue
		case worked == 0:
			return turn, err
		}
		if person || turn.Person || turn.Merging {
			return Turn{}, fault.New(fault.Exhausted, "booty status --queue lists them",
				"%d done; some wait for a person: %w", worked, err)
		}
		q.s.Say("booty: %d done; %v", worked, err)
		return Turn{}, nil
	}
}

// affectsOneSpec reports whether an error concerns only the spec that was worked on, as the
// limit of one run does. If a daily limit is reached, the next turn says so before it
// begins. Unexplained errors are retried once, then left to a person.
func (t Turn) affectsOneSpec(kind fault.Kind) bool {
	return kind == fault.Exhausted || t.Result != nil && (kind == fault.Budget || kind == fault.Bug)
}

// awaitMerge gives GitHub some time to merge a pull request, then looks again.
func (q *Queue) awaitMerge(ctx context.Context, step Step) (Situation, error) {
	wait := q.s.Settings.Specs.Wait.Std()
	poll := max(wait/20, min(wait, mergePoll))
	if err := q.s.Wait.For(ctx, "GitHub", step.Why, poll); err != nil {
		return Situation{}, err
	}
	q.waited[step.Pull.Number] += poll
	return q.look(ctx)
}

// mergePoll is the shortest time between two looks at a pull request that blocks the next
// spec.
const mergePoll = 20 * time.Second

// maxPoll is the longest time between two looks at a pending merge.
const maxPoll = 5 * time.Minute

// maxMerge is the longest wait for a merge while there is nothing else to do. After that a
// person has to find out why GitHub does not merge.
const maxMerge = 3 * time.Hour
