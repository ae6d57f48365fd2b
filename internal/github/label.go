package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// AddLabels adds labels to an issue or pull request. Missing labels are created first, if
// this login may do that.
func (c *Client) AddLabels(ctx context.Context, n int, labels []string) error {
	if len(labels) == 0 {
		return nil
	}
	for _, l := range labels {
		if err := c.ensureLabel(ctx, l); err != nil {
			return err
		}
	}
	return c.do(ctx, "label #"+itoa(n), http.MethodPost, c.path("/issues/%d/labels", n),
		map[string]any{"labels": labels}, nil)
}

// RemoveLabel removes a label. A missing one is no error.
func (c *Client) RemoveLabel(ctx context.Context, n int, label string) error {
	err := c.do(ctx, "take a label off #"+itoa(n), http.MethodDelete,
		c.path("/issues/%d/labels/%s", n, url.PathEscape(label)), nil, nil)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (c *Client) ensureLabel(ctx context.Context, name string) error {
	err := c.do(ctx, "look for the label "+name, http.MethodGet, c.path("/labels/%s", url.PathEscape(name)),
		nil, nil)
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	err = c.do(ctx, "make the label "+name, http.MethodPost, c.path("/labels"),
		map[string]any{"name": name, "color": "b98d3c", "description": "made by booty"}, nil)
	if hasMessage(err, "already_exists", "already exists") {
		return nil
	}
	return err
}
