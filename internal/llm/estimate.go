package llm

// perMessage is the overhead of the protocol per message, in bytes.
const perMessage = 24

// estimateTokens estimates tokens if a server does not count them. Go code was measured at
// 3.3 bytes a token, prose at 4 and more, so 3 errs on the high side.
func estimateTokens(bytes int) int { return (bytes + 2) / 3 }

// promptBytes is the size of a request in bytes.
func promptBytes(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Content) + perMessage
	}
	return n
}

// worstBytesPerToken is less than any tokenizer reaches over a whole request, whatever its
// files contain.
const worstBytesPerToken = 2

// WorstCase is the most that a call can cost: the whole prompt at the highest input price
// (reading or writing to a cache), and every output token.
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
