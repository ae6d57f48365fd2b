// Package github speaks with GitHub with the login of gh: it reads issues and keeps
// pull requests, labels and comments as they should be.
//
// Words. The repository is the one that issues and pull requests live in; the
// fork is the user's own copy of it, pushed to where the repository may not be.
// A marker is a hidden line in a text that booty posted, by which it finds the
// text again; only what the own login wrote is ever taken for one's own.
//
// Promises. Every error is a [fault.Error] that says what was asked and what to
// do about it. Requests that GitHub puts off (rate limits, a server fault) are
// made again, as long as that is soon; nothing is ever created twice. All text
// that is posted goes through Options.Redact first.
//
// It runs no git and decides nothing about a run: what is pushed where and when
// a pull request is ready is told to it.
package github

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// Options are what a client is made of.
type Options struct {
	Repo Repo
	// Login is the token and where it was found.
	Login Login
	// Root replaces the API's address, as GITHUB_API_URL does.
	Root string
	// GraphQL replaces that of the GraphQL API; "" is derived from Root.
	GraphQL string
	// UserAgent names the program.
	UserAgent string
	// Redact takes secrets out of what is posted; nil leaves it as it is.
	Redact func(string) string
	// Notice is told of waits; may be nil.
	Notice func(string)

	// Patience are further waits for GitHub, each followed by another round of
	// tries; OnWait is called before each.
	Patience []time.Duration
	OnWait   func(reason string, wait time.Duration)

	// Transport, Now and Wait are for tests; nil is the real thing.
	Transport http.RoundTripper
	Now       func() time.Time
	Wait      func(ctx context.Context, d time.Duration) error
}

// Client speaks for one login with one repository.
type Client struct {
	o    Options
	wire *wire

	// me is the own login, asked once.
	me string
	// writers remembers who may write.
	writers map[string]bool
	// deaf is set once GitHub does not let us ask for permissions.
	deaf bool
}

// New makes a client. It asks nothing yet.
func New(o Options) (*Client, error) {
	if o.Login.Token == "" {
		return nil, noLogin(o.Repo.Host)
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	w, err := newWire(o)
	if err != nil {
		return nil, err
	}
	return &Client{o: o, wire: w, writers: map[string]bool{}}, nil
}

// Repo is the repository that the client speaks for.
func (c *Client) Repo() Repo { return c.o.Repo }

// Token is the client's token, for git.
func (c *Client) Token() string { return c.o.Login.Token }

// path is a path below the repository.
func (c *Client) path(format string, args ...any) string {
	return "repos/" + c.o.Repo.Owner + "/" + c.o.Repo.Name + fmt.Sprintf(format, args...)
}

// do makes a request; what is what it is for, in an error's words.
func (c *Client) do(ctx context.Context, what, method, path string, in, out any) error {
	resp, err := c.wire.request(ctx, method, path, in)
	if err != nil {
		return c.fault(what, err)
	}
	defer resp.Body.Close()
	if out == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
		return nil
	}
	return c.decode(what, resp.Body, out)
}

func (c *Client) decode(what string, r io.Reader, out any) error {
	if err := json.NewDecoder(r).Decode(out); err != nil {
		return fault.New(fault.Git, "see https://www.githubstatus.com, then run again",
			"%s: GitHub's answer cannot be read: %w", what, err)
	}
	return nil
}

// graphql makes a request to the GraphQL API.
func (c *Client) graphql(ctx context.Context, what, query string, vars map[string]any, out any) error {
	if err := c.wire.graphql(ctx, query, vars, out); err != nil {
		return c.fault(what, err)
	}
	return nil
}

// maxPages bounds a listing: 100 entries each.
const maxPages = 50

// list reads all pages of a listing, and stops early where more says so.
func list[T any](ctx context.Context, c *Client, what, path string, more func([]T) bool) error {
	for range maxPages {
		resp, err := c.wire.request(ctx, http.MethodGet, path, nil)
		if err != nil {
			return c.fault(what, err)
		}
		var page []T
		err = c.decode(what, resp.Body, &page)
		_ = resp.Body.Close()
		if err != nil {
			return err
		}
		path = nextPage(resp.Header.Get("Link"))
		if !more(page) || path == "" {
			return nil
		}
	}
	return nil
}
