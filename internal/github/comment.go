package github

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// FindComment finds this login's comment with a marker, or nil. Others may write the marker
// too, so the author is checked.
func (c *Client) FindComment(ctx context.Context, n int, marker string) (*Comment, error) {
	for page, pages := 1, 1; page <= pages; page++ {
		all, last, err := c.commentPage(ctx, n, page)
		if err != nil {
			return nil, err
		}
		pages = last
		for _, m := range all {
			if !strings.Contains(m.Body, marker) {
				continue
			}
			me, err := c.Me(ctx)
			if err != nil {
				return nil, err
			}
			if withoutBotSuffix(m.Author) == me {
				return &m, nil
			}
		}
	}
	return nil, nil
}

// PutComment creates or updates the one comment with a marker. The body must contain the
// marker.
func (c *Client) PutComment(ctx context.Context, n int, marker, body string) error {
	for try := 1; ; try++ {
		old, err := c.FindComment(ctx, n, marker)
		if err != nil {
			return err
		}
		if old != nil {
			if old.Body == c.o.Redact(body) {
				return nil
			}
			return c.UpdateComment(ctx, old.ID, body)
		}
		err = c.do(ctx, "comment on #"+itoa(n), http.MethodPost, c.path("/issues/%d/comments", n),
			map[string]any{"body": c.o.Redact(body)}, nil)
		if !uncertain(err) || try == 3 {
			return err
		}
		// The comment may exist despite the error: look before writing again.
		if e := c.o.Wait(ctx, time.Duration(try)*time.Second); e != nil {
			return e
		}
	}
}

// UpdateComment changes a comment.
func (c *Client) UpdateComment(ctx context.Context, id int64, body string) error {
	return c.do(ctx, "update a comment", http.MethodPatch, c.path("/issues/comments/%d", id),
		map[string]any{"body": c.o.Redact(body)}, nil)
}

// DeleteComment removes a comment. A missing one is no error.
func (c *Client) DeleteComment(ctx context.Context, id int64) error {
	err := c.do(ctx, "delete a comment", http.MethodDelete, c.path("/issues/comments/%d", id), nil, nil)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
