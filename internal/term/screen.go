package term

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/charmbracelet/x/ansi"
)

// Screen shows a run to a person: one line for each finished step and, on a
// terminal, one live line for the step under way. It is an event.Listener and
// safe for use by several goroutines.
type Screen struct {
	s       Streams
	st      Styles
	verbose bool
	now     func() time.Time

	mu       sync.Mutex
	started  time.Time
	attempt  int
	max      int
	step     string
	tail     []string // the newest lines of what runs
	model    string   // the one that is asked
	stepFrom time.Time
	// failing is how many tests failed at last, -1 before it is known.
	failing int
	// course is how many failed at the baseline and after each attempt.
	course  []int
	in, out int
	cost    float64
	frame   int
	drawn   []int // columns of each live line; empty where there is none
	stop    chan struct{}
	done    sync.WaitGroup
}

// NewScreen makes a screen on the error stream. Close ends it.
func NewScreen(s Streams, st Styles, verbose bool, now func() time.Time) *Screen {
	c := &Screen{s: s, st: st, verbose: verbose, now: now, failing: -1, started: now(),
		stop: make(chan struct{})}
	if s.ErrTTY {
		c.done.Add(1)
		go c.tick()
	}
	return c
}

// Close removes the live line. It may be called more than once.
func (c *Screen) Close() {
	c.mu.Lock()
	select {
	case <-c.stop:
	default:
		close(c.stop)
	}
	c.mu.Unlock()
	c.done.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.step = ""
}

// Say prints a line of its own.
func (c *Screen) Say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line(fmt.Sprintf(format, args...))
}

// Pause takes the live line away until the next step begins: a person is asked.
func (c *Screen) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.step = ""
}

// Begin names a step that no event tells of, such as a command that is tried.
func (c *Screen) Begin(step string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin(clean(step))
}

// Output shows the newest line of a running command below the step.
func (c *Screen) Output(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if line = strings.TrimSpace(clean(line)); line == "" {
		return
	}
	if c.tail = append(c.tail, line); len(c.tail) > tailLines {
		c.tail = slices.Delete(c.tail, 0, 1)
	}
}

// Handle implements event.Listener.
func (c *Screen) Handle(e event.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case event.RunStarted:
		c.runStarted(e)
	case event.SetupFinished:
		c.begin("baseline")
	case event.CheckFinished:
		c.checkFinished(e)
	case event.BaselineFinished:
		c.baseline(e)
	case event.ContextSelected:
		c.header(e.Attempt)
		c.verboseFiles(e)
		c.begin("model")
	case event.ContextRequested:
		c.requested(e)
	case event.ModelRequest:
		c.model = e.Model
		c.begin("model")
	case event.ModelRetry:
		c.line(c.st.Warn.Render(fmt.Sprintf("  ! model: %s; retrying in %s", clean(e.Reason), ms(e.WaitMS))))
	case event.Wait:
		c.line(c.st.Warn.Render(fmt.Sprintf("  ! %s: %s; waiting %s", clean(e.What), clean(e.Reason),
			ms(e.WaitMS))))
	case event.ModelReply:
		c.reply(e)
	case event.EditsRefused:
		c.refused(e)
	case event.ProofStep:
		c.proofStep(e)
	case event.TestsStood:
		c.stood(e)
	case event.EditsApplied:
		c.doneLine(true, "edits", clean(editsText(e)), 0)
		for _, words := range []string{clean(strings.TrimSpace(e.Summary)), clean(e.Said)} {
			if words != "" {
				c.line(c.st.Dim.Render("      " + words))
			}
		}
		c.begin("checks")
	case event.AttemptFinished:
		c.attemptFinished(e)
	case event.EvidenceFinished:
		c.evidence(e)
	case event.ReviewFinished:
		c.review(e)
	case event.BudgetWarning:
		c.line(c.st.Warn.Render(fmt.Sprintf("  ! budget: %s of %s used (limit of the %s)", usd(e.Used),
			usd(e.Limit), e.Period)))
	case event.Notice:
		c.notice(e)
	case event.PullRequestOpened:
		c.doneLine(true, "pull request", prText(event.PullRequest(e)), 0)
	case event.PullRequestUpdated:
		c.doneLine(true, "pull request", prText(event.PullRequest(e)), 0)
	case event.RunFinished:
		c.finished(e)
	}
}

func (c *Screen) runStarted(e event.RunStarted) {
	c.max = e.MaxRetries
	title := clean(e.Task.Title)
	if e.Task.Number > 0 {
		title = fmt.Sprintf("#%d %s", e.Task.Number, title)
	}
	c.line(c.st.Bold.Render("booty: " + title))
	if e.Branch != "" && e.Task.Kind != "refine" {
		c.line(c.st.Dim.Render("  branch: " + e.Branch))
	}
	c.begin("baseline")
}

func (c *Screen) baseline(e event.BaselineFinished) {
	c.failing = e.Failing
	text := "the checks already fail"
	switch {
	case e.Green && e.Passed != nil:
		text = plural(*e.Passed, "test") + " pass"
		if *e.Passed == 1 {
			text = "1 test passes"
		}
	case e.Green:
		text = "the checks pass"
	case e.Trouble != "":
		text = clean(e.Trouble) + " before the change"
		c.failing = -1
	case e.Failing > 0:
		text = fmt.Sprintf("%d already failing", e.Failing)
	}
	c.course = append(c.course[:0], c.failing)
	c.doneLine(true, "baseline", text, 0)
	c.begin("context")
}

func (c *Screen) header(attempt int) {
	if attempt == c.attempt || attempt == 0 {
		return
	}
	c.attempt = attempt
	c.line(c.st.Bold.Render(fmt.Sprintf("attempt %d of %d", attempt, c.max)))
}

func (c *Screen) verboseFiles(e event.ContextSelected) {
	if !c.verbose {
		return
	}
	for _, f := range e.Files {
		c.line(c.st.Dim.Render(fmt.Sprintf("    %s (%s, %d tokens)", clean(f.Path), f.Part, f.Tokens)))
	}
}

// requested tells what the model asked to see, and where that was in vain why.
func (c *Screen) requested(e event.ContextRequested) {
	var parts []string
	for _, a := range e.Asks {
		if a.Kind == "ask" {
			c.doneLine(true, "asks", clean(a.What)+askedWords[a.Answer], 0)
			continue
		}
		s := strings.ToUpper(a.Kind) + " " + a.What
		if a.Answer != "shown" {
			s += " (" + strings.ReplaceAll(a.Answer, "_", " ") + ")"
		}
		parts = append(parts, clean(s))
	}
	if len(parts) > 0 {
		c.doneLine(true, "asks for", strings.Join(parts, ", "), 0)
	}
}

// askedWords say what became of a question of the model.
var askedWords = map[string]string{"kept": " (after what else it asked for)", "answered": " (answered)"}

func (c *Screen) reply(e event.ModelReply) {
	c.in, c.out, c.cost = c.in+e.InputTokens, c.out+e.OutputTokens, c.cost+e.CostUSD
	in := thousands(e.InputTokens) + " in"
	if e.CachedTokens > 0 {
		in += " (" + thousands(e.CachedTokens) + " cached)"
	}
	text := fmt.Sprintf("%s, %s out, %s", in, thousands(e.OutputTokens), usd(e.CostUSD))
	if e.Estimated {
		text += " (estimated)"
	}
	if e.Role != "" && e.Role != "implement" {
		text = e.Role + ": " + text
	}
	if c.model != "" {
		text += ", " + clean(c.model)
	}
	c.doneLine(true, "model", text, ms(e.DurationMS))
	c.begin("edits")
}

func (c *Screen) refused(e event.EditsRefused) {
	for _, p := range e.Problems {
		reason, rest, _ := strings.Cut(p.Reason, "\n")
		if strings.HasSuffix(reason, ":") { // what it announces
			rest, _, _ = strings.Cut(rest, "\n")
			reason += " " + strings.TrimSpace(rest)
		}
		if p.Path != "" {
			reason = p.Path + ": " + reason
		}
		c.line(c.st.Warn.Render("  ! refused: " + clean(reason)))
	}
	c.begin("model")
}

// stood shows how the tests do without the changes to them.
func (c *Screen) stood(e event.TestsStood) {
	if e.Passed {
		c.doneLine(true, "old tests", "they pass without the changes to them, too", 0)
		return
	}
	names := e.Failed
	if len(names) > 3 {
		names = append(slices.Clone(names[:3]), fmt.Sprintf("%d more", len(e.Failed)-3))
	}
	c.doneLine(false, "old tests",
		clean(strings.TrimSuffix("without the changes to them these fail: "+strings.Join(names, ", "), ": ")),
		0)
}

func (c *Screen) checkFinished(e event.CheckFinished) {
	name, text := e.Check, clean(checkText(e))
	switch {
	case e.Kind == "rerun": // its own name is too long for the column
		name = "rerun"
		if e.Passed {
			text = "the failed tests pass"
		}
	case name == "":
		name = e.Kind
	}
	c.doneLine(e.Passed, name, text, ms(e.DurationMS))
	if c.verbose {
		c.failures(e.Failures)
	}
	c.begin("checks")
}

// proofStep tells of a step of booty prove.
func (c *Screen) proofStep(e event.ProofStep) {
	c.doneLine(e.Good, proofSteps()[e.Step], clean(e.Text), ms(e.DurationMS))
	c.begin("proof")
}

// proofSteps are the names of the steps on the screen.
func proofSteps() map[string]string {
	return map[string]string{event.StepBase: "before", event.StepHead: "after", event.StepStood: "old tests",
		event.StepNewTests: "new tests", event.StepCanFail: "expectation", event.StepMutants: "mutants",
		event.StepRepeat: "run again", event.StepChallenge: "challenge"}
}

// failures lists them, the first twenty: nobody reads on.
func (c *Screen) failures(all []event.Failure) {
	const most = 20
	for i, f := range all {
		if i == most {
			c.line(c.st.Dim.Render(fmt.Sprintf("    and %d more", len(all)-most)))
			return
		}
		c.line(c.st.Dim.Render("    " + clean(failureText(f))))
	}
}

func (c *Screen) attemptFinished(e event.AttemptFinished) {
	was := c.failing
	if c.failing = e.Failing + e.Known; e.Trouble != "" {
		c.failing = -1
	}
	if e.Outcome != event.Refused && e.Outcome != event.Question {
		c.course = append(c.course, c.failing)
	}
	stands := plural(e.Failing, "failing test")
	if e.Trouble != "" {
		stands = clean(e.Trouble)
	}
	switch {
	case e.Outcome == event.RolledBack:
		c.line(c.st.Warn.Render("  ! worse than before, so it was rolled back: " + stands))
	case e.Outcome != event.Failing:
	case e.Trouble != "":
		c.line(c.st.Dim.Render("  " + stands))
	case was > c.failing && e.Failing > 0:
		text := fmt.Sprintf("  failing tests: %d, down from %d", c.failing, was)
		if e.Known > 0 {
			text += fmt.Sprintf("; %d of them failed before the change", e.Known)
		}
		c.line(c.st.Dim.Render(text + "  " + c.spark()))
	}
	c.begin("context")
}

func (c *Screen) evidence(e event.EvidenceFinished) {
	switch e.Verdict {
	case event.Proven:
		c.doneLine(true, "evidence", evidenceText(e), 0)
	default:
		c.line(c.st.Warn.Render("  ! evidence: " + clean(e.Note)))
	}
}

// review shows the verdict with the first line of the notes.
func (c *Screen) review(e event.ReviewFinished) {
	text := strings.ToLower(strings.ReplaceAll(e.Verdict, "_", " "))
	for line := range strings.Lines(e.Notes) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "-*# "); line != "" {
			text += ": " + clean(line)
			break
		}
	}
	c.doneLine(e.Verdict != "BLOCKED", "review", text, 0)
}

func (c *Screen) notice(e event.Notice) {
	if e.Level == "warning" {
		c.line(c.st.Warn.Render("  ! " + clean(e.Message)))
		return
	}
	c.line(c.st.Dim.Render("  " + clean(e.Message)))
}

func (c *Screen) finished(e event.RunFinished) {
	c.step = ""
	took := ms(e.DurationMS)
	spent := fmt.Sprintf("%s, %s tokens, %s, %s", plural(e.Attempts, "attempt"),
		thousands(e.InputTokens+e.OutputTokens), usd(e.CostUSD), took)
	switch {
	case e.ExitCode == 0 && e.Outcome == event.Green:
		text := c.st.Good.Render("✓ green") + c.st.Dim.Render(": "+spent)
		if len(e.Known)+len(e.ChangedTests)+len(e.LeftOut) > 0 {
			text += "\n  " + c.st.Warn.Render(clean(e.Message))
		}
		c.line(text)
	case e.ExitCode == 0 || e.Outcome == event.NothingToDo:
		c.line(c.st.Dim.Render(clean(e.Message)))
	default:
		c.line(c.st.Bad.Render("✗ "+event.Ended(e.Outcome, e.Attempts)) + c.st.Dim.Render(": "+spent))
	}
}

// doneLine prints a finished step.
func (c *Screen) doneLine(ok bool, name, text string, took time.Duration) {
	mark := c.st.Good.Render("✓")
	if !ok {
		mark = c.st.Bad.Render("✗")
	}
	name = clean(name)
	line := fmt.Sprintf("  %s %-12s", mark, ansi.Truncate(name, 24, "…"))
	if text != "" {
		line += " " + text
	}
	if took >= 50*time.Millisecond {
		line += c.st.Dim.Render("  " + took.String())
	}
	c.wrapped(line, 17)
}

// line prints above the live line.
func (c *Screen) line(s string) {
	c.wrapped(s, ansi.StringWidth(s)-ansi.StringWidth(strings.TrimLeft(ansi.Strip(s), " !")))
}

// wrapped prints a line; on a terminal, what has no room goes on below, indented.
func (c *Screen) wrapped(s string, indent int) {
	if c.s.ErrTTY {
		s = Wrap(s, c.width(), indent)
	}
	c.clear()
	fmt.Fprintln(c.s.Err, s)
	c.draw()
}

// begin names the step under way.
func (c *Screen) begin(step string) {
	c.step, c.tail, c.stepFrom = step, nil, c.now()
	c.draw()
}
