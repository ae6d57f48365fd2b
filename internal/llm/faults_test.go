package llm

import (
	"compress/gzip"
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

// endless sends a piece again and again.
func endless(piece string, every time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, piece); err != nil {
				return
			}
			if every > 0 {
				w.(http.Flusher).Flush()
				time.Sleep(every)
			}
		}
	}
}

func frame(s string) string { return "data: " + s + "\n\n" }

const page = "<!DOCTYPE html><html><body>Bad gateway</body></html>"

func raw500(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(500)
		fmt.Fprint(w, body)
	}
}

func zipped(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(code)
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(body))
		_ = z.Close()
	}
}

// each runs a test for each of the three protocols.
func each(t *testing.T, f func(t *testing.T, d dialect)) {
	t.Helper()
	for _, d := range dialects() {
		t.Run(d.name, func(t *testing.T) { t.Parallel(); f(t, d) })
	}
}

// TestPassingFaultsAreTriedAgain: one fault, then a whole reply.
func TestPassingFaultsAreTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		half := d.body(append(d.open(told{input: 10}), d.text("half a re"))...)
		for _, c := range []struct {
			name   string
			fault  http.HandlerFunc
			reason string
		}{
			{"429", status(429, `{"error":{"message":"slow down","type":"rate_limit"}}`), "429 Too Many Requests: slow down"},
			{"429 without a body", status(429, ``), "429"},
			{"408", status(408, `{}`), "408"},
			{"409", status(409, `{"error":{"message":"conflict"}}`), "409"},
			{"500 with an HTML page", raw500(page), "an HTML page"},
			{"502 in plain words, zipped", zipped(502, "text/plain", "bad gateway"), "bad gateway"},
			{"503 in plain words", status(503, `loading model`), "503 Service Unavailable: loading model"},
			{"529 as Anthropic says it", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), "Overloaded"},
			{"a web page where a reply was due", raw("text/html; charset=utf-8", page), "web page (text/html)"},
			{"a web page of unknown type", raw("", page), "web page"},
			{"a reset in the middle", cut(half), "the connection broke in the middle"},
			{"a reset before anything", cut(""), ""},
			{"an end in the middle", raw("text/event-stream", half), "ended before it was complete"},
			{"an end in the middle of a frame", raw("text/event-stream", half+`data: {"type":"x","choices":[{"del`), "malformed piece"},
			{"an empty answer", raw("text/event-stream", ""), "the answer is empty"},
			{"signs of life and nothing else", raw("text/event-stream", ": ping\n\n: ping\n\n"), "the answer is empty"},
			{"broken JSON", d.sse(`{"choices": [`), "malformed piece"},
			{"a list where an object was due", d.sse(`[1,2,3]`), "malformed piece"},
			{"an error inside a stream", raw("text/event-stream", ": ping\n\n"+half+frame(d.failure("api_error", "upstream died"))), "upstream died"},
			{"an error inside a stream, first of all", d.sse(d.failure("overloaded_error", "try later")), "try later"},
			{"an error with status 200 and no stream", raw("application/json", `{"error":{"message":"try later","code":503}}`), "try later"},
			{"a body that only has a message", raw("application/json", `{"detail":"warming up"}`), "warming up"},
			{"an outage for the end", d.reply("a", "failed", told{input: 10, output: 1}), "broke the reply off"},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, c.fault, d.good("whole"))
				var n naps
				cfg := config(s, &n)
				var retries []Retry
				cfg.OnRetry = func(r Retry) { retries = append(retries, r) }
				r, err := d.client(t, cfg).Complete(t.Context(), ask("hi"))
				if err != nil {
					t.Fatal(err)
				}
				if r.Text != "whole" || s.paths[1] != d.path {
					t.Errorf("got %q by %v", r.Text, s.paths)
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
	})
}

// TestFaultsThatAreNone: a whole reply all the same.
func TestFaultsThatAreNone(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		whole := d.body(d.frames("hello", "stop", told{input: 9, output: 3})...)
		counts := d.usage(told{input: 9, output: 3})
		for _, c := range []struct {
			name   string
			answer http.HandlerFunc
			text   string
			finish string
		}{
			{"a stray line of data", raw("text/event-stream", "data: : OPENROUTER PROCESSING\n\n"+whole+d.done), "hello", FinishStop},
			{"a thousand signs of life", raw("text/event-stream", strings.Repeat(": ping\n\n", 1000)+whole), "hello", FinishStop},
			{"carriage returns", raw("text/event-stream", strings.ReplaceAll(whole, "\n", "\r\n")), "hello", FinishStop},
			{"no spaces after data:", raw("text/event-stream", strings.ReplaceAll(whole, "data: ", "data:")), "hello", FinishStop},
			{"a byte order mark, and no content type", raw("", "\xef\xbb\xbf"+whole), "hello", FinishStop},
			{"zipped", zipped(200, "text/event-stream", whole), "hello", FinishStop},
			{"a frame over two lines", raw("text/event-stream", strings.Replace(whole, `","`, "\",\ndata: \"", 1)), "hello", FinishStop},
			{"[DONE] behind the end", raw("text/event-stream", whole+"data: [DONE]\n\n"), "hello", FinishStop},
			{"a reset behind the end", cut(whole), "hello", FinishStop},
			{"a server that does not stream", raw("application/json", d.whole("hello", told{input: 9, output: 3})), "hello", FinishStop},
			{"one that prints its reply over many lines", raw("application/json", strings.ReplaceAll(d.whole("hello", told{input: 9, output: 3}), ",", ",\n  ")), "hello", FinishStop},
			{"an end that nobody knows", d.sse(append(append(d.open(told{input: 9}), d.text("hello")), d.stop("because", told{input: 9, output: 3})...)...), "hello", FinishStop},
			{"the length limit", d.reply("hel", "length", told{input: 9, output: 3}), "hel", FinishLength},
			{"counts that are none", raw("text/event-stream", strings.ReplaceAll(whole, counts, `{"prompt_tokens":"many","input_tokens":-7,"completion_tokens":1e300,"output_tokens":null}`)), "hello", FinishStop},
			{"counts of another kind", raw("text/event-stream", strings.ReplaceAll(whole, counts, `"none"`)), "hello", FinishStop},
			{"no counts", raw("text/event-stream", strings.ReplaceAll(whole, counts, `null`)), "hello", FinishStop},
			{"thoughts beside the text", d.sse(append(append(d.open(told{input: 9}), d.thought("hm"), d.text("hello")), d.stop(d.ends["stop"], told{input: 9, output: 3})...)...), "hello", FinishStop},
			{"thoughts in the text", d.reply("<think>a plan</think>\n\nhello", "stop", told{input: 9, output: 3}), "hello", FinishStop},
			{"nothing, and whole", d.reply("", "stop", told{input: 9, output: 3}), "", FinishStop},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, c.answer)
				var n naps
				r, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
				if err != nil {
					t.Fatal(err)
				}
				if r.Text != c.text || r.Finish != c.finish || len(n.list) > 0 {
					t.Errorf("got %q, %s, waited %v", r.Text, r.Finish, n.list)
				}
				if r.Usage.Input == 0 || r.Usage.Output == 0 && c.text != "" {
					t.Errorf("nothing is counted: %+v", r.Usage)
				}
				if r.Ended != (c.finish == FinishStop) {
					t.Errorf("ended by itself: %t", r.Ended)
				}
			})
		}
	})
}

// TestSomeFaultsAreNotTriedAgain, with the hint that fits.
func TestSomeFaultsAreNotTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for _, c := range []struct {
			name  string
			fault http.HandlerFunc
			is    error
			say   string
			hint  string
		}{
			{"401", status(401, `{"error":{"message":"bad key"}}`), nil, "401 Unauthorized: bad key", "the key from the configuration was not accepted"},
			{"403", status(403, `{"error":"no"}`), nil, "403 Forbidden: no", "may not use this model"},
			{"402", status(402, `{"error":{"message":"Insufficient credits"}}`), nil, "Insufficient credits", "add credit"},
			{"429 for an empty purse", status(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), nil, "quota", "add credit"},
			{"400", status(400, `{"error":{"message":"bad thing"}}`), nil, "bad thing", "did not accept"},
			{"413", status(413, `{"error":{"message":"Request body too large"}}`), ErrContextLength, "", "context.max_tokens"},
			{"404 from a web server", status(404, `404 page not found`), nil, "404", "model.base_url"},
			{"too long, in a stream", d.sse(d.failure("invalid_request_error", "input is too long for the context window")), ErrContextLength, "", ""},
			{"a content filter before the model", status(400, `{"error":{"code":"content_filter","message":"filtered","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`), ErrRefused, "filtered", "reword"},
			{"a content filter at the end", d.reply("I was saying", "filter", told{input: 9, output: 3}), ErrRefused, "", "reword"},
			{"a refusal", d.sse(append(d.open(told{input: 9}), d.refusal("I cannot help")...)...), ErrRefused, "", "reword"},
			{"a redirect to another host", status(302, ``, "Location", "https://elsewhere.example/v1"), nil, "302 Found", "https://elsewhere.example/v1"},
			{"a permanent redirect", status(308, ``, "Location", "/v2"), nil, "308", "follows no redirect"},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, c.fault)
				var n naps
				_, err := d.client(t, config(s, &n)).Complete(t.Context(), ask("hi"))
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
	})
}

// TestHostileServersAreBounded in bytes, time and memory, whatever they send.
func TestHostileServersAreBounded(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		begin := d.body(d.open(told{input: 10})...)
		long := strings.Repeat("x", 4000)
		var refused string
		if d.name == "messages" { // which has no refusal of its own
			refused = d.body(d.text(long))
		} else {
			refused = d.body(d.refusal(long)[0])
		}
		for _, c := range []struct {
			name   string
			answer http.HandlerFunc
			is     error
			cut    bool
		}{
			{"text without end", endless(d.body(d.text(long)), 0), nil, true},
			{"a refusal without end", endless(refused, 0), ErrRefused, d.name == "messages"},
			{"pieces without end that say nothing", endless(frame(`{"type":"ping","choices":[],"object":"x"}`), 0), errTooLarge, false},
			{"a piece without end", func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, begin+"data: {\"a\":\"")
				endless(long, 0)(w, r)
			}, errTooLarge, false},
			{"a piece in lines without end", func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, begin+"data: {\"a\":[\n")
				endless("data: {},\n", 0)(w, r)
			}, errTooLarge, false},
			{"signs of life without end", endless(": ping\n\n", time.Millisecond), errTooLong, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				s := serve(t, c.answer)
				var n naps
				cfg := config(s, &n)
				cfg.CallTimeout = 2 * time.Minute
				if errors.Is(c.is, errTooLong) {
					cfg.CallTimeout = 300 * time.Millisecond
				}
				cfg.Prices = &Price{Input: 1, Output: 1}
				start := time.Now()
				r, err := d.client(t, cfg).Complete(t.Context(), ask("hi"))
				if c.cut && (err != nil || r.Finish != FinishLength || !strings.Contains(strings.Join(r.Notes, ""), "beyond the limit")) {
					t.Errorf("got %s, notes %q (%v)", r.Finish, r.Notes, err)
				}
				if !c.cut && (!errors.Is(err, c.is) || fault.KindOf(err) != fault.Model || fault.HintOf(err) == "") {
					t.Errorf("got %v, hint %q, want %v", err, fault.HintOf(err), c.is)
				}
				if len(r.Text) > 1<<20 || r.Usage.Output > defaultMaxOutputTokens || len(n.list) > 0 || time.Since(start) > time.Minute {
					t.Errorf("%d bytes, %+v, waited %v, took %v", len(r.Text), r.Usage, n.list, time.Since(start))
				}
			})
		}
	})
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

func TestRepeatedWebPageNamesTheSetting(t *testing.T) {
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
		{"in a slow drip", endless(": still here\n\n", time.Millisecond)},
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

func TestBadCertificateIsNotRetried(t *testing.T) {
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

func TestMissingServerGivesAHint(t *testing.T) {
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
