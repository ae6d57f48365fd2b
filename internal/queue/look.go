package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/specs"
)

// Options are the command line's options for the queue.
type Options struct {
	// Only limits the queue to one spec.
	Only string
	// Machine identifies this checkout on this machine.
	Machine string
	// Work and GitHub are the options of each run.
	Work   runner.Options
	GitHub pullrequest.Options
	// Show returns the display of a run and a function that ends it.
	Show func(run string) (runner.Show, func())
}

// Queue is the queue of one repository, as seen by one machine.
type Queue struct {
	s      *runner.Session
	o      Options
	labels Labels
	up     *pullrequest.Upstream
	client *github.Client
	// base is the branch that pull requests go into, commit its newest commit.
	base, commit string
	// files are the files with specs, as of the base.
	files map[string][]byte
	// resumed is the interrupted run to continue, if any.
	resumed *runner.Job
	// waited is how long this process has waited for each pull request to be merged.
	waited map[int]time.Duration
	// pulls are the pull requests read so far, by number.
	pulls map[int]github.PullRequest
}

// Open finds the repository on GitHub.
func Open(ctx context.Context, s *runner.Session, o Options) (*Queue, error) {
	up, err := pullrequest.Open(ctx, s, o.GitHub)
	if err != nil {
		return nil, err
	}
	if r := up.Repository(); !r.CanPush {
		return nil, fault.New(fault.Git, "ask for write access",
			"the queue works on branches of %s itself, which this login may not push to", r.Repo)
	}
	return &Queue{s: s, o: o, labels: Labels(s.Settings.Specs.Label), up: up,
		client: up.Client(), waited: map[int]time.Duration{}}, nil
}

// Belongs refuses a pull request of another repository.
func (q *Queue) Belongs(ctx context.Context, ref github.IssueRef) error {
	return q.up.Belongs(ctx, "pull request", ref)
}

// look reads the pending specs of the newest base and the open pull requests.
func (q *Queue) look(ctx context.Context) (Situation, error) {
	situation := Situation{
		Labels: q.labels, Only: q.o.Only, AutoMerge: q.s.Settings.Specs.AutoMerge,
		Past: map[string]Pull{}, Asked: map[string]bool{},
	}
	if allowed := q.up.Repository().AutoMerge; allowed != nil {
		situation.NoAutoMerge = !*allowed
	}
	// Pull requests are read before the base. If one is merged in between, its spec is
	// simply gone.
	q.pulls = map[int]github.PullRequest{}
	open, err := q.client.Mine(ctx, q.isOurs)
	if err != nil {
		return situation, err
	}
	if q.base, q.commit, err = q.up.Base(ctx); err != nil {
		return situation, err
	}
	if situation.Specs, q.files, err = q.pending(ctx, q.commit); err != nil {
		return situation, err
	}
	slices.Reverse(open) // oldest first
	for _, p := range open {
		q.pulls[p.Number] = p
		pull := q.pullOf(p)
		if !pull.Draft && pull.Spec != "" && !pull.has(q.labels.Held()...) {
			clash, err := q.up.Conflicts(ctx, p)
			if err != nil {
				return situation, err
			}
			pull.Conflicts = len(clash) > 0
			if err := q.checksOf(ctx, &pull, p); err != nil {
				return situation, err
			}
		}
		situation.Open = append(situation.Open, pull)
	}
	return situation, nil
}

// checksOf fills in the state of a ready pull request's checks.
func (q *Queue) checksOf(ctx context.Context, pull *Pull, p github.PullRequest) error {
	st, err := q.client.Standing(ctx, p.Number)
	if err != nil {
		return err
	}
	pull.Queued, pull.FailedChecks = st.Queued, st.Failed
	since := max(q.s.Now().Sub(p.Updated), q.waited[p.Number]) // clocks may differ
	pull.WaitedEnough = since >= q.s.Settings.Specs.Wait.Std()
	if len(pull.FailedChecks) == 0 {
		return nil
	}
	base, _, err := q.client.FailedChecks(ctx, q.commit)
	pull.FailsOnBase = slices.ContainsFunc(base,
		func(c github.Check) bool { return slices.Contains(pull.FailedChecks, c.Name) })
	return err
}

// isOurs reports whether a pull request belongs to the queue: by its label, the marker in
// its text, or its branch.
func (q *Queue) isOurs(p github.PullRequest) bool {
	return slices.ContainsFunc(p.Labels,
		func(l string) bool { return strings.EqualFold(l, q.labels.Queue()) }) || q.specOf(p) != ""
}

// specOf returns the spec ID of a pull request, "" if it is not booty's.
func (q *Queue) specOf(p github.PullRequest) string {
	_, rest, ok := strings.Cut(p.Body, "<!-- booty:spec ")
	if id, _, closed := strings.Cut(rest, " -->"); ok && closed {
		return id
	}
	// If label and text are lost, the branch still names the ID.
	before, after, ok := strings.Cut(q.s.Settings.Specs.Branch, "{{.ID}}")
	if !ok || strings.Contains(before+after, "{{") || !strings.HasPrefix(p.Head, before) ||
		!strings.HasSuffix(p.Head, after) {
		return ""
	}
	if t, ok := parseTitle(p.Title); ok {
		return t.Spec
	}
	return strings.TrimSuffix(strings.TrimPrefix(p.Head, before), after)
}

// pullOf converts a pull request to the form that the decisions use.
func (q *Queue) pullOf(p github.PullRequest) Pull {
	return Pull{
		Number: p.Number, URL: p.URL, Spec: q.specOf(p), Title: p.Title, Head: p.Head, Commit: p.Commit,
		Labels: p.Labels,
		Draft:  p.Draft || strings.HasPrefix(p.Title, "[WIP]"), AutoMerge: p.AutoMerge,
		NeedsReview: asksForReview(p.Body),
		Closed:      p.State == "closed" || p.Merged, Merged: p.Merged,
		SetAside: strings.Contains(p.Body, setAside),
	}
}

// asksForReview reports whether a pull request's text names something that a person must
// check before a merge.
func asksForReview(body string) bool {
	past := report.PastOf(body)
	return past != nil && past.Look
}

// setAside marks the text of a pull request whose spec booty left to a person.
var setAside = report.Marker("queue", "set aside")

// pending returns the specs of a commit in order, and the files that they are in.
func (q *Queue) pending(ctx context.Context, commit string) ([]specs.Spec, map[string][]byte, error) {
	finder, globs, err := finderOf(q.s.Settings.Specs.Patterns)
	if err != nil {
		return nil, nil, err
	}
	files, err := q.s.Repo.History.FilesAt(ctx, commit, finder.May, specs.Words())
	if err != nil {
		return nil, nil, err
	}
	if len(globs) > 0 { // custom patterns may match any text
		match := func(p string) bool {
			return slices.ContainsFunc(globs,
				func(g string) bool { ok, _ := doublestar.Match(g, p); return ok })
		}
		more, err := q.s.Repo.History.FilesAt(ctx, commit, match, nil)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, more...)
	}
	holding := map[string][]byte{}
	var all []specs.Spec
	for _, f := range files {
		if _, twice := holding[f.Path]; twice {
			continue
		}
		if found := finder.In(f.Path, f.Data); len(found) > 0 {
			holding[f.Path], all = f.Data, append(all, found...)
		}
	}
	order := q.s.Settings.Specs.Order
	return specs.Order(all, func(path string) int {
		i := slices.IndexFunc(order, func(g string) bool { ok, _ := doublestar.Match(g, path); return ok })
		return (i + len(order) + 1) % (len(order) + 1) // files that match no glob come last
	}), holding, nil
}

// finderOf returns a finder that includes the user's own patterns.
func finderOf(patterns []config.SpecPattern) (*specs.Finder, []string, error) {
	var own []specs.Pattern
	var globs []string
	for _, p := range patterns {
		re, err := specs.Compile(p.Pending)
		if err != nil {
			return nil, nil, fault.New(fault.Usage, "fix specs.patterns in .booty.yml", "specs.patterns: %w",
				err)
		}
		glob := p.Files
		own = append(own, specs.Pattern{
			Match:   func(path string) bool { ok, _ := doublestar.Match(glob, path); return ok },
			Pending: re, Active: p.Active,
		})
		globs = append(globs, glob)
	}
	return specs.NewFinder(own), globs, nil
}

// ask reads the closed pull requests of some specs.
func (q *Queue) ask(ctx context.Context, situation *Situation, ids []string) error {
	branches := make([]string, len(ids))
	for i, id := range ids {
		name, err := q.branch(id)
		if err != nil {
			return err
		}
		branches[i] = name
	}
	closed, merged, err := q.client.Newest(ctx, branches, q.labels.States())
	if err != nil {
		return err
	}
	for i, id := range ids {
		situation.Asked[id] = true
		if p, ok := closed[branches[i]]; ok {
			q.pulls[p.Number] = p
			situation.Past[id] = q.pullOf(p)
		}
	}
	for _, p := range merged {
		q.pulls[p.Number] = p
		situation.Merged = append(situation.Merged, q.pullOf(p))
	}
	return nil
}

// branch returns the name of a spec's branch.
func (q *Queue) branch(id string) (string, error) {
	name, err := config.BranchName(q.s.Settings.Specs.Branch,
		config.BranchData{ID: id, Slug: runner.Slug(id)})
	if err != nil {
		return "", fault.New(fault.Usage, "fix specs.branch in .booty.yml", "name the branch of %s: %w", id,
			err)
	}
	return name, nil
}

// fileOf returns a spec's file as of the base.
func (q *Queue) fileOf(s specs.Spec) (history.FileAt, error) {
	data, ok := q.files[s.File]
	if !ok {
		return history.FileAt{}, fmt.Errorf("activate %s: %s is not known", s.ID, s.File)
	}
	return history.FileAt{Path: s.File, Data: data}, nil
}
