package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/term"
	"github.com/booty-cli/booty/internal/workspace"
)

// job is one run to be made, or to be gone on with.
type job struct {
	task         task
	o            loopFlags
	refine       bool
	branch, base string
	// unnamed says that branch is booty's own choice.
	unnamed bool
	// flags are those that were given, for resume.
	flags json.RawMessage
	// memory is that of the run to go on with, nil for a new one.
	memory *engine.Memory
	// old is its record, end how it ended, met the tree as it was found; nil in a
	// tree of its own.
	old *journal.Run
	end lastEnd
	met *workspace.Met
	// maxAttempts replaces the setting where it is not 0.
	maxAttempts int
	// earlier is how many attempts other runs of the task have used.
	earlier int
	// hub is GitHub, where the job has to do with it.
	hub *hub
}

// work puts the parts together and lets the engine run.
func (a *app) work(ctx context.Context, h *house, j job) (err error) {
	if !j.o.dryRun && (!j.refine || j.o.commit) { // before anything is paid for
		if err := h.repo.CheckIdentity(ctx); err != nil {
			return err
		}
	}
	h.run, h.dry = journal.NewRunID(), j.o.dryRun
	if j.old != nil {
		h.run = j.old.ID
	}
	j.task.Title = h.redact.String(j.task.Title)
	if err := mustFit(ctx, h.root, j.o.files); err != nil {
		return err
	}
	out := a.newOutput(h)
	defer out.Close()
	h.wait.listen = out.Handle
	if !j.o.dryRun {
		if err := a.record(ctx, h, j); err != nil {
			return err
		}
	}
	h.cfg.Context.Include = slices.Concat(h.cfg.Context.Include, j.o.files)
	parts, err := a.parts(ctx, h, j, out)
	if err != nil {
		return a.closeRecord(ctx, h, j, err)
	}
	o := engine.Options{
		Task: j.task.Task, MaxAttempts: h.cfg.MaxRetries, Refine: j.refine, RunTime: h.cfg.Budget.RunTime.Std(),
		Earlier: j.earlier, AllGreen: j.refine || h.cfg.Baseline == "all_green",
		TestsMayGo: h.cfg.TestEdits == "allow", DryRun: j.o.dryRun, Anyway: j.o.anyway, Candidates: h.cfg.Candidates, Continued: j.hub != nil && j.hub.continued,
	}
	o.Patience = h.wait.steps
	if o.RunTime > 0 { // waiting before the run counts as well
		o.RunTime = max(o.RunTime-h.wait.spent, time.Second)
	}
	if j.maxAttempts > 0 {
		o.MaxAttempts = j.maxAttempts
	}
	if !j.o.dryRun {
		if err := parts.Model.(*models).afford(ctx); err != nil {
			return a.closeRecord(ctx, h, j, err)
		}
	}
	if j.memory != nil && j.old != nil && j.old.Outcome == "needs_review" && !o.TestsMayGo {
		j.memory.ForReview, j.memory.Aside, j.memory.Replies = nil, nil, nil // another try
	}
	if j.memory != nil {
		if err := parts.Workspace.(*tree).reenter(ctx, j.memory, j.end); err != nil {
			return a.closeRecord(ctx, h, j, err)
		}
		if parts.CommitChecks == nil && !j.refine && len(j.memory.Theirs) > 0 {
			parts.CommitChecks = a.commitChecks(ctx, h, out) // the tree has what the commit may lack
		}
	}
	result := engine.Run(ctx, parts, o, j.memory)
	a.finished = true
	out.Close()
	if j.o.dryRun && !a.json {
		return a.showDryRun(h, out, o)
	}
	if !a.json && !a.noResult {
		a.tellEnd(ctx, h, j, result)
	}
	if result.Err != nil || a.json || a.noResult {
		return result.Err
	}
	return a.printResult(ctx, h, j, result)
}

// tellEnd says how large the change is that remains, and what to do with it.
func (a *app) tellEnd(ctx context.Context, h *house, j job, r engine.Outcome) {
	m := r.Memory
	if !m.Prepared || r.Err != nil && (j.refine || r.Commit == "") || r.Err == nil && r.Outcome != "green" {
		return
	}
	files, added, removed := 0, 0, 0
	changes, err := h.repo.Changes(ctx, m.Start.State.Commit, m.Current.Commit)
	named := m.Named()
	for _, c := range changes {
		if slices.Contains(named, c.Path) {
			files, added, removed = files+1, added+c.Added, removed+c.Removed
		}
	}
	if err != nil || files == 0 {
		return
	}
	what := fmt.Sprintf("%d files, +%d -%d", files, added, removed)
	if files == 1 {
		what = fmt.Sprintf("1 file, +%d -%d", added, removed)
	}
	switch {
	case r.Err != nil:
		what += ": the best attempt is on branch " + r.Branch + "; git diff ..." + r.Branch + " shows it"
	case r.PullRequest != nil:
		what += "; next: gh pr view " + fmt.Sprint(r.PullRequest.Number)
	case !j.refine:
		what += "; next: git merge " + r.Branch
	case r.Commit == "":
		what += "; next: git diff, or booty undo"
	}
	a.say("booty: %s", what)
}

// printResult writes what a green run made to standard output, for scripts:
// branch, commit and pull request, or the files that refine changed.
func (a *app) printResult(ctx context.Context, h *house, j job, r engine.Outcome) error {
	if !j.refine {
		line := r.Branch + " " + r.Commit
		if r.PullRequest != nil {
			line += " " + r.PullRequest.URL
		}
		_, err := fmt.Fprintln(a.s.Out, line)
		return err
	}
	changes, err := h.repo.Changes(ctx, r.Memory.Start.State.Commit, r.Memory.Current.Commit)
	if err != nil {
		return err
	}
	named := r.Memory.Named()
	for _, c := range changes {
		if !slices.Contains(named, c.Path) {
			continue // left by the checks
		}
		if _, err := fmt.Fprintln(a.s.Out, c.Path); err != nil {
			return err
		}
	}
	return nil
}

// record opens the run in the journal.
func (a *app) record(ctx context.Context, h *house, j job) error {
	if j.old != nil {
		return h.journal.Resume(ctx, h.run)
	}
	branch, commit, err := h.repo.Head(ctx)
	if err != nil {
		return err
	}
	kind := "run"
	if j.refine {
		kind = "refine"
	}
	_, err = h.journal.StartRun(ctx, journal.Run{
		ID: h.run, Repo: h.home, RepoName: repoName(ctx, h.repo), Kind: kind, Task: j.task.Task, TaskText: j.task.text,
		Branch: j.branch, Base: j.base, StartBranch: branch, StartCommit: commit, Options: j.flags, MaxRetries: h.cfg.MaxRetries,
	})
	if err == nil {
		a.prune(ctx, h)
	}
	return err
}

// prune takes away the recorded states of old runs, as the records do with
// what lies beside them. Failing at it today is no reason not to work.
func (a *app) prune(ctx context.Context, h *house) {
	if !h.repo.PruneDue() {
		return
	}
	gone, err := h.repo.Prune(ctx, journal.KeepFor, func(run string) bool {
		r, err := h.journal.Run(ctx, run, "")
		return err == nil && (r.State == record.Interrupted || r.Outcome == "interrupted") || err != nil && !errors.Is(err, journal.ErrNoRun)
	})
	h.log.Debug("old states pruned", "runs", gone, "err", err)
}

// closeRecord ends a run that did not get as far as the engine.
func (a *app) closeRecord(ctx context.Context, h *house, j job, err error) error {
	if !j.o.dryRun {
		_ = h.journal.FinishRun(context.WithoutCancel(ctx), h.run, event.RunFinished{
			Outcome: outcomeOf(err), ExitCode: fault.ExitCode(err), Message: err.Error(), Hint: fault.HintOf(err),
		})
	}
	return err
}

// parts makes all that the engine works with.
func (a *app) parts(ctx context.Context, h *house, j job, out *output) (engine.Parts, error) {
	h.progress = out.progress
	m, err := a.newModels(ctx, h, out)
	if err != nil {
		return engine.Parts{}, err
	}
	t := &tree{
		repo: h.repo, cfg: h.cfg.Config, run: h.run, name: repoName(ctx, h.repo), inPlace: j.refine || j.o.dryRun,
		commit: j.o.commit, allow: j.o.allow, branch: j.branch, unnamed: j.unnamed, base: j.base, redact: h.redact.String,
		trailers: []string{trailerRun + ": " + h.run}, met: j.met,
		tell: func(s string) { out.Handle(event.Notice{Level: "info", Message: s}) },
	}
	t.follow(j.hub, m)
	c, err := a.newChecks(ctx, h, h.repo, out)
	if err != nil {
		return engine.Parts{}, err
	}
	c.refine, t.syntax = j.refine, newSyntax(h.root, c)
	h.repo.RunHooks(c.cage.runHook)
	g, err := t.guard(ctx)
	if err != nil {
		return engine.Parts{}, err
	}
	c.cage.meddling.isTest, c.cage.meddling.allowed, c.cage.meddling.stays = g.IsTest, g.Allows, t.inPlace
	words := a.newPrompts(h, j, m, g, t.name)
	out.started = func() { h.background(ctx, words.warm) }
	p := engine.Parts{
		Workspace: t, Model: m, Checks: c, Prompts: words, Journal: newMemoryKeeper(h, j), Events: out, Now: a.now,
	}
	checksIn := func(w *workspace.Repo) (*checks, error) { return a.newChecks(ctx, h, w, quiet(out)) }
	old := ""
	if j.hub != nil && j.hub.continued {
		old = j.hub.baseCommit // what the run begins at has earlier work in it
	}
	if h.cfg.Evidence != "off" && !j.refine {
		p.Prover = &prover{
			repo: h.repo, require: h.cfg.Evidence == "require", isTest: g.IsTest, docs: h.cfg.DocsOnly, old: old, checksIn: checksIn,
		}
	}
	p.Trial = &trial{repo: h.repo, checksIn: checksIn}
	if !j.refine {
		k := &kin{task: j.task.Title + "\n" + j.task.text, isTest: g.IsTest, index: words.files}
		if old != "" {
			k.earlier = t.changedSince(old)
		}
		p.Kin = k
	}
	if old != "" {
		p.OldChecks = &oldChecks{commitChecks{repo: h.repo, checksIn: checksIn}, old}
	}
	if h.cfg.Review.Enabled {
		p.Reviewer = &reviewer{repo: h.repo, prompts: words, old: old, blocking: h.cfg.Review.Blocking}
	}
	if j.hub != nil && j.hub.continued {
		p.Merger = &merger{tree: t, prompts: words}
	}
	if publisher := newPublisher(h, j, out); publisher != nil {
		p.Publisher = publisher
	}
	if j.o.verifyCommit {
		p.CommitChecks = a.commitChecks(ctx, h, out)
	}
	if h.cfg.Candidates > 1 {
		p.Arena = &arena{repo: h.repo, checksIn: checksIn}
	}
	return p, nil
}

// commitChecks run the checks on a commit in a tree of its own.
func (a *app) commitChecks(ctx context.Context, h *house, out *output) *commitChecks {
	return &commitChecks{repo: h.repo, checksIn: func(w *workspace.Repo) (*checks, error) { return a.newChecks(ctx, h, w, quiet(out)) }}
}

// quiet is an output that shows progress only: what the sandbox lacks has been
// told once.
func quiet(o *output) *output { return &output{screen: o.screen} }

func (a *app) newPrompts(h *house, j job, m *models, g *guard.Guard, name string) *prompts {
	return &prompts{
		root: h.root, repo: name, task: h.redact.String(withHint(j.task.text, j.o.hint)), nonce: newNonce(), cfg: h.cfg.Config,
		isTest: g.IsTest, redact: h.redact.String, past: h.repo.History,
		editFormat: func(role engine.Role) string {
			if m.main == nil {
				return "auto"
			}
			return m.pick(role, false).Describe().EditFormat
		},
	}
}

// withHint adds a word on the way to a task.
func withHint(task, hint string) string {
	if hint == "" {
		return task
	}
	return strings.TrimSpace(task + "\n\nA word on the way, from who gave the task:\n" + hint)
}

// memoryKeeper is the engine's Journal: it keeps the loop's memory, and of each
// finished attempt what no event carries.
type memoryKeeper struct {
	h   *house
	off bool
	// told is how many attempts are on record.
	told int
}

// newMemoryKeeper keeps the memory of a job; the attempts of a run that is taken
// up again are on record.
func newMemoryKeeper(h *house, j job) *memoryKeeper {
	k := &memoryKeeper{h: h, off: j.o.dryRun}
	if j.memory != nil {
		k.told = len(j.memory.Attempts)
	}
	return k
}

// memoryStep is the name under which the engine's memory is kept.
const memoryStep = "memory"

// Save implements engine.Journal.
func (k *memoryKeeper) Save(ctx context.Context, m engine.Memory) error {
	if k.off {
		return nil
	}
	err := k.save(ctx, m)
	if err != nil && fault.KindOf(err) == fault.Bug { // a full disk, most often
		return fault.New(fault.Usage, "see that the disk is not full and the state directory writable, then: booty resume", "keep the records: %w", err)
	}
	return err
}

func (k *memoryKeeper) save(ctx context.Context, m engine.Memory) error {
	for ; k.told < len(m.Attempts); k.told++ {
		if err := k.attempt(ctx, m, k.told); err != nil {
			return err
		}
	}
	return k.h.journal.SaveStep(ctx, k.h.run, memoryStep, m)
}

// attempt records the diff, checkpoint and signature of an attempt.
func (k *memoryKeeper) attempt(ctx context.Context, m engine.Memory, i int) error {
	a := m.Attempts[i]
	from := m.Start.State.Commit
	if m.From.Commit != "" {
		from = m.From.Commit
	}
	for _, before := range m.Attempts[min(m.Fresh, i):i] {
		if before.Outcome != "rolled_back" && before.State.Commit != "" {
			from = before.State.Commit
		}
	}
	rec := journal.Attempt{
		Run: k.h.run, N: a.N, Outcome: a.Outcome, Summary: a.Summary, Files: a.Files, Failing: a.Verdict.Failing, Trouble: a.Verdict.Words(),
		Signature: a.Verdict.Signature, PatchHash: a.State.Tree, Checkpoint: a.State.Commit,
	}
	if a.State.Commit != from && a.State.Commit != "" {
		diff, err := k.h.repo.Diff(ctx, from, a.State.Commit)
		if err != nil {
			return err
		}
		if rec.Diff, err = k.h.journal.SaveBlob(ctx, k.h.run, fmt.Sprintf("attempt-%d/diff.patch", a.N), []byte(diff)); err != nil {
			return err
		}
	}
	return k.h.journal.FinishAttempt(ctx, rec)
}

// output is who listens to a run: the screen or --json, and the journal.
type output struct {
	listeners []event.Listener
	screen    *term.Screen
	// request and view are the last ones told, for a dry run.
	request event.ModelRequest
	view    event.ContextSelected
	// started is called once the run is on its branch; may be nil.
	started func()
}

// newOutput makes the listeners of a run.
func (a *app) newOutput(h *house) *output {
	o := &output{}
	switch {
	case a.json:
		o.listeners = append(o.listeners, event.Func(func(e event.Event) {
			line, err := event.Line(e, a.now(), h.run)
			if err == nil {
				_, _ = a.s.Out.Write(h.redact.Bytes(line))
			}
		}))
	case !a.quiet && h.cfg.UI.Progress != "none":
		s := a.s
		s.ErrTTY = s.ErrTTY && h.cfg.UI.Progress != "plain"
		o.screen = term.NewScreen(s, a.styles(), a.verbose, a.now)
		o.listeners = append(o.listeners, told{o.screen, h.redact.String, h.dry})
	}
	if h.journal != nil && !h.dry { // a dry run is no run on record
		o.listeners = append(o.listeners, h.journal.Listener(h.run))
	}
	return o
}

// told is a screen that shows no secret which a message may carry.
type told struct {
	event.Listener
	redact func(string) string
	dry    bool
}

// Handle implements event.Listener.
func (t told) Handle(e event.Event) {
	switch v := e.(type) {
	case event.RunStarted:
		if t.dry {
			v.Branch = "" // nothing is done on it
		}
		e = v
	case event.EditsApplied:
		v.Summary, v.Said = t.redact(v.Summary), t.redact(v.Said)
		e = v
	case event.Notice:
		v.Message = t.redact(v.Message)
		e = v
	case event.ModelRetry:
		v.Reason = t.redact(v.Reason)
		e = v
	case event.Wait:
		v.Reason = t.redact(v.Reason)
		e = v
	case event.RunFinished:
		v.Message, v.Hint = t.redact(v.Message), t.redact(v.Hint)
		e = v
	}
	t.Listener.Handle(e)
}

// Handle implements event.Listener.
func (o *output) Handle(e event.Event) {
	switch v := e.(type) {
	case event.ModelRequest:
		o.request = v
	case event.ContextSelected:
		o.view = v
	}
	for _, l := range o.listeners {
		l.Handle(e)
	}
	if _, ok := e.(event.RunStarted); ok && o.started != nil {
		o.started()
	}
}

func (o *output) progress(line string) {
	if o.screen != nil {
		o.screen.Output(line)
	}
}

// Close ends the live line.
func (o *output) Close() {
	if o.screen != nil {
		o.screen.Close()
	}
}

// showDryRun tells of the request that would be made, and what it and the run
// might cost; with -v it prints the request itself.
func (a *app) showDryRun(h *house, out *output, o engine.Options) error {
	d := report.DryRun{
		Request: out.request, View: out.view, Attempts: o.MaxAttempts, Calls: engine.MaxCalls(o.MaxAttempts, o.Candidates),
		RunUSD: h.cfg.Budget.RunUSD,
	}
	if err := d.Write(a.s.Out); err != nil || !a.verbose {
		return err
	}
	_, err := fmt.Fprintf(a.s.Out, "\n%s\n", out.request.Prompt)
	return err
}

func join(names []string) string { return strings.Join(names, ", ") }
