package llm

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Message is one part of a request.
type Message struct {
	// Role is system, user or assistant; assistant only holds the beginning of
	// a reply that is to be continued, and a user message that asks for the
	// rest follows it: newer models refuse requests that end with their own words.
	Role    string
	Content string
	// Stable is how many bytes at the beginning are the same in every request of
	// the run, those of all messages before included; 0 if that is not known.
	Stable int
}

// Request is one question to a model.
type Request struct {
	Messages []Message
	// MaxOutputTokens, Temperature and ReasoningEffort override those of the
	// Config where they are set.
	MaxOutputTokens int
	Temperature     *float64
	ReasoningEffort string
	// Role and Attempt say what the request is for. They are not sent; cassettes keep them.
	Role    string
	Attempt int
	// Allow is asked before a further try when tries before it have already cost
	// something: a broken reply is paid for too. spent is all of it so far,
	// maxOutput what the next try may write; an error ends the call with that error.
	Allow func(spent Usage, maxOutput int) error
	// Once makes a single try.
	Once bool
}

// Reasons for which a reply ends.
const (
	FinishStop          = "stop"
	FinishLength        = "length"
	FinishContentFilter = "content_filter"
)

// Usage is what a call took, all its tries together.
type Usage struct {
	// Output is with all thinking.
	Input, Output int
	// Cached is the part of Input that the provider's prompt cache held, Written
	// what was put there.
	Cached, Written int
	// SavedUSD is what the cache made CostUSD smaller, negative where writing cost more.
	CostUSD, SavedUSD float64
	// Estimated reports whether the counts, or some of them, are our estimate.
	Estimated bool
	// PriceKnown is false if CostUSD rests on the high fallback price.
	PriceKnown bool
}

// Reply is a model's answer.
type Reply struct {
	Text string
	// Finish is one of the Finish constants. Ended says that the provider gave a
	// reason why the reply stopped by itself: nothing of it is missing.
	Finish          string
	Ended           bool
	Usage           Usage
	Model, Provider string
	Duration        time.Duration
	// Notes are lines for the user: a prompt that the server cut, a setting it
	// did not accept, an unknown price. Each is given once a client.
	Notes []string
}

// Client reaches one model. It is safe for use by several goroutines.
type Client interface {
	Complete(ctx context.Context, r Request) (Reply, error)
	Describe() Info
}

// Info says what a client talks to.
type Info struct {
	Provider, Model, BaseURL string
	// Protocol is how the model is asked, as far as is known now; "" for one that is no server.
	Protocol string
	// Local means a model on this machine.
	Local bool
	Price Price
	// EditFormat is that of the Config, or the provider's preference for auto.
	EditFormat      string
	MaxOutputTokens int
	// KeySource names where the key came from, "" where none is used.
	KeySource string
	// Notes are lines for the user that are known before the first call.
	Notes []string
}

// Retry tells of a passing fault before the wait.
type Retry struct {
	// Try counts from 1: the try that failed.
	Try    int
	Reason string
	Wait   time.Duration
}

// Config says which model to reach and how. The zero value means auto.
type Config struct {
	Provider, Model, BaseURL string
	// APIKey is the key itself; where it is empty it is read from the variable
	// APIKeyEnv, or from the preset's own.
	APIKey, APIKeyEnv string
	EditFormat        string
	MaxOutputTokens   int
	Temperature       *float64
	ReasoningEffort   string
	// Command is the argv of provider exec.
	Command []string
	// Cassette is the file of provider replay; BaseURL is taken where it is empty.
	Cassette string
	// Prices are explicit prices in USD per million tokens; nil for the table of the
	// day on which the client is made.
	Prices *Price
	// Dir is where commands run and relative paths begin.
	Dir string
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
	// Environ is the environment of exec commands; nil means os.Environ().
	Environ []string
	// Offline makes a client that calls nothing, not even to find a server or
	// its models: for saying what a call would be, not for making one.
	Offline bool
	// Supervise makes exec commands end even when this process is killed; only
	// for programs whose main calls proc.Supervise.
	Supervise bool

	// HeaderTimeout bounds the wait for an answer to begin, IdleTimeout the
	// silence inside it, CallTimeout one try in all. Zero means the defaults.
	HeaderTimeout, IdleTimeout, CallTimeout time.Duration

	// HTTP replaces the transport; nil means one with the system's proxy settings.
	HTTP http.RoundTripper
	// OnRetry is called before each wait, OnToken as text arrives with an
	// estimate of the output tokens so far; both on the goroutine of Complete.
	OnRetry func(Retry)
	OnToken func(n int)
	// Patience are further waits, each followed by another round of tries, before
	// the model is given up; OnWait is called before each.
	Patience []time.Duration
	OnWait   func(reason string, wait time.Duration)
	Log      *slog.Logger
	// Sleep waits; nil means a timer that ends with the context. Now is the clock.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
}

// Defaults of the bounds. They are generous: a local server says nothing
// before it has read the whole prompt, and a thinking model may stay silent
// for minutes.
const (
	defaultHeaderTimeout   = 10 * time.Minute
	defaultIdleTimeout     = 5 * time.Minute
	defaultCallTimeout     = 30 * time.Minute
	defaultMaxOutputTokens = 16000
)
