package pullrequest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// text returns the pull request's text after this run: its own part, and what is known
// about the runs it continues.
func (p *publisher) text(
	ctx context.Context, d journal.Detail, pub engine.Publication,
) (report.PullRequest, error) {
	repo, settings := p.Session.Repo, p.Session.Settings
	text := pullRequestText(d, &pub)
	text.Branch, text.MaxRetries = p.head, settings.MaxRetries
	text.By = modelNames(settings.GitHub.Attribution, d)
	text.Markers = []string{report.Marker("run", p.Run), p.mark}
	text.Template = templateAt(ctx, repo.History,
		cmp.Or(p.to.base.commit, pub.Start.BaseCommit, pub.Start.State.Commit))
	if p.to.spec != nil {
		text.TitleOverride = p.to.spec.Title()
	}
	text = p.to.earlier.addTo(text)
	text.Notes = append(text.Notes, dropped(d.Attempts)...)
	if len(p.conflicts) > 0 {
		note := fmt.Sprintf("Merge conflict with %s: %s. The next run for this task lets the model "+
			"resolve it; or resolve it by hand.", p.to.base.name, report.Some(p.conflicts))
		text.Look = append(text.Look, note)
		p.notice("%s", note)
	}
	if !pub.Changed {
		return text, nil
	}
	since := p.changedSince(ctx, pub)
	changes, err := repo.Compare.Changes(ctx, since, pub.Commit)
	if err != nil {
		return text, err
	}
	quiet, err := runner.Silences(ctx, repo.History, since, pub.Commit, changes)
	text.Notes = append(text.Notes, quiet...)
	if err != nil {
		return text, err
	}
	signs, err := runner.Signs(ctx, repo.History, since, pub.Commit, changes)
	text.Look = append(text.Look, signs...)
	return text, err
}

// templateAt reads the repository's pull request template at the base, since the change may have
// added one. If there are several named ones, none is used: a person has to choose.
func templateAt(ctx context.Context, h history.Reader, commit string) string {
	for _, is := range []func(dir, path string) bool{github.IsTemplate, github.IsNamedTemplate} {
		for _, dir := range github.TemplateDirs {
			files, err := h.FilesAt(ctx, commit, func(path string) bool { return is(dir, path) }, nil)
			if err == nil && len(files) == 1 && len(files[0].Data) <= github.MaxTemplate {
				return strings.ToValidUTF8(string(files[0].Data), "\uFFFD")
			}
		}
	}
	return ""
}

// changedSince returns the start of the pull request's change: the base, or the start of
// the run if it is a refine or in conflict with the base.
func (p *publisher) changedSince(ctx context.Context, pub engine.Publication) string {
	if p.to.refine {
		return pub.Start.State.Commit
	}
	if ok, err := p.Session.Repo.History.Contains(ctx, pub.Commit, p.to.base.commit); err != nil || !ok {
		return pub.Start.State.Commit
	}
	return p.to.base.commit
}

// title returns the pull request's title by its text.
func (p *publisher) title(text report.PullRequest) string {
	var labels []string
	if p.to.issue != nil {
		labels = p.to.issue.Labels
	}
	return pullTitle(text, labels, p.noDrafts)
}

// write updates title and text of the pull request. What people edited stays: the title,
// and everything around booty's own text.
func (p *publisher) write(
	ctx context.Context, r journal.Run, text report.PullRequest, pub engine.Publication,
) error {
	now, err := p.client.PullRequest(ctx, p.pull.Number)
	if err != nil {
		return err
	}
	title := p.title(text)
	wrote := report.TitleDigest(title)
	if p.to.spec == nil && report.TitleDigest(now.Title) != p.wrote { // edited by a person
		title, wrote = now.Title, p.wrote
	}
	text.Markers = append(slices.Clone(text.Markers), pastAfter(r, text, pub, wrote).Marker())
	return p.client.UpdatePullRequest(ctx, p.pull.Number, title, report.Replace(now.Body, text.Body()))
}
