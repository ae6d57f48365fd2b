package llm

import (
	"encoding/json"
	"math"
)

// usageFrame is what a server counted. It is foreign text like all else: what is
// no number, or none that can be, is absent.
type usageFrame struct {
	input, output, cached int
	cost                  *float64
}

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (u *usageFrame) UnmarshalJSON(data []byte) error {
	var f struct {
		Prompt     json.RawMessage `json:"prompt_tokens"`
		Completion json.RawMessage `json:"completion_tokens"`
		Cost       json.RawMessage `json:"cost"`
		Details    json.RawMessage `json:"prompt_tokens_details"`
	}
	*u = usageFrame{}
	if json.Unmarshal(data, &f) != nil {
		return nil //nolint:nilerr // a usage that is no object is no usage
	}
	u.input, u.output = count(f.Prompt), count(f.Completion)
	var d struct {
		Cached json.RawMessage `json:"cached_tokens"`
	}
	if json.Unmarshal(f.Details, &d) == nil {
		u.cached = min(count(d.Cached), u.input)
	}
	var cost float64
	if len(f.Cost) > 0 && string(f.Cost) != "null" && json.Unmarshal(f.Cost, &cost) == nil && cost >= 0 && cost < maxCost {
		u.cost = &cost
	}
	return nil
}

const (
	// maxCount and maxCost are beyond any one call.
	maxCount = 1 << 31
	maxCost  = 1e5
)

// count reads a number of tokens; 0 where it is none.
func count(raw json.RawMessage) int {
	var n float64
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || math.IsNaN(n) || n < 0 || n > maxCount {
		return 0
	}
	return int(n)
}

// credible sets counts aside that cannot be: many more tokens than were sent or
// could be written, or next to none for a long text. What a server cut before it
// read is another matter: that count is small, and true.
func (u *Usage) credible(promptBytes, replyBytes, maxOutput int) {
	tooSmall := func(bytes, tokens int) bool { return tokens > 0 && bytes > leastDense*tokens }
	if u.Input > promptBytes+slack || tooSmall(promptBytes, u.Input) {
		u.Input, u.Cached, u.Estimated = 0, 0, true
	}
	if u.Output > replyBytes+4*maxOutput+slack || tooSmall(replyBytes, u.Output) {
		u.Output, u.Estimated = 0, true
	}
	u.Cached = min(max(u.Cached, 0), u.Input)
}

const (
	// leastDense is more bytes a token than even a prompt has that was cut to a
	// local server's smallest setting.
	leastDense = 200
	// slack is what a gateway may put around a prompt, and a model around a reply.
	slack = 32 << 10
)
