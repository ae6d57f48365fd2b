package check

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proc"
)

// pipePatience is how long the output may stay open when the command and its
// tree have ended: something outside of the tree holds it.
const pipePatience = 2 * time.Second

// Run runs one step. A failing command is a Result; the error is a fault of booty's own, or the
// context's cause.
func (r *Runner) Run(ctx context.Context, step Step) (Result, error) {
	res := Result{Step: step, ExitCode: -1}
	if err := context.Cause(ctx); err != nil {
		return res, err
	}
	log, err := r.newLog(step)
	if err != nil {
		return res, fmt.Errorf("make the log of %s: %w", step.Name, err)
	}
	res.Log = log.f.Name()
	var live func(string)
	if r.c.OnOutput != nil {
		live = func(line string) { r.c.OnOutput(step, r.redact(line)) }
	}
	c := newCapture(log, r.c.Redact, live, r.c.now)
	began := r.c.now()
	out, err := r.execute(ctx, step, c)
	res.began, res.Duration = began, r.c.now().Sub(began)
	logErr := c.close()
	if err != nil {
		return res, fmt.Errorf("run %s: %w", step.Name, err)
	}
	res.Truncated = log.cut
	res.ExitCode, res.Signal, res.Notes = out.exit.Code, out.exit.Signal, out.notes
	switch {
	case out.filled:
		res.End = FilledDisk
	case out.timedOut: // that of being stopped says nothing about the command
		res.End, res.ExitCode = TimedOut, timedOutCode
	}
	if logErr != nil {
		res.Notes = append(res.Notes, "its log could not be written in full: "+logErr.Error())
	}
	res.Tail = clean(c.tail.bytes())
	if err := context.Cause(ctx); err != nil {
		return res, err
	}
	return r.judge(ctx, res)
}

// ended is how an execution ended.
type ended struct {
	exit     proc.Exit
	timedOut bool
	filled   bool
	notes    []string
}

// execute runs the command and captures what it prints.
func (r *Runner) execute(ctx context.Context, step Step, c *capture) (ended, error) {
	var end ended
	stdout, stderr := &stream{c: c, tap: step.asked.tap}, &stream{c: c}
	cmd := shell(cmp.Or(step.asked.command, step.Command))
	cmd.Dir = r.c.Dir
	cmd.Env = append(r.environment(), step.asked.env...)
	if r.c.Sandbox != nil {
		if err := r.c.Sandbox.Wrap(cmd, step); err != nil {
			return end, fmt.Errorf("set up the sandbox: %w", err)
		}
	}
	pipes, err := openPipes(stdout, stderr)
	if err != nil {
		return end, err
	}
	cmd.Stdout, cmd.Stderr = pipes.writers[0], pipes.writers[1]
	p, err := proc.Start(cmd, proc.Options{Supervise: r.c.Supervise, Grace: r.c.Grace})
	pipes.closeWriters()
	if err != nil {
		pipes.abandon(0)
		return end, err
	}
	err = r.wait(ctx, p, step, &end)
	if !pipes.abandon(pipePatience) {
		end.notes = append(end.notes, "something outside of the command kept its output open")
	}
	stdout.finish()
	stderr.finish()
	if n := end.exit.Leftovers; n > 0 && !end.timedOut && !end.filled {
		end.notes = append(end.notes, fmt.Sprintf("it left %d running in the background; ended", n))
	}
	return end, err
}

// programsEvery is how often the programs of a step are looked at first, and programsShare the part
// of its time that passes between two looks later: a tool that takes less is not worth leaving out.
const (
	programsEvery = 40 * time.Millisecond
	programsShare = 50
)

// wait waits for the command and ends it at its timeout, with the context, and
// before it fills the disk.
func (r *Runner) wait(ctx context.Context, p *proc.Process, step Step, end *ended) error {
	done := make(chan error, 1)
	go func() {
		var err error
		end.exit, err = p.Wait()
		done <- err
	}()
	var timer <-chan time.Time
	if step.Timeout > 0 {
		t := time.NewTimer(step.Timeout)
		defer t.Stop()
		timer = t.C
	}
	disks := r.watchDisks()
	look := time.NewTicker(diskEvery)
	defer look.Stop()
	began, programs := r.c.now(), time.NewTimer(programsEvery)
	defer programs.Stop()
	if step.OnPrograms == nil {
		programs.Stop()
	}
	stop := ctx.Done()
	for {
		select {
		case err := <-done:
			return err
		case <-programs.C:
			step.OnPrograms(p.Programs())
			programs.Reset(max(programsEvery, r.c.now().Sub(began)/programsShare))
		case <-timer:
			end.timedOut, timer = true, nil
			p.Stop()
		case <-stop:
			stop = nil
			p.Stop()
		case <-look.C:
			if disks.filled() {
				end.filled = true
				p.Kill() // it has no time to lose
			}
		}
	}
}

// environment is the base environment with what every check gets, and without
// what it must not see.
func (r *Runner) environment() []string {
	base := r.c.Env
	if base == nil {
		base = os.Environ()
	}
	env := make([]string, 0, len(base)+2)
	for _, kv := range base {
		name, _, _ := strings.Cut(kv, "=")
		if name == "CI" || name == "PWD" ||
			slices.ContainsFunc(r.c.Scrub, func(s string) bool { return sameName(s, name) }) {
			continue
		}
		if slices.ContainsFunc(gitVariables, func(s string) bool { return sameName(s, name) }) {
			continue
		}
		if strings.HasPrefix(name, "BOOTY_") && !slices.Contains(r.c.Let, name) {
			continue
		}
		env = append(env, kv)
	}
	return append(env, "CI=1", "PWD="+r.c.Dir)
}

// gitVariables are those of git's own that belong to one repository, as in a hook
// that booty runs in: with them, git in a test would work on the user's. Those that
// are settings (GIT_CONFIG_COUNT and the like) stay.
var gitVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
	"GIT_QUARANTINE_PATH", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_REPLACE_REF_BASE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_ATTR_SOURCE", "GIT_REFLOG_ACTION",
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

// newLog makes a log file named after its step.
func (r *Runner) newLog(step Step) (*logFile, error) {
	name := logName().ReplaceAllString(strings.ToLower(string(step.Kind)+"-"+step.Name), "-")
	name = strings.Trim(name[:min(len(name), 60)], "-")
	for n := 1; ; n++ {
		l, err := createLog(filepath.Join(r.c.LogDir, fmt.Sprintf("%s-%d.log", name, n)), r.c.MaxLog)
		if !errors.Is(err, os.ErrExist) {
			return l, err
		}
	}
}

var logName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// redact replaces the secrets in a short text.
func (r *Runner) redact(s string) string {
	if r.c.Redact == nil || s == "" {
		return s
	}
	var b bytes.Buffer
	w := r.c.Redact(&b)
	_, _ = io.WriteString(w, s) // a buffer takes everything
	if c, ok := w.(io.Closer); ok {
		_ = c.Close()
	}
	return b.String()
}

// judge reads the output and says what the end means.
func (r *Runner) judge(ctx context.Context, res Result) (Result, error) {
	if r.c.Distill != nil {
		f, err := os.Open(res.Log)
		if err != nil {
			return res, fmt.Errorf("read the log of %s: %w", res.Name, err)
		}
		defer f.Close()
		out := Output{Reader: f, ExitCode: res.ExitCode}
		if res.ExitCode != 0 && r.c.LastGood != nil {
			out.Good = r.c.LastGood(ctx, res.Step)
		}
		if res.Summary, err = r.c.Distill(ctx, out); err != nil {
			return res, fmt.Errorf("read the output of %s: %w", res.Name, err)
		}
		res.Summary.distilled = len(res.Summary.Failures)
		for i := range res.Summary.Failures {
			res.Summary.Failures[i].Check = res.baseName()
		}
	}
	if res.Kind == Setup && res.ExitCode != 0 && res.Summary.nameless() {
		res.Summary.Failures = []failure.Failure{{Check: res.baseName(), Message: Reason(res.Tail)}}
	}
	r.countTests(ctx, &res)
	res.leaveOutKnown()
	// Its exit code is that of being stopped.
	if res.End.stopped() && (!res.Summary.Recognised || res.Summary.Text == "") {
		res.Summary.Text = endOf(res.Tail, textCap)
		if strings.TrimSpace(res.Tail) == "" {
			res.Summary.Text = "It printed nothing.\n"
		}
	}
	if res.Summary.Text == "" {
		res.Summary.Text = endOf(res.Tail, textCap)
	}
	switch {
	case res.End == Cut:
		return res, nil
	case res.End != Exited:
	case notStarted(res):
		res.End = NotStarted
	case (res.Kind == Test || res.Kind == Rerun) && noTests(res):
		res.End = NoTests
	}
	res.Passed = res.ExitCode == 0 && res.End == Exited && len(res.Summary.Failures) == 0
	if !res.Passed {
		f := r.environmentFault(res)
		if res.Environment, res.Hint = f.Cause, f.Hint; f.Cause == "" {
			res.Notes = append(res.Notes, r.singleCauses(res)...)
		}
	}
	return res, nil
}

// timedOutCode is what timeout(1) ends with.
const timedOutCode = 124

// leaveOutKnown makes text, files and signature again without known failures.
func (r *Result) leaveOutKnown() {
	s := &r.Summary
	if r.known == nil || s.Without == nil || r.ExitCode == 0 { // with 0 the text says why it is none
		return
	}
	var old []int
	for i, f := range s.Failures[:s.distilled] {
		if r.known(f) {
			old = append(old, i)
		}
	}
	if len(old) > 0 {
		rest := s.Without(old)
		s.Files, s.Text, s.Fit, s.Signature = rest.Files, rest.Text, rest.Fit, rest.Signature
	}
}

// endOf returns the last lines of s within max bytes.
func endOf(s string, max int) string {
	s = strings.TrimRight(s, " \t\r\n")
	if len(s) <= max {
		return s
	}
	s = s[len(s)-max:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)-1 {
		return s[i+1:]
	}
	return strings.ToValidUTF8(s, "")
}

// pipes are the two pipes between a command and its capture.
type pipes struct {
	readers, writers [2]*os.File
	done             chan struct{}
}

func openPipes(to ...io.Writer) (*pipes, error) {
	p := &pipes{done: make(chan struct{})}
	for i := range p.readers {
		var err error
		if p.readers[i], p.writers[i], err = os.Pipe(); err != nil {
			for j := range i {
				_ = p.readers[j].Close()
				_ = p.writers[j].Close()
			}
			return nil, fmt.Errorf("open a pipe: %w", err)
		}
	}
	var copies sync.WaitGroup
	for i, r := range p.readers {
		copies.Go(func() {
			buf := make([]byte, 64<<10)
			_, _ = io.CopyBuffer(onlyWriter{to[i]}, onlyReader{r}, buf) // ends with the pipe
		})
	}
	go func() {
		copies.Wait()
		close(p.done)
	}()
	return p, nil
}

// onlyWriter and onlyReader hide the short cuts of io.CopyBuffer, so that it
// uses the buffer it is given.
type (
	onlyWriter struct{ io.Writer }
	onlyReader struct{ io.Reader }
)

func (p *pipes) closeWriters() {
	for _, w := range p.writers {
		_ = w.Close()
	}
}

// abandon waits for the end of both pipes, but not longer than patience, and
// closes them. It reports whether they had ended by themselves.
func (p *pipes) abandon(patience time.Duration) (ended bool) {
	select {
	case <-p.done:
		ended = true
	case <-time.After(patience):
	}
	for _, r := range p.readers {
		_ = r.Close() // wakes the copying
	}
	<-p.done
	return ended
}
