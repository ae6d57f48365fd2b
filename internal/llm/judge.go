package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/booty-cli/booty/internal/fault"
)

// judge sorts an error of one try: passing, or for good with a hint.
func (c *chat) judge(ctx context.Context, err error) error {
	var t *transient
	var f *fault.Error
	var status *statusError
	var page *wrongContent
	switch {
	case ctx.Err() != nil, errors.As(err, &t), errors.As(err, &f):
		return err
	case errors.As(err, &status):
		return c.judgeStatus(ctx, status)
	case errors.As(err, &page):
		return &transient{err: err, after: -1} // a proxy's page of the moment, or the wrong address
	case errors.Is(err, ErrRefused):
		return fault.New(fault.Model, "reword the task, or use another model", "ask %s: %w", c.label(), err)
	case errors.Is(err, errOnlyThought):
		return fault.New(fault.Model, "raise model.max_output_tokens, or lower model.reasoning_effort", "ask %s: %w",
			c.label(), err)
	case errors.Is(err, errTooLarge), errors.Is(err, openai.ErrChatCompletionInvalidModel):
		return fault.New(fault.Model, "use another model", "ask %s: %w", c.label(), err)
	}
	if hint, ok := tlsHint(err); ok {
		return fault.New(fault.Model, hint, "connect to %s: %w", host(c.info.BaseURL), err)
	}
	return passing("connect to %s: %w", host(c.info.BaseURL), err)
}

// tlsHint knows the failures of TLS, which no retry mends.
func tlsHint(err error) (string, bool) {
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &record):
		return "the server does not speak TLS there: use http:// in model.base_url, or the right port", true
	case errors.As(err, &name):
		return "the certificate is for another name: check model.base_url", true
	case errors.As(err, &authority):
		return "the certificate's authority is not trusted here: add it to the system's store, or set SSL_CERT_FILE", true
	case errors.As(err, &invalid):
		return "the certificate is not valid now: check it, and this machine's clock", true
	case errors.As(err, &verify), errors.As(err, &alert):
		return "the TLS handshake failed: check model.base_url and any proxy between", true
	}
	// net/http hides this one behind a plain error.
	if strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") {
		return "the server does not speak TLS there: use http:// in model.base_url, or the right port", true
	}
	return "", false
}

// judgeStatus sorts an error answer of the server.
func (c *chat) judgeStatus(ctx context.Context, e *statusError) error {
	giveUp := func(hint string) error {
		return fault.New(fault.Model, hint, "ask %s: %w", c.label(), e)
	}
	switch {
	case isContextLength(e):
		return fault.New(fault.Model, "lower context.max_tokens, or use a model with a longer context",
			"ask %s: %w: %s", c.label(), ErrContextLength, e.message)
	case isRefusal(e):
		return fault.New(fault.Model, "reword the task, or use another model",
			"ask %s: %w: %s", c.label(), ErrRefused, e.message)
	case isOutOfMoney(e):
		return giveUp("add credit at the provider, or use another model")
	case e.status < 400:
		return giveUp(redirectHint(e))
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return giveUp(c.keyHint(e.status))
	case e.status == http.StatusNotFound:
		return giveUp(c.modelHint(ctx))
	case passes(e.status):
		return &transient{err: e, after: askedWait(e)}
	}
	return giveUp("the server did not accept the request: check model.name and model.base_url")
}

// passes lists the states that may be gone at the next try.
func passes(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

var retryDelay = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:retry|try again) in (\d+(?:\.\d+)?)\s?(ms|s)\b`)
})

// askedWait is what the server asks to wait: in its headers, or, as Gemini and
// OpenAI do, only in its words.
func askedWait(e *statusError) (wait time.Duration) {
	if wait = retryAfter(e.header, e.date); wait >= 0 {
		return wait
	}
	m := retryDelay().FindStringSubmatch(e.message)
	if m == nil {
		return -1
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return -1
	}
	if m[2] == "ms" {
		n /= 1000
	}
	return seconds(n)
}

// contextWords are how servers say that a request is too long.
var contextWords = []string{
	"context_length", "context length", "context window", "context size", "maximum context",
	"prompt is too long", "prompt too long", "input is too long", "input length", "too many tokens",
	"tokens_limit_reached",
	"input token count", "reduce the length", "exceeds the maximum number of tokens", "request too large",
	"tokens must be reduced",
	"exceed_context_size",
}

func isContextLength(e *statusError) bool {
	if e.status == http.StatusRequestEntityTooLarge {
		return true
	}
	if e.status != 400 && e.status != 422 && e.status != 429 && e.status != 500 && e.status != 502 {
		return false
	}
	return containsAny(strings.ToLower(e.code+" "+e.message), contextWords)
}

func isRefusal(e *statusError) bool {
	if e.status == 429 {
		return false
	}
	code := strings.ToLower(e.code)
	if containsAny(code, []string{"content_filter", "content_policy", "responsibleaipolicy", "invalid_prompt",
		"moderation", "safety"}) {
		return true
	}
	text := strings.ToLower(e.message)
	return e.status < 500 && (strings.Contains(text, "content management policy") || strings.Contains(text, "flagged"))
}

// isOutOfMoney: 429 says both "too fast" and "nothing left to pay with".
func isOutOfMoney(e *statusError) bool {
	code := strings.ToLower(e.code)
	return e.status == http.StatusPaymentRequired ||
		strings.Contains(code, "insufficient_quota") || strings.Contains(code, "billing") ||
		e.status < 500 && strings.Contains(strings.ToLower(e.message), "credit balance is too low")
}

func redirectHint(e *statusError) string {
	to := e.header.Get("Location")
	if to == "" {
		return "check model.base_url"
	}
	return fmt.Sprintf("booty follows no redirect, so that the key goes nowhere else; if %s is right, set model.base_url to it", shorten(to, 200))
}

func (c *chat) keyHint(status int) string {
	switch {
	case c.key == "" && len(c.provider.KeyEnv) > 0:
		return "set " + c.provider.KeyEnv[0] + " to a key of " + c.provider.Name
	case c.key == "":
		return "the server wants a key: set model.api_key_env to the variable that holds it"
	case status == http.StatusForbidden:
		return "the key from " + c.info.KeySource + " may not use this model: check its rights and model.name"
	}
	return "the key from " + c.info.KeySource + " was not accepted: set a valid one"
}

// modelHint names the models that exist, nearest first.
func (c *chat) modelHint(ctx context.Context) string {
	if c.provider.Pull != "" {
		return "get the model with: " + c.provider.Pull + c.info.Model
	}
	names, err := c.list(ctx)
	if err != nil || len(names) == 0 {
		return c.baseHint()
	}
	for _, n := range names {
		if n == c.info.Model {
			return c.baseHint()
		}
	}
	names = nearest(names, c.info.Model)
	return "model.name may be one of: " + strings.Join(names[:min(len(names), 8)], ", ")
}

func (c *chat) baseHint() string { return baseHint(c.info) }

func baseHint(info Info) string {
	return "check model.base_url: " + info.BaseURL + " must be the root of an OpenAI-compatible API, often ending in /v1"
}

// gaveUp is the error after the last try.
func (c *client) gaveUp(err error, tries int) error {
	hint := "wait a while, or use another model"
	var op *net.OpError
	var status *statusError
	var page *wrongContent
	switch {
	case errors.As(err, &status):
	case errors.As(err, &page):
		hint = baseHint(c.info)
	case errors.As(err, &op) && c.info.Local:
		hint = "is the model server running? start it, or set model.provider"
	case errors.As(err, &op):
		hint = "check the network connection, the proxy settings and model.base_url"
	}
	return fault.New(fault.Model, hint, "ask %s: gave up after %d tries: %w", c.label(), tries, err)
}
