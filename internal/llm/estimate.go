package llm

import "sync"

// bytesPerToken is where estimates begin: Go code was measured at 3.3 bytes a
// token, prose at 4 and more, so 3 rather counts too many than too few.
const bytesPerToken = 3.0

// perMessage is what the protocol itself takes around each message.
const perMessage = 8

// estimateTokens guesses the tokens of a text. It is no hard limit.
func estimateTokens(text string) int { return (len(text) + 2) / 3 }

// promptBytes is the size of a request in bytes.
func promptBytes(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Content) + perMessage*3
	}
	return n
}

// estimator corrects the guess by what servers counted.
type estimator struct {
	mu    sync.Mutex
	ratio float64
}

func (e *estimator) bytesPerToken() float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ratio == 0 {
		return bytesPerToken
	}
	return e.ratio
}

func (e *estimator) tokens(bytes int) int {
	return int(float64(bytes)/e.bytesPerToken()) + 1
}

// learn takes in a count of the server for a prompt of that many bytes. Counts
// that no tokenizer gives (a cut prompt, a cache left out) are passed over.
func (e *estimator) learn(bytes, tokens int) {
	if tokens < 200 {
		return
	}
	seen := float64(bytes) / float64(tokens)
	if seen < 1.2 || seen > maxBytesPerToken {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ratio == 0 {
		e.ratio = seen
		return
	}
	e.ratio = 0.7*e.ratio + 0.3*seen
}

// worstBytesPerToken is fewer than any tokenizer gets out of a request in all,
// whatever its files hold.
const worstBytesPerToken = 2

// WorstCase is the most that a call may cost: the whole prompt at what is dearest,
// reading it or writing it to a cache, and every output token.
func WorstCase(info Info, promptBytes, maxOutput int) (usd float64) {
	if maxOutput <= 0 {
		maxOutput = info.MaxOutputTokens
	}
	if maxOutput <= 0 {
		maxOutput = defaultMaxOutputTokens
	}
	u := Usage{Input: promptBytes/worstBytesPerToken + 100, Output: maxOutput}
	if info.Price.Write > info.Price.Input {
		u.Written = u.Input
	}
	return info.Price.cost(u)
}
