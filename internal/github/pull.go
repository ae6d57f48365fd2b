package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// PullRequest is the part of a pull request that booty needs.
type PullRequest struct {
	Number int
	// ID is its node ID in the GraphQL API.
	ID          string
	URL         string
	Title, Body string
	State       string // open, closed
	Draft       bool
	Merged      bool
	// MergedAt is set by Newest.
	MergedAt time.Time
	Author   string
	// Head is the branch, HeadOwner and HeadRepo (owner/name) its repository, Commit its
	// tip.
	Head, HeadOwner, HeadRepo, Commit string
	Base                              string
	Labels                            []string
	// AutoMerge is set if GitHub merges it as soon as it may.
	AutoMerge bool
	// Editable reports whether maintainers may push to its branch in a fork.
	Editable bool
	// HeadURL and HeadSSH are the clone URLs of that repository.
	HeadURL, HeadSSH string
	Locked           bool
	// Updated is the time of its last change.
	Updated time.Time
}

type pullJSON struct {
	Number   int       `json:"number"`
	NodeID   string    `json:"node_id"`
	HTMLURL  string    `json:"html_url"`
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	State    string    `json:"state"`
	Draft    bool      `json:"draft"`
	Merged   bool      `json:"merged"`
	MergedAt string    `json:"merged_at"`
	User     loginJSON `json:"user"`
	Head     refJSON   `json:"head"`
	Base     refJSON   `json:"base"`
	Labels   []struct {
		Name string `json:"name"`
	} `json:"labels"`
	AutoMerge *struct{} `json:"auto_merge"`
	Editable  bool      `json:"maintainer_can_modify"`
	Locked    bool      `json:"locked"`
	Updated   time.Time `json:"updated_at"`
}

type refJSON struct {
	Ref  string     `json:"ref"`
	SHA  string     `json:"sha"`
	User *loginJSON `json:"user"`
	Repo *struct {
		FullName string `json:"full_name"`
		CloneURL string `json:"clone_url"`
		SSHURL   string `json:"ssh_url"`
	} `json:"repo"`
}

func (p pullJSON) pull() PullRequest {
	out := PullRequest{
		Number: p.Number, ID: p.NodeID, URL: p.HTMLURL, Title: p.Title, Body: p.Body, State: p.State,
		Draft:  p.Draft,
		Merged: p.Merged || p.MergedAt != "", Author: p.User.Login, Head: p.Head.Ref, Commit: p.Head.SHA,
		Base:      p.Base.Ref,
		AutoMerge: p.AutoMerge != nil, Editable: p.Editable, Locked: p.Locked, Updated: p.Updated,
	}
	if p.Head.User != nil {
		out.HeadOwner = p.Head.User.Login
	}
	if p.Head.Repo != nil {
		out.HeadRepo, out.HeadURL, out.HeadSSH = p.Head.Repo.FullName, p.Head.Repo.CloneURL,
			p.Head.Repo.SSHURL
	}
	for _, l := range p.Labels {
		out.Labels = append(out.Labels, l.Name)
	}
	return out
}

// PullRequest fetches a pull request.
func (c *Client) PullRequest(ctx context.Context, n int) (PullRequest, error) {
	var p pullJSON
	err := c.do(ctx, fmt.Sprintf("read pull request #%d", n), http.MethodGet, c.path("/pulls/%d", n), nil, &p)
	return p.pull(), err
}

// OpenFrom returns the open pull request from a branch, or nil. owner is the owner of the
// branch: the repository's, or that of a fork.
func (c *Client) OpenFrom(ctx context.Context, owner, branch string) (*PullRequest, error) {
	all, err := c.from(ctx, owner, branch, "open")
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// ClosedFrom returns the closed pull requests from a branch, merged or not, newest first.
func (c *Client) ClosedFrom(ctx context.Context, owner, branch string) ([]PullRequest, error) {
	return c.from(ctx, owner, branch, "closed")
}

func (c *Client) from(ctx context.Context, owner, branch, state string) ([]PullRequest, error) {
	var all []pullJSON
	path := c.path("/pulls?state=%s&per_page=100&head=%s", state, url.QueryEscape(owner+":"+branch))
	if err := c.do(ctx, "look for a pull request from "+branch, http.MethodGet, path, nil, &all); err != nil {
		return nil, err
	}
	var out []PullRequest
	for _, p := range all { // GitHub ignores a filter that it does not understand
		if p.Head.Ref == branch && p.Head.User != nil && strings.EqualFold(p.Head.User.Login, owner) {
			out = append(out, p.pull())
		}
	}
	return out, nil
}

// Mine returns the open pull requests by this login for which ok returns true: anybody can
// copy a hidden line, or use any branch name.
func (c *Client) Mine(ctx context.Context, ok func(PullRequest) bool) ([]PullRequest, error) {
	var out []PullRequest
	err := list(ctx, c, "look for pull requests", c.path("/pulls?state=open&per_page=100"),
		func(page []pullJSON) bool {
			for _, j := range page {
				if p := j.pull(); ok(p) {
					out = append(out, p)
				}
			}
			return true
		})
	if err != nil {
		return nil, err
	}
	var mine []PullRequest
	for _, p := range out {
		own, err := c.IsMe(ctx, p.Author)
		if err != nil {
			return nil, err
		}
		if own {
			mine = append(mine, p)
		}
	}
	return mine, nil
}

// NewPullRequest describes a pull request to open.
type NewPullRequest struct {
	Title, Body string
	// Head is the branch, HeadOwner the owner of its fork ("" for the repository itself).
	Head, HeadOwner string
	Base            string
	Draft           bool
}

// CreatePullRequest opens a pull request once. If there is one from that branch, it returns
// that one with created false.
func (c *Client) CreatePullRequest(
	ctx context.Context, n NewPullRequest,
) (p PullRequest, created bool, err error) {
	what := "open a pull request from " + n.Head
	in := map[string]any{"title": c.o.Redact(n.Title), "body": c.o.Redact(n.Body), "head": n.Head,
		"base":  n.Base,
		"draft": n.Draft}
	owner := c.o.Repo.Owner
	if n.HeadOwner != "" && !strings.EqualFold(n.HeadOwner, owner) {
		owner = n.HeadOwner
		in["head"] = owner + ":" + n.Head
		in["maintainer_can_modify"] = true
	}
	var j pullJSON
	for try := 1; ; try++ {
		err = c.do(ctx, what, http.MethodPost, c.path("/pulls"), in, &j)
		if err == nil {
			return j.pull(), true, nil
		}
		if !uncertain(err) && !hasMessage(err, "already exists") {
			return PullRequest{}, false, pullFault(what, n, err)
		}
		if there, e := c.OpenFrom(ctx, owner, n.Head); e == nil && there != nil {
			return *there, uncertain(err), nil
		}
		if try == 3 || !uncertain(err) {
			return PullRequest{}, false, err
		}
		if e := c.o.Wait(ctx, time.Duration(try)*time.Second); e != nil {
			return PullRequest{}, false, e
		}
	}
}

// ErrNoDrafts means that the repository has no draft pull requests: only public and paid
// repositories have them.
var ErrNoDrafts = fmt.Errorf("the repository has no draft pull requests")

func pullFault(what string, n NewPullRequest, err error) error {
	switch {
	case n.Draft && hasMessage(err, "draft pull requests are not supported"):
		return fault.New(fault.Git, "", "%s: %w", what, ErrNoDrafts)
	case hasMessage(err, "No commits between"):
		return fault.New(fault.Git, "git log "+n.Base+".."+n.Head,
			"%s: it holds nothing that %s does not have", what, n.Base)
	case hasMessage(err, "not permitted to create or approve pull requests"):
		return fault.New(fault.Git,
			"Settings > Actions > General > Workflow permissions: allow GitHub Actions to create pull "+
				"requests",
			"%s: the repository does not let workflows open pull requests", what)
	}
	return err
}

// UpdatePullRequest changes title and body.
func (c *Client) UpdatePullRequest(ctx context.Context, n int, title, body string) error {
	return c.do(ctx, fmt.Sprintf("update pull request #%d", n), http.MethodPatch, c.path("/pulls/%d", n),
		map[string]any{"title": c.o.Redact(title), "body": c.o.Redact(body)}, nil)
}

// ClosePullRequest closes a pull request without merging it.
func (c *Client) ClosePullRequest(ctx context.Context, n int) error {
	return c.do(ctx, fmt.Sprintf("close pull request #%d", n), http.MethodPatch, c.path("/pulls/%d", n),
		map[string]any{"state": "closed"}, nil)
}

const readyMutation = `mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}`

const draftMutation = `mutation Draft($id: ID!) {
  convertPullRequestToDraft(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}`

// MarkReady takes a pull request out of draft.
func (c *Client) MarkReady(ctx context.Context, p PullRequest) error {
	return c.graphql(ctx, fmt.Sprintf("mark pull request #%d ready", p.Number), readyMutation,
		map[string]any{"id": p.ID}, nil)
}

// ConvertToDraft makes a ready pull request a draft again.
func (c *Client) ConvertToDraft(ctx context.Context, p PullRequest) error {
	return c.graphql(ctx, fmt.Sprintf("make pull request #%d a draft", p.Number), draftMutation,
		map[string]any{"id": p.ID}, nil)
}

// RequestReview asks people, and teams written org/team, for a review. An invalid reviewer
// does not affect the others.
func (c *Client) RequestReview(ctx context.Context, n int, who []string) error {
	err := c.requestReview(ctx, n, who)
	if len(who) < 2 || status(err) != http.StatusUnprocessableEntity {
		return err
	}
	var wrong []string
	for _, w := range who {
		if err := c.requestReview(ctx, n, []string{w}); status(err) == http.StatusUnprocessableEntity {
			wrong = append(wrong, w)
		} else if err != nil {
			return err
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.Git,
		"correct github.reviewers: it takes people and teams with access to the repository", "#%d: no review could be requested from %s", n,
		strings.Join(wrong, ", "))
}

func (c *Client) requestReview(ctx context.Context, n int, who []string) error {
	var people, teams []string
	for _, w := range who {
		if _, team, ok := strings.Cut(w, "/"); ok {
			teams = append(teams, team)
			continue
		}
		people = append(people, strings.TrimPrefix(w, "@"))
	}
	in := map[string]any{}
	if len(people) > 0 {
		in["reviewers"] = people
	}
	if len(teams) > 0 {
		in["team_reviewers"] = teams
	}
	if len(in) == 0 {
		return nil
	}
	return c.do(ctx, fmt.Sprintf("ask for a review of #%d", n), http.MethodPost,
		c.path("/pulls/%d/requested_reviewers", n), in, nil)
}

const autoMergeMutation = `mutation AutoMerge($id: ID!) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: SQUASH}) { pullRequest { number } }
}`

const enqueueMutation = `mutation Enqueue($id: ID!) {
  enqueuePullRequest(input: {pullRequestId: $id}) { mergeQueueEntry { position } }
}`

// Merging is the result of a request to merge.
type Merging string

// Results of AutoMerge.
const (
	// Waiting: GitHub merges once all requirements are met.
	Waiting Merging = "waiting"
	// Merged: all requirements were met.
	Merged Merging = "merged"
	// NotAllowed: the repository does not allow auto-merge, or not this way.
	NotAllowed Merging = "not allowed"
)

// AutoMerge lets GitHub squash and merge a pull request as soon as it may, or merges it at
// once if nothing is left to wait for. The tip must be commit.
func (c *Client) AutoMerge(ctx context.Context, p PullRequest, commit string) (Merging, string, error) {
	err := c.graphql(ctx, fmt.Sprintf("set pull request #%d to auto-merge", p.Number), autoMergeMutation,
		map[string]any{"id": p.ID}, nil)
	switch {
	case err == nil:
		return Waiting, "", nil
	case hasMessage(err, "auto merge is not allowed", "auto-merge is not allowed"):
		return NotAllowed, "the repository does not allow auto-merge", nil
	case !hasMessage(err, "clean status", "protected branch rules not configured"):
		return NotAllowed, "", err
	}
	in := map[string]any{"merge_method": "squash", "sha": commit}
	err = c.do(ctx, fmt.Sprintf("merge pull request #%d", p.Number), http.MethodPut,
		c.path("/pulls/%d/merge", p.Number), in, nil)
	if hasMessage(err, "merge queue") {
		err = c.graphql(ctx, fmt.Sprintf("put pull request #%d into the merge queue", p.Number),
			enqueueMutation,
			map[string]any{"id": p.ID}, nil)
		return Waiting, "", err
	}
	if s := status(err); s == http.StatusMethodNotAllowed || s == http.StatusConflict ||
		s == http.StatusForbidden {
		return NotAllowed, err.Error(), nil
	}
	if err != nil {
		return NotAllowed, "", err
	}
	return Merged, "", nil
}
