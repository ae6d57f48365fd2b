package forge

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
	"github.com/cli/go-gh/v2/pkg/auth"
)

// wire carries requests to GitHub's two APIs. The token goes to the API's own
// root and nowhere else.
type wire struct {
	http *http.Client
	// root of the REST API, with a slash at its end, and address of the other.
	root, graphqlURL string
	header           http.Header
}

func newWire(o Options) (*wire, error) {
	w := &wire{root: o.Root, graphqlURL: o.GraphQL, header: http.Header{}}
	if w.root == "" {
		w.root = apiRoot(o.Repo.Host)
	}
	u, err := url.Parse(w.root)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" {
		return nil, fault.New(fault.Usage, "such as https://api.github.com", "GITHUB_API_URL: %q is no address", w.root)
	}
	w.root = strings.TrimSuffix(w.root, "/") + "/"
	if w.graphqlURL == "" {
		w.graphqlURL = strings.TrimSuffix(strings.TrimSuffix(w.root, "/"), "/v3") + "/graphql"
	}
	for k, v := range map[string]string{
		"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28", "User-Agent": o.UserAgent,
		"Authorization": "Bearer " + o.Login.Token,
	} {
		w.header.Set(k, v)
	}
	w.http = &http.Client{
		Transport: &patient{next: &cached{next: o.Transport}, now: o.Now, wait: o.Wait, notice: o.Notice},
		// A request that changes something must not come out as a mere question,
		// as it would where the repository was renamed.
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if req.Method != via[0].Method || req.URL.Host != via[0].URL.Host || len(via) > 5 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	return w, nil
}

// apiRoot is where a host has its API.
func apiRoot(host string) string {
	if auth.IsEnterprise(host) {
		return "https://" + host + "/api/v3/"
	}
	return "https://api." + auth.NormalizeHostname(host) + "/"
}

// request makes a REST request; an answer other than 2xx is an httpError. The
// path is relative to the root, or an address that an answer gave.
func (w *wire) request(ctx context.Context, method, path string, in any) (*http.Response, error) {
	address := w.root + path
	if strings.Contains(path, "://") {
		if !strings.HasPrefix(path, w.root) {
			return nil, fmt.Errorf("GitHub refers to %s, which is not below %s", path, w.root)
		}
		address = path
	}
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	return w.send(req)
}

func (w *wire) send(req *http.Request) (*http.Response, error) {
	for k := range w.header {
		req.Header.Set(k, w.header.Get(k))
	}
	if req.Body != nil {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	resp, err := w.http.Do(req)
	var u *url.Error
	switch {
	case errors.As(err, &u):
		return nil, u.Err // without the address: it may be long, and the caller says what was asked
	case err != nil:
		return nil, err
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, newHTTPError(resp)
}

// graphql makes a request to the GraphQL API.
func (w *wire) graphql(ctx context.Context, query string, vars map[string]any, out any) error {
	data, err := json.Marshal(map[string]any{"query": query, "variables": vars})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.graphqlURL, bytes.NewReader(data))
	if err != nil {
		return err
	}
	resp, err := w.send(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer := struct {
		Data   any
		Errors []struct{ Type, Message string }
	}{Data: out}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("GitHub's answer cannot be read: %w", err)
	}
	if len(answer.Errors) == 0 {
		return nil
	}
	g := &graphqlError{}
	for _, e := range answer.Errors {
		g.Messages, g.Types = append(g.Messages, e.Message), append(g.Types, e.Type)
	}
	return g
}

// httpError is an answer other than 2xx.
type httpError struct {
	Status  int
	Header  http.Header
	Message string
}

func (e *httpError) Error() string { return fmt.Sprintf("HTTP %d: %s", e.Status, e.Message) }

// maxErrorBody bounds what is read of an error's body, in bytes.
const maxErrorBody = 64 << 10

// newHTTPError reads the message and those of its parts, one a line.
func newHTTPError(resp *http.Response) *httpError {
	e := &httpError{Status: resp.StatusCode, Header: resp.Header}
	var body struct {
		Message string
		Errors  json.RawMessage
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil || json.Unmarshal(data, &body) != nil || body.Message == "" {
		e.Message = http.StatusText(resp.StatusCode)
		return e
	}
	e.Message = body.Message
	var parts []json.RawMessage
	if json.Unmarshal(body.Errors, &parts) != nil {
		parts = []json.RawMessage{body.Errors}
	}
	for _, raw := range parts {
		var text string
		var part struct{ Resource, Field, Code, Message string }
		switch {
		case json.Unmarshal(raw, &text) == nil:
		case json.Unmarshal(raw, &part) == nil && part.Message != "":
			text = part.Message
		default:
			text = strings.Join(strings.Fields(part.Resource+" "+part.Field+" "+part.Code), " ")
		}
		if text != "" {
			e.Message += "\n" + text
		}
	}
	return e
}

// graphqlError is what the GraphQL API says in a body with status 200.
type graphqlError struct{ Messages, Types []string }

func (e *graphqlError) Error() string { return strings.Join(e.Messages, "; ") }
