package llm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// cut sends a body and breaks the connection in the middle of it.
func cut(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, body)
		w.(http.Flusher).Flush()
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, not an end
		}
		_ = conn.Close()
	}
}

// hang sends a body and then nothing until the client goes away.
func hang(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if body != "" {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, body)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

// drip sends a comment again and again.
func drip(every time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(every)
		}
	}
}

func frame(s string) string { return "data: " + s + "\n\n" }

func TestPassingFaultsAreTriedAgain(t *testing.T) {
	page := "<!DOCTYPE html><html><body>Bad gateway</body></html>"
	cases := []struct {
		name   string
		fault  http.HandlerFunc
		reason string
	}{
		{"429", status(429, `{"error":{"message":"slow down","type":"rate_limit"}}`), "429 Too Many Requests: slow down"},
		{"408", status(408, `{}`), "408"},
		{"409", status(409, `{"error":{"message":"conflict"}}`), "409"},
		{"500 with an HTML page", raw500(page), "an HTML page"},
		{"a web page where a reply was due", raw("text/html; charset=utf-8", page), "web page (text/html)"},
		{"a web page of unknown type", raw("", page), "web page"},
		{"503 in plain words", status(503, `loading model`), "503 Service Unavailable: loading model"},
		{"529 as Anthropic says it", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), "Overloaded"},
		{"a reset in the middle", cut(frame(delta("half a re"))), "the connection broke in the middle"},
		{"a reset before anything", cut(""), ""},
		{"an end without a finish reason", raw("text/event-stream", frame(delta("half"))), "ended before it was complete"},
		{"an end in the middle of a frame", raw("text/event-stream", frame(delta("a"))+`data: {"choices":[{"del`), "malformed piece"},
		{"an empty answer", raw("text/event-stream", ""), "the answer is empty"},
		{"a reply of blanks without a finish reason", stream(delta(" \n")), "the reply is empty"},
		{"[DONE] and nothing else", stream(), "the answer is empty"},
		{"broken JSON", stream(`{"choices": [`), "malformed piece"},
		{"an error inside a stream", raw("text/event-stream", ": ping\n\n"+frame(delta("a"))+frame(`{"error":{"message":"upstream died","code":502}}`)), "upstream died"},
		{"an error inside a stream, whose code is an object", stream(`{"error":{"message":"strange","code":{"a":1}}}`), "strange"},
		{"an error with status 200 and no stream", raw("application/json", `{"error":{"message":"try later","code":503}}`), "try later"},
		{"a body that only has a message", raw("application/json", `{"detail":"warming up"}`), "warming up"},
		{"a finish reason of error", stream(delta("a"), finish("error")), "broke the reply off"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault, good("whole"))
			var n naps
			cfg := config(s, &n)
			var retries []Retry
			cfg.OnRetry = func(r Retry) { retries = append(retries, r) }
			r, err := newClient(t, cfg).Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != "whole" {
				t.Errorf("got %q", r.Text)
			}
			if len(retries) != 1 || retries[0].Try != 1 || !strings.Contains(retries[0].Reason, c.reason) {
				t.Errorf("got retries %+v, want one because of %q", retries, c.reason)
			}
			if len(n.list) != 1 || n.list[0] < 750*time.Millisecond || n.list[0] > 1250*time.Millisecond {
				t.Errorf("waited %v, want about a second", n.list)
			}
			s.unused()
		})
	}
}

func raw500(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(500)
		fmt.Fprint(w, body)
	}
}

func TestSomeFaultsAreNotTriedAgain(t *testing.T) {
	cases := []struct {
		name  string
		fault http.HandlerFunc
		is    error
		say   string
		hint  string
	}{
		{"401", status(401, `{"error":{"message":"bad key"}}`), nil, "401 Unauthorized: bad key", "the key from the configuration was not accepted"},
		{"403", status(403, `{"error":"no"}`), nil, "403 Forbidden: no", "may not use this model"},
		{"404 names the models that exist", status(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`), nil, "404", "test-model-2"},
		{"402", status(402, `{"error":{"message":"Insufficient credits"}}`), nil, "Insufficient credits", "add credit"},
		{"429 for an empty purse", status(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), nil, "quota", "add credit"},
		{"400", status(400, `{"error":{"message":"bad thing"}}`), nil, "bad thing", "did not accept"},
		{"too long, OpenAI", status(400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.","code":"context_length_exceeded"}}`), ErrContextLength, "maximum context", "context.max_tokens"},
		{"too long, Anthropic", status(400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`), ErrContextLength, "", "context.max_tokens"},
		{"too long, llama.cpp", status(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`), ErrContextLength, "", ""},
		{"too long, 413", status(413, `{"error":{"code":"tokens_limit_reached","message":"Request body too large"}}`), ErrContextLength, "", ""},
		{"too long, in a stream", stream(`{"error":{"message":"input is too long for the context window","code":400}}`), ErrContextLength, "", ""},
		{"a content filter before the model", status(400, `{"error":{"code":"content_filter","message":"filtered","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`), ErrRefused, "filtered", "reword"},
		{"a content filter at the end", stream(delta("I was saying"), finish("content_filter")), ErrRefused, "content filter", "reword"},
		{"a refusal", stream(`{"choices":[{"delta":{"refusal":"I cannot help"}}]}`, finish("stop")), ErrRefused, "I cannot help", "reword"},
		{"a redirect to another host", status(302, ``, "Location", "https://elsewhere.example/v1"), nil, "302 Found", "https://elsewhere.example/v1"},
		{"a permanent redirect", status(308, ``, "Location", "/v2"), nil, "308", "follows no redirect"},
		{"thoughts and no answer", stream(`{"choices":[{"delta":{"reasoning_content":"hmm"}}]}`, finish("length")), nil, "without writing an answer", "max_output_tokens"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault)
			var n naps
			_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
			if fault.KindOf(err) != fault.Model {
				t.Fatalf("got %v of kind %v", err, fault.KindOf(err))
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("got %v, want %v", err, c.is)
			}
			if !strings.Contains(err.Error(), c.say) || !strings.Contains(fault.HintOf(err), c.hint) {
				t.Errorf("got %q, hint %q", err, fault.HintOf(err))
			}
			if len(n.list) != 0 {
				t.Errorf("waited %v", n.list)
			}
			s.unused()
		})
	}
}

func TestWithPatienceAnOutageIsWaitedFor(t *testing.T) {
	bad := status(503, `{"error":{"message":"down"}}`)
	outage := []http.HandlerFunc{bad, bad, bad, bad, bad, bad, bad, stream(delta("hello"), finish("stop"), usage(9, 3))}
	s := serve(t, outage...)
	var n naps
	c := config(s, &n)
	c.Patience = []time.Duration{time.Minute, time.Hour}
	var told []time.Duration
	c.OnWait = func(reason string, wait time.Duration) {
		if !strings.Contains(reason, "down") {
			t.Errorf("reason %q", reason)
		}
		told = append(told, wait)
	}
	r, err := newClient(t, c).Complete(t.Context(), ask("hi"))
	if err != nil || r.Text != "hello" {
		t.Fatalf("got %q (%v)", r.Text, err)
	}
	if !slices.Equal(told, []time.Duration{time.Minute}) || len(n.list) != 7 || n.list[4] != time.Minute || n.list[5] > 2*time.Second {
		t.Errorf("told %v, waited %v: want a minute after five tries, and a fresh round", told, n.list)
	}
	s.unused()
}

func TestPatienceHasAnEnd(t *testing.T) {
	bad := status(503, `{"error":{"message":"down"}}`)
	s := serve(t, slices.Repeat([]http.HandlerFunc{bad}, 10)...)
	var n naps
	c := config(s, &n)
	c.Patience = []time.Duration{time.Minute}
	_, err := newClient(t, c).Complete(t.Context(), ask("hi"))
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "gave up after 10 tries") {
		t.Errorf("got %v", err)
	}
	s.unused()
}

func TestAWebPageAgainAndAgainIsToldWithTheSetting(t *testing.T) {
	page := raw("text/html", "<html>log in</html>")
	s := serve(t, page, page, page, page, page)
	var n naps
	_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "web page") || !strings.Contains(fault.HintOf(err), "model.base_url") || !strings.Contains(fault.HintOf(err), "/v1") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	if len(n.list) != 4 {
		t.Errorf("waited %v, want four times", n.list)
	}
	s.unused()
}

func TestAReplyThatEndedByItselfSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		want  bool
	}{
		"stop":            {stream(delta("done"), finish("stop")), true},
		"end_turn":        {stream(delta("done"), finish("end_turn")), true},
		"cut by length":   {stream(delta("half"), finish("length")), false},
		"no reason given": {stream(delta("done"), "[DONE]"), false},
	} {
		s := serve(t, c.fault)
		var n naps
		r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
		if err != nil || r.Ended != c.want {
			t.Errorf("%s: got %t (%v), want %t", name, r.Ended, err, c.want)
		}
	}
}

func TestAfterFiveTriesItGivesUp(t *testing.T) {
	bad := status(500, `{"error":{"message":"oops"}}`)
	s := serve(t, bad, bad, bad, bad, bad)
	var n naps
	_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "gave up after 5 tries") {
		t.Errorf("got %v", err)
	}
	if len(n.list) != 4 {
		t.Fatalf("waited %v", n.list)
	}
	for i, want := range []float64{1, 2, 4, 8} {
		if got := n.list[i].Seconds(); got < 0.75*want || got > 1.25*want {
			t.Errorf("wait %d: got %v, want about %vs", i, n.list[i], want)
		}
	}
	s.unused()
}

func TestRetryAfterIsObeyed(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		name   string
		header []string
		body   string
		want   time.Duration
		note   bool
	}{
		{"in seconds", []string{"Retry-After", "7"}, "{}", 7 * time.Second, false},
		{"of zero", []string{"Retry-After", "0"}, "{}", 0, false},
		{"in milliseconds", []string{"Retry-After-Ms", "1500"}, "{}", 1500 * time.Millisecond, false},
		{"as a date, by the server's own clock", []string{"Retry-After", "Sat, 21 Nov 2026 20:00:30 GMT", "Date", "Sat, 21 Nov 2026 20:00:00 GMT"}, "{}", 30 * time.Second, false},
		{"as a date in the past", []string{"Retry-After", "Sat, 21 Nov 2020 20:00:30 GMT"}, "{}", 0, false},
		{"longer than the longest of our own waits", []string{"Retry-After", "120"}, "{}", 2 * time.Minute, false},
		{"of a day is capped", []string{"Retry-After", "86400"}, "{}", maxRetryAfter, true},
		{"beyond all numbers is capped", []string{"Retry-After", "1e300"}, "{}", maxRetryAfter, true},
		{"only in the words", nil, `{"error":{"message":"Rate limit reached. Please try again in 20s."}}`, 20 * time.Second, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, status(429, c.body, c.header...), good("ok"))
			var n naps
			cfg := config(s, &n)
			cfg.Now = func() time.Time { return now }
			r, err := newClient(t, cfg).Complete(t.Context(), ask("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if len(n.list) != 1 || n.list[0] != c.want {
				t.Errorf("waited %v, want %v", n.list, c.want)
			}
			if told := strings.Contains(strings.Join(r.Notes, "\n"), "asked to wait"); told != c.note {
				t.Errorf("notes %q", r.Notes)
			}
		})
	}
}

func TestSilenceIsBounded(t *testing.T) {
	cases := []struct {
		name   string
		fault  http.HandlerFunc
		set    func(*Config)
		reason string
	}{
		{"before the answer", hang(""), func(c *Config) { c.HeaderTimeout = 400 * time.Millisecond }, "no answer within 400ms"},
		{"in the middle", hang(frame(delta("half"))), func(c *Config) { c.IdleTimeout = 400 * time.Millisecond }, "fell silent for 400ms"},
		{"a slow drip", drip(5 * time.Millisecond), func(c *Config) { c.CallTimeout = 600 * time.Millisecond }, "took longer than 600ms"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault, good("ok"))
			var n naps
			cfg := config(s, &n)
			c.set(&cfg)
			var reason string
			cfg.OnRetry = func(r Retry) {
				reason = r.Reason
			}
			if _, err := newClient(t, cfg).Complete(t.Context(), ask("hi")); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(reason, c.reason) {
				t.Errorf("got reason %q, want %q", reason, c.reason)
			}
			s.unused()
		})
	}
}

func TestCancellingReturnsAtEveryStage(t *testing.T) {
	cases := []struct {
		name  string
		fault http.HandlerFunc
	}{
		{"before the answer", hang("")},
		{"in the middle of it", hang(frame(delta("half")))},
		{"in a slow drip", drip(time.Millisecond)},
		{"in the wait between tries", status(429, "{}", "Retry-After", "250")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				time.AfterFunc(20*time.Millisecond, cancel)
				c.fault(w, r)
			})
			var n naps
			cfg := config(s, &n)
			cfg.Sleep = nil // the real one
			_, err := newClient(t, cfg).Complete(ctx, ask("hi"))
			if !errors.Is(err, context.Canceled) || fault.KindOf(err) != fault.Interrupted {
				t.Errorf("got %v of kind %v", err, fault.KindOf(err))
			}
		})
	}
}

func TestAnEndedContextAsksNothing(t *testing.T) {
	s := serve(t)
	var n naps
	c := newClient(t, config(s, &n))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Complete(ctx, ask("hi")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAHugeReplyIsBounded(t *testing.T) {
	t.Run("in many pieces", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			f := frame(delta(strings.Repeat("x", 64<<10)))
			for range 320 { // 20 MiB
				if _, err := fmt.Fprint(w, f); err != nil {
					return
				}
			}
		})
		var n naps
		r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
		if fault.KindOf(err) != fault.Model || !errors.Is(err, errTooLarge) {
			t.Errorf("got %v", err)
		}
		if len(r.Text) > maxReplyBytes+64<<10 || r.Usage.Output == 0 {
			t.Errorf("kept %d bytes, usage %+v", len(r.Text), r.Usage)
		}
	})
	t.Run("in one line", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "data: ")
			part := strings.Repeat("x", 64<<10)
			for range 320 {
				if _, err := fmt.Fprint(w, part); err != nil {
					return
				}
			}
		})
		var n naps
		_, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi"))
		if !errors.Is(err, errTooLarge) {
			t.Errorf("got %v", err)
		}
	})
}

func TestTheKeyStaysWithItsHost(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked %s with %q", r.URL, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		s := serve(t, status(code, "", "Location", other.URL+"/v1/chat/completions"))
		var n naps
		if _, err := newClient(t, config(s, &n)).Complete(t.Context(), ask("hi")); fault.KindOf(err) != fault.Model {
			t.Errorf("%d: got %v", code, err)
		}
	}
}

func TestTheKeyIsNotInMessages(t *testing.T) {
	key := "sk-test-0123456789"
	s := serve(t, status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`))
	var n naps
	cfg := config(s, &n)
	cfg.APIKey = key
	cfg.BaseURL = strings.Replace(cfg.BaseURL, "http://", "http://joe:s3cret99@", 1)
	c := newClient(t, cfg)
	_, err := c.Complete(t.Context(), ask("hi"))
	all := fmt.Sprint(err, fault.HintOf(err), c.Describe())
	if err == nil || strings.Contains(all, key) || strings.Contains(all, "s3cret99") {
		t.Errorf("got %s", all)
	}
}

func TestAUserInTheAddressIsBasicAuthorization(t *testing.T) {
	s := serve(t, good("ok"))
	var n naps
	cfg := config(s, &n)
	cfg.APIKey = ""
	cfg.BaseURL = strings.Replace(cfg.BaseURL, "http://", "http://joe:pw@", 1)
	if _, err := newClient(t, cfg).Complete(t.Context(), ask("hi")); err != nil {
		t.Fatal(err)
	}
	if got := s.headers[0].Get("Authorization"); got != "Basic am9lOnB3" {
		t.Errorf("sent %q", got)
	}
}

func TestABadCertificateIsToldAtOnce(t *testing.T) {
	tls := httptest.NewTLSServer(http.NotFoundHandler())
	defer tls.Close()
	tls.Config.ErrorLog = nil
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	cases := []struct{ name, url, hint string }{
		{"an unknown authority", tls.URL, "not trusted"},
		{"no TLS at all", "https" + strings.TrimPrefix(plain.URL, "http"), "does not speak TLS"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var n naps
			cfg := Config{Provider: "custom", BaseURL: c.url + "/v1", Model: "m", Env: func(string) string { return "" }, Sleep: n.sleep}
			_, err := newClient(t, cfg).Complete(t.Context(), ask("hi"))
			if fault.KindOf(err) != fault.Model || !strings.Contains(fault.HintOf(err), c.hint) {
				t.Errorf("got %v, hint %q", err, fault.HintOf(err))
			}
			if len(n.list) > 0 {
				t.Errorf("tried again after %v", n.list)
			}
		})
	}
}

func TestAServerThatIsNotThereIsToldWithAHint(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	var n naps
	cfg := Config{Provider: "custom", BaseURL: "http://" + addr + "/v1", Model: "m", Env: func(string) string { return "" }, Sleep: n.sleep}
	_, err = newClient(t, cfg).Complete(t.Context(), ask("hi"))
	if fault.KindOf(err) != fault.Model || !strings.Contains(fault.HintOf(err), "server running") || len(n.list) != 4 {
		t.Errorf("got %v, hint %q, waits %v", err, fault.HintOf(err), n.list)
	}
}
