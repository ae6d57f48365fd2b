package work

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// Keep implements engine.Workspace.
func (t *tree) Keep(ctx context.Context, s engine.State, k engine.Keep) (string, error) {
	if t.inPlace && !t.drafts && (!t.commit || !k.Green) {
		return "", nil
	}
	if err := t.atHome(ctx); err != nil {
		return "", err
	}
	changes, err := t.repo.Changes(ctx, t.start.Commit, s.Commit)
	if err != nil {
		return "", err
	}
	if len(changes) == 0 {
		return "", nil
	}
	if k.Paths, err = t.withUsers(ctx, k.Paths); err != nil {
		return "", err
	}
	paths := changedAmong(changes, k.Paths)
	if len(paths) == 0 {
		return "", nil
	}
	ignored, err := t.repo.Ignored(ctx, paths)
	if err != nil {
		return "", err
	}
	paths = without(paths, ignored)
	if len(paths) == 0 {
		return "", t.onlyIgnored(s, ignored)
	}
	if done, err := t.committed(ctx, paths); err != nil || done != "" {
		return done, err
	}
	if err := t.reportMixed(ctx, paths); err != nil {
		return "", err
	}
	commit, err := t.commitApart(ctx, s, k, paths)
	if err != nil && ctx.Err() == nil {
		err = t.notCommitted(s, k, err)
	}
	return commit, err
}

// commitApart commits the work, with changes to tests that stood before in a commit
// of their own, the last.
func (t *tree) commitApart(ctx context.Context, s engine.State, k engine.Keep, paths []string) (string, error) {
	rest, tests, err := t.testsApart(ctx, paths)
	if err != nil {
		return "", err
	}
	o := workspace.CommitOptions{Message: t.message(k), Trailers: t.trailers, Paths: paths, Onto: t.onto, From: s.Commit}
	if len(rest) == 0 || len(tests) == 0 {
		return t.commitOnce(ctx, o)
	}
	o.Paths = rest
	if _, err := t.commitOnce(ctx, o); err != nil {
		return "", err
	}
	o.Message, o.Paths, o.Onto = "test: change tests that stood before", tests, ""
	return t.commitOnce(ctx, o)
}

// commitOnce commits, or gives the tip where that was done before the run was taken
// up again.
func (t *tree) commitOnce(ctx context.Context, o workspace.CommitOptions) (string, error) {
	commit, err := t.repo.Commit(ctx, o)
	if err == nil || fault.KindOf(err) != fault.NothingToDo {
		return commit, err
	}
	_, head, err := t.repo.Head(ctx)
	return head, err
}

// withUsers adds to the paths of a commit what the user had changed and the checks
// have seen so; it tells what the commit has, and lacks, of the user's.
func (t *tree) withUsers(ctx context.Context, paths []string) ([]string, error) {
	if t.inPlace {
		return paths, nil
	}
	tracked, untracked, err := t.uncommitted(ctx)
	if err != nil {
		return nil, err
	}
	if len(tracked) > 0 {
		t.say("the commit has your changes in %s, too", report.Some(tracked))
	}
	if untracked = slices.DeleteFunc(untracked, isSettings); len(untracked) > 0 {
		t.say("the commit lacks %s, which git does not know: git add takes it in", report.Some(untracked))
	}
	return slices.Concat(paths, tracked), nil
}

// changedAmong gives those of the paths that changed: what else did is what the
// checks left, or someone else's.
func changedAmong(changes []workspace.Change, paths []string) []string {
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

// committed gives the tip of the branch where all is committed there that there is
// to commit: by the user, or, in place, by this run before it was taken up again.
func (t *tree) committed(ctx context.Context, paths []string) (string, error) {
	_, head, err := t.repo.Head(ctx)
	if err != nil || !t.inPlace && (head != t.onto || head == t.baseCommit) {
		return "", err
	}
	entries, err := t.repo.Status(ctx)
	for _, e := range entries {
		if slices.Contains(paths, e.Path) || slices.Contains(paths, e.From) {
			return "", err
		}
	}
	return head, err
}

func isSettings(path string) bool { return path == ".booty.yml" || path == ".booty.yaml" }

// reportMixed tells of files in which the user had changes that were not
// committed before a work in place: a commit holds files whole.
func (t *tree) reportMixed(ctx context.Context, paths []string) error {
	if !t.inPlace || t.origin.Commit == "" || t.notify == nil {
		return nil
	}
	changes, err := t.repo.Changes(ctx, t.origin.Commit, t.start.Commit)
	if err != nil {
		return err
	}
	var mixed []string
	for _, c := range changes {
		if slices.Contains(paths, c.Path) {
			mixed = append(mixed, c.Path)
		}
	}
	if len(mixed) > 0 {
		t.notify(report.Some(mixed) + " held changes of yours that were not committed: the commit has them too")
	}
	return nil
}

// onlyIgnored tells of a change that no commit can hold.
func (t *tree) onlyIgnored(s engine.State, ignored []string) error {
	ref := t.checkpoint(s).Ref()
	return fault.New(fault.Exhausted, "take them out of .gitignore, or fetch them: git restore --source "+ref+" -- "+ignored[0],
		"the change touches only files that git ignores, and a commit would lack it: %s; their content is kept in %s", report.Some(ignored), ref)
}

// notCommitted says where the work is that git would not commit.
func (t *tree) notCommitted(s engine.State, k engine.Keep, err error) error {
	what := "the best attempt"
	if k.Green {
		what = "the green work"
	}
	hint := "booty resume " + t.run + " commits it, without asking the model again"
	if h := fault.HintOf(err); h != "" {
		hint = h + "; then: " + hint
	}
	return fault.New(fault.KindOf(err), hint, "%w; %s is kept in %s", err, what, t.checkpoint(s).Ref())
}

// message is the commit's: a model's words pass the same filters there as in a
// pull request.
func (t *tree) message(k engine.Keep) string {
	k.Summary = report.Plain(t.redact(k.Summary))
	if t.subject != nil {
		k.Summary = t.subject(k.Summary)
	}
	return commitMessage(k)
}

// commitMessage is the reply's summary as a subject.
func commitMessage(k engine.Keep) string {
	subject := strings.TrimSpace(k.Summary)
	if subject == "" {
		subject = "chore: apply the change that booty made"
	}
	if !k.Green {
		return subject + "\n\nThe checks still fail: this is the best attempt of an unfinished run."
	}
	return subject
}
