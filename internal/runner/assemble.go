package runner

import (
	"cmp"
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/sandbox"
)

// assembly is all that the engine works with in one run, and what is to be
// closed after it.
type assembly struct {
	parts  engine.Parts
	tree   *tree
	models *models
	checks *worktreeChecks
	// reachable says that commands can read the user's checkout.
	reachable bool
	closers
}

// assemble makes the engine's parts. The assembly is to be closed beside an error,
// too.
func assemble(ctx context.Context, s *Session, j Job, show Show) (*assembly, error) {
	a := &assembly{}
	var err error
	if a.models, err = newModels(ctx, s, j, show); err != nil {
		return a, err
	}
	a.checks = newWorktreeChecks(s, j.ID, show, j.Options)
	a.closers.add(func() error { return a.checks.Close() }) // with what it will have by then
	a.tree = newTree(ctx, s, j, a.models, show)
	c, err := a.checks.checksOf(ctx, s.Repo)
	if err != nil {
		return a, err
	}
	a.tree.syntax = newSyntax(s.Repo.Root(), c)
	unconfine := s.Repo.Confine(c.runConfined)
	a.closers.add(func() error { unconfine(); return nil })
	g, err := a.tree.guard(ctx)
	if err != nil {
		return a, err
	}
	words := newPrompts(s, j, a.models, g.IsTest, a.tree.name)
	a.parts = engine.Parts{
		Workspace: a.tree, Model: a.models, Checks: c, Prompts: words, Journal: newMemoryKeeper(s, j), Now: s.Now,
		Person: show.Person,
		Events: &starter{show.Events, func() { a.closers.background(ctx, words.warm) }},
	}
	a.judges(s, j, words, g.IsTest, c.box.Checkout())
	if j.Shared != nil && j.Shared.Continued {
		a.parts.Merger = &merger{tree: a.tree, prompts: words}
	}
	if j.Shared != nil && j.Shared.Publisher != nil && !j.Options.DryRun {
		a.parts.Publisher = j.Shared.Publisher(Publishing{
			Session: s, Run: j.ID, Events: show.Events,
			Conflicts: func() (open, settled []string) { return a.tree.conflicts, a.tree.settled },
		})
	}
	return a, nil
}

// judges are the parts that try proposals and results beside the checks of the
// work tree itself, each in a tree of its own.
func (a *assembly) judges(s *Session, j Job, words *prompts, isTest func(string) bool,
	checkout sandbox.Checkout) {
	c, p := s.Settings.Config, &a.parts
	old := j.oldCommit()
	read := &changes{origin: &a.tree.origin, isTest: isTest, base: old, merges: j.merges(c)}
	beside := &secondTrees{s: s, checks: a.checks}
	a.closers.add(beside.Close)
	p.Trees, p.Changes = beside, read
	a.reachable = checkout == sandbox.Reachable
	if c.Evidence.Mode != "off" {
		p.Prover = &prover{trees: beside, changes: read, now: s.Now}
	}
	words.oldTests = read.excerpts
	if a.models.main != nil {
		p.TestReviewer = &testReviewer{prompts: words, changes: read,
			task: j.Task.Title + "\n" + withHint(j.Task.Text, j.Options.Hint)}
	}
	p.Named = namedIn(j.Task.Title+"\n"+withHint(j.Task.Text, j.Options.Hint), isTest)
	words.change = func(ctx context.Context, from, to engine.State) (string, error) {
		return s.Repo.Compare.Diff(ctx, cmp.Or(old, from.Commit), to.Commit)
	}
	review := reviewOf(s, j)
	if review.challenges && (a.models.main != nil || a.models.reviewer != nil) {
		p.Challenger = &challenges{prover: &prover{trees: beside, changes: read, now: s.Now}, prompts: words,
			models: a.models}
	}
	if review.reads {
		p.Reviewer = &reviewer{states: s.Repo.Compare, prompts: words, old: old, blocking: c.Review.Blocking}
	}
}

// resume makes the parts continue an earlier run; the hint answers what the model asked.
func (a *assembly) resume(ctx context.Context, again *Again, o engine.Options, hint string) error {
	m := again.Memory
	m.TakeAnswer(hint)
	if again.Run.Outcome == event.NeedsReview && !o.TestsMayGo {
		m.ForReview, m.OldTestsReported, m.Replies = nil, false, nil // another try
	}
	return a.tree.resume(ctx, m, again)
}

// starter begins something once the run is on its branch.
type starter struct {
	event.Listener
	begin func()
}

// Handle implements event.Listener.
func (s *starter) Handle(e event.Event) {
	s.Listener.Handle(e)
	if _, ok := e.(event.RunStarted); ok {
		s.begin()
	}
}

// newTree makes the engine's Workspace.
func newTree(ctx context.Context, s *Session, j Job, m *models, show Show) *tree {
	t := &tree{
		origin: origin{repo: s.Repo, cfg: s.Settings.Config, allow: j.Options.Allow}, job: j, name: s.repoName(ctx), branch: j.Branch, redact: s.Redact.String,
		notify: func(line string) { show.Events.Handle(event.Notice{Level: "info", Message: line}) },
	}
	if j.Shared != nil {
		t.shared, t.baseName, t.trailers = *j.Shared, j.Shared.BaseName, j.Shared.Trailers
		t.job.Base = cmp.Or(j.Shared.From, j.Base)
	}
	if t.cfg.GitHub.Attribution == "trailer" && (m.main != nil || m.agent != nil) {
		provider, model := m.Describe(engine.Implement, false)
		t.trailers = append(slices.Clone(t.trailers), "Assisted-by: booty ("+provider+" "+model+")")
	}
	t.trailers = slices.Concat(t.trailers, []string{TrailerRun + ": " + j.ID}, SignOff(ctx, s))
	return t
}

// SignOff returns the Signed-off-by line of commits, if the settings ask for it.
func SignOff(ctx context.Context, s *Session) []string {
	if !s.Settings.GitHub.Signoff {
		return nil
	}
	who, err := s.Repo.Commits.Who(ctx)
	if err != nil {
		return nil // told before anything is begun: no commit can be made
	}
	return []string{"Signed-off-by: " + who}
}

// TrailerRun is the line in a commit's message by which booty knows its own.
const TrailerRun = "Booty-Run"

// TrailerActivates is the line in the message of a commit that activates a pending test.
const TrailerActivates = "Booty-Activates"
