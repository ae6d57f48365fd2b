package github

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/booty-cli/booty/internal/fault"
)

// cached answers a GET from memory if GitHub reports no change (304). Such a response does
// not count against the rate limit.
type cached struct {
	next http.RoundTripper

	mu   sync.Mutex
	seen map[string]answer
}

type answer struct {
	etag   string
	status int
	header http.Header
	body   []byte
}

// maxCached bounds one cached response.
const maxCached = 1 << 20

// RoundTrip implements http.RoundTripper.
func (c *cached) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return c.next.RoundTrip(req)
	}
	key := req.URL.String()
	c.mu.Lock()
	old, known := c.seen[key]
	c.mu.Unlock()
	if known {
		req = req.Clone(req.Context())
		req.Header.Set("If-None-Match", old.etag)
	}
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if known && resp.StatusCode == http.StatusNotModified {
		_ = resp.Body.Close()
		return &http.Response{
			Status: "200 OK", StatusCode: old.status, Proto: resp.Proto, ProtoMajor: 1, ProtoMinor: 1,
			Header: old.header.Clone(),
			Body:   io.NopCloser(bytes.NewReader(old.body)), ContentLength: int64(len(old.body)),
			Request: req,
		}, nil
	}
	etag := resp.Header.Get("ETag")
	if resp.StatusCode != http.StatusOK || etag == "" {
		return resp, nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxCached+1))
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	rest := resp.Body
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), rest), rest}
	if len(body) <= maxCached {
		c.mu.Lock()
		if c.seen == nil {
			c.seen = map[string]answer{}
		}
		c.seen[key] = answer{etag, resp.StatusCode, resp.Header.Clone(), body}
		c.mu.Unlock()
	}
	return resp, nil
}

// retrier retries requests that GitHub deferred.
type retrier struct {
	next   http.RoundTripper
	now    func() time.Time
	wait   func(context.Context, time.Duration) error
	notice func(string)
	// long are extra waits before giving up.
	long   []time.Duration
	onWait func(reason string, wait time.Duration)
}

const (
	// maxTries of one request, the first one included.
	maxTries = 5
	// maxWait is the longest wait for a rate limit to end.
	maxWait = 2 * time.Minute
	// tryTime bounds one try.
	tryTime = time.Minute
)

// RoundTrip implements http.RoundTripper.
func (p *retrier) RoundTrip(req *http.Request) (*http.Response, error) {
	rounds, waits := 0, newBackOff()
	for try := 1; ; try++ {
		resp, err := p.once(req)
		pause, why := p.pause(req, resp, err, waits.NextBackOff())
		if pause < 0 {
			return resp, err
		}
		if (try == maxTries || pause > maxWait) && rounds < len(p.long) {
			drop(resp)
			wait := max(pause, p.long[rounds]) // a limit may announce its own end
			if wait > maxPatience {
				return nil, putOff(why, p.now().Add(pause))
			}
			if p.onWait != nil {
				p.onWait(why, wait)
			}
			if err := p.wait(req.Context(), wait); err != nil {
				return nil, err
			}
			rounds, try, waits = rounds+1, 0, newBackOff()
			continue
		}
		if try == maxTries {
			return resp, err
		}
		if pause > maxWait {
			drop(resp)
			return nil, putOff(why, p.now().Add(pause))
		}
		drop(resp)
		if pause >= 5*time.Second {
			p.notice(fmt.Sprintf("%s: waiting %s", why, pause.Round(time.Second)))
		}
		if err := p.wait(req.Context(), pause); err != nil {
			return nil, err
		}
	}
}

// maxPatience is the longest single wait, patience or not: GitHub's limits last an hour.
const maxPatience = 65 * time.Minute

func putOff(why string, until time.Time) error {
	return fault.New(fault.Git, "run again then; booty resume continues", "%s until %s", why,
		until.Format("15:04"))
}

// once makes one try with a fresh body.
func (p *retrier) once(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), tryTime)
	out := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			cancel()
			return nil, err
		}
		out.Body = body
	}
	resp, err := p.next.RoundTrip(out)
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &cancelBody{resp.Body, cancel}
	if resp.StatusCode >= 300 { // is read whole
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxErrorBody), resp.Body}
	}
	return resp, nil
}

// maxErrorBody bounds what is read of an error's body, in bytes.
const maxErrorBody = 64 << 10

// cancelBody cancels a try's context when its body is closed.
type cancelBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (e *cancelBody) Close() error {
	defer e.cancel()
	return e.ReadCloser.Close()
}

// newBackOff waits 1, 2, 4 seconds, with jitter.
func newBackOff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.RandomizationFactor = time.Second, 2, 0.25
	b.Reset()
	return b
}

// pause returns how long to wait before the next try, and why; negative means no retry. next
// is the wait if GitHub names none.
func (p *retrier) pause(
	req *http.Request, resp *http.Response, err error, next time.Duration,
) (time.Duration, string) {
	if req.Context().Err() != nil {
		return -1, ""
	}
	if err != nil {
		if repeatable(req) {
			return next, "GitHub could not be reached"
		}
		return -1, ""
	}
	switch {
	case hurried(resp):
		if wait, why := p.limit(resp); why != "" {
			return wait, why
		}
		return time.Minute, "GitHub asks to be slower"
	case resp.StatusCode == http.StatusForbidden || resp.StatusCode == http.StatusTooManyRequests ||
		limited(req, resp):
		return p.limit(resp)
	case resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented && repeatable(req):
		return next, "GitHub has an internal error (" + resp.Status + ")"
	}
	return -1, ""
}

// repeatable reports whether repeating the request does no harm: labels and reviewers are
// added once. Other requests that create something are repeated by the caller after a look
// at what exists.
func repeatable(req *http.Request) bool {
	return req.Method != http.MethodPost || isGraphQL(req) || strings.HasSuffix(req.URL.Path, "/labels") ||
		strings.HasSuffix(req.URL.Path, "/requested_reviewers")
}

// limit distinguishes the two rate limits from a plain refusal.
func (p *retrier) limit(resp *http.Response) (time.Duration, string) {
	h := resp.Header
	if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s >= 0 {
		return time.Duration(s) * time.Second, "GitHub's secondary rate limit holds"
	}
	if h.Get("X-RateLimit-Remaining") == "0" {
		if at, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(at, 0).Sub(p.now()), 0) + time.Second, "GitHub's rate limit is used up"
		}
	}
	if strings.Contains(strings.ToLower(peek(resp)), "secondary rate limit") ||
		resp.StatusCode == http.StatusTooManyRequests {
		return time.Minute, "GitHub's secondary rate limit holds" // as its documentation asks
	}
	return -1, ""
}

// hurried detects what GitHub refuses with 422 since it comes too soon after another.
func hurried(resp *http.Response) bool {
	if resp.StatusCode != http.StatusUnprocessableEntity {
		return false
	}
	said := strings.ToLower(peek(resp))
	return strings.Contains(said, `"abuse"`) || strings.Contains(said, "abuse detection") ||
		strings.Contains(said, "submitted too quickly")
}

// limited detects the GraphQL form of the limit: 200 with an error in the body.
func limited(req *http.Request, resp *http.Response) bool {
	return isGraphQL(req) && resp.StatusCode == http.StatusOK &&
		strings.Contains(peek(resp), `"RATE_LIMITED"`)
}

// peek returns the beginning of a body without consuming it.
func peek(resp *http.Response) string {
	head, err := io.ReadAll(io.LimitReader(resp.Body, 16<<10))
	rest := resp.Body
	var tail io.Reader = rest
	if err != nil {
		tail = failing{err}
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), tail), rest}
	return string(head)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func drop(resp *http.Response) {
	if resp != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
		_ = resp.Body.Close()
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// nextPage returns the URL of the next page in a Link header.
func nextPage(link string) string { return linkTo(link, "next") }

// lastPage returns the number of the last page in a Link header; 0 on the last page itself.
func lastPage(link string) int {
	u, err := url.Parse(linkTo(link, "last"))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(u.Query().Get("page"))
	return n
}

func linkTo(link, rel string) string {
	for _, part := range strings.Split(link, ",") {
		address, rest, ok := strings.Cut(strings.TrimSpace(part), ";")
		if ok && strings.Contains(rest, `rel="`+rel+`"`) {
			return strings.Trim(strings.TrimSpace(address), "<>")
		}
	}
	return ""
}
