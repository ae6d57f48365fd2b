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
	"github.com/booty-cli/booty/internal/provider"
)

// judge classifies the error of one try as transient, or as permanent with a hint.
func (c *endpoint) judge(ctx context.Context, err error) error {
	var t *transient
	var f *fault.Error
	var status *statusError
	var page *wrongContent
	switch {
	case ctx.Err() != nil, errors.As(err, &t), errors.As(err, &f), errors.Is(err, errOnlyThought):
		return err
	case errors.As(err, &status):
		return c.judgeStatus(ctx, status)
	case errors.As(err, &page):
		return &transient{err: err, after: -1} // a proxy's temporary page, or the wrong address
	case errors.Is(err, ErrRefused):
		return fault.New(fault.Model, "reword the task, or use another model",
			"ask %s: %w", c.label(), err)
	case errors.Is(err, ErrContextLength):
		return fault.New(fault.Model, "lower context.max_tokens, or use a model with a longer context",
			"ask %s: %w", c.label(), err)
	case errors.Is(err, errImplausible):
		return fault.New(fault.Model, "look at the provider's bill, and use another model or endpoint",
			"ask %s: %w", c.label(), err)
	case errors.Is(err, errTooLong):
		return fault.New(fault.Model, "use a faster model, or lower model.max_output_tokens",
			"ask %s: %w", c.label(), err)
	case errors.Is(err, errTooLarge), errors.Is(err, openai.ErrChatCompletionInvalidModel):
		return fault.New(fault.Model, "use another model",
			"ask %s: %w", c.label(), err)
	}
	if hint, ok := tlsHint(err); ok {
		return fault.New(fault.Model, hint, "connect to %s: %w", host(c.info.BaseURL), err)
	}
	return passing("connect to %s: %w", host(c.info.BaseURL), lookupError(err))
}

// lookupError is what the resolver said of a name, without the address of who was asked: a retry
// repeats the line.
func lookupError(err error) error {
	var dns *net.DNSError
	if !errors.As(err, &dns) {
		return err
	}
	return fmt.Errorf("look up %s: %s", dns.Name, dns.Err)
}

// permanentError returns an error that no retry fixes.
func (c *client) permanentError(hint string, err error) error {
	return fault.New(fault.Model, hint, "ask %s: %w", c.label(), err)
}

// tlsHint recognizes TLS failures, which no retry fixes.
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
		return "the certificate's authority is not trusted here: add it to the system's store, " +
			"or set SSL_CERT_FILE", true
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

// judgeStatus classifies an error response of the server.
func (c *endpoint) judgeStatus(ctx context.Context, e *statusError) error {
	switch {
	case isContextLength(e):
		return c.permanentError(c.overflowHint(e), fmt.Errorf("%w: %s", ErrContextLength, e.message))
	case isRefusal(e):
		return fault.New(fault.Model, "reword the task, or use another model",
			"ask %s: %w: %s", c.label(), ErrRefused, e.message)
	case isOutOfMoney(e):
		return fault.New(fault.Model, "add credit at the provider, or use another model",
			"ask %s: %w", c.label(), e)
	case e.status < 400:
		return c.permanentError(redirectHint(e), e)
	case isUnknownModel(e):
		return c.permanentError(c.modelHint(ctx), e)
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return c.permanentError(c.keyHint(e.status), e)
	case e.status == http.StatusNotFound:
		return c.permanentError(c.baseHint(), e)
	case passes(e.status):
		return &transient{err: e, after: askedWait(e)}
	}
	return fault.New(fault.Model, "the server did not accept the request: check the settings below model",
		"ask %s: %w", c.label(), e)
}

// passes reports statuses that may be gone at the next try.
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

// askedWait returns the wait that the server asks for: in its headers, or, for Gemini and
// OpenAI, only in its message.
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

func isRefusal(e *statusError) bool {
	if e.status == http.StatusTooManyRequests {
		return false
	}
	code := strings.ToLower(e.code)
	if containsAny(code, []string{"content_filter", "content_policy", "responsibleaipolicy", "invalid_prompt",
		"moderation", "safety"}) {
		return true
	}
	text := strings.ToLower(e.message)
	return e.status < 500 && containsAny(text, []string{"content management policy", "flagged"})
}

// isOutOfMoney distinguishes the two meanings of 429: "too fast" and "no credit left".
func isOutOfMoney(e *statusError) bool {
	code := strings.ToLower(e.code)
	return e.status == http.StatusPaymentRequired ||
		strings.Contains(code, "insufficient_quota") || strings.Contains(code, "billing") ||
		e.status < 500 && containsAny(strings.ToLower(e.message),
			[]string{"credit balance is too low", "insufficient balance"})
}

// unknownModel are phrases of servers that do not have the model, with statuses other than
// 404 as well.
var unknownModel = []string{
	"model_not_found", "model not found", "model not exist", "unknown model", "invalid model",
	"is not a valid model", "no endpoints found", "model identifier is invalid", "deploymentnotfound",
	"not found the model", "no such model", "model does not exist",
}

func isUnknownModel(e *statusError) bool {
	if e.status != http.StatusBadRequest && e.status != http.StatusForbidden &&
		e.status != http.StatusNotFound {
		return false
	}
	text := strings.ToLower(e.code + " " + e.message)
	return containsAny(text, unknownModel) || strings.Contains(text, "model") &&
		(e.status == http.StatusNotFound || strings.Contains(text, "does not exist"))
}

func redirectHint(e *statusError) string {
	to := e.header.Get("Location")
	if to == "" {
		return "check model.base_url"
	}
	return fmt.Sprintf("booty follows no redirect, so that the key goes nowhere else; "+
		"if %s is right, set model.base_url to it", shorten(to, 200))
}

func (c *endpoint) keyHint(status int) string {
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

// modelHint names the available models, nearest first.
func (c *endpoint) modelHint(ctx context.Context) string {
	if c.provider.Pull != "" {
		return "get the model with: " + c.provider.Pull + c.info.Model
	}
	models, err := c.list(ctx)
	if err != nil || len(models) == 0 {
		return "check model.name: " + host(c.info.BaseURL) + " has no model " + c.info.Model
	}
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.Name
		if m.Name == c.info.Model {
			return fmt.Sprintf("%s lists %s, but does not serve it by %s, or not to this key: "+
				"choose another with model.name", host(c.info.BaseURL), c.info.Model, c.protocolName())
		}
	}
	names = nearest(names, c.info.Model)
	return "model.name may be one of: " + strings.Join(names[:min(len(names), 8)], ", ")
}

func (c *endpoint) baseHint() string { return baseHint(c.info) }

func baseHint(info Info) string {
	return "check model.base_url: " + info.BaseURL +
		" must be the root of an API such as OpenAI's, often ending in /v1"
}

// serverOf recognizes a local model server by its messages, whatever the settings call it.
func serverOf(message string) (provider.Provider, bool) {
	text := strings.ToLower(message)
	switch {
	case containsAny(text, []string{"no user query found", "exceeded max context length"}):
		return provider.Find("ollama")
	case strings.Contains(text, "available context size"):
		return provider.Find("llamacpp")
	case containsAny(text, []string{"tokens to keep from the initial prompt", "keep the first"}):
		return provider.Find("lmstudio")
	}
	return provider.Provider{}, false
}

// gaveUpError is the error after the last try.
func (c *client) gaveUpError(err error, tries int) error {
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
