package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// doer carries one request of go-openai to the server: it adds what go-openai
// would refuse or drop, turns every answer that is no chat stream into an
// error that keeps its headers, and hands on the body as clean frames.
type doer struct {
	*chat
	watch *watch
	extra map[string]any
	// frames is the body that is being read, once there is one.
	frames *frames
}

// maxErrorBody is what is read of an error's body.
const maxErrorBody = 64 << 10

// Do implements openai.HTTPDoer. It follows no redirect.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	if err := d.addFields(req); err != nil {
		return nil, err
	}
	d.authorize(req)
	res, err := d.http.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	d.watch.answering()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		defer res.Body.Close()
		return nil, d.readError(req, res)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/html" ||
		kind == "application/xhtml+xml" {
		defer res.Body.Close()
		return nil, &wrongContent{url: req.URL.String(), kind: kind}
	}
	d.frames = newFrames(res.Body, d.watch.alive)
	res.Body = d.frames
	return res, nil
}

// addFields puts our own fields into the JSON body.
func (d *doer) addFields(req *http.Request) error {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	for k, v := range d.extra {
		if fields[k], err = json.Marshal(v); err != nil {
			return fmt.Errorf("encode %s: %w", k, err)
		}
	}
	if body, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

// authorize adds the key in the provider's way.
func (c *chat) authorize(req *http.Request) {
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

// readError makes an error of an answer with an error status.
func (c *chat) readError(req *http.Request, res *http.Response) error {
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

// withoutKey takes the key out of a message: some servers repeat a wrong one.
func (c *chat) withoutKey(message string) string {
	if len(c.key) < 8 {
		return message
	}
	return strings.ReplaceAll(message, c.key, "[REDACTED:api-key]")
}

// wrongContent is an answer that no model server gives.
type wrongContent struct{ url, kind string }

func (e *wrongContent) Error() string {
	return fmt.Sprintf("%s answered with a web page (%s), not with a model's reply", host(e.url), e.kind)
}

func isHTML(body []byte) bool {
	head := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 512)])))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

// parseError reads the many shapes of a JSON error: {"error": {"message":…}},
// {"error": "…"}, [{"error": …}], {"message": …}, {"detail": …}.
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
	// Azure puts the filter's verdict one level deeper.
	var deeper struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(outer["innererror"], &deeper) == nil && deeper.Code != "" {
		code = deeper.Code
	}
	return message, code, scalar(outer["param"])
}

// scalar gives a JSON string, number or anything else as text; null as "".
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
