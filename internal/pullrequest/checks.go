package pullrequest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/pkg/distill"
)

// jobReader reads jobs of GitHub Actions, their logs and their test reports.
type jobReader interface {
	Job(ctx context.Context, id int64) (github.Job, error)
	JobLog(ctx context.Context, id int64) ([]byte, error)
	PassedJob(ctx context.Context, commit, name string) (int64, error)
	TestReports(ctx context.Context, run int64) ([][]byte, error)
}

// checkReader reads the output of failed checks.
type checkReader struct {
	jobs jobReader
	// dir is the root of the checkout, base the commit whose passed checks are compared with.
	dir, base string
	say       func(format string, args ...any)
	log       *slog.Logger
}

// checks reads failed checks, and compares them with those of a commit of the base.
func (u *Upstream) checks(base string) checkReader {
	return checkReader{jobs: u.client, dir: u.s.Repo.Root(), base: base, say: u.s.Say, log: u.s.Log}
}

// failedCheck is a failed check of the head commit with its output.
type failedCheck struct {
	github.Check
	job     github.Job
	command string
	text    string // the distilled output
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

// read fetches the output of a failed check. If that fails, the name alone still helps.
func (r checkReader) read(ctx context.Context, c github.Check) failedCheck {
	out := failedCheck{Check: c, text: cutMiddle(tidyText(c.Summary), maxCheck)}
	if c.Job == 0 {
		return out
	}
	var err error
	if out.job, err = r.jobs.Job(ctx, c.Job); err != nil {
		r.say("booty: %v", err)
		return out
	}
	var found *distill.Report
	if log, err := r.jobs.JobLog(ctx, c.Job); err != nil {
		r.say("booty: %v", err) // logs expire, but reports may outlive them
	} else {
		var part []byte
		part, out.command = failedStep(log)
		if found = r.distill(ctx, part, nil); found != nil && len(found.Failures) == 0 {
			found = r.distill(ctx, part, r.goodOutput(ctx, c.Name, out.command))
		}
	}
	if !namesTest(found) {
		if better := r.fromArtifacts(ctx, out.job.Run); better != nil {
			found = better
		}
	}
	if found != nil {
		out.text = found.Text
	}
	return out
}

// goodOutput returns what a step printed where the base passed the same check. Where no reader knows the
// output, the new lines are what matters.
func (r checkReader) goodOutput(ctx context.Context, check, command string) []byte {
	job, err := r.jobs.PassedJob(ctx, r.base, check)
	if err != nil || job == 0 {
		r.log.Debug("no good run to compare with", "check", check, "err", err)
		return nil
	}
	log, err := r.jobs.JobLog(ctx, job)
	if err != nil {
		r.log.Debug("no log of the good run", "check", check, "err", err)
		return nil
	}
	return stepOutput(log, command)
}

// fromArtifacts reads the test reports of a workflow run; nil if none contains a failed
// test.
func (r checkReader) fromArtifacts(ctx context.Context, run int64) *distill.Report {
	files, err := r.jobs.TestReports(ctx, run)
	if err != nil {
		r.log.Debug("no test reports", "run", run, "err", err)
	}
	for _, f := range files {
		if found := r.distill(ctx, f, nil); namesTest(found) {
			return found
		}
	}
	return nil
}

// maxCheck bounds what is shown of one check, in bytes.
const maxCheck = 6000

// distill reads output of a failed check, with that of a good run if there is one.
func (r checkReader) distill(ctx context.Context, output, good []byte) *distill.Report {
	code := 1
	o := distill.Options{Dir: r.dir, Budget: maxCheck, ExitCode: &code}
	var found *distill.Report
	var err error
	if len(good) > 0 {
		o.Before, err = distill.ReadGood(ctx, bytes.NewReader(good))
	}
	if err == nil {
		found, err = distill.Read(ctx, bytes.NewReader(output), o)
	}
	if err != nil {
		r.log.Debug("not distilled", "err", err)
		return nil
	}
	return found
}

// FailedChecks returns the output of the named checks of a commit, for the model. base is a commit
// of the base, whose checks they are compared with.
func (u *Upstream) FailedChecks(ctx context.Context, base, commit string, names []string) (string, error) {
	failed, _, err := u.client.FailedChecks(ctx, commit)
	if err != nil {
		return "", err
	}
	checks := u.checks(base)
	text := "The work passes here, but the checks of its pull request fail.\n"
	for _, c := range failed {
		if slices.Contains(names, c.Name) {
			text += "\n" + checks.read(ctx, c).words()
		}
	}
	return text, nil
}

// namesTest reports whether a report names a failed test.
func namesTest(r *distill.Report) bool {
	return r != nil && slices.ContainsFunc(r.Failures, func(f distill.Failure) bool { return f.Test != "" })
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
