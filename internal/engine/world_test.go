package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// world plays every part of the engine from a history's script. Its work tree
// is one file whose content is a word; a reply is the word to put there.
type world struct {
	opened int      // trees so far
	early  []string // commits of trees that were made before they were opened
	s      history

	// What became of things, for the end of the story.
	events   []string
	finished []event.RunFinished
	tree     string
	saved    []byte // the memory, as the journal has it
	prepared int
	left     int
	calls    int
	kept     string
	public   string

	mu     sync.Mutex
	steps  map[string]int // how often each step was taken
	line   int            // of the script's replies
	taken  map[int]bool   // candidates of that line
	spent  bool           // that line is used up
	cancel context.CancelFunc
	// cut ends the context at the event of this index, -1 never.
	cut int
}

func newWorld(s history) *world {
	return &world{s: s, steps: map[string]int{}, taken: map[int]bool{}, cut: -1}
}

// play runs the history once, from the saved memory where there is one.
func (w *world) play() Outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancel = cancel
	var memory *Memory
	if w.saved != nil {
		memory = new(Memory)
		if err := json.Unmarshal(w.saved, memory); err != nil {
			panic(err)
		}
		memory.TakeAnswer(w.s.hint)
		w.tree = memory.Current.Tree // the caller brings back the last state
	} else {
		w.tree = "start"
	}
	o := w.s.options
	o.TestsMayGo = o.TestsMayGo && memory != nil
	return Run(ctx, w.parts(), o, memory)
}

// parts are those that the script speaks of, and those that each run has.
func (w *world) parts() Parts {
	p := Parts{
		Workspace: (*fakeTree)(w), Prompts: (*fakePrompts)(w), Model: (*fakeModel)(w), Checks: (*fakeChecks)(w), Trees: (*fakeTrees)(w),
		Named: w.named, Changes: (*fakeChanges)(w), Journal: (*fakeJournal)(w), Events: event.Func(w.handle), Now: time.Now,
	}
	if w.s.conflict != "" {
		p.Merger = (*fakeMerger)(w)
	}
	if w.s.proves() {
		p.Prover = (*fakeProver)(w)
	}
	if w.s.task != "" {
		p.TestReviewer = (*fakeTestReviewer)(w)
	}
	if w.s.challenges != nil {
		p.Challenger = (*fakeChallenger)(w)
	}
	if w.s.review != "" {
		p.Reviewer = (*fakeReviewer)(w)
	}
	if w.s.publish {
		p.Publisher = (*fakePublisher)(w)
	}
	if w.s.answer != "" {
		p.Person = (*fakePerson)(w)
	}
	return p
}

// step is called at the beginning of everything that a part does: the script
// may have it fail, wait or be interrupted there.
func (w *world) step(ctx context.Context, name string) error {
	w.mu.Lock()
	w.steps[name]++
	f := w.s.faults[name+" "+strconv.Itoa(w.steps[name])]
	w.mu.Unlock()
	switch {
	case f.wait > 0:
		select {
		case <-ctx.Done():
		case <-time.After(f.wait):
		}
	case f.kind == "interrupt":
		w.cancel()
	case f.kind == "environment":
		return errPortInUse
	case f.kind == "context-length":
		return fault.New(fault.Model, "", "%w", ErrContextLength)
	case f.kind != "":
		return faultOf(f.kind, name)
	}
	return ctx.Err()
}

// errPortInUse makes a check one that the environment broke.
var errPortInUse = errors.New("the port is in use")

func faultOf(kind, step string) error {
	kinds := map[string]fault.Kind{
		"model": fault.Model, "budget": fault.Budget, "git": fault.Git, "usage": fault.Usage, "refused": fault.Refused,
	}
	if k, ok := kinds[kind]; ok {
		return fault.New(k, "", "%s: a %s error", step, kind)
	}
	return fmt.Errorf("%s: an error", step)
}

func (w *world) handle(e event.Event) {
	w.events = append(w.events, tell(e))
	if f, ok := e.(event.RunFinished); ok {
		w.finished = append(w.finished, f)
	}
	if len(w.events)-1 == w.cut {
		w.cancel()
	}
}

type fakeTree world

func (t *fakeTree) state(n int) State { return State{N: n, Commit: "commit-" + t.tree, Tree: t.tree} }

func (t *fakeTree) Prepare(ctx context.Context) (Start, error) {
	if err := (*world)(t).step(ctx, "prepare"); err != nil {
		return Start{}, err
	}
	t.prepared++
	return Start{State: t.state(0), Repo: "repo", Branch: "work", Base: "main"}, nil
}

// Resolve reads the words of a reply: content, and what is wrong with it.
func (t *fakeTree) Resolve(ctx context.Context, r Reply) (Proposal, error) {
	var p Proposal
	if err := (*world)(t).step(ctx, "resolve"); err != nil {
		return p, err
	}
	for _, e := range r.Kept {
		p.Notes = append(p.Notes, "together with "+e.Path)
	}
	if strings.HasPrefix(r.Text, "DISPUTE ") {
		return p, nil
	}
	_, rest := changesIn(r.Text)
	for _, word := range strings.Fields(rest) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "sound":
			p.Kept = append(p.Kept, edit.Edit{Path: value})
		case "problem":
			p.Problems = append(p.Problems, event.Problem{Path: "f", Reason: value, Kind: "match"})
		case "protected", "limit":
			p.Refused = append(p.Refused, event.Problem{Path: value, Reason: key, Kind: key})
		case "docs":
			p.DocsOnly = true
		case "note":
			p.Notes = append(p.Notes, value)
		case "same":
		case "removes":
			p.Changes = append(p.Changes, edit.Change{Op: edit.Delete, Path: value, Old: []byte("old")})
		default:
			p.Summary = "to " + word
			if word != t.tree {
				p.Changes = append([]edit.Change{{Op: edit.Modify, Path: "f", Old: []byte(t.tree), New: []byte(word)}}, p.Changes...)
			}
		}
	}
	return p, nil
}

func (t *fakeTree) Apply(ctx context.Context, n int, changes []edit.Change) (State, error) {
	if err := (*world)(t).step(ctx, "apply"); err != nil {
		return State{}, err
	}
	t.tree = string(changes[0].New)
	return t.state(n), (*world)(t).step(ctx, "checkpoint")
}

func (t *fakeTree) Restore(ctx context.Context, s State) error {
	if err := (*world)(t).step(ctx, "restore"); err != nil {
		return err
	}
	t.events = append(t.events, "  (restore "+s.Tree+")")
	t.tree = s.Tree
	return nil
}

// KeepFixed has the tree that a fix_command made, where it is the proposal's file.
func (t *fakeTree) KeepFixed(ctx context.Context, s State, paths []string) (State, []string, error) {
	if err := (*world)(t).step(ctx, "adopt"); err != nil {
		return s, nil, err
	}
	if len(paths) == 0 || t.tree == s.Tree {
		t.tree = s.Tree // put back after the checks
		return s, nil, nil
	}
	return t.state(s.N), paths, nil
}

// AfterChecks has no lock files but those that the script names.
func (t *fakeTree) AfterChecks(ctx context.Context, s State, named []string) (now State, locks, putBack []string, err error) {
	if err := (*world)(t).step(ctx, "tidy"); err != nil {
		return s, nil, nil, err
	}
	if s.Tree != t.tree {
		return s, nil, nil, fmt.Errorf("tidy: the tree is %q, not %q", t.tree, s.Tree)
	}
	if lock := t.s.checks[t.tree].lock; lock != "" && len(named) > 0 {
		s, locks = t.state(s.N), []string{lock}
	}
	return s, locks, t.s.checks[t.tree].byproducts, nil
}

func (t *fakeTree) Branch() string { return "" }

func (t *fakeTree) Keep(ctx context.Context, s State, k Keep) (string, error) {
	if err := (*world)(t).step(ctx, "keep"); err != nil {
		return "", err
	}
	if s.Tree != t.tree {
		return "", fmt.Errorf("keep: the tree is %q, not %q", t.tree, s.Tree)
	}
	t.kept = fmt.Sprintf("%s, green %t, %q", s.Tree, k.Green, k.Summary)
	if t.s.options.Refine {
		return "", nil
	}
	return "commit-" + s.Tree, nil
}

func (t *fakeTree) Leave(ctx context.Context) error {
	t.left++
	return (*world)(t).step(ctx, "leave")
}

type fakePrompts world

// Compose tells the whole brief in the names of the files it shows.
func (p *fakePrompts) Compose(ctx context.Context, b Brief) (Prompt, error) {
	if err := (*world)(p).step(ctx, "compose"); err != nil {
		return Prompt{}, err
	}
	var fs []event.ContextFile
	add := func(on bool, format string, args ...any) {
		if on {
			fs = append(fs, event.ContextFile{Path: fmt.Sprintf(format, args...)})
		}
	}
	if b.Failure != nil {
		add(true, "failure(%s)", b.Failure.Text)
	}
	add(b.To.Commit != "", "diff(%s to %s)", b.From.Tree, b.To.Tree)
	add(len(b.Stood) > 0, "stood(%s)", strings.Join(failure.Tests(b.Stood), " "))
	add(len(b.Old) > 0, "old(%s)", strings.Join(b.Old, " "))
	add(b.LastSummary != "", "last(%s)", b.LastSummary)
	add(len(b.LastFiles) > 0, "changed(%s)", strings.Join(b.LastFiles, " "))
	add(b.RolledBack != "", "taken-back")
	for _, x := range b.Problems {
		add(true, "problem(%s)", x.Reason)
	}
	add(len(b.Kept) > 0, "kept(%s)", strings.Join(b.Kept, " "))
	var answers []event.Ask
	for _, wish := range b.Wishes {
		a := lookAnswer(wish)
		if answers = append(answers, AskOf(wish, a)); a == look.Shown {
			part := "full"
			if wish.From > 0 {
				part = "excerpt"
			}
			fs = append(fs, event.ContextFile{Path: wish.What, Part: part, Lines: [][2]int{{wish.From, wish.To}}})
		}
	}
	for _, a := range b.Answers {
		add(true, "answer(%s)", a.Answer)
	}
	add(len(b.LookedAt) > 0, "looked-at(%s)", strings.Join(b.LookedAt, " "))
	add(p.s.options.Looking && b.Looks == 0, "no-more-looks")
	add(b.Wide, "wide")
	add(b.Below > 0, "shrunk")
	tokens := 10
	if b.Below > 0 && !p.s.stubborn {
		tokens = 5
	}
	return Prompt{System: "s", User: "u", Tokens: tokens, Files: fs, Shrinkable: !p.s.tight, Answers: answers}, nil
}

// lookAnswer goes by the name of what is asked for.
func lookAnswer(w look.Request) string {
	if w.Kind == look.Ask {
		return look.Kept
	}
	switch strings.TrimRight(w.What, "0123456789") {
	case "secret":
		return look.Refused
	case "missing":
		return look.NotFound
	case "huge":
		return look.TooLarge
	}
	return look.Shown
}

type fakePerson world

// Answer gives what the script has a person say, once.
func (p *fakePerson) Answer(ctx context.Context, question string) (string, error) {
	p.events = append(p.events, "  (asked "+question+")")
	return p.s.answer, (*world)(p).step(ctx, "person")
}

type fakeModel world

func (m *fakeModel) Describe(_ Role, escalate bool) (provider, model string) {
	if escalate {
		return "fake", "strong"
	}
	return "fake", "usual"
}

func (m *fakeModel) Complete(ctx context.Context, c Call) (Reply, error) {
	if err := (*world)(m).step(ctx, "model"); err != nil {
		return Reply{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if c.Role == Challenge {
		return Reply{Text: "tests", Usage: Usage{Input: 10, Output: 1}}, nil
	}
	if c.Role == Review {
		return Reply{Text: m.s.review, Usage: Usage{Input: 10, Output: 1}}, nil
	}
	if m.taken[c.Candidate] || m.spent || c.SoFar != "" {
		m.line, m.taken = m.line+1, map[int]bool{}
	}
	m.taken[c.Candidate] = true
	m.spent = c.SoFar != "" // a continuation has a line of its own
	if m.line >= len(m.s.replies) {
		return Reply{}, fault.New(fault.Model, "", "the script has no more replies")
	}
	text := m.s.replies[m.line][min(c.Candidate, len(m.s.replies[m.line])-1)]
	if text == "fail" {
		return Reply{}, fault.New(fault.Model, "", "the call failed")
	}
	if text == "fail paid" {
		return Reply{Usage: Usage{Input: 10, CostUSD: 1, Estimated: true}}, fault.New(fault.Model, "", "the call broke off")
	}
	text, cut := strings.CutSuffix(text, " cut")
	text = strings.ReplaceAll(text, " ; ", "\n") // several wishes
	return Reply{Text: text, Cut: cut, Usage: Usage{Input: 10, Output: 1, CostUSD: 1}}, nil
}

type fakeChecks world

func verdict(v failure.Verdict) Verdict { return Verdict{Verdict: v} }

func (c *fakeChecks) Setup(ctx context.Context, report func(event.CheckFinished)) (Verdict, error) {
	if err := (*world)(c).step(ctx, "setup"); err != nil {
		return Verdict{}, err
	}
	if c.s.setup == "" {
		return verdict(failure.Verdict{Green: true}), nil
	}
	if c.s.setup == "environment" {
		report(event.CheckFinished{Check: "setup", Kind: "setup"})
		return verdict(failure.Verdict{Environment: "the network does not answer"}), nil
	}
	passed := c.s.setup == "passes"
	report(event.CheckFinished{Check: "setup", Kind: "setup", Passed: passed})
	return verdict(failure.Verdict{Green: passed, Text: "no such package"}), nil
}

func (c *fakeChecks) Verify(ctx context.Context, in VerifyInput) (Verdict, error) {
	if err := (*world)(c).step(ctx, "check"); errors.Is(err, errPortInUse) {
		in.Report(event.CheckFinished{Attempt: in.Attempt, Check: c.tree, Kind: "test", Note: err.Error()})
		return verdict(failure.Verdict{TestsFailed: true, Failing: 1, Environment: err.Error(), Hint: "free it"}), nil
	} else if err != nil {
		return Verdict{}, err
	}
	if to := c.s.checks[c.tree].fixed; to != "" {
		in.Report(event.CheckFinished{Attempt: in.Attempt, Check: c.tree, Kind: "fix"})
		c.tree = to
		if err := in.Fixed(ctx); err != nil {
			return Verdict{}, err
		}
	}
	v := c.s.verdict(c.tree)
	name := c.tree
	if in.TestsOnly {
		v.GatesFailed = false
	}
	if in.DocsOnly {
		v, name = verdict(failure.Verdict{Green: !v.GatesFailed}), name+" without tests"
	}
	if again := c.s.checks[c.tree].again; again > 0 && in.Attempt > 0 && !in.Full && !in.DocsOnly {
		v.Partial, v.Failing, name = true, again, name+" again"
	}
	in.Report(event.CheckFinished{Attempt: in.Attempt, Check: name, Kind: "test", Passed: v.Green})
	return v, nil
}

type fakeTrees world

func (f *fakeTrees) Prepare(_ context.Context, commit string) { f.early = append(f.early, commit) }

// Open makes a tree of a commit, which is the word that the script calls it by.
func (f *fakeTrees) Open(ctx context.Context, commit string, o TreeOptions) (Tree, error) {
	if err := (*world)(f).step(ctx, "open"); err != nil {
		return nil, err
	}
	f.opened++
	c := &fakeCopy{w: (*world)(f), n: f.opened, tree: strings.TrimPrefix(commit, "commit-"), report: o.Report}
	if _, is := f.s.checks[c.tree+"~clean"]; is {
		c.tree += "~clean"
	}
	if c.report == nil {
		c.report = func(event.CheckFinished) {}
	}
	return c, nil
}

// fakeCopy is such a tree.
type fakeCopy struct {
	w *world
	// n counts the trees: one that was opened later is checked later, so that a history with
	// several at once has one end.
	n      int
	tree   string
	report func(event.CheckFinished)
}

func (c *fakeCopy) Apply(changes []edit.Change) error {
	for _, ch := range changes {
		c.tree = string(ch.New)
	}
	return nil
}

func (c *fakeCopy) Close() error { return nil }

func (c *fakeCopy) Verify(ctx context.Context) (Verdict, error) {
	select {
	case <-time.After(time.Duration(c.n)):
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
	v := c.w.s.verdict(c.tree)
	c.report(event.CheckFinished{Check: c.tree, Kind: "test", Passed: v.Green})
	return v, c.w.step(ctx, "verify beside")
}

func (c *fakeCopy) Test(ctx context.Context) (proof.Result, error) {
	if err := c.w.step(ctx, "check beside"); err != nil {
		return proof.Result{}, err
	}
	v := c.w.s.verdict(c.tree)
	v.GatesFailed, v.Findings = false, nil
	c.report(event.CheckFinished{Check: c.tree, Kind: "test", Passed: v.Green})
	return proof.ResultOf(v.Verdict), nil
}

func (c *fakeCopy) Command(ctx context.Context, _ string) (proof.Result, error) { return c.Test(ctx) }

func (c *fakeCopy) Files(context.Context, []string) (proof.Result, bool, error) {
	return proof.Result{}, false, nil
}

func (c *fakeCopy) UntilFailure(context.Context, []string) (proof.Result, bool, error) {
	return proof.Result{}, false, nil
}

func (c *fakeCopy) NewFile(context.Context, string) (proof.Result, bool, error) {
	return proof.Result{}, false, nil
}

func (c *fakeCopy) NewFileCommand(string) (string, bool) { return "", false }

func (c *fakeCopy) Gates(ctx context.Context) (failure.Verdict, error) {
	v := c.w.s.verdict(c.tree)
	v.TestsFailed, v.Green = false, !v.GatesFailed
	c.report(event.CheckFinished{Check: c.tree, Kind: "gate", Passed: v.Green})
	return v.Verdict, c.w.step(ctx, "gates beside")
}

// Alone runs what the script calls by the tree's name with an @ behind it: that is the tree
// now, which may fail otherwise than it did.
func (c *fakeCopy) Alone(ctx context.Context, failures []event.Failure) (proof.Result, bool, error) {
	if _, is := c.w.s.checks[c.tree+"~alone"]; is {
		c.tree += "~alone"
	}
	r, err := c.Test(ctx)
	r.Failures = slices.DeleteFunc(slices.Clone(r.Failures), func(f event.Failure) bool { return !f.ID().Among(failure.IDs(failures)) })
	r.Passed = len(r.Failures) == 0
	return r, true, err
}

type fakeProver world

// Prove goes by the trees that the script names: A~altered is A with another expectation.
func (p *fakeProver) Prove(ctx context.Context, in ProofInput) (out Proof, err error) {
	ran := proof.Ran{Before: in.Before, After: in.After, Stood: in.Stood, TestsMayGo: in.TestsMayGo}
	shown, _ := ran.Shown()
	if len(shown) == 0 {
		if err := (*world)(p).step(ctx, "prove"); err != nil {
			return out, err
		}
		c := &proof.Claim{Claim: event.Claim{State: event.StateNotShown, Tests: []string{}, Reason: "the change adds no test"}}
		switch p.s.proofs[in.To.Tree] {
		case event.Proven:
			c.State, c.Tests, c.Failures = event.StateProven, []string{"new"}, []event.Failure{{Test: "new"}}
		case event.Vacuous:
			c.Reason = "the new tests pass without the change too: they prove nothing"
		default:
			out.None = true
		}
		ran.New, shown = c, c.Failures
	}
	if len(shown) > 0 {
		if err := (*world)(p).step(ctx, "alter"); err != nil {
			return out, err
		}
		ran.CanFail = &proof.CanFail{}
		if _, is := p.s.checks[in.To.Tree+"~altered"]; is {
			ran.CanFail.Altered = 3
			if !p.s.verdict(in.To.Tree + "~altered").Green {
				ran.CanFail.Tests, ran.CanFail.How = []string{shown[0].Test}, "1 changed to 2"
			}
		}
	}
	if !(in.MustShow && len(shown) == 0) && p.s.survivors != nil && in.Mutants > 0 {
		if ran.Mutants, err = p.mutants(ctx, in, &out); err != nil {
			return out, err
		}
	}
	out.Claims = proof.Judge(ran)
	return out, nil
}

func (p *fakeProver) mutants(ctx context.Context, in ProofInput, out *Proof) (*event.Claim, error) {
	if err := (*world)(p).step(ctx, "mutants"); err != nil {
		return nil, err
	}
	for i := range p.s.survivors[in.To.Tree] {
		out.Survivors = append(out.Survivors, event.Survivor{File: "f", Line: i + 1, Was: "a < b", Now: "a <= b", What: "comparison"})
	}
	n := len(out.Survivors)
	c := event.Claim{Claim: event.ClaimMutants, State: event.StateProven, Tests: []string{}, Reason: fmt.Sprintf("%d of %d", in.Mutants-n, in.Mutants)}
	if n > 0 {
		c.State = event.StateNotShown
	}
	return &c, nil
}

type fakeTestReviewer world

func (f *fakeTestReviewer) InTask(sentence string) bool { return strings.Contains(f.s.task, sentence) }

func (f *fakeTestReviewer) ReviewTests(ctx context.Context, _ []event.Failure, ask Ask) (bool, string, error) {
	if err := (*world)(f).step(ctx, "review tests"); err != nil {
		return false, "", err
	}
	_, err := ask(ctx, Review, Prompt{Tokens: 10})
	return f.s.agrees, f.s.task, err
}

type fakeChallenger world

func (f *fakeChallenger) Challenge(ctx context.Context, in ChallengeInput, ask Ask) (*event.ChallengeFinished, error) {
	if err := (*world)(f).step(ctx, "challenge"); err != nil {
		return nil, err
	}
	if f.s.formless {
		return &event.ChallengeFinished{Tests: []event.ChallengeTest{}, Reason: "no form of tests is known"}, nil
	}
	if in.Earlier == nil {
		if _, err := ask(ctx, Challenge, Prompt{Tokens: 10}); err != nil {
			return nil, err
		}
	}
	x := event.ChallengeTest{Name: "TestX", Quote: "the task", Message: "got 1", Code: "TestX()\n", Old: "fails", New: "passes", State: "proves"}
	if f.s.challenges[in.To.Tree] {
		x.New, x.State = "fails", "open"
	}
	if f.s.options.KeepTests {
		x.Notices = []string{"f:1"}
	}
	return &event.ChallengeFinished{Provider: "test", Tests: []event.ChallengeTest{x}}, nil
}

func (f *fakeChallenger) Dispute(ctx context.Context, _, _ State, tests []event.ChallengeTest, reasons map[string]string, ask Ask) (map[string]string, error) {
	if err := (*world)(f).step(ctx, "dispute"); err != nil {
		return nil, err
	}
	if _, err := ask(ctx, Review, Prompt{Tokens: 10}); err != nil {
		return nil, err
	}
	if f.s.upheld && len(reasons) == len(tests) {
		return map[string]string{tests[0].Name: "the task, at length"}, nil
	}
	return map[string]string{}, nil
}

func (f *fakeChallenger) Kept(ctx context.Context, _, _ State, _ event.ChallengeFinished, _ []string) ([]edit.Change, error) {
	if err := (*world)(f).step(ctx, "kept"); err != nil {
		return nil, err
	}
	return []edit.Change{{Op: edit.Create, Path: "more_test", New: []byte("more")}}, nil
}

type fakeReviewer world

func (r *fakeReviewer) Review(ctx context.Context, _, _ State, _ string, ask Ask) (event.ReviewFinished, error) {
	if err := (*world)(r).step(ctx, "review"); err != nil {
		return event.ReviewFinished{}, err
	}
	reply, err := ask(ctx, Review, Prompt{Tokens: 10})
	return event.ReviewFinished{Verdict: reply.Text}, err
}

func (r *fakeReviewer) Blocking() bool { return r.s.blocking }

type fakeMerger world

func (m *fakeMerger) Conflicts(ctx context.Context, problems []event.Problem) (Prompt, bool, error) {
	err := (*world)(m).step(ctx, "conflicts")
	return Prompt{Tokens: 10 + len(problems)}, m.tree == "start", err
}

// Settle is content with the word that the script names: the tree is it then.
func (m *fakeMerger) Settle(ctx context.Context, reply Reply) (Start, []event.Problem, error) {
	if err := (*world)(m).step(ctx, "settle"); err != nil {
		return Start{}, nil, err
	}
	if reply.Text != m.s.conflict {
		return Start{}, []event.Problem{{Path: "f", Reason: "a marker is left", Kind: "match"}}, nil
	}
	m.tree = reply.Text
	return Start{State: (*fakeTree)(m).state(0), Repo: "repo", Branch: "work", Base: "main"}, nil, nil
}

type fakePublisher world

func (p *fakePublisher) Begin(ctx context.Context) error { return (*world)(p).step(ctx, "begin") }

func (p *fakePublisher) Publish(ctx context.Context, pub Publication) (*event.PullRequest, bool, error) {
	if err := (*world)(p).step(ctx, "publish"); err != nil {
		return nil, false, err
	}
	best := "no attempt"
	if pub.Best != nil {
		best = fmt.Sprintf("attempt %d of %d", pub.Best.N, len(pub.Attempts))
		for _, f := range pub.Best.Files {
			best += fmt.Sprintf(", %s +%d -%d", f.Path, f.Added, f.Removed)
		}
	}
	for _, look := range pub.Look {
		best += "; look: " + look
	}
	p.public = fmt.Sprintf("ready, %s", best)
	if !pub.Green {
		p.public = fmt.Sprintf("draft, %s, %s, %d failing", best, pub.Outcome, pub.Standing.Failing)
	}
	if !pub.Changed {
		p.public = "a comment, " + pub.Outcome
		return nil, false, nil
	}
	_ = (*world)(p).step(ctx, "published")
	return &event.PullRequest{Number: 1, Draft: !pub.Green}, true, nil
}

type fakeJournal world

func (j *fakeJournal) Save(ctx context.Context, m Memory) error {
	if err := (*world)(j).step(ctx, "save"); err != nil {
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return errors.Join(errors.New("memory"), err)
	}
	j.saved = data
	return nil
}

type fakeChanges world

// AsTheyStood goes by the trees that the script names: that of A with the tests as
// they stood is A~old, A~build is it with the build as it is now, and A~used with what product
// code uses as well.
func (f *fakeChanges) AsTheyStood(ctx context.Context, s State) (Swap, error) {
	if err := (*world)(f).step(ctx, "stood"); err != nil {
		return Swap{}, err
	}
	change := func(to string) []edit.Change {
		if _, is := f.s.checks[to]; !is {
			return nil
		}
		return []edit.Change{{Op: edit.Modify, Path: "f", Old: []byte(s.Tree), New: []byte(to)}}
	}
	old, built := change(s.Tree+"~old"), change(s.Tree+"~build")
	if gates := change(s.Tree + "~gates"); gates != nil {
		return Swap{Gates: gates}, nil
	}
	if libraries := change(s.Tree + "~lib"); libraries != nil {
		return Swap{Swap: proof.Swap{Tests: old, Libraries: libraries}}, nil
	}
	if old == nil {
		return Swap{}, nil
	}
	if data := change(s.Tree + "~data"); data != nil {
		return Swap{Swap: proof.Swap{Tests: old, Data: data}, Old: []string{"test"}}, nil
	}
	if built != nil { // the whole first, then the tests alone
		return Swap{Swap: proof.Swap{Tests: built, Builds: old}, Old: []string{"test"}}, nil
	}
	if now := change(s.Tree + "~used"); now != nil {
		now[0].Path = "test"
		return Swap{Swap: proof.Swap{Tests: slices.Concat(now, old), Shared: []string{"f"}}, Old: []string{"test", "f"}}, nil
	}
	return Swap{Swap: proof.Swap{Tests: old}, Old: []string{"test"}}, nil
}

func (f *fakeChanges) Doubt(context.Context, []string) (Doubt, error) {
	return Doubt{Why: f.s.doubt}, nil
}

func (f *fakeChanges) Sources(context.Context, State, State) ([]proof.Source, error) { return nil, nil }

func (f *fakeChanges) Spoiled(context.Context, State, *Awaited, bool) ([]edit.Change, int, error) {
	return nil, 0, nil
}

// named reports whether the script names a test, or the file of a finding, as the
// task's own.
func (w *world) named(f event.Failure) bool {
	return slices.Contains(w.s.own, cmp.Or(f.Test, f.File))
}
