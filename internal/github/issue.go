package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cli/go-gh/v2/pkg/api"
)

// Issue is an issue with the comments of people with write access.
type Issue struct {
	Number      int
	Title, Body string
	URL         string
	State       string // open, closed
	// Reason is why it was closed: completed, not_planned, reopened or "".
	Reason string
	Author string
	Labels []string
	Locked bool
	// Moved is the repository that it was transferred to, or "".
	Moved string
	// PullRequest reports whether the number is a pull request.
	PullRequest bool
	comments    int
}

// Comment is one comment on an issue.
type Comment struct {
	ID     int64
	Author string
	Body   string
	At     time.Time
	// Issue is the number of the issue or pull request, set when comments of the whole
	// repository were requested.
	Issue int
	// association is used if GitHub does not report permissions.
	association string
	bot         bool
}

type issueJSON struct {
	Number      int       `json:"number"`
	Title       string    `json:"title"`
	Body        string    `json:"body"`
	HTMLURL     string    `json:"html_url"`
	State       string    `json:"state"`
	StateReason string    `json:"state_reason"`
	User        loginJSON `json:"user"`
	Labels      []struct {
		Name string `json:"name"`
	} `json:"labels"`
	Locked      bool      `json:"locked"`
	Comments    int       `json:"comments"`
	PullRequest *struct{} `json:"pull_request"`
}

func (i issueJSON) issue() Issue {
	out := Issue{
		Number: i.Number, Title: i.Title, Body: i.Body, URL: i.HTMLURL, State: i.State, Reason: i.StateReason,
		Author: i.User.Login,
		Locked: i.Locked, PullRequest: i.PullRequest != nil, comments: i.Comments,
	}
	for _, l := range i.Labels {
		out.Labels = append(out.Labels, l.Name)
	}
	return out
}

// Issue fetches an issue.
func (c *Client) Issue(ctx context.Context, n int) (Issue, error) {
	var i issueJSON
	err := c.do(ctx, fmt.Sprintf("read issue #%d of %s", n, c.o.Repo), http.MethodGet,
		c.path("/issues/%d", n), nil, &i)
	if err != nil {
		return Issue{}, err
	}
	out := i.issue()
	// Whatever its host is called, the API is the same.
	if at, err := ParseIssue(out.URL); err == nil && at.Repo != nil &&
		!strings.EqualFold(at.Repo.String(), c.o.Repo.String()) {
		out.Moved = at.Repo.String()
	}
	return out, nil
}

const placeQuery = `query Place($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { discussion(number: $number) { url } }
}`

// BecameDiscussion reports whether a number that is no longer an issue is now a discussion.
func (c *Client) BecameDiscussion(ctx context.Context, n int) (url string, ok bool) {
	var out struct {
		Repository struct {
			Discussion *struct{ URL string }
		}
	}
	err := c.graphql(ctx, "look for a discussion", placeQuery,
		map[string]any{"owner": c.o.Repo.Owner, "name": c.o.Repo.Name, "number": n}, &out)
	if err != nil || out.Repository.Discussion == nil {
		return "", false
	}
	return out.Repository.Discussion.URL, true
}

type commentJSON struct {
	ID                int64     `json:"id"`
	Body              string    `json:"body"`
	CreatedAt         time.Time `json:"created_at"`
	IssueURL          string    `json:"issue_url"`
	AuthorAssociation string    `json:"author_association"`
	User              *struct {
		Login string `json:"login"`
		Type  string `json:"type"`
	} `json:"user"`
}

func (m commentJSON) comment() Comment {
	x := Comment{ID: m.ID, Body: m.Body, At: m.CreatedAt, association: m.AuthorAssociation}
	if m.User != nil { // deleted account
		x.Author, x.bot = m.User.Login, m.User.Type == "Bot"
	}
	return x
}

// Conversation is what was read of the comments on an issue.
type Conversation struct {
	// Comments are those by people with write access.
	Comments []Comment
	// Others counts the comments that were read and left out: their authors have no write access.
	Others int
	// Unread counts the comments in the middle that were not read.
	Unread int
}

// Comments returns the comments by people with write access. It reads a long thread from both
// ends, a page at a time, until enough reports true for each end. Comments that contain hidden
// are booty's own and left out uncounted.
func (c *Client) Comments(ctx context.Context, i Issue, hidden string,
	enough func([]Comment) bool) (Conversation, error) {
	if i.comments == 0 {
		return Conversation{}, nil
	}
	var t Conversation
	read := 0
	page := func(n int) (kept []Comment, pages int, err error) {
		all, pages, err := c.commentPage(ctx, i.Number, n)
		if err != nil {
			return nil, 0, err
		}
		read += len(all)
		kept, others, err := c.byWriters(ctx, all, hidden)
		t.Others += others
		return kept, pages, err
	}
	first, pages, err := page(1)
	var last, more []Comment
	low, high := 1, pages+1 // all pages up to low were read, and all from high on
	for err == nil && low+1 < high && !(enough(first) && enough(last)) {
		if enough(last) {
			low++
			more, _, err = page(low)
			first = append(first, more...)
		} else {
			high--
			more, _, err = page(high)
			last = append(more, last...)
		}
	}
	if err != nil {
		return Conversation{}, err
	}
	if low+1 < high {
		t.Unread = max(i.comments-read, 1)
	}
	t.Comments = slices.Concat(first, last)
	return t, nil
}

// commentPage reads one page of a thread and says how many pages there are.
func (c *Client) commentPage(ctx context.Context, issue, n int) ([]Comment, int, error) {
	what := fmt.Sprintf("read the comments on #%d", issue)
	resp, err := c.wire.request(ctx, http.MethodGet,
		c.path("/issues/%d/comments?per_page=100&page=%d", issue, n), nil)
	if err != nil {
		return nil, 0, c.fault(what, err)
	}
	defer resp.Body.Close()
	var page []commentJSON
	if err := c.decode(what, resp.Body, &page); err != nil {
		return nil, 0, err
	}
	out := make([]Comment, len(page))
	for i, m := range page {
		out[i] = m.comment()
	}
	return out, max(n, lastPage(resp.Header.Get("Link"))), nil
}

// byWriters keeps the comments by people with write access and counts the others.
func (c *Client) byWriters(ctx context.Context, all []Comment,
	hidden string) (kept []Comment, others int, err error) {
	for _, m := range all {
		if hidden != "" && strings.Contains(m.Body, hidden) {
			continue
		}
		ok, err := c.mayWrite(ctx, m)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			others++
			continue
		}
		kept = append(kept, m)
	}
	return kept, others, nil
}

// WritersComments returns the comments by people with write access on an issue or pull request,
// but for those that contain hidden.
func (c *Client) WritersComments(ctx context.Context, n int, hidden string) ([]Comment, error) {
	all := func([]Comment) bool { return false }
	t, err := c.Comments(ctx, Issue{Number: n, comments: 1}, hidden, all)
	return t.Comments, err
}

// mayWrite reports whether an author has write access, or is a trusted bot; it asks once per
// author.
func (c *Client) mayWrite(ctx context.Context, m Comment) (bool, error) {
	if m.Author == "" || m.bot {
		return m.bot && slices.Contains(c.o.Bots, withoutBotSuffix(m.Author)), nil
	}
	if known, ok := c.writers[m.Author]; ok {
		return known, nil
	}
	if c.noPermissions {
		return associated(m.association), nil
	}
	var p struct {
		Permission string `json:"permission"`
		RoleName   string `json:"role_name"`
	}
	err := c.do(ctx, "ask for the rights of "+m.Author, http.MethodGet,
		c.path("/collaborators/%s/permission", url.PathEscape(m.Author)), nil, &p)
	switch s := status(err); {
	case err == nil:
		ok := p.Permission == "admin" || p.Permission == "write" || p.Permission == "maintain"
		c.writers[m.Author] = ok
		return ok, nil
	case s == http.StatusForbidden || s == http.StatusUnauthorized:
		c.noPermissions = true
		return associated(m.association), nil
	case errors.Is(err, ErrNotFound):
		c.writers[m.Author] = false
		return false, nil
	}
	return false, err
}

func associated(a string) bool { return a == "OWNER" || a == "MEMBER" || a == "COLLABORATOR" }

// Solver is a pull request that closes an issue when it is merged.
type Solver struct {
	Number int
	URL    string
	State  string // OPEN, CLOSED, MERGED
	Draft  bool
	Author string
}

const solversQuery = `query Solvers($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20, includeClosedPrs: true) {
        nodes { number url state isDraft author { login } }
      }
    }
  }
}`

// Solvers returns the pull requests that would close an issue, or have closed it. Old
// servers return none.
func (c *Client) Solvers(ctx context.Context, n int) ([]Solver, error) {
	var out struct {
		Repository struct {
			Issue struct {
				Refs struct {
					Nodes []struct {
						Number  int
						URL     string
						State   string
						IsDraft bool
						Author  loginJSON
					}
				} `json:"closedByPullRequestsReferences"`
			}
		}
	}
	err := c.graphql(ctx, fmt.Sprintf("ask what solves #%d", n), solversQuery,
		map[string]any{"owner": c.o.Repo.Owner, "name": c.o.Repo.Name, "number": n}, &out)
	var g *api.GraphQLError
	if errors.As(err, &g) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Solver
	for _, p := range out.Repository.Issue.Refs.Nodes {
		list = append(list, Solver{p.Number, p.URL, p.State, p.IsDraft, p.Author.Login})
	}
	return list, nil
}
