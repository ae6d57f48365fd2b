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

// Turn is what a turn came to.
type Turn struct {
	// Result is that of the run, nil where none was made.
	Result *runner.Result
	// Own says that a merge of GitHub's own is waited for: another turn goes on then.
	Own bool
	// Person says that a person is waited for.
	Person bool
}

// maxSteps bounds what a turn mends before it works.
const maxSteps = 200

// Turn mends what is to be mended and works on one spec, if there is one to work
// on; where there is none, the error says so.
func (q *Queue) Turn(ctx context.Context) (Turn, error) {
	if err := q.heal(ctx); err != nil {
		return Turn{}, err
	}
	return q.turn(ctx)
}

// turn is a turn in a checkout that nothing is wrong with.
func (q *Queue) turn(ctx context.Context) (Turn, error) {
	sit, err := q.look(ctx)
	if err != nil {
		return Turn{}, err
	}
	if err := q.sweep(ctx, &sit); err != nil {
		return Turn{}, err
	}
	for n := 0; n < maxSteps; n++ {
		step := next(sit)
		switch step.Kind {
		case GoOn:
			return q.goOn(ctx, step)
		case Begin:
			if q.again != nil {
				return Turn{}, q.gone()
			}
			return q.begin(ctx, step)
		case Rest:
			if sit, err = q.rest(ctx, step); err != nil {
				return Turn{}, err
			}
			n = 0
			continue
		case Wait, Idle:
			return Turn{Own: step.Own, Person: step.Person}, q.nothing(step)
		case Unknown:
			return Turn{}, fault.New(fault.Usage, "booty status --queue lists the specs", "%s", step.Why)
		}
		if err := q.mend(ctx, &sit, step); err != nil {
			return Turn{}, err
		}
	}
	return Turn{}, fmt.Errorf("the queue does not settle after %d steps", maxSteps)
}

// nothing is the error of a turn that waits.
func (q *Queue) nothing(step Step) error {
	err := fault.New(fault.NothingToDo, "booty status --queue lists the specs", "%s", step.Why)
	if step.Pull.Number == 0 {
		return err
	}
	return pullrequest.About(err, event.PullRequest{Number: step.Pull.Number, URL: step.Pull.URL,
		Draft: step.Pull.Draft})
}

// mend takes one step that puts something right, and notes it in the situation.
func (q *Queue) mend(ctx context.Context, sit *Situation, step Step) error {
	if step.Kind != Merge { // what that comes to is for GitHub to say
		sit.take(step)
	}
	switch step.Kind {
	case Ask:
		return q.ask(ctx, sit, step.IDs)
	case Tidy:
		d, err := q.sit(ctx, step)
		if err != nil {
			return err
		}
		return errors.Join(d.closeIssue(ctx), q.removeLabels(ctx, step.Pull, q.labels.States()))
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
			*sit, err = q.look(ctx) // the base has moved
			return err
		case github.Waiting:
			change(sit, step.Pull.Number, func(p *Pull) { p.AutoMerge = true })
		default:
			sit.NoAutoMerge = true
		}
		return nil
	case Orphaned, Again:
		return q.leaveFresh(ctx, sit, step)
	}
	return fmt.Errorf("the queue knows no step %q", step.Kind)
}

// leaveFresh leaves a spec to a person whose pull request and marker do not go together,
// unless another machine has been at work between the look at the one and at the other.
func (q *Queue) leaveFresh(ctx context.Context, sit *Situation, step Step) error {
	p, err := q.client.PullRequest(ctx, step.Pull.Number)
	if err != nil {
		return err
	}
	_, now, err := q.target.Base(ctx)
	if err != nil {
		return err
	}
	if now != q.commit || p.Draft != step.Pull.Draft && step.Kind == Orphaned || p.Merged != step.Pull.Merged {
		*sit, err = q.look(ctx)
		return err
	}
	if step.Kind == Orphaned {
		return q.leave(ctx, step, "The test is not pending on "+q.base+
			" any more: somebody activated, changed or removed it. Close this pull request if it is done.")
	}
	err = q.leave(ctx, step, "This is merged, and the test is pending again on "+q.base+": somebody took the "+
		"work back, or a pattern of specs.patterns matches what it puts in a marker's place.")
	if err != nil {
		return err
	}
	return q.client.UpdatePullRequest(ctx, p.Number, p.Title, p.Body+"\n"+setAside+"\n")
}

// leave leaves a spec to a person to look at.
func (q *Queue) leave(ctx context.Context, step Step, why string) error {
	d, err := q.sit(ctx, step)
	if err != nil {
		return err
	}
	return d.apply(ctx, Ending{State: ForReview, Add: []string{q.labels.Review()}, Why: why})
}

func change(sit *Situation, number int, f func(*Pull)) {
	for i := range sit.Open {
		if sit.Open[i].Number == number {
			f(&sit.Open[i])
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

// merge has GitHub merge a ready pull request.
func (q *Queue) merge(ctx context.Context, p Pull) (github.Merging, error) {
	pull, err := q.client.PullRequest(ctx, p.Number)
	if err != nil {
		return github.NotAllowed, err
	}
	if looked(pull.Body) {
		q.s.Say("booty: pull request #%d waits for a person to merge it: its text says what to look at", p.Number)
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

// heal takes back what a killed turn left in this checkout: what it made is on
// GitHub, or is made again.
func (q *Queue) heal(ctx context.Context) error {
	if !q.o.Work.InPlace {
		return nil
	}
	st, err := q.s.Repo.Interrupted(ctx)
	if err != nil {
		return err
	}
	if st != nil && st.Origin.RunBranch != "" {
		r, err := q.s.Journal.Run(ctx, st.Run, "")
		if ours := err == nil && r.Task.Kind == "spec"; ours || err != nil && q.isBranch(st.Origin.RunBranch) {
			if _, err := runner.Undo(ctx, q.s, st.Run, 0); err != nil {
				return err
			}
			q.s.Say("booty: run %s of the queue was interrupted here: the checkout is as before it, and the work "+
				"goes on from GitHub", st.Run)
		}
	}
	return runner.CleanTree(ctx, q.s)
}

// isBranch says whether a branch is one of the queue's.
func (q *Queue) isBranch(name string) bool {
	return q.specOf(github.PullRequest{Head: name}) != ""
}

// All takes turns until nothing is left. It waits for merges of GitHub's own, not
// for people.
func (q *Queue) All(ctx context.Context) (Turn, error) {
	worked, person, wait, waited := 0, false, time.Second, time.Duration(0)
	for {
		turn, err := q.Turn(ctx)
		switch kind := fault.KindOf(err); {
		case err == nil || turn.goesOn(kind):
			if err != nil {
				q.s.Say("booty: %v", err)
			}
			worked, person, wait, waited = worked+1, person || err != nil, time.Second, 0
			continue
		case kind != fault.NothingToDo:
			return turn, err
		case turn.Own && waited < maxMerge:
			if err := q.s.Wait.For(ctx, "GitHub", err.Error(), wait); err != nil {
				return Turn{}, err
			}
			wait, waited = min(2*wait, maxPoll), waited+wait
			continue
		case worked == 0:
			return turn, err
		}
		if person || turn.Person || turn.Own {
			return Turn{}, fault.New(fault.Exhausted, "booty status --queue lists them",
				"%d worked off; some wait for a person: %w", worked, err)
		}
		q.s.Say("booty: %d worked off; %v", worked, err)
		return Turn{}, nil
	}
}

// goesOn says that an error is about the one spec that was worked on. A limit of one run
// is; where one of a day is reached, the next turn says so before it begins. What nobody
// knows the cause of is tried once more, and then left to a person.
func (t Turn) goesOn(kind fault.Kind) bool {
	return kind == fault.Exhausted || t.Result != nil && (kind == fault.Budget || kind == fault.Bug)
}

// rest gives GitHub some time to merge a pull request, and looks again.
func (q *Queue) rest(ctx context.Context, step Step) (Situation, error) {
	wait := q.s.Settings.Specs.Wait.Std()
	poll := max(wait/20, min(wait, restPoll))
	if err := q.s.Wait.For(ctx, "GitHub", step.Why, poll); err != nil {
		return Situation{}, err
	}
	q.rested[step.Pull.Number] += poll
	return q.look(ctx)
}

// restPoll is how long GitHub is left alone at least between two looks at a pull request
// that the next spec waits for.
const restPoll = 20 * time.Second

// maxPoll is how long a merge of GitHub's own is left alone between two looks.
const maxPoll = 5 * time.Minute

// maxMerge is how long such a merge may take in all, while there is nothing else to do:
// then a person has to look why GitHub does not merge.
const maxMerge = 3 * time.Hour
