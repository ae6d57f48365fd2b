package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// ToProve is a pull request to prove.
type ToProve struct {
	runner.Range
	client *github.Client
	number int
	// numbered are the survivors that the comment has given numbers, dismissed those of which
	// people with write access said that they do not matter.
	numbered  report.Numbered
	dismissed map[string]bool
	pull      *github.PullRequest
}

// maxClosed bounds how many issues are read that a pull request closes.
const maxClosed = 3

var closing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,9})\b`)
})

// Task is what the pull request is for: the issues that it closes or, where there are none, its
// own words.
func (p ToProve) Task(ctx context.Context) (string, error) {
	var texts []string
	for _, m := range closing().FindAllStringSubmatch(p.pull.Body, maxClosed) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		i, err := p.client.Issue(ctx, n)
		switch {
		case errors.Is(err, github.ErrNotFound):
			continue
		case err != nil:
			return "", err
		}
		texts = append(texts, issueText(i, github.Conversation{}, nil))
	}
	if len(texts) > 0 {
		return strings.Join(texts, "\n\n"), nil
	}
	return strings.TrimSpace(visible(p.pull.Title) + "\n\n" + visible(p.pull.Body)), nil
}

// Dismissed reports whether a survivor was dismissed in the pull request.
func (p ToProve) Dismissed(s event.Survivor) bool { return p.dismissed[report.SurvivorKey(s)] }

// Proving fetches both sides of a pull request, also from a fork, into booty's own storage.
// It checks nothing out and leaves the user's repository alone.
func Proving(ctx context.Context, s *runner.Session, o Options, name string) (ToProve, error) {
	ref, err := github.ParseIssue(name)
	if err != nil {
		return ToProve{}, fault.New(fault.Usage, "give its number or address: booty prove --pr 42",
			"invalid pull request %q", name)
	}
	up, err := Open(ctx, s, o)
	if err != nil {
		return ToProve{}, err
	}
	if err := up.Belongs(ctx, "pull request", ref); err != nil {
		return ToProve{}, err
	}
	p, err := up.client.PullRequest(ctx, ref.Number)
	if err != nil {
		return ToProve{}, err
	}
	out := ToProve{client: up.client, number: p.Number, pull: &p}
	if err := out.readDismissals(ctx); err != nil {
		return out, err
	}
	var base string
	err = s.Wait.Network(ctx, func() (err error) {
		if base, err = s.Repo.Remote.Borrow(ctx, up.remote, "refs/heads/"+p.Base, up.client.Token()); err != nil {
			return err
		}
		out.Head, err = s.Repo.Remote.Borrow(ctx, up.remote, fmt.Sprintf("refs/pull/%d/head", p.Number),
			up.client.Token())
		return err
	})
	if err != nil {
		return out, err
	}
	if out.Base, err = s.Repo.History.MergeBase(ctx, base, out.Head); err != nil {
		return out, err
	}
	if out.Base == out.Head { // merged already: the old base is unknown
		return out, fault.New(fault.NothingToDo, "name its commits: booty prove A..B",
			"#%d is part of %s already", p.Number, p.Base)
	}
	out.Shown, out.Words = out.Head, fmt.Sprintf("pull request #%d: %s", p.Number, visible(p.Title))
	return out, nil
}

// readDismissals reads what people with write access dismissed by the numbers of the comment.
func (p *ToProve) readDismissals(ctx context.Context) error {
	old, err := p.client.FindComment(ctx, p.number, report.ProofMarker)
	if err != nil || old == nil {
		return err
	}
	p.numbered = report.NumberedIn(old.Body)
	comments, err := p.client.WritersComments(ctx, p.number, report.ProofMarker)
	if err != nil {
		return err
	}
	var texts []string
	for _, c := range comments {
		texts = append(texts, c.Body)
	}
	p.dismissed = p.numbered.Dismissed(texts)
	return nil
}

// Report is a proof with the numbers of its survivors.
func (p ToProve) Report(found event.ProofFinished) report.Proven {
	out := report.Proven{ProofFinished: found}
	if p.client != nil {
		out.Numbers = p.numbered.With(found.Survivors...)
	}
	return out
}

// Comment writes the proof to booty's one comment on the pull request. Where there is nothing
// to prove or to look at, such as a changed test, and there is none, it adds none.
func (p ToProve) Comment(ctx context.Context, proof report.Proven) error {
	if proof.ProofFinished.Verdict == event.VerdictNothing && len(proof.Look) == 0 {
		if old, err := p.client.FindComment(ctx, p.number, report.ProofMarker); err != nil ||
			old == nil {
			return err
		}
	}
	return p.client.PutComment(ctx, p.number, report.ProofMarker, proof.Markdown())
}
