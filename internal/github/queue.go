package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	gopath "path"
	"strconv"
	"strings"
	"time"
)

// newestQuery asks for the newest closed pull request of some branches; a field is added
// for each branch.
const newestQuery = `query Newest($owner: String!, $name: String!, $labels: [String!]%s) {
  repository(owner: $owner, name: $name) {
    merged: pullRequests(states: [MERGED], labels: $labels, first: 50, orderBy: {field: UPDATED_AT, direction: DESC}) {
      nodes { ...pull }
    }%s
  }
}
fragment pull on PullRequest {
  id number url title body state isDraft mergedAt headRefName headRefOid baseRefName
  headRepository { nameWithOwner }
  labels(first: 30) { nodes { name } }
}`

type pullNode struct {
	ID, URL, Title, Body, State string
	Number                      int
	IsDraft                     bool
	HeadRefName, HeadRefOid     string
	BaseRefName                 string
	MergedAt                    time.Time
	HeadRepository              *struct{ NameWithOwner string }
	Labels                      *struct{ Nodes []struct{ Name string } }
}

func (p pullNode) pull() PullRequest {
	out := PullRequest{
		Number: p.Number, ID: p.ID, URL: p.URL, Title: p.Title, Body: p.Body, State: strings.ToLower(p.State),
		Draft:  p.IsDraft,
		Merged: p.State == "MERGED", MergedAt: p.MergedAt, Head: p.HeadRefName, Commit: p.HeadRefOid,
		Base: p.BaseRefName,
	}
	if p.HeadRepository != nil {
		out.HeadRepo = p.HeadRepository.NameWithOwner
	}
	if p.Labels != nil {
		for _, l := range p.Labels.Nodes {
			out.Labels = append(out.Labels, l.Name)
		}
	}
	return out
}

// Newest returns, in one request, the newest closed pull request from each of some branches
// of the repository, and merged ones with one of the labels. Branches without any are
// omitted.
func (c *Client) Newest(
	ctx context.Context, branches, labels []string,
) (byBranch map[string]PullRequest, merged []PullRequest, err error) {
	var params, fields strings.Builder
	vars := map[string]any{"owner": c.o.Repo.Owner, "name": c.o.Repo.Name, "labels": labels}
	for i, b := range branches {
		fmt.Fprintf(&params, ", $h%d: String!", i)
		fmt.Fprintf(&fields, "\n    b%d: pullRequests(headRefName: $h%d, states: [CLOSED, MERGED], first: 5, "+
			"orderBy: {field: CREATED_AT, direction: DESC}) { nodes { ...pull } }", i, i)
		vars[fmt.Sprintf("h%d", i)] = b
	}
	var out struct {
		Repository map[string]struct{ Nodes []pullNode }
	}
	query := fmt.Sprintf(newestQuery, params.String(), fields.String())
	if err := c.graphql(ctx, "look for closed pull requests", query, vars, &out); err != nil {
		return nil, nil, err
	}
	byBranch = map[string]PullRequest{}
	for i, b := range branches {
		for _, n := range out.Repository[fmt.Sprintf("b%d", i)].Nodes {
			p := n.pull()
			if !strings.EqualFold(p.HeadRepo, c.o.Repo.String()) && p.HeadRepo != "" {
				continue // a branch of the same name in a fork
			}
			byBranch[b] = p
			break
		}
	}
	for _, n := range out.Repository["merged"].Nodes {
		merged = append(merged, n.pull())
	}
	return byBranch, merged, nil
}

// IssuesWith returns the open issues with a label, oldest first.
func (c *Client) IssuesWith(ctx context.Context, label string) ([]Issue, error) {
	var out []Issue
	path := c.path("/issues?state=open&sort=created&direction=asc&per_page=100&labels=%s",
		url.QueryEscape(label))
	err := list(ctx, c, "look for issues with the label "+label, path, func(page []issueJSON) bool {
		for _, i := range page {
			if i.PullRequest == nil {
				out = append(out, i.issue())
			}
		}
		return true
	})
	return out, err
}

// PutIssue opens an issue once. If this login has an open one with the label and the marker
// in its text, it returns that one.
func (c *Client) PutIssue(ctx context.Context, label, marker, title, body string) (Issue, error) {
	for try := 1; ; try++ {
		all, err := c.IssuesWith(ctx, label)
		if err != nil {
			return Issue{}, err
		}
		for _, i := range all {
			if !strings.Contains(i.Body, marker) {
				continue
			}
			if me, err := c.Me(ctx); err != nil || withoutBotSuffix(i.Author) == me {
				return i, err
			}
		}
		if err := c.ensureLabel(ctx, label); err != nil {
			return Issue{}, err
		}
		var j issueJSON
		err = c.do(ctx, "open an issue", http.MethodPost, c.path("/issues"),
			map[string]any{"title": c.o.Redact(title), "body": c.o.Redact(body), "labels": []string{label}},
			&j)
		if err == nil {
			return j.issue(), nil
		}
		if !uncertain(err) || try == 3 {
			return Issue{}, err
		}
		if e := c.o.Wait(ctx, time.Duration(try)*time.Second); e != nil {
			return Issue{}, e
		}
	}
}

// CommentsSince returns this login's comments in the whole repository that contain text and
// were written or changed since.
func (c *Client) CommentsSince(ctx context.Context, since time.Time, text string) ([]Comment, error) {
	me, err := c.Me(ctx)
	if err != nil {
		return nil, err
	}
	var out []Comment
	path := c.path("/issues/comments?sort=updated&direction=desc&per_page=100&since=%s",
		since.UTC().Format(time.RFC3339))
	err = list(ctx, c, "read booty's comments", path, func(page []commentJSON) bool {
		for _, m := range page {
			if m.User != nil && withoutBotSuffix(m.User.Login) == me && strings.Contains(m.Body, text) {
				n, _ := strconv.Atoi(gopath.Base(m.IssueURL))
				out = append(out, Comment{ID: m.ID, Author: m.User.Login, Body: m.Body, At: m.CreatedAt,
					Issue: n})
			}
		}
		return true
	})
	return out, err
}

// SetTitle changes only the title of a pull request.
func (c *Client) SetTitle(ctx context.Context, n int, title string) error {
	return c.do(ctx, fmt.Sprintf("update pull request #%d", n), http.MethodPatch, c.path("/pulls/%d", n),
		map[string]any{"title": c.o.Redact(title)}, nil)
}

// CloseIssue closes an issue as completed.
func (c *Client) CloseIssue(ctx context.Context, n int) error {
	return c.do(ctx, fmt.Sprintf("close issue #%d", n), http.MethodPatch, c.path("/issues/%d", n),
		map[string]any{"state": "closed", "state_reason": "completed"}, nil)
}

// DeleteBranch deletes a branch of the repository. A missing one is no error.
func (c *Client) DeleteBranch(ctx context.Context, name string) error {
	err := c.do(ctx, "delete branch "+name, http.MethodDelete, c.path("/git/refs/heads/%s", escaped(name)),
		nil,
		nil)
	if s := status(err); s == http.StatusNotFound || s == http.StatusUnprocessableEntity &&
		hasMessage(err, "does not exist") {
		return nil
	}
	return err
}

// escaped escapes the parts of a name with slashes.
func escaped(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
