package github

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Thread is an unresolved conversation about lines of a change.
type Thread struct {
	Path string
	// Line is 0 if the lines no longer exist.
	Line int
	// Hunk is the part of the diff that it is about.
	Hunk     string
	Comments []Comment
}

// Review is the newest review of someone who requests changes.
type Review struct {
	ID     int64
	Author string
	Body   string
	At     time.Time
}

// Reviews are what reviewers have left open on a pull request.
type Reviews struct {
	Threads []Thread
	// Changes are the reviews that request changes and have a text.
	Changes []Review
	// Left counts the comments of authors without write access, which are left out.
	Left int
	// Bots are the bots among them, by login; Left does not count their comments.
	Bots []string
	// Queued reports whether the pull request is in a merge queue.
	Queued bool
}

const reviewsQuery = `query Reviews($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      isInMergeQueue
      latestOpinionatedReviews(first: 50) {
        nodes { databaseId state body submittedAt authorAssociation author { __typename login } }
      }
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          isResolved path line
          comments(first: 50) {
            nodes { databaseId body createdAt diffHunk authorAssociation author { __typename login } }
          }
        }
      }
    }
  }
}`

// authorJSON is an author; null for a deleted account.
type authorJSON struct {
	Kind  string `json:"__typename"`
	Login string `json:"login"`
}

type reviewsJSON struct {
	Repository struct {
		PullRequest struct {
			IsInMergeQueue bool
			Reviews        struct {
				Nodes []struct {
					DatabaseID        int64
					State, Body       string
					SubmittedAt       time.Time
					AuthorAssociation string
					Author            *authorJSON
				}
			} `json:"latestOpinionatedReviews"`
			ReviewThreads struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []threadJSON
			}
		}
	}
}

type threadJSON struct {
	IsResolved bool
	Path       string
	Line       int
	Comments   struct {
		Nodes []struct {
			DatabaseID        int64
			Body, DiffHunk    string
			CreatedAt         time.Time
			AuthorAssociation string
			Author            *authorJSON
		}
	}
}

func commentBy(a *authorJSON, body, association string) Comment {
	m := Comment{Body: body, association: association}
	if a != nil {
		m.Author, m.bot = a.Login, a.Kind == "Bot"
	}
	return m
}

// Reviews fetches what reviewers with write access have left open. A thread in which this
// login spoke last waits for a person and is left out.
func (c *Client) Reviews(ctx context.Context, n int) (Reviews, error) {
	var out Reviews
	me, err := c.Me(ctx)
	if err != nil {
		return out, err
	}
	vars := map[string]any{"owner": c.o.Repo.Owner, "name": c.o.Repo.Name, "number": n}
	for page := range maxPages {
		var in reviewsJSON
		if err := c.graphql(ctx, fmt.Sprintf("read the reviews of #%d", n), reviewsQuery, vars,
			&in); err != nil {
			return out, err
		}
		p := in.Repository.PullRequest
		out.Queued = p.IsInMergeQueue
		for _, r := range p.Reviews.Nodes {
			if page > 0 || r.State != "CHANGES_REQUESTED" || strings.TrimSpace(r.Body) == "" {
				continue
			}
			m := commentBy(r.Author, r.Body, r.AuthorAssociation)
			if ok, err := c.mayWrite(ctx, m); err != nil {
				return out, err
			} else if !ok {
				out.leave(m)
				continue
			}
			out.Changes = append(out.Changes, Review{r.DatabaseID, m.Author, r.Body, r.SubmittedAt})
		}
		for _, t := range p.ReviewThreads.Nodes {
			kept, err := c.open(ctx, t, me, out.leave)
			if err != nil {
				return out, err
			}
			if kept != nil {
				out.Threads = append(out.Threads, *kept)
			}
		}
		if !p.ReviewThreads.PageInfo.HasNextPage {
			break
		}
		vars["after"] = p.ReviewThreads.PageInfo.EndCursor
	}
	return out, nil
}

// leave counts a comment that is left out.
func (r *Reviews) leave(m Comment) {
	switch bot := withoutBotSuffix(m.Author); {
	case !m.bot:
		r.Left++
	case !slices.Contains(r.Bots, bot):
		r.Bots = append(r.Bots, bot)
	}
}

// open returns a thread with the comments of people with write access, or nil if there is
// nothing to do.
func (c *Client) open(ctx context.Context, t threadJSON, me string, leave func(Comment)) (*Thread, error) {
	out := &Thread{Path: t.Path, Line: t.Line}
	mine := false
	if t.IsResolved {
		return nil, nil
	}
	for _, n := range t.Comments.Nodes {
		m := commentBy(n.Author, n.Body, n.AuthorAssociation)
		m.ID, m.At = n.DatabaseID, n.CreatedAt
		out.Hunk = n.DiffHunk
		if withoutBotSuffix(m.Author) == me {
			mine = true
			out.Comments = append(out.Comments, m)
			continue
		}
		ok, err := c.mayWrite(ctx, m)
		if err != nil {
			return nil, err
		}
		if !ok {
			leave(m)
			continue
		}
		mine = false
		out.Comments = append(out.Comments, m)
	}
	if mine || len(out.Comments) == 0 {
		return nil, nil
	}
	return out, nil
}

// Reply answers a thread, identified by any of its comments.
func (c *Client) Reply(ctx context.Context, n int, comment int64, body string) error {
	return c.do(ctx, fmt.Sprintf("answer a thread of #%d", n), http.MethodPost,
		c.path("/pulls/%d/comments/%d/replies", n, comment), map[string]any{"body": c.o.Redact(body)}, nil)
}
