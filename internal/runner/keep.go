package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pattern"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Keep implements engine.Workspace.
func (t *tree) Keep(ctx context.Context, s engine.State, k engine.Keep) (string, error) {
	if t.job.Refine {
		return t.keepRefine(ctx, s, k)
	}
	commit, err := t.keep(ctx, s, k)
	if err != nil {
		return "", t.notCommitted(ctx, s, k, err)
	}
	if commit == "" {
		return "", nil
	}
	return commit, t.handOver(ctx, commit)
}

// Branch implements engine.Workspace.
func (t *tree) Branch() string {
	if t.job.Refine {
		return ""
	}
	return t.branch
}

// keep commits the named paths as state s has them; "" if there is nothing to commit.
func (t *tree) keep(ctx context.Context, s engine.State, k engine.Keep) (string, error) {
	changes, err := t.repo.Compare.Changes(ctx, t.start.Commit, s.Commit)
	if err != nil {
		return "", err
	}
	paths := changedAmong(changes, k.Paths)
	if len(paths) == 0 {
		return "", nil
	}
	ignored, err := t.repo.States.Ignored(ctx, paths)
	if err != nil {
		return "", err
	}
	paths = without(paths, ignored)
	if len(paths) == 0 {
		return "", t.onlyIgnored(ignored)
	}
	if err := t.reportMixed(ctx, paths); err != nil {
		return "", err
	}
	return t.commitApart(ctx, s, k, paths)
}

// commitApart commits the work, with tests of a challenge, and then changes to tests that stood
// before, in commits of their own.
func (t *tree) commitApart(ctx context.Context, s engine.State, k engine.Keep,
	paths []string) (string, error) {
	rest, tests, err := t.testsApart(ctx, s, paths)
	if err != nil {
		return "", err
	}
	var kept []string
	if k.Kept != "" {
		rest, kept = without(rest, []string{k.Kept}), []string{k.Kept}
	}
	if len(rest) == 0 { // nothing beside tests
		rest, tests, kept = paths, nil, nil
	}
	o := commit.Options{Message: t.message(k), Trailers: t.trailers, Onto: t.onto, From: s.Commit}
	var commit string
	for _, part := range []struct {
		paths   []string
		message string
	}{{rest, o.Message}, {kept, "test: add tests of a challenge"},
		{tests, "test: " + changedTests(k.Changed, tests)}} {
		if len(part.paths) == 0 {
			continue
		}
		o.Paths, o.Message = part.paths, part.message
		if commit, err = t.commitOnce(ctx, o); err != nil {
			return "", err
		}
		o.Onto = ""
	}
	return commit, nil
}

// changedTests says in a few words which tests a commit changes.
func changedTests(names, paths []string) string {
	const most = 50 // of a subject of 72
	of := func(list []string, what string) string {
		if len(list) == 1 && len(list[0]) <= most {
			return "change " + list[0]
		}
		return fmt.Sprintf("change %d %s", len(list), what)
	}
	if len(names) > 0 {
		return of(names, "existing tests")
	}
	return of(paths, "test files")
}

// commitOnce commits, or returns the tip if that was done before the run was resumed.
func (t *tree) commitOnce(ctx context.Context, o commit.Options) (string, error) {
	commit, err := t.repo.Committer.Commit(ctx, o)
	if err == nil || fault.KindOf(err) != fault.NothingToDo {
		return commit, err
	}
	_, head, err := t.repo.Head(ctx)
	return head, err
}

// changedAmong returns those of the paths that changed. Other changes are leftovers of the checks,
// or someone else's.
func changedAmong(changes []snapshot.Change, paths []string) []string {
	var out []string
	for _, c := range changes {
		for _, p := range []string{c.Path, c.From} {
			if slices.Contains(paths, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func isSettings(path string) bool { return path == ".booty.yml" || path == ".booty.yaml" }

// reportMixed names the files of a refine in which the user had uncommitted changes: a
// commit holds files whole.
func (t *tree) reportMixed(ctx context.Context, paths []string) error {
	if !t.job.Refine || t.job.Read.Head == "" || t.notify == nil {
		return nil
	}
	mixed, err := t.repo.Committer.Uncommitted(ctx, t.job.Read.Head, t.job.Read.Commit, paths)
	if err != nil {
		return err
	}
	if len(mixed) > 0 {
		t.notify(report.Some(mixed) +
			" held changes of yours that were not committed: the commit has them too")
	}
	return nil
}

// onlyIgnored is the error of a change that no commit can hold.
func (t *tree) onlyIgnored(ignored []string) error {
	return fault.New(fault.Exhausted,
		"booty status "+t.job.ID+" --show diff shows it; git add -f "+ignored[0]+" makes git track it",
		"the change touches only files that git ignores, and a commit would lack it: %s", report.Some(ignored))
}

// notCommitted returns the error for work that git did not commit, with how to continue. If a hook
// changed the work first, it is checked again.
func (t *tree) notCommitted(ctx context.Context, s engine.State, k engine.Keep, err error) error {
	var hook *commit.HookChangedError
	if errors.As(err, &hook) {
		now, _, stateErr := t.intoState(ctx, s, hook.Paths, "with what the pre-commit hook made of it")
		if stateErr != nil {
			return errors.Join(err, stateErr)
		}
		return &engine.HookChanged{State: now, Paths: hook.Paths, Said: hook.Said}
	}
	if ctx.Err() != nil || fault.KindOf(err) == fault.Exhausted || fault.KindOf(err) == fault.NothingToDo {
		return err
	}
	what := "the best attempt"
	if k.Green {
		what = "the green work"
	}
	hint := "booty resume " + t.job.ID + " commits it, without asking the model again"
	if errors.Is(err, commit.ErrMessage) {
		hint = "booty resume " + t.job.ID +
			" --message TEXT commits it with that message, without asking the model again"
	}
	if h := fault.HintOf(err); h != "" {
		hint = h + "; then: " + hint
	}
	return fault.New(fault.KindOf(err), hint, "%w; %s is kept", err, what)
}

// message is the commit's: a model's words pass the same filters there as in a
// pull request.
func (t *tree) message(k engine.Keep) string {
	if text := t.job.Options.Message; text != "" {
		return text
	}
	if strings.TrimSpace(k.Summary) == "" { // the reply has none: the task says what it is about
		k.Summary = firstSentence(t.job.Task.Title)
	}
	k.Summary, k.Prose = report.Plain(t.redact(k.Summary)), commitBody(report.Plain(t.redact(k.Prose)))
	if t.shared.Subject != nil {
		k.Summary = t.shared.Subject(k.Summary)
	}
	if k.Unasked {
		k.Prose = strings.TrimSpace(k.Prose + "\n\n" + forMessage(t.job.Options.Hint))
	}
	return commitMessage(k)
}

// trailerIn matches a line as the end of a commit's message has it, within a sentence.
var trailerIn = pattern.Lazy(`(?m)[A-Z][A-Za-z-]*: \S.*$`)

// forMessage returns the part of a hint for a commit's message: a line such as "Ticket: AB-12" if
// there is one, else all of it.
func forMessage(hint string) string {
	if line := trailerIn().FindString(hint); line != "" {
		return line
	}
	return hint
}

const (
	// bodyWidth is where lines of a commit's body end, maxBody how much of the model's
	// sentences it has, both in characters.
	bodyWidth, maxBody = 72, 1000
)

// commitBody wraps the model's sentences. A paragraph that git would read as a trailer
// is left out: who signs or wrote a commit is not the model's to say.
func commitBody(prose string) string {
	var out []string
	for part := range strings.SplitSeq(prose, "\n\n") {
		key, _, ok := strings.Cut(strings.TrimSpace(part), ": ")
		if part = strings.TrimSpace(part); part == "" ||
			ok && strings.Contains(key, "-") && !strings.Contains(key, " ") {
			continue
		}
		out = append(out, wrap(part, bodyWidth))
	}
	body := []rune(strings.Join(out, "\n\n"))
	if len(body) > maxBody {
		body = append(body[:maxBody-1], '…')
	}
	return string(body)
}

// wrap breaks the lines of a text that are longer than width. Items of a list, and lines
// that are short enough, stay as they are.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		at := 0
		for k, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case k > 0 && at+1+n > width:
				b.WriteByte('\n')
				at = 0
			case k > 0:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// firstSentence cuts a title of several sentences after the first.
func firstSentence(title string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(title), ". ")
	return first
}

// commitMessage has the reply's summary as its subject, and its sentences as the body.
func commitMessage(k engine.Keep) string {
	subject := strings.TrimSpace(k.Summary)
	if subject == "" {
		subject = "chore: apply the change that booty made"
	}
	parts := []string{subject}
	if k.Prose != "" {
		parts = append(parts, k.Prose)
	}
	if !k.Green {
		parts = append(parts, "The checks still fail: this is the best attempt of an unfinished run.")
	}
	return strings.Join(parts, "\n\n")
}
