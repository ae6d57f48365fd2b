package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/queue"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/pflag"
)

// queueFlags say what of the queue of pending specs is worked on.
type queueFlags struct {
	next bool
	all  bool
	spec string
	// label makes the queue one of issues.
	label string
	// tried are the issues that this call has worked on already.
	tried map[int]bool
}

func (f queueFlags) given() bool { return f.next || f.spec != "" }

// check refuses what does not go with the queue.
func (f queueFlags) check(flags *pflag.FlagSet) error {
	if f.all && !f.next {
		return errors.New("--all needs --next")
	}
	if f.label != "" && !f.next {
		return errors.New("--label needs --next")
	}
	if !f.given() || f.label != "" {
		return nil
	}
	for _, name := range []string{"pr", "restart", "branch", "base"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s cannot be used with the queue; booty status --queue shows what is next",
				name)
		}
	}
	return nil
}

// runQueue works on the next pending spec, on a named one, or on all.
func runQueue(ctx context.Context, f *factory, o runOptions) (err error) {
	if o.dryRun {
		return f.reading(ctx, o.queue.spec, func(q *queue.Queue) error { return f.foresee(ctx, q) })
	}
	s, j, err := f.prepare(ctx, o.loopOptions)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := f.openQueue(ctx, s, o, j.Options)
	if err != nil {
		return err
	}
	if !o.queue.all {
		turn, err := q.Turn(ctx)
		return f.tellTurn(turn, err)
	}
	turn, err := q.All(ctx)
	if err == nil {
		return nil
	}
	return f.tellTurn(turn, err) // what a run has told is not told again
}

// foresee says what a turn would do.
func (f *factory) foresee(ctx context.Context, q *queue.Queue) error {
	plan, err := q.Foresee(ctx)
	switch {
	case f.json && plan.Action != "":
		return errors.Join(plan.JSON(f.s.Out), asReported(err))
	case err != nil:
		return err
	}
	for _, s := range plan.Steps {
		if _, err := fmt.Fprintln(f.s.Out, report.Clean(s)); err != nil {
			return err
		}
	}
	return nil
}

// runLabelled works on the oldest open issue with a label that has no pull
// request, or on all of them.
func runLabelled(ctx context.Context, f *factory, o runOptions) (err error) {
	o.queue.tried = map[int]bool{}
	worked, person := 0, false
	for {
		err := f.runIssue(ctx, o)
		kind := fault.KindOf(err)
		switch {
		case err == nil || kind == fault.Exhausted:
			worked, person = worked+1, person || err != nil
		case kind != fault.NothingToDo || worked == 0:
			return err
		case person:
			return fault.New(fault.Exhausted, "booty status lists them",
				"issues finished: %d; some wait for a person",
				worked)
		default:
			f.say("booty: issues finished: %d; no other open issue has the label %s", worked, o.queue.label)
			return nil
		}
		if !o.queue.all {
			return err
		}
	}
}

// runIssue works on the next issue that was not tried before in this call. One
// that turns out to be solved, or whose attempts are used up, is passed over.
func (f *factory) runIssue(ctx context.Context, o runOptions) (err error) {
	s, j, err := f.prepare(ctx, o.loopOptions)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	gh := f.github(o.loopOptions)
	gh.Alone = true
	waiting, err := pullrequest.Waiting(ctx, s.Session, gh, o.queue.label)
	if err != nil {
		return err
	}
	for _, n := range waiting {
		if o.queue.tried[n] {
			continue
		}
		o.queue.tried[n] = true
		next := j
		err := pullrequest.ForIssue(ctx, s.Session, gh, strconv.Itoa(n), &next)
		if kind := fault.KindOf(err); err != nil && (kind == fault.NothingToDo || kind == fault.Exhausted) {
			f.say("booty: skipped issue #%d: %v", n, err)
			continue
		}
		if err != nil {
			return err
		}
		return f.workOff(ctx, s, o, next)
	}
	return fault.New(fault.NothingToDo, "", "no open issue with the label %s is left",
		o.queue.label)
}

// openQueue opens the queue for work.
func (f *factory) openQueue(
	ctx context.Context, s *opened, o runOptions, with runner.Options,
) (*queue.Queue, error) {
	return queue.Open(ctx, s.Session, queue.Options{
		Only: o.queue.spec, Machine: machineID(s.Repo.Root()), Work: with, GitHub: f.github(o.loopOptions),
		Show: func(run string) (runner.Show, func()) {
			out := f.newOutput(s.Session, run, false)
			return out.show(), out.Close
		},
	})
}

// tellTurn writes what a turn made to standard output, for scripts: branch,
// commit and pull request.
func (f *factory) tellTurn(turn queue.Turn, err error) error {
	if turn.Result == nil {
		return err
	}
	if err != nil || f.json || f.noResult {
		return asReported(err)
	}
	r := turn.Result
	line := []string{r.Branch, r.Commit}
	if r.PullRequest != nil {
		line = append(line, r.PullRequest.URL)
	}
	_, err = fmt.Fprintln(f.s.Out, strings.Join(line, " "))
	return asReported(err)
}

// machineID names a checkout on a machine, without telling which.
func machineID(root string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	sum := sha256.Sum256([]byte(host + "\x00" + root))
	return hex.EncodeToString(sum[:6])
}

// reading opens the queue to be read alone, with only where one spec is asked for.
func (f *factory) reading(ctx context.Context, only string, read func(*queue.Queue) error) (err error) {
	s, err := f.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := queue.Open(ctx, s.Session, queue.Options{Only: only, GitHub: f.github(loopOptions{})})
	if err != nil {
		return err
	}
	return read(q)
}

// statusQueue lists the pending specs.
func statusQueue(ctx context.Context, f *factory, o statusOptions) error {
	since, err := o.span()
	if err != nil {
		return err
	}
	return f.reading(ctx, "", func(q *queue.Queue) error {
		list, err := q.List(ctx, f.now().Add(-since))
		switch {
		case err != nil:
			return err
		case o.html != "":
			var page bytes.Buffer
			if err := list.HTML(&page); err != nil {
				return err
			}
			if err := keepPage(o.html, page.Bytes()); err != nil {
				return err
			}
			f.say("booty: wrote %s", o.html)
			return nil
		case f.json:
			return list.JSON(f.s.Out)
		}
		return list.Write(f.s.Out, f.renderer(), f.outWidth())
	})
}

// statusStats adds up how the work on pending specs does: in this repository on all
// machines, with --all in all repositories by the records here.
func statusStats(ctx context.Context, f *factory, o statusOptions) error {
	span, err := o.span()
	if err != nil {
		return err
	}
	since := f.now().Add(-span)
	var runs []record.Run
	if o.all {
		j, err := f.openJournal(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = j.Close() }() // only read
		if runs, err = j.Runs(ctx, journal.Filter{Since: since}); err != nil {
			return err
		}
	} else {
		err = f.reading(ctx, "", func(q *queue.Queue) error {
			runs, err = q.Runs(ctx, since)
			return err
		})
		if err != nil {
			return err
		}
	}
	stats := report.StatsOf(runs, since, f.now())
	if f.json {
		return stats.JSON(f.s.Out)
	}
	return stats.Write(f.s.Out, f.renderer())
}

// span is the time that --since covers.
func (o statusOptions) span() (time.Duration, error) {
	d, err := config.ParseAge(o.since)
	if err != nil || d <= 0 {
		return 0, fault.New(fault.Usage, "for example --since 7d, or --since 12h",
			"--since: invalid duration %q", o.since)
	}
	return d, nil
}
