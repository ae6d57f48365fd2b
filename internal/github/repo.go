package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// Repository describes a repository.
type Repository struct {
	Repo          Repo
	DefaultBranch string
	// CanPush reports whether the login may push; true if GitHub does not say.
	CanPush bool
	// Archived repositories take no changes.
	Archived bool
	// AutoMerge reports whether the repository allows it; nil if GitHub does not say.
	AutoMerge *bool
	Private   bool
	CloneURL  string
	SSHURL    string
}

type repositoryJSON struct {
	ID            int64           `json:"id"`
	Name          string          `json:"name"`
	Owner         loginJSON       `json:"owner"`
	DefaultBranch string          `json:"default_branch"`
	Archived      bool            `json:"archived"`
	Private       bool            `json:"private"`
	CloneURL      string          `json:"clone_url"`
	SSHURL        string          `json:"ssh_url"`
	AllowAuto     *bool           `json:"allow_auto_merge"`
	Permissions   map[string]bool `json:"permissions"`
}

type loginJSON struct {
	Login string `json:"login"`
}

func (c *Client) repository(r repositoryJSON) Repository {
	out := Repository{
		Repo: Repo{c.o.Repo.Host, r.Owner.Login, r.Name}, DefaultBranch: r.DefaultBranch, CanPush: true,
		Archived:  r.Archived,
		AutoMerge: r.AllowAuto, Private: r.Private, CloneURL: r.CloneURL, SSHURL: r.SSHURL,
	}
	if r.Permissions != nil {
		out.CanPush = r.Permissions["push"] || r.Permissions["maintain"] || r.Permissions["admin"]
	}
	return out
}

// Repository fetches the repository. If it was renamed, the client uses the new name from
// then on.
func (c *Client) Repository(ctx context.Context) (Repository, error) {
	var r repositoryJSON
	if err := c.do(ctx, "look at "+c.o.Repo.String(), http.MethodGet, c.path(""), nil, &r); err != nil {
		return Repository{}, err
	}
	out := c.repository(r)
	if out.Repo.Owner != "" && out.Repo.Name != "" {
		c.o.Repo = out.Repo
	}
	c.id = r.ID
	return out, nil
}

// Is reports whether a repository is this one, which may have several names. Where an API
// address is set, the names of its hosts are not known.
func (c *Client) Is(ctx context.Context, r Repo) (bool, error) {
	if c.o.Root == "" && !strings.EqualFold(r.Host, c.o.Repo.Host) {
		return false, nil
	}
	if strings.EqualFold(r.String(), c.o.Repo.String()) {
		return true, nil
	}
	var found repositoryJSON
	err := c.do(ctx, "look at "+r.String(), http.MethodGet,
		"repos/"+url.PathEscape(r.Owner)+"/"+url.PathEscape(r.Name), nil, &found)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil && found.ID != 0 && found.ID == c.id, err
}

// Branch describes a branch.
type Branch struct {
	Commit    string
	Protected bool
}

// Branch fetches a branch; nil if it does not exist.
func (c *Client) Branch(ctx context.Context, name string) (*Branch, error) {
	var b struct {
		Protected bool `json:"protected"`
		Commit    struct {
			SHA string `json:"sha"`
		} `json:"commit"`
	}
	err := c.do(ctx, "look at branch "+name, http.MethodGet, c.path("/branches/%s", url.PathEscape(name)),
		nil, &b)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Branch{b.Commit.SHA, b.Protected}, nil
}

// Me returns this login. GitHub Actions tokens have one too, but only the GraphQL API
// returns it.
func (c *Client) Me(ctx context.Context) (string, error) {
	if c.me != "" {
		return c.me, nil
	}
	var out struct {
		Viewer loginJSON `json:"viewer"`
	}
	if err := c.graphql(ctx, "ask who is logged in", "query Viewer { viewer { login } }", nil,
		&out); err != nil {
		return "", err
	}
	c.me = withoutBotSuffix(out.Viewer.Login)
	return c.me, nil
}

// IsMe reports whether a login is this one.
func (c *Client) IsMe(ctx context.Context, login string) (bool, error) {
	me, err := c.Me(ctx)
	return me != "" && withoutBotSuffix(login) == me, err
}

// withoutBotSuffix removes the suffix with which one of the APIs marks bots.
func withoutBotSuffix(login string) string {
	return strings.ToLower(strings.TrimSuffix(login, "[bot]"))
}

// Logins returns the logins of bots in the form of [Options].Bots.
func Logins(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, withoutBotSuffix(strings.TrimPrefix(n, "@")))
	}
	return out
}

// forkTime is how long a new fork may take to appear.
const forkTime = time.Minute

// Fork returns the user's fork, and creates it if needed.
func (c *Client) Fork(ctx context.Context) (Repository, error) {
	var r repositoryJSON
	what := "fork " + c.o.Repo.String()
	// A repeated request returns the same fork.
	if err := c.do(ctx, what, http.MethodPost, c.path("/forks"), map[string]any{"default_branch_only": true},
		&r); err != nil {
		return Repository{}, err
	}
	fork := c.repository(r)
	if fork.Repo.Same(c.o.Repo) || fork.Repo.Owner == "" {
		return Repository{}, fault.New(fault.Git, "ask for write access", "%s: GitHub gave no fork", what)
	}
	begun, pause := c.o.Now(), time.Second
	for {
		err := c.do(ctx, what, http.MethodGet, "repos/"+fork.Repo.String(), nil, &r)
		if err == nil {
			return c.repository(r), nil
		}
		if !errors.Is(err, ErrNotFound) || c.o.Now().Sub(begun) > forkTime || pause > 32*time.Second {
			return Repository{}, err
		}
		if err := c.o.Wait(ctx, pause); err != nil {
			return Repository{}, err
		}
		pause *= 2
	}
}
