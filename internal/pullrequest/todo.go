package pullrequest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/pkg/distill"
)

// todo is what keeps a pull request from being merged, as far as booty can fix it.
type todo struct {
	checks []failedCheck
	// items are what reviewers wait for.
	items []item
	// conflicts are the paths in conflict with the base.
	conflicts []string
	// asked is an additional request by someone with write access.
	asked string
	// left counts comments of people without write access, bots names the bots that
	// are not trusted.
	left int
	bots []string
	// updater is the bot whose update of dependencies the pull request is; nil for any other.
	updater *dependencyBot
}

// failedCheck is a failed check of the head commit with its output.
type failedCheck struct {
	github.Check
	job     github.Job
	command string
	// text is the distilled output, tests are the names of failed tests.
	text  string
	tests []string
}

// item is a review thread, or a review that requests changes.
type item struct {
	// n is its number in requests, from 1.
	n      int
	thread *github.Thread
	review *github.Review
}

// id identifies an item; for a thread it includes the last comment.
func (i item) id() string {
	if i.review != nil {
		return fmt.Sprintf("r%d", i.review.ID)
	}
	return fmt.Sprintf("t%d", i.thread.Comments[len(i.thread.Comments)-1].ID)
}

func (o *todo) none() bool {
	return len(o.checks)+len(o.items)+len(o.conflicts) == 0 && o.asked == ""
}

// summary sums up what is open.
func (o *todo) summary() string {
	var parts []string
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, more))
		}
	}
	add(len(o.checks), "failed check", "failed checks")
	add(len(o.items), "review comment", "review comments")
	add(len(o.conflicts), "file in conflict", "files in conflict")
	if o.asked != "" {
		parts = append(parts, "a request")
	}
	return strings.Join(parts, ", ")
}

// findOpen asks GitHub what is open on the pull request. done are items that an earlier run
// has dealt with.
func (g *Target) findOpen(ctx context.Context, done []string) (*todo, error) {
	o := &todo{}
	failed, running, err := g.client.FailedChecks(ctx, g.pull.Commit)
	if err != nil {
		return nil, err
	}
	if running > 0 {
		checks := fmt.Sprintf("%d checks", running)
		if running == 1 {
			checks = "1 check"
		}
		g.s.Say("booty: still running on #%d: %s; only those that failed already are looked at",
			g.pull.Number, checks)
	}
	for _, c := range failed {
		o.checks = append(o.checks, g.readCheck(ctx, c))
	}
	r, err := g.client.Reviews(ctx, g.pull.Number)
	if err != nil {
		return nil, err
	}
	if r.Queued {
		return nil, queued(g.pull)
	}
	o.left, o.bots = r.Left, r.Bots
	for i := range r.Changes {
		o.items = append(o.items, item{review: &r.Changes[i]})
	}
	for i := range r.Threads {
		o.items = append(o.items, item{thread: &r.Threads[i]})
	}
	o.items = slices.DeleteFunc(o.items, func(i item) bool {
		return i.review != nil && slices.Contains(done, i.id())
	})
	for i := range o.items {
		o.items[i].n = i + 1
	}
	o.conflicts, err = g.s.Repo.WouldConflict(ctx, g.pull.Commit, g.baseCommit)
	return o, err
}

// asBefore keeps the items in an earlier text of the task, with their numbers. Later
// comments stay open, since the model has not seen them.
func (o *todo) asBefore(text string) {
	var kept []item
	taken := map[int]bool{}
	for _, it := range o.items {
		for it.n = 1; strings.Contains(text, fmt.Sprintf("\n## Review comment %d: ", it.n)); it.n++ {
			if !taken[it.n] && strings.Contains(text, "\n"+it.words()) {
				taken[it.n], kept = true, append(kept, it)
				break
			}
		}
	}
	o.items = kept
}

// readCheck fetches the output of a failed check. If that fails, the name alone still
// helps.
func (g *Target) readCheck(ctx context.Context, c github.Check) failedCheck {
	out := failedCheck{Check: c, text: cutMiddle(tidyText(c.Summary), maxCheck)}
	if c.Job == 0 {
		return out
	}
	var err error
	if out.job, err = g.client.Job(ctx, c.Job); err != nil {
		g.s.Say("booty: %v", err)
		return out
	}
	var r *distill.Report
	if log, err := g.client.JobLog(ctx, c.Job); err != nil {
		g.s.Say("booty: %v", err) // logs expire, but reports may outlive them
	} else {
		var part []byte
		part, out.command = failedStep(log)
		if r = g.distill(ctx, part, nil); r != nil && len(r.Failures) == 0 {
			r = g.distill(ctx, part, g.goodOutput(ctx, c.Name, out.command))
		}
	}
	if r == nil || len(testsOf(r)) == 0 {
		if better := g.fromArtifacts(ctx, out.job.Run); better != nil {
			r = better
		}
	}
	if r != nil {
		out.text, out.tests = r.Text, testsOf(r)
	}
	return out
}

// goodOutput returns what a step printed where the base passed the same check, for comparison: of output
// that nobody knows, what is new is the news.
func (g *Target) goodOutput(ctx context.Context, check, command string) []byte {
	job, err := g.client.PassedJob(ctx, g.baseCommit, check)
	if err != nil || job == 0 {
		g.s.Log.Debug("no good run to compare with", "check", check, "err", err)
		return nil
	}
	log, err := g.client.JobLog(ctx, job)
	if err != nil {
		g.s.Log.Debug("no log of the good run", "check", check, "err", err)
		return nil
	}
	return stepOutput(log, command)
}

// fromArtifacts reads the test reports of a workflow run; nil if none contains a failed
// test.
func (g *Target) fromArtifacts(ctx context.Context, run int64) *distill.Report {
	files, err := g.client.TestReports(ctx, run)
	if err != nil {
		g.s.Log.Debug("no test reports", "run", run, "err", err)
	}
	for _, f := range files {
		if r := g.distill(ctx, f, nil); r != nil && len(testsOf(r)) > 0 {
			return r
		}
	}
	return nil
}

// maxCheck bounds what is shown of one check, in bytes.
const maxCheck = 6000

// distill reads output of a failed check, with that of a good run if there is one.
func (g *Target) distill(ctx context.Context, output, good []byte) *distill.Report {
	code := 1
	o := distill.Options{Dir: g.s.Repo.Root(), Budget: maxCheck, ExitCode: &code}
	if len(good) > 0 {
		o.Before = bytes.NewReader(good)
	}
	r, err := distill.Read(ctx, bytes.NewReader(output), o)
	if err != nil {
		g.s.Log.Debug("not distilled", "err", err)
		return nil
	}
	return r
}

func testsOf(r *distill.Report) []string {
	var names []string
	for _, f := range r.Failures {
		if f.Test != "" && !slices.Contains(names, f.Test) {
			names = append(names, f.Test)
		}
	}
	return names
}

// failedStep returns the output of the failed step in a job's log, and its command. Without
// step marks it returns the whole log.
func failedStep(log []byte) (part []byte, command string) {
	lines := bytes.SplitAfter(log, []byte("\n"))
	text := func(i int) string { return unstamped(lines[i]) }
	end := len(lines)
	for i := range lines {
		if strings.HasPrefix(text(i), "##[error]Process completed with exit code") {
			end = i
			break
		}
	}
	for i := end - 1; i >= 0; i-- {
		run, ok := strings.CutPrefix(text(i), "##[group]Run ")
		if !ok {
			continue
		}
		for i++; i < end; i++ {
			if text(i) == "##[endgroup]" {
				i++
				break
			}
		}
		return bytes.Join(lines[i:end], nil), run
	}
	return bytes.Join(lines[:end], nil), ""
}

// stepOutput returns the output of the step that ran a command in a job's log, nothing if there is none.
func stepOutput(log []byte, command string) []byte {
	var out []byte
	inside, head := false, false
	for line := range bytes.Lines(log) {
		s := unstamped(line)
		if run, ok := strings.CutPrefix(s, "##[group]Run "); ok {
			inside, head = run == command, true
		} else if s == "##[endgroup]" && head {
			head = false
		} else if inside && !head {
			out = append(out, line...)
		}
	}
	return out
}

// unstamped is a line of a job's log without its time.
func unstamped(line []byte) string {
	_, rest, stamped := bytes.Cut(line, []byte("Z "))
	if !stamped || len(line)-len(rest) > 40 {
		rest = line
	}
	return strings.TrimSpace(string(rest))
}

// maxThread bounds one comment of a review, in bytes.
const maxThread = 4000

// maxNotes bounds the description of an update of dependencies, which holds the release notes.
const maxNotes = 12000

// taskText describes what is open.
func (o *todo) taskText(p *github.PullRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Pull request #%d: %s\n", p.Number, strings.TrimSpace(visible(p.Title)))
	body, room := visible(p.Body), maxThread
	if o.updater != nil {
		body, room = o.updater.description(body), maxNotes
	}
	if body = cutMiddle(body, room); body != "" {
		b.WriteString("\nIts description:\n\n" + body + "\n")
	}
	b.WriteString("\nIts branch is what you see. Change what the following asks for, and nothing else.\n")
	if o.updater != nil {
		fmt.Fprintf(&b, "%s opened it to update dependencies. Keep the new versions and their lock files: "+
			"change the code that uses them.\n", o.updater.name)
	}
	if o.asked != "" {
		b.WriteString("\n## What is asked\n\n" + visible(o.asked) + "\n")
	}
	for _, c := range o.checks {
		b.WriteString("\n" + c.words())
	}
	for _, it := range o.items {
		b.WriteString("\n" + it.words())
	}
	if len(o.items) > 0 {
		b.WriteString("\nFor each review comment that you deal with, add one line outside of the edits, " +
			"with its number:\nANSWER 1: what you changed, or the answer to its question, in one sentence\n" +
			"Where a comment only asks a question and nothing needs to change, the ANSWER line is all " +
			"that is needed. Where only its author can decide, ask with ASK.\n")
	}
	return strings.TrimSpace(b.String())
}

func (c failedCheck) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Failed check: %s\n\n", runner.Title(c.Name))
	if c.job.Workflow != "" {
		fmt.Fprintf(&b, "Workflow %q, job %q", c.job.Workflow, c.job.Name)
		if c.job.Step != "" {
			fmt.Fprintf(&b, ", step %q", c.job.Step)
		}
		b.WriteString(".\n")
	}
	if c.command != "" {
		fmt.Fprintf(&b, "Command: %s\n", c.command)
	}
	if c.text != "" {
		b.WriteString("\n" + report.Fence("text", c.text))
	}
	return b.String()
}

func (i item) words() string {
	var b strings.Builder
	if i.review != nil {
		fmt.Fprintf(&b, "## Review comment %d: %s requests changes\n\n%s\n", i.n, i.review.Author,
			cutMiddle(visible(i.review.Body), maxThread))
		return b.String()
	}
	at := i.thread.Path
	if i.thread.Line > 0 {
		at += fmt.Sprintf(":%d", i.thread.Line)
	}
	fmt.Fprintf(&b, "## Review comment %d: %s\n\n", i.n, at)
	if i.thread.Hunk != "" {
		b.WriteString(report.Fence("diff", cutMiddle(i.thread.Hunk, 2000)) + "\n")
	}
	for _, c := range i.thread.Comments {
		fmt.Fprintf(&b, "%s: %s\n", c.Author, cutMiddle(visible(c.Body), maxThread))
	}
	return b.String()
}
