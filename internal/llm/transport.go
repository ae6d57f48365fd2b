package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// exchange is one request and its answer. It adds the key, turns every answer that is not a
// model's stream into an error with its headers, and passes the body on as clean frames.
type exchange struct {
	*endpoint
	watch *watch
	// frames is the body being read.
	frames *frames
}

// maxErrorBody bounds what is read of an error's body.
const maxErrorBody = 64 << 10

// post sends a JSON body to a path below the endpoint's address.
func (x *exchange) post(path string, body any) (*frames, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	req, err := http.NewRequestWithContext(x.watch.ctx, http.MethodPost, x.address(path),
		bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if _, err := x.send(req); err != nil { //nolint:bodyclose // the exchange closes it, once it is read
		return nil, err
	}
	return x.frames, nil
}

// address returns the URL of a path. A provider that uses Messages only for some models has
// a separate path for it.
func (c *endpoint) address(path string) string {
	base := c.info.BaseURL
	if path == messagesPath && c.provider.MessagesPath != "" {
		base = strings.TrimSuffix(base, c.provider.Path) + c.provider.MessagesPath
	}
	if c.apiVersion != "" {
		path += "?api-version=" + c.apiVersion
	}
	return base + path
}

// send sends a request. It follows no redirects.
func (x *exchange) send(req *http.Request) (*http.Response, error) {
	x.authorize(req)
	res, err := x.http.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.watch.answering()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		defer res.Body.Close()
		return nil, x.readError(req, res)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/html" ||
		kind == "application/xhtml+xml" {
		defer res.Body.Close()
		return nil, &wrongContent{url: req.URL.String(), kind: kind}
	}
	x.frames = newFrames(res.Body, x.watch.pieceArrived)
	res.Body = x.frames
	return res, nil
}

func (x *exchange) close() {
	if x.frames != nil {
		_ = x.frames.Close() // only read
	}
}

// authorize adds the key in the provider's way.
func (c *endpoint) authorize(req *http.Request) {
	req.Header.Set("User-Agent", "booty")
	for k, v := range c.provider.Headers {
		req.Header.Set(k, v)
	}
	switch {
	case c.key == "" && c.user != nil:
		password, _ := c.user.Password()
		req.SetBasicAuth(c.user.Username(), password)
	case c.key == "":
	case c.provider.KeyHeader != "":
		req.Header.Set(c.provider.KeyHeader, c.key)
	default:
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
}

// readError turns a response with an error status into an error.
func (c *endpoint) readError(req *http.Request, res *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	e := &statusError{status: res.StatusCode, header: res.Header, url: req.URL.String(), date: c.cfg.Now()}
	if res.StatusCode < 400 {
		return e
	}
	if isHTML(body) {
		e.message = "an HTML page, not an API error"
		return e
	}
	e.message, e.code, e.param = parseError(body)
	if e.message == "" {
		e.message = string(body)
	}
	e.message = c.withoutKey(shorten(e.message, 600))
	return e
}

// frameError turns an error inside a response with status 200 into an error.
func (c *endpoint) frameError(frame []byte) error {
	e := &statusError{url: c.info.BaseURL, date: c.cfg.Now()}
	e.message, e.code, e.param = parseError(frame)
	e.message = c.withoutKey(shorten(e.message, 600))
	e.status = statusOf(e.code)
	return e
}

// statusOf returns the status that an error inside a stream stands for.
func statusOf(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	switch code {
	case "rate_limit_exceeded", "rate_limit_error":
		return http.StatusTooManyRequests
	case "invalid_request_error", "context_length_exceeded", "invalid_prompt":
		return http.StatusBadRequest
	case "authentication_error":
		return http.StatusUnauthorized
	case "permission_error":
		return http.StatusForbidden
	case "not_found_error":
		return http.StatusNotFound
	case "billing_error":
		return http.StatusPaymentRequired
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadGateway
}

// withoutKey removes the key from a message: some servers repeat a wrong one.
func (c *endpoint) withoutKey(message string) string {
	if len(c.key) < 8 {
		return message
	}
	return strings.ReplaceAll(message, c.key, "[REDACTED:api-key]")
}

// wrongContent is a response that no model server sends.
type wrongContent struct{ url, kind string }

func (e *wrongContent) Error() string {
	return fmt.Sprintf("%s answered with a web page (%s), not with a model's reply", host(e.url), e.kind)
}

func isHTML(body []byte) bool {
	head := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 512)])))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

// parseError reads the many shapes of a JSON error: {"error": {"message":…}}, {"error":
// "…"}, [{"error": …}], {"message": …}, {"detail": …}.
func parseError(body []byte) (message, code, param string) {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return "", "", ""
	}
	if inner, ok := outer["error"]; ok {
		var text string
		if json.Unmarshal(inner, &text) == nil {
			return text, scalar(outer["code"]), ""
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(inner, &fields) == nil {
			outer = fields
		}
	}
	for _, k := range []string{"message", "detail", "error_description", "msg"} {
		if message = scalar(outer[k]); message != "" {
			break
		}
	}
	for _, k := range []string{"code", "type", "status"} {
		if code = scalar(outer[k]); code != "" {
			break
		}
	}
	// Azure nests the filter's verdict one level deeper.
	var deeper struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(outer["innererror"], &deeper) == nil && deeper.Code != "" {
		code = deeper.Code
	}
	return message, code, scalar(outer["param"])
}

// scalar returns a JSON string, number or anything else as text; null as "".
func scalar(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
