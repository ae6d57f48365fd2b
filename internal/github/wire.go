package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/cli/go-gh/v2/pkg/api"
	"github.com/cli/go-gh/v2/pkg/auth"
)

// wire sends requests to GitHub's two APIs through the clients of go-gh, which send the
// token only to the login's host.
type wire struct {
	rest *api.RESTClient
	gql  *api.GraphQLClient
	// root is the address of the REST API, as its responses name it.
	root *url.URL
}

func newWire(o Options) (*wire, error) {
	transport := o.Transport
	w := &wire{}
	var err error
	if o.Root == "" {
		if w.root, err = url.Parse(apiRoot(o.Repo.Host)); err != nil {
			return nil, fmt.Errorf("the API of %s: %w", o.Repo.Host, err)
		}
	} else {
		r, err := newRooted(o)
		if err != nil {
			return nil, err
		}
		transport, w.root = r, r.rest
	}
	options := api.ClientOptions{
		Host: o.Repo.Host, AuthToken: o.Login.Token, LogIgnoreEnv: true, SkipDefaultHeaders: true,
		Headers: map[string]string{
			"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
			"User-Agent":   o.UserAgent,
			"Content-Type": "application/json; charset=utf-8",
		},
		Transport: &retrier{next: &cached{next: transport}, now: o.Now, wait: o.Wait, notice: o.Notice,
			long: o.Patience, onWait: o.OnWait},
		// A redirect must not turn a change into a GET, as it would if the repository was
		// renamed.
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if req.Method != via[0].Method || req.URL.Host != via[0].URL.Host || len(via) > 5 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	if w.rest, err = api.NewRESTClient(options); err != nil {
		return nil, fault.New(fault.Git, "gh auth status", "set up GitHub's API: %w", err)
	}
	if w.gql, err = api.NewGraphQLClient(options); err != nil {
		return nil, fault.New(fault.Git, "gh auth status", "set up GitHub's API: %w", err)
	}
	return w, nil
}

// apiRoot returns the address of a host's REST API.
func apiRoot(host string) string {
	if auth.IsEnterprise(host) {
		return "https://" + host + "/api/v3/"
	}
	return "https://api." + auth.NormalizeHostname(host) + "/"
}

// request makes a REST request; a response other than 2xx is an api.HTTPError. The path is
// relative to the root, or a URL from a response: only the part below the root is used, so
// that no response can send the token elsewhere.
func (w *wire) request(ctx context.Context, method, path string, in any) (*http.Response, error) {
	if strings.Contains(path, "://") {
		below, ok := strings.CutPrefix(path, w.root.String())
		if !ok {
			return nil, fmt.Errorf("GitHub refers to %s, which is not below %s", path, w.root)
		}
		path = below
	}
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	resp, err := w.rest.RequestWithContext(ctx, method, path, body)
	return resp, withoutAddress(err)
}

// graphql makes a GraphQL request; errors in the response are an api.GraphQLError.
func (w *wire) graphql(ctx context.Context, query string, vars map[string]any, out any) error {
	return withoutAddress(w.gql.DoWithContext(ctx, query, vars, out))
}

// withoutAddress removes the URL from a network error: it may be long, and the caller says
// what was asked.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// rooted sends requests for GitHub's API to the address in GITHUB_API_URL.
type rooted struct {
	next http.RoundTripper
	// rest, with a trailing slash, and graphql are the addresses of the two APIs.
	rest    *url.URL
	graphql *url.URL
	// prefix is what go-gh puts before a REST path.
	prefix string
}

func newRooted(o Options) (*rooted, error) {
	root, err := url.Parse(strings.TrimSuffix(o.Root, "/") + "/")
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" ||
		root.RawQuery != "" {
		return nil, fault.New(fault.Usage, "such as https://api.github.com",
			"GITHUB_API_URL: %q is not a URL", o.Root)
	}
	where := o.GraphQL
	if where == "" {
		where = strings.TrimSuffix(strings.TrimSuffix(root.String(), "/"), "/v3") + "/graphql"
	}
	graphql, err := url.Parse(where)
	if err != nil || graphql.Host == "" {
		return nil, fault.New(fault.Usage, "such as https://api.github.com/graphql",
			"GITHUB_GRAPHQL_URL: %q is not a URL", o.GraphQL)
	}
	r := &rooted{next: o.Transport, rest: root, graphql: graphql, prefix: "/"}
	if auth.IsEnterprise(o.Repo.Host) {
		r.prefix = "/api/v3/"
	}
	return r, nil
}

// RoundTrip implements http.RoundTripper.
func (r *rooted) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	if isGraphQL(req) {
		out.URL = r.graphql
	} else {
		path, err := r.rest.Parse(strings.TrimPrefix(req.URL.EscapedPath(), r.prefix))
		if err != nil {
			return nil, err
		}
		path.RawQuery = req.URL.RawQuery
		out.URL = path
	}
	out.Host = out.URL.Host
	resp, err := r.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	// The client above follows redirects, but it only knows the usual address.
	if below, ok := strings.CutPrefix(resp.Header.Get("Location"), r.rest.String()); ok {
		resp.Header.Set("Location", req.URL.Scheme+"://"+req.URL.Host+r.prefix+below)
	}
	resp.Request = req
	return resp, nil
}

// isGraphQL distinguishes the requests of the two APIs.
func isGraphQL(req *http.Request) bool {
	return req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/graphql")
}
