// Package github talks to GitHub with the login of gh. It reads issues and maintains pull
// requests, labels and comments.
//
// Words. The repository is where issues and pull requests live. The fork is the user's copy
// of it, for users without push access. A marker is a hidden line in a text that booty
// posted, used to find it again; only texts by this login count as booty's.
//
// Promises. Every error is a [fault.Error] that says what was asked and what to do about
// it. Requests that GitHub defers (rate limits, server errors) are retried if the wait is
// short. Nothing is ever created twice. All posted text goes through Options.Redact first.
//
// It runs no git and makes no decisions about a run: the caller says what to push and when
// a pull request is ready.
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

// Options configure a client.
type Options struct {
	Repo Repo
	// Login is the token and its source.
	Login Login
	// Bots are the logins of the bots whose comments count as those of people with write
	// access, in lower case and without "[bot]".
	Bots []string
	// Root replaces the API's address, as GITHUB_API_URL does.
	Root string
	// GraphQL replaces the address of the GraphQL API; by default it is derived from Root.
	GraphQL string
	// UserAgent identifies the program.
	UserAgent string
	// Redact removes secrets from what is posted; nil leaves it as is.
	Redact func(string) string
	// Notice receives messages about waits; may be nil.
	Notice func(string)

	// Patience are extra waits, each followed by another round of tries. OnWait is called
	// before each.
	Patience []time.Duration
	OnWait   func(reason string, wait time.Duration)

	// Transport, Now and Wait are for tests; nil means the default.
	Transport http.RoundTripper
	Now       func() time.Time
	Wait      func(ctx context.Context, d time.Duration) error
}

// Client accesses one repository with one login.
type Client struct {
	o    Options
	wire *wire

	// me is this login, fetched once.
	me string
	// id is GitHub's number of the repository, once it was looked at.
	id int64
	// writers caches who has write access.
	writers map[string]bool
	// noPermissions is set once GitHub refuses to report permissions.
	noPermissions bool
}

// New makes a client. It sends no request yet.
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

// Repo returns the client's repository.
func (c *Client) Repo() Repo { return c.o.Repo }

// Token returns the client's token, for git.
func (c *Client) Token() string { return c.o.Login.Token }

// path returns a path below the repository.
func (c *Client) path(format string, args ...any) string {
	return "repos/" + c.o.Repo.Owner + "/" + c.o.Repo.Name + fmt.Sprintf(format, args...)
}

// do makes a request; what describes its purpose in errors.
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

// list reads all pages of a listing until more returns false.
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
