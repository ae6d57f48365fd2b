package llm

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Message is one part of a request.
type Message struct {
	// Role is system, user or assistant. An assistant message holds the beginning of a
	// reply to be continued; a user message that asks for the rest follows it, since newer
	// models refuse requests that end with an assistant message.
	Role    string
	Content string
	// Stable are numbers of leading bytes, ascending, that later requests of the run share. The
	// first is the same in all of them; none if unknown.
	Stable []int
}

// Request is one question to a model.
type Request struct {
	Messages []Message
	// MaxOutputTokens, Temperature and ReasoningEffort override those of the Config if set.
	MaxOutputTokens int
	Temperature     *float64
	ReasoningEffort string
	// Role and Attempt describe the purpose of the request. They are not sent, but
	// cassettes keep them.
	Role    string
	Attempt int
	// Allow is called before a retry if earlier tries already cost something: a broken
	// reply is charged too. spent is the total so far, maxOutput the output limit of the
	// next try. An error ends the call.
	Allow func(spent Usage, maxOutput int) error
	// Once disables retries.
	Once bool
}

// Reasons for the end of a reply.
const (
	FinishStop          = "stop"
	FinishLength        = "length"
	FinishContentFilter = "content_filter"
)

// Usage is what a call used, over all its tries.
type Usage struct {
	// Output includes thinking.
	Input, Output int
	// Cached is the part of Input read from the provider's prompt cache, Written the part
	// written to it.
	Cached, Written int
	// SavedUSD is what the cache saved, negative if writing cost more.
	CostUSD, SavedUSD float64
	// Estimated reports whether some of the counts are our estimate.
	Estimated bool
	// PriceKnown is false if CostUSD uses the high fallback price.
	PriceKnown bool
}

// Reply is a model's answer.
type Reply struct {
	Text string
	// Finish is one of the Finish constants. Ended reports whether the provider gave a
	// reason for the end of the reply, so that nothing of it is missing.
	Finish          string
	Ended           bool
	Usage           Usage
	Model, Provider string
	Duration        time.Duration
	// Notes are lines for the user: a prompt that the server cut, a setting it did not
	// accept, an unknown price. A client gives each of them once.
	Notes []string
}

// Client gives access to one model. It is safe for use by several goroutines.
type Client interface {
	Complete(ctx context.Context, r Request) (Reply, error)
	Describe() Info
}

// Info describes the target of a client.
type Info struct {
	Provider, Model, BaseURL string
	// Protocol is the protocol as far as known, "" for anything but a server.
	Protocol string
	// Local means a model on this machine.
	Local bool
	Price Price
	// EditFormat is that of the Config, or the provider's preference for auto.
	EditFormat      string
	MaxOutputTokens int
	// KeySource is where the key came from, "" if none is used.
	KeySource string
	// Notes are lines for the user that are known before the first call.
	Notes []string
}

// Retry describes a transient error before the wait.
type Retry struct {
	// Try is the number of the failed try, from 1.
	Try    int
	Reason string
	Wait   time.Duration
}

// Config selects and configures a model. The zero value means auto.
type Config struct {
	Provider, Model, BaseURL string
	// APIKey is the key. If empty, it is read from the variable APIKeyEnv, or from the
	// preset's own.
	APIKey, APIKeyEnv string
	EditFormat        string
	MaxOutputTokens   int
	Temperature       *float64
	ReasoningEffort   string
	// Command is the argv of provider exec.
	Command []string
	// Cassette is the file of provider replay, by default BaseURL.
	Cassette string
	// Prices are explicit prices in USD per million tokens. If nil, the price table
	// applies.
	Prices *Price
	// Dir is where commands run and relative paths start.
	Dir string
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
	// Environ is the environment of exec commands; nil means os.Environ().
	Environ []string
	// Offline makes a client that calls nothing, not even to find a server or its models.
	// It can only describe a call.
	Offline bool
	// Supervise ends exec commands even if this process is killed. It requires a main that
	// calls proc.Supervise.
	Supervise bool

	// HeaderTimeout bounds the wait for the start of an answer, IdleTimeout the silence
	// within it, CallTimeout a whole try. Zero means the defaults.
	HeaderTimeout, IdleTimeout, CallTimeout time.Duration

	// HTTP replaces the transport; nil means one with the system's proxy settings.
	HTTP http.RoundTripper
	// OnRetry is called before each wait, OnToken as text arrives, with an estimate of the
	// output tokens so far. Both run on the goroutine of Complete.
	OnRetry func(Retry)
	OnToken func(n int)
	// Patience are extra waits, each followed by another round of tries, before giving up.
	// OnWait is called before each.
	Patience []time.Duration
	OnWait   func(reason string, wait time.Duration)
	Log      *slog.Logger
	// Sleep waits; nil means a timer that ends with the context. Now is the clock.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
}

// Default bounds. They are generous: a local server sends nothing before it has read the
// whole prompt, and a thinking model may be silent for minutes.
const (
	defaultHeaderTimeout   = 10 * time.Minute
	defaultIdleTimeout     = 5 * time.Minute
	defaultCallTimeout     = 30 * time.Minute
	defaultMaxOutputTokens = 16000
)
