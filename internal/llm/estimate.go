package llm

// perMessage is what the protocol itself takes around each message, in bytes.
const perMessage = 24

// estimateTokens guesses the tokens of so many bytes where a server does not count
// them: Go code was measured at 3.3 bytes a token, prose at 4 and more, so 3 rather
// counts too many than too few.
func estimateTokens(bytes int) int { return (bytes + 2) / 3 }

// promptBytes is the size of a request in bytes.
func promptBytes(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Content) + perMessage
	}
	return n
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
