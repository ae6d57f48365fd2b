package github

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/cli/go-gh/v2/pkg/api"
)

// ErrNotFound is wrapped if GitHub does not know the object or does not show it to this
// login.
var ErrNotFound = errors.New("not found, or not visible to this login")

// fault classifies an error from GitHub or the network.
func (c *Client) fault(what string, err error) error {
	var known *fault.Error
	var h *api.HTTPError
	var g *api.GraphQLError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &known):
		return fault.New(known.Kind, known.Hint, "%s: %w", what, known.Err)
	case errors.As(err, &h):
		return c.httpFault(what, h)
	case errors.As(err, &g):
		return fault.New(fault.Git,
			"required permissions: https://github.com/booty-cli/booty/blob/main/docs/github.md", "%s: %w",
			what, shortError{messages(g), g})
	}
	return fault.New(fault.Git, "check the network, then run again", "%s: %s was not reached: %w", what,
		c.o.Repo.Host, err)
}

func (c *Client) httpFault(what string, h *api.HTTPError) error {
	said := firstLine(h.Message)
	switch {
	case h.StatusCode == http.StatusUnauthorized:
		return fault.New(fault.Git,
			"gh auth login"+hostFlag(c.o.Repo.Host)+", or set "+tokenName(c.o.Repo.Host)+" again",
			"%s: GitHub does not accept the token (from %s): %w", what, c.o.Login.Source,
			shortError{statusLine(h), h})
	case h.StatusCode == http.StatusForbidden && h.Headers.Get("X-GitHub-SSO") != "":
		return fault.New(fault.Git,
			"authorize the token for the organization: "+ssoURL(h.Headers.Get("X-GitHub-SSO")),
			"%s: the organization asks for single sign-on: %w", what, shortError{statusLine(h), h})
	case h.StatusCode == http.StatusForbidden:
		hint := "required permissions: https://github.com/booty-cli/booty/blob/main/docs/github.md"
		if need := h.Headers.Get("X-Accepted-GitHub-Permissions"); need != "" {
			hint = "give the token this right: " + need
		}
		return fault.New(fault.Git, hint, "%s: GitHub does not allow it: %w", what, shortError{said, h})
	case h.StatusCode == http.StatusNotFound || h.StatusCode == http.StatusGone:
		return fault.New(fault.Git, "check the name, and that your login can see it: gh auth status",
			"%s: %w", what, shortError{ErrNotFound.Error(), errors.Join(ErrNotFound, h)})
	case h.StatusCode >= 300 && h.StatusCode < 400:
		return fault.New(fault.Git, "git remote set-url, or GH_REPO, with the new name",
			"%s: the repository has moved: %w", what, shortError{said, h})
	}
	return fault.New(fault.Git, "see https://www.githubstatus.com for outages of GitHub",
		"%s: %w",
		what, shortError{statusLine(h), h})
}

// messages returns the messages of a GraphQL error, without the paths in the query.
func messages(g *api.GraphQLError) string {
	var all []string
	for _, e := range g.Errors {
		all = append(all, e.Message)
	}
	return strings.Join(all, "; ")
}

// shortError has a short text and keeps the cause.
type shortError struct {
	text  string
	cause error
}

func (s shortError) Error() string { return s.text }
func (s shortError) Unwrap() error { return s.cause }

func statusLine(h *api.HTTPError) string {
	lines := strings.Split(strings.TrimSpace(h.Message), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSuffix(http.StatusText(h.StatusCode)+": "+strings.Join(lines, "; "), ": ")
}

func ssoURL(header string) string {
	_, address, _ := strings.Cut(header, "url=")
	return address
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// status returns the HTTP status in an error's chain, or 0.
func status(err error) int {
	var h *api.HTTPError
	if errors.As(err, &h) {
		return h.StatusCode
	}
	return 0
}

// hasMessage reports whether a GitHub error contains one of the texts. There are no codes for
// these cases.
func hasMessage(err error, texts ...string) bool {
	if err == nil {
		return false
	}
	all := strings.ToLower(err.Error())
	var h *api.HTTPError
	if errors.As(err, &h) {
		all += strings.ToLower(h.Message)
	}
	for _, t := range texts {
		if strings.Contains(all, strings.ToLower(t)) {
			return true
		}
	}
	return false
}

// uncertain reports whether a request may have been carried out although it failed.
func uncertain(err error) bool {
	s := status(err)
	if err == nil || errors.Is(err, context.Canceled) || s != 0 && s < 500 {
		return false
	}
	var g *api.GraphQLError
	return !errors.As(err, &g)
}
